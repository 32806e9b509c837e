/** What the bytes of a segment and of a head file say, whatever is damaged, torn or doubled. */

import { beforeEach, describe, expect, it } from 'vitest';
import { encodeHead, HEAD_SLOT_BYTES, readHead } from './head-file.ts';
import { changesIndex } from './index-tables.ts';
import { encodeLine, linesOf, type RowOperation } from './journal-line.ts';
import { JOURNAL_FORMAT, listSegments, type SegmentStart } from './segment.ts';
import { checkSegment } from './segment-check.ts';
import { repairedBytes } from './segment-repair.ts';
import { SimulatedDisk } from './simulated-disk.cases.ts';
import { seeded } from './store-history.cases.ts';

type Expected = Parameters<typeof checkSegment>[1];

describe('a segment', () => {
  const put = (table: string, row: unknown = 1): RowOperation => {
    return { kind: 'put', table, key: 1, row, body: null };
  };
  const line = (n: number, d = n - 1) => encodeLine({ n, d, i: 0 }, [put('rows')]).bytes;
  const opening = (format = JOURNAL_FORMAT) => {
    const segment = { format, number: 1, epoch: 1, after: 0, previous: 0 };
    return encodeLine({ n: 0, d: 0, i: 0, segment }, []).bytes;
  };
  /** Checks a segment of which its neighbours say this. */
  const checkWith = (expected: Partial<Expected>, ...parts: readonly Buffer[]) =>
    checkSegment(
      { path: 'f', number: 1, bytes: Buffer.concat(parts) },
      { before: { n: 0, i: 0 }, end: null, head: null, ...expected },
    );
  const check = (...parts: readonly Buffer[]) => checkWith({}, ...parts);
  const found = ({ lines, damages, unfinished_bytes }: ReturnType<typeof check>) => [
    lines.map(({ head }) => head.n),
    damages.map(({ text }) => text),
    unfinished_bytes,
  ];

  it.each([1, 3])('of another version is refused (format %i)', (format) => {
    expect(() => check(opening(format))).toThrow(
      `f has format ${format}, but this version reads format 2. ` +
        'Use the version of armtwin that wrote it.',
    );
  });

  it('names what is damaged, and ignores what was not finished', () => {
    const torn = line(4).subarray(0, 12);
    expect(found(check(opening(), line(1), line(2), torn))).toEqual([[1, 2], [], 12]);
    // Changes that share a write name the same one as durable.
    expect(found(check(opening(), line(1, 0), line(2, 0), line(3, 0)))).toEqual([[1, 2, 3], [], 0]);
    expect(found(check(opening(), line(1), line(5)))).toEqual([
      ...[[1, 5], ['f is damaged (transactions are missing): changes 2 to 4 are lost'], 0],
    ]);
    // Three was not durable when five was written: five belongs to a write that is unfinished.
    expect(found(check(opening(), line(1), line(2, 1), line(5, 2)))).toEqual([
      ...[[1, 2], [], line(5, 2).length],
    ]);
    const bytes = 'f is damaged (bytes between its lines): nothing is lost';
    expect(found(check(opening(), line(1), Buffer.from('x\n'), line(2)))).toEqual([
      [1, 2],
      [bytes],
      0,
    ]);
    const order = 'f is damaged (lines are repeated or out of order): nothing is lost';
    expect(found(check(opening(), line(2), line(1), line(1), line(3)))).toEqual([
      [1, 2, 3],
      [order],
      0,
    ]);
    const first = 'f is damaged (its first line): nothing is lost';
    expect(found(check(line(1), line(2)))).toEqual([[1, 2], [first], 0]);
    // Nothing says that the first write was finished, which wrote its first line, too.
    expect(found(check(line(1, 0), line(2, 0))).slice(0, 2)).toEqual([[], []]);
  });

  it('is read line by line', () => {
    expect(linesOf(Buffer.from('a\n\n')).length).toBe(0);
    expect(linesOf(Buffer.concat([Buffer.from('\n'), line(1)])).length).toBe(1);
    expect(linesOf(Buffer.concat([line(1), line(2), Buffer.from('x')])).length).toBe(2);
  });

  const torn = Buffer.from('x\n');
  it.each([
    ['its first line', [line(1), line(2), line(3)]],
    ['bytes between its lines', [opening(), line(1), torn, line(2)]],
    ['lines are repeated or out of order', [opening(), line(1), line(1)]],
    ['lines are repeated or out of order', [line(1), line(1), line(2)]],
  ])('that loses nothing is damaged once, without harm to users (%s)', (problem, parts) => {
    const text = `f is damaged (${problem}): nothing is lost`;
    expect(check(...parts).damages).toEqual([{ file: 'f', lost: [], inIndex: false, text }]);
  });

  it('counts the first of lines with the same number', () => {
    const other = encodeLine({ n: 1, d: 0, i: 0 }, [put('rows', 'other')]).bytes;
    const [first, ...more] = check(opening(), line(1), other).lines;
    expect([first!.head.o, more]).toEqual([[['p', 'rows', 1, 1]], []]);
  });

  it('that lost no change of users, before one that is there, is not refused', () => {
    const users = encodeLine({ n: 3, d: 2, i: 1 }, [put('users')]).bytes;
    expect(check(opening(), line(1), users).damages).toMatchObject([{ lost: [2], inIndex: false }]);
    const more = encodeLine({ n: 3, d: 2, i: 2 }, [put('users')]).bytes;
    expect(check(opening(), line(1), more).damages).toMatchObject([{ lost: [2], inIndex: true }]);
  });

  it('ends where the next one says, also when its last lines are lost', () => {
    const end = { n: 3, i: 1 };
    const lost = checkWith({ end }, opening(), line(1));
    expect([lost.last, lost.damages[0]?.lost]).toEqual([end, [2, 3]]);
    // What failed and could not be removed stands after the end.
    const failed = checkWith({ end: { n: 1, i: 0 } }, opening(), line(1), line(2));
    expect([found(failed), failed.last]).toEqual([[[1], [], 0], { n: 1, i: 0 }]);
  });

  it('replaces lines that the one before holds and that do not count there', () => {
    // Its damaged first line would have excluded them.
    const before = { n: 2, i: 0 };
    const numbers = checkWith({ before }, line(2), line(3), line(4)).lines.map(
      ({ head }) => head.n,
    );
    expect(numbers).toEqual([2, 3, 4]);
  });

  it('is read alone: what its first line says counts, if it is there', () => {
    const before = null;
    expect(checkWith({ before }).last).toEqual({ n: 0, i: 0 });
    expect(found(checkWith({ before }, opening(), line(1)))).toEqual([[1], [], 0]);
    // The first of two lines of one write is torn.
    expect(checkWith({ before }, opening(), line(2, 0)).lines).toEqual([]);
    expect(checkWith({ before }, line(1), line(2)).lines).toHaveLength(2);
    const first = 'f is damaged (its first line): nothing is lost';
    expect(found(checkWith({ before }, line(7), line(8)))).toEqual([[7, 8], [first], 0]);
  });

  it('is repaired with a note in place of each lost change', () => {
    const before = { n: 0, i: 0 };
    const segment = checkWith({ end: { n: 5, i: 1 } }, opening(), line(1), line(4));
    const repaired = repairedBytes(segment, { ...before, epoch: 1, previous: 0 });
    const [, ...lines] = linesOf(repaired);
    expect(lines.map(({ head: { n, i, lost } }) => [n, i, lost])).toEqual([
      ...[[1, 0, undefined] as const, [2, 0, true] as const, [3, 0, true] as const],
      ...[[4, 0, undefined] as const, [5, 1, true] as const],
    ]);
  });
});

