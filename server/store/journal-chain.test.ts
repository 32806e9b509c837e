/** The segments of a journal in order, and the latest head file, whatever is missing or damaged. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Damage } from './damage.ts';
import {
  HEAD_SLOT_BYTES,
  HeadFile,
  headEpochs,
  type JournalHead,
  latestHead,
} from './head-file.ts';
import { segmentStarts } from './journal-chain.ts';
import { encodeLine } from './journal-line.ts';
import { type SegmentStart, segmentPath } from './segment.ts';
import { SimulatedDisk } from './simulated-disk.cases.ts';
import { seeded } from './store-history.cases.ts';

const folder = '/data/journal';
let disk: SimulatedDisk;
beforeEach(() => {
  disk = new SimulatedDisk(seeded(1));
});

async function write(path: string, bytes: Uint8Array): Promise<void> {
  await (await disk.open(path)).write(bytes, 0);
}

/** The line of a transaction; it names the last durable one. */
const line = (n: number, d: number) => encodeLine({ n, d, i: 0 }, []).bytes;

/** Writes a segment of a writer; `start` null: its first line is damaged. */
async function segment(
  number: number,
  start: { epoch: number; previous: number; after?: number } | null,
  ...lines: readonly Buffer[]
): Promise<void> {
  const { after = 0, epoch = 0, previous = 0 } = start ?? {};
  const head = { format: 2, number, epoch, after, previous };
  const opening = encodeLine({ n: after, d: after, i: 0, segment: head }, []).bytes;
  if (start === null) opening[12] = 0;
  await write(segmentPath(folder, number), Buffer.concat([opening, ...lines]));
}

const started = (n: number, epoch: number, previous: number): SegmentStart => {
  return { n, i: 0, epoch, previous };
};
const head = (first: number, starts: readonly (readonly [number, SegmentStart])[]): JournalHead => {
  return { write: 1, n: 9, i: 0, first, starts: new Map(starts) };
};
const chain = async (given: JournalHead | null = null) => [
  ...(await segmentStarts({ disk, folder }, given)).entries(),
];

describe('the head file', () => {
  it('of the latest writer counts', async () => {
    for (const name of ['head-3', 'head-12', 'ahead-20', 'head-30.new', 'head-']) {
      await write(`${folder}/${name}`, Buffer.from('x'));
    }
    expect(await headEpochs(disk, folder)).toEqual([12, 3]);
  });

  it('that is damaged is reported, and the one before counts', async () => {
    const damages: Damage[] = [];
    expect(await latestHead({ disk, folder }, damages)).toBeNull();
    const { write: _, ...state } = head(1, [[1, started(0, 1, 0)]]);
    const file = new HeadFile(disk, `${folder}/head-1`);
    await file.write(state, true);
    await file.write({ ...state, n: 10 }, false);
    await write(`${folder}/head-2`, Buffer.alloc(HEAD_SLOT_BYTES + 1));
    // The first write of all was not finished: that is no damage.
    await write(`${folder}/head-3`, Buffer.alloc(HEAD_SLOT_BYTES));
    expect(await latestHead({ disk, folder }, damages)).toEqual({ ...state, n: 10, write: 2 });
    const path = `${folder}/head-2`;
    const text = `${path} is damaged: nothing is lost`;
    expect(damages).toEqual([{ file: path, lost: [], inIndex: false, text }]);
  });

  /** A head file, and the steps of its writes, the first of which fail. */
  function observedHead(failures: number) {
    const steps: string[] = [];
    let left = failures;
    const { open } = SimulatedDisk.prototype;
    disk.open = async (path) => {
      steps.push('open');
      const file = await open.call(disk, path);
      return {
        ...file,
        async write(bytes, position) {
          steps.push(`write ${position / HEAD_SLOT_BYTES}`);
          left -= 1;
          if (left >= 0) throw new Error('EIO');
          await file.write(bytes, position);
        },
        async sync() {
          steps.push('sync');
          await file.sync();
        },
        async close() {
          steps.push('close');
        },
      };
    };
    return { file: new HeadFile(disk, `${folder}/head-1`), steps };
  }

  it('has two slots that are synced in turn, and one for what need not be durable', async () => {
    const { file, steps } = observedHead(0);
    const states = [false, false, false, true, false, true];
    for (const [n, isDurable] of states.entries()) {
      await file.write({ ...head(1, []), n }, isDurable);
      expect(await latestHead({ disk, folder }, [])).toMatchObject({ n, write: n + 1 });
    }
    await file.close();
    expect(steps).toEqual([
      ...['open', 'write 0', 'sync', 'write 2', 'write 2', 'write 1', 'sync'],
      ...['write 2', 'write 0', 'sync', 'sync', 'close'],
    ]);
  });

  const attempt = ['open', 'write 0', 'sync', 'close'];
  it.each([
    { how: 'once', failures: 1, expected: [...attempt, 'open', 'write 0', 'sync'], n: 9 },
    { how: 'always', failures: 99, expected: [...attempt, ...attempt], n: undefined },
  ])('that cannot be written $how is opened once more', async ({ failures, expected, n }) => {
    const { file, steps } = observedHead(failures);
    await file.write(head(1, []), true);
    expect([steps, (await latestHead({ disk, folder }, []))?.n]).toEqual([expected, n]);
  });
});

