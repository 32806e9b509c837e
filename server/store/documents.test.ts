/** Tables of documents with their snapshots, and the lines of the journal. */
import { beforeEach, describe, expect, it } from 'vitest';
import { refuse } from '../../contract/refusal.ts';
import { Documents } from './documents.ts';
import { decodeLine, encodeLine, type RowOperation, rowOperationsOf } from './journal-line.ts';
import { SimulatedDisk } from './simulated-disk.cases.ts';
import { Store } from './store.ts';
import { openSimulated, seeded } from './store-history.cases.ts';

interface Note {
  readonly name: string;
}

let store: Store;
let notes: Documents<Note>;
beforeEach(async () => {
  store = await Store.open(null);
  notes = new Documents(store, 'notes');
});

const content = (name: string) => ({ row: { name }, body: Buffer.from(`"${name}"`) });
const busy = () => refuse('timed_out');
const body = async (id: number) => {
  const bytes = await notes.readBody(id);
  return bytes && String(bytes);
};
const all = () => [...notes.all].map(([id, { name }]) => `${id} ${name}`);

describe('documents', () => {
  it('are made with ids in order, in one transaction with what belongs to them', async () => {
    const log = store.table<string>('log');
    const made = await notes.create(content('a'), undefined, (draft, id) => {
      draft.put(log, id, { row: notes.rowIn(draft, id)!.name });
    });
    expect([made, await notes.create({ row: { name: 'b' } })]).toEqual([1, 2]);
    expect([all(), notes.get(1), notes.get(3)]).toEqual([['1 a', '2 b'], { name: 'a' }, undefined]);
    expect([await body(1), await body(2), await body(3)]).toEqual(['"a"', null, null]);
    expect([...log.rows()]).toEqual([[1, 'a']]);
    const counted = store.change((draft) => {
      draft.put(store.table<Note>('notes'), 9, { row: { name: 'a' } });
      return notes.countIn(draft, ({ name }) => name === 'a');
    });
    expect(await counted).toBe(2);
  });

  it('are saved and removed, each with its body', async () => {
    for (const name of ['a', 'b']) await notes.create(content(name));
    expect(await notes.save(1, content('A'))).toBeNull();
    expect(await notes.remove(2)).toBeNull();
    expect([all(), await body(1), await body(2)]).toEqual([['1 A'], '"A"', null]);
  });

  it('do not change when a guard refuses, which sees the changes before', async () => {
    const guards: unknown[] = [];
    const guard = (id: number) => (draft: Parameters<typeof notes.rowIn>[0]) => {
      guards.push(notes.rowIn(draft, id)?.name);
      return busy();
    };
    const made = notes.create(content('a'));
    const refusals = [
      notes.create(content('b'), guard(1)),
      notes.save(1, content('c'), guard(1)),
      notes.remove(1, guard(1)),
    ];
    expect(await made).toBe(1);
    expect(await Promise.all(refusals)).toEqual([busy(), busy(), busy()]);
    expect([guards, all(), await body(1)]).toEqual([['a', 'a', 'a'], ['1 a'], '"a"']);
    expect(await notes.create(content('d'))).toBe(2);
  });
});