describe('a change', () => {
  it.each([
    [['users', 'rows'], true],
    [['rows', 'tokens'], true],
    [['settings'], true],
    [['rows', 'toolpaths'], false],
    [[], false],
  ])('of %j is one of users, tokens or settings: %s', (tables, expected) => {
    expect(changesIndex({ o: tables.map((table) => ['c', table] as const) })).toBe(expected);
  });
});

describe('the files of a journal', () => {
  const folder = '/data/journal';
  let disk: SimulatedDisk;
  beforeEach(() => {
    disk = new SimulatedDisk(seeded(1));
  });
  const write = async (name: string, bytes: Uint8Array) =>
    (await disk.open(`${folder}/${name}`)).write(bytes, 0);

  it('are its segments by whole names, in order', async () => {
    const segments = ['00000010.log', '00000002.log', '00000001.log'];
    const others = ['100000003.log', '00000004.log.damaged', '5.log', 'head-1'];
    for (const name of [...others, ...segments]) await write(name, Buffer.alloc(0));
    expect(await listSegments(disk, folder)).toEqual([1, 2, 10]);
  });

  it('name no head where its file has just been removed', async () => {
    expect(await readHead(disk, `${folder}/head-1`)).toBeNull();
  });

  it('state in a slot of limited size where the latest of many segments start', async () => {
    const n = Number.MAX_SAFE_INTEGER;
    const first = 99_999_000;
    const start: SegmentStart = { n: 1_000_000_000, i: 1_000_000, epoch: 100_000, previous: first };
    const numbers = Array.from({ length: 999 }, (_, at) => first + at);
    const starts = new Map(numbers.map((number) => [number, start]));
    const bytes = encodeHead({ write: n, n, i: n, first, starts });
    expect(bytes.length).toBeLessThanOrEqual(HEAD_SLOT_BYTES);
    await write('head-1', bytes);
    const head = (await readHead(disk, `${folder}/head-1`))!;
    expect([...head.starts.keys()]).toEqual(numbers.slice(-128));
    expect(head.starts.get(first + 998)).toEqual(start);
  });
});