describe('the segments of a journal', () => {
  it('begin with the first that is needed', async () => {
    for (const number of [1, 2, 3]) await segment(number, { epoch: 1, previous: number - 1 });
    const all = [1, 2, 3].map((number) => [number, started(0, 1, number - 1)] as const);
    expect(await chain()).toEqual(all);
    expect(await chain(head(2, all))).toEqual(all.slice(1));
    await disk.remove(segmentPath(folder, 1));
    // A head file may be older than the removal.
    expect(await chain(head(1, all))).toEqual(all.slice(1));
    for (const number of [2, 3]) await disk.remove(segmentPath(folder, number));
    expect(await chain(head(1, all))).toEqual([]);
  });

  it('include those that are missing between others, as the head file knows them', async () => {
    const all = [1, 2, 3].map((number) => [number, started(number, 1, number - 1)] as const);
    for (const number of [1, 3])
      await segment(number, { epoch: 1, previous: number - 1, after: number });
    expect(await chain(head(1, all))).toEqual(all);
    expect((await chain()).map(([number]) => number)).toEqual([3]);
  });

  it('stay in order around damaged first lines, which belong to the writer before', async () => {
    await segment(1, null, line(1, 0), line(2, 1));
    await segment(2, { epoch: 1, previous: 1 });
    await segment(3, { epoch: 2, previous: 2 });
    await segment(4, null, line(1, 0));
    await segment(5, { epoch: 2, previous: 4 });
    const numbers = (await chain()).map(([number, start]) => [number, start?.epoch]);
    expect(numbers).toEqual([
      ...[
        [1, undefined],
        [2, 1],
        [3, 2],
      ],
      ...[
        [4, undefined],
        [5, 2],
      ],
    ]);
  });

  it('leave out those of a writer that had lost the lock', async () => {
    await segment(1, { epoch: 1, previous: 0 });
    await segment(2, { epoch: 2, previous: 1 });
    await segment(3, { epoch: 1, previous: 1 });
    expect((await chain()).map(([number]) => number)).toEqual([1, 2]);
  });

  it.each([
    ['one that was not acknowledged', [line(5, 4)], [1]],
    ['nothing', [], [1]],
    ['an acknowledged one', [line(5, 4), line(6, 5)], [1, 2]],
  ])('end with a segment without its first line that holds %s', async (_what, lines, expected) => {
    await segment(1, { epoch: 1, previous: 0 });
    await segment(2, null, ...lines);
    expect((await chain()).map(([number]) => number)).toEqual(expected);
  });

  it('end before all without a first line that were not acknowledged', async () => {
    for (const number of [1, 2]) await segment(number, { epoch: 1, previous: number - 1 });
    for (const number of [3, 4]) await segment(number, null, line(5, 4));
    expect((await chain()).map(([number]) => number)).toEqual([1, 2]);
  });

  it('end where one names itself or a later one as the one before', async () => {
    await segment(1, { epoch: 1, previous: 2 });
    await segment(2, { epoch: 1, previous: 2 });
    expect((await chain()).map(([number]) => number)).toEqual([2]);
    await segment(2, { epoch: 1, previous: 1 });
    expect((await chain()).map(([number]) => number)).toEqual([1, 2]);
  });
});
