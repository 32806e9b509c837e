/** Bytes by owner: what counts for whom, and what is refused before it is stored. */
import { describe, expect, it } from 'vitest';
import { shares } from '../../contract/shares.ts';
import { Database } from '../store/database.ts';
import { openStore } from '../store/open-store.ts';
import { StoredBytes } from './stored-bytes.ts';

const MIB = 1024 * 1024;
const ROW = { ...shares.stored_in_memory, total: 10 * MIB };

describe('the bytes of an owner', () => {
  it('are those of the rows of the store that name the owner, and of the lists of runs', async () => {
    const store = await openStore(':memory:');
    const { toolpaths } = Database.over(store);
    const runs = store.table('runs');
    const events = store.table('run-4-events');
    const body = 'x'.repeat(1000);
    await store.change((draft) => {
      draft.put(store.table('deliveries'), 1, { row: { owner_id: 7 }, body });
      draft.put(runs, 4, { row: { owner_id: 8 } });
    });
    await store.change((draft) => draft.put(events, 1, { row: { text: body } }));
    const ofSeven = store.bytes.share.usedBy(7);
    expect(ofSeven).toBeGreaterThan(1000);
    expect(store.bytes.share.usedBy(8)).toBeGreaterThan(1000);
    const row = { id: 1, owner_id: 7, name: 'a', hash: 'b', modified_at: '', bytes: 5000 };
    await store.change((draft) => draft.put(toolpaths, 1, { row }));
    expect(store.bytes.share.usedBy(7)).toBeGreaterThan(ofSeven + 5000);
    await store.change((draft) => {
      draft.clear(events);
      draft.remove(runs, 4);
      draft.remove(toolpaths, 1);
      draft.remove(store.table('deliveries'), 1);
    });
    expect([...store.bytes.share.owners]).toEqual([]);
  });

  it('are known whatever comes first, the row of a run or its lists', () => {
    const bytes = new StoredBytes(ROW);
    const row = { table: 'runs', key: 4, row: { owner_id: 8 }, size_bytes: 10 };
    const list = { table: 'run-4-events', key: 1, row: { text: 'x' }, size_bytes: 1000 };
    bytes.note(list, 1);
    bytes.note(row, 1);
    expect(bytes.share.usedBy(8)).toBe(1010);
    bytes.note(row, -1);
    expect(bytes.share.usedBy(8)).toBe(0);
    bytes.note(list, -1);
    expect([...bytes.share.owners]).toEqual([]);
  });
});

describe('a call that would store more than the share of its owner', () => {
  it('is refused before it stores anything, with what is used and how to free it', async () => {
    const bytes = new StoredBytes(ROW);
    bytes.share.add(7, 4 * MIB);
    let stored = false;
    const answer = await bytes.admit({ owner: 7 }, 2 * MIB, async () => {
      stored = true;
      return 'stored';
    });
    expect([answer, stored]).toEqual([
      {
        refused: 'storage_used_up',
        details:
          'You use 4.0 of the 5.0 MiB that are your share now: delete toolpaths or workflows of ' +
          'yours, or wait until deliveries of yours are settled',
        count: 0,
        retry_after_s: 60,
      },
      false,
    ]);
    expect(await bytes.admit({ owner: 8 }, 2 * MIB, async () => 'stored')).toBe('stored');
  });

  it('is refused where a call that is being stored takes the rest', async () => {
    const bytes = new StoredBytes(ROW);
    let end = () => {};
    const first = bytes.admit(
      { owner: 7 },
      4 * MIB,
      () =>
        new Promise<string>((resolve) => {
          end = () => resolve('stored');
        }),
    );
    expect(await bytes.admit({ owner: 7 }, 4 * MIB, async () => 'stored')).toMatchObject({
      refused: 'storage_used_up',
    });
    end();
    expect([await first, bytes.share.used]).toEqual(['stored', 0]);
  });

  it('is refused to those who use most, and to no other, while memory is short', () => {
    const bytes = new StoredBytes(ROW);
    bytes.share.add(7, 2 * MIB);
    bytes.share.add(8, 1 * MIB);
    bytes.isShort = () => true;
    expect(bytes.refusal({ owner: 7 }, 1)).toMatchObject({
      details: expect.stringContaining('short of memory'),
    });
    expect(bytes.refusal({ owner: 8 }, 1)).toBeNull();
    expect(bytes.refusal({ owner: 9 }, 1)).toBeNull();
    // What makes something smaller is always possible.
    expect(bytes.refusal({ owner: 7 }, -5)).toBeNull();
  });
});