describe('a snapshot', () => {
  it('restores rows, bodies and the last id after any changes, and again', async () => {
    for (const name of ['a', 'b', 'c']) await notes.create(content(name));
    await notes.create({ row: { name: 'd' } });
    const snapshot = notes.snapshot();
    for (let round = 1; round <= 2; round++) {
      await notes.save(1, content(`A${round}`));
      await notes.save(1, content(`AA${round}`));
      await notes.remove(2);
      await notes.save(4, content('D'));
      expect(await notes.create(content('e'))).toBe(5);
      await notes.save(5, content('E'));
      await notes.remove(7);
      await notes.restore(snapshot);
      expect(all().sort()).toEqual(['1 a', '2 b', '3 c', '4 d']);
      const bodies = await Promise.all([1, 2, 3, 4, 5].map(body));
      expect(bodies).toEqual(['"a"', '"b"', '"c"', null, null]);
    }
    expect(await notes.create(content('next'))).toBe(5);
  });

  it('of no documents restores none', async () => {
    const snapshot = notes.snapshot();
    await notes.create(content('a'));
    await notes.restore(snapshot);
    expect([all(), await notes.create(content('b'))]).toEqual([[], 1]);
  });

  it('does not replace what changed after it where nothing was restored', async () => {
    await notes.create(content('a'));
    const before = notes.snapshot();
    await notes.save(1, content('b'));
    const after = notes.snapshot();
    await notes.save(1, content('c'));
    await notes.restore(after);
    expect([all(), await body(1)]).toEqual([['1 b'], '"b"']);
    expect([...before.documents.values()]).toEqual([{ name: 'a' }]);
  });

  it('keeps the body of its row while two changes and a compaction cross', async () => {
    const disk = new SimulatedDisk(seeded(1));
    store = await openSimulated(disk, undefined, { segment_bytes: 1, compaction_bytes: 1e9 });
    notes = new Documents(store, 'notes');
    await notes.create(content('a'));
    const snapshot = notes.snapshot();
    const { read } = SimulatedDisk.prototype;
    let reads = 0;
    disk.read = async (path, range) => {
      reads += 1;
      if (reads > 1) return read.call(disk, path, range);
      // Another change is faster, and the segment that is being read is gone.
      await notes.save(1, content('second'));
      return null;
    };
    await notes.save(1, content('first'));
    await notes.restore(snapshot);
    expect([all(), await body(1)]).toEqual([['1 a'], '"a"']);
  });
});

describe('a line', () => {
  const operations: readonly RowOperation[] = [
    { kind: 'put', table: 'notes', key: 1, row: { name: 'ä' }, body: Buffer.from('"bytes"') },
    { kind: 'put', table: 'notes', key: 'x', row: null, body: null },
    { kind: 'remove', table: 'notes', key: 2 },
    { kind: 'put', table: 'notes', key: 3, row: 4, body: '"täxt"' },
    { kind: 'clear', table: 'others' },
    { kind: 'put', table: 'notes', key: 5, row: 6, body: Buffer.from('[]') },
  ];

  it('holds the operations of a transaction, and where its bodies are', () => {
    const { bytes, head } = encodeLine({ n: 7, d: 6, i: 2 }, operations);
    const line = decodeLine(Buffer.concat([Buffer.from('0123\n'), bytes]), 5, 4 + bytes.length)!;
    expect(line).toMatchObject({ head, offset: 5, length_bytes: bytes.length });
    const read = [...rowOperationsOf(line)].map((operation) => {
      if (operation.kind !== 'put' || !operation.body) return operation;
      const { offset, length_bytes } = operation.body;
      const text = bytes.toString('utf8', offset - 5, offset - 5 + length_bytes);
      return { ...operation, body: text };
    });
    const texts = operations.map((operation) => {
      if (operation.kind !== 'put' || operation.body === null) return operation;
      return { ...operation, body: String(operation.body) };
    });
    expect(read).toEqual(texts);
  });

  it('keeps no parsed operations: those of a whole journal are more than its rows', () => {
    const { bytes, head } = encodeLine({ n: 7, d: 6, i: 2 }, operations);
    const read = decodeLine(bytes, 0, bytes.length - 1)!.head;
    expect(read.o).not.toBe(read.o);
    expect(read.o).toEqual(head.o);
  });

  it('with any damage is none, and shorter than its checksum neither', () => {
    const { bytes } = encodeLine({ n: 1, d: 0, i: 0 }, operations);
    for (let at = 0; at < bytes.length - 1; at++) {
      if (at === 8) continue;
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 1;
      expect([at, decodeLine(damaged, 0, bytes.length - 1)]).toEqual([at, null]);
    }
    // The checksum of nothing is zero.
    const empty = Buffer.from('first line\n00000000 \n');
    for (const end of [19, 20]) expect(decodeLine(empty, 11, end)).toBeNull();
  });
});
