/**
 * Retention: all pending deliveries, and a bounded number of settled ones. Pages, redelivery, what
 * is read when, and removal.
 */
import { describe, expect, it } from 'vitest';
import { refuse } from '../../contract/refusal.ts';
import { shares } from '../../contract/shares.ts';
import { ALWAYS } from '../store/guard.ts';
import { openStore } from '../store/open-store.ts';
import type { DeliveryContent, DeliveryRecord } from './delivery-record.ts';
import { LaneQueues } from './lane-queues.ts';
import { Outbox, type OutboxSizes } from './outbox.ts';
import { type OpenOutbox, openOutbox } from './receiver.cases.ts';

const MOST = 3;
/** A share that one owner may have whole. */
const few = (total: number) => ({ ...shares.finished_deliveries, total, part: 1 });

const CONTENT = {
  owner_id: 1,
  run_id: '1',
  sequence: 1,
  hook_type: 'NewPlanHook',
  url: 'http://127.0.0.1:1/',
  headers: {},
  body: '{}',
} as const;

const ids = async ({ outbox }: OpenOutbox) => {
  const { deliveries } = await outbox.page(1, { limit: 100 });
  return deliveries.map(({ id }) => id);
};

async function sent({ outbox, add }: OpenOutbox): Promise<DeliveryRecord> {
  const [delivery] = await add(CONTENT);
  delivery!.state = 'delivered';
  await outbox.settle(delivery!);
  return delivery!;
}

it('removes the oldest settled deliveries, and no pending one', async () => {
  const opened = await openOutbox(':memory:', { kept: few(MOST) });
  const { outbox, add } = opened;
  const [first] = await add(CONTENT);
  for (let i = 0; i < 4; i++) await sent(opened);
  expect(await ids(opened)).toEqual([5, 4, 3, 1]);
  await add(...Array.from({ length: 4 }, () => CONTENT));
  expect(await ids(opened)).toEqual([9, 8, 7, 6, 5, 4, 3, 1]);
  expect(outbox.pending.map(({ id }) => id)).toEqual([1, 6, 7, 8, 9]);
  first!.state = 'dead';
  await outbox.settle(first!);
  expect(await ids(opened)).toEqual([9, 8, 7, 6, 5, 4, 1]);
});

it('keeps a delivery that is queued again', async () => {
  const opened = await openOutbox(':memory:', { kept: few(MOST) });
  const again = await sent(opened);
  await opened.outbox.requeue([again], ALWAYS);
  for (let i = 0; i < 4; i++) await sent(opened);
  expect(await ids(opened)).toContain(again.id);
});

const opened = async (sizes: Partial<OutboxSizes> = {}) => {
  const store = await openStore(':memory:');
  const outbox = new Outbox(store, sizes);
  const ready: DeliveryRecord[] = [];
  outbox.onReady = (delivery) => void ready.push(delivery);
  const add = async (count: number, content: Partial<DeliveryContent> = {}) => {
    const contents = Array.from({ length: count }, () => ({ ...CONTENT, ...content }));
    const made = await store.change((draft) => outbox.add(draft, contents));
    outbox.accept(made);
    return made;
  };
  const settle = (delivery: DeliveryRecord, state: DeliveryRecord['state'] = 'delivered') => {
    delivery.state = state;
    return outbox.settle(delivery);
  };
  return { store, outbox, ready, add, settle, rows: store.table<{ state: string }>('deliveries') };
};

const turn = () => new Promise(setImmediate);
const idsOf = (deliveries: readonly DeliveryRecord[]) => deliveries.map(({ id }) => id);

describe('an outbox of a store that holds deliveries', () => {
  it('sends the pending ones in the order of their ids, also those queued again', async () => {
    const { store, outbox, add, settle, rows } = await opened();
    const [first] = await add(3);
    await settle(first!, 'dead');
    await outbox.requeue([first!], ALWAYS);
    expect([...rows.rows()].map(([key]) => Number(key))).toEqual([2, 3, 1]);
    const next = new Outbox(store);
    const ready: DeliveryRecord[] = [];
    next.onReady = (delivery) => void ready.push(delivery);
    next.resume();
    await turn();
    expect(idsOf(ready)).toEqual([1, 2, 3]);
  });

  it('counts the settled ones, and can queue them again', async () => {
    const { store, add, settle } = await opened();
    const [sent, dead, gone] = await add(4);
    await settle(sent!);
    await settle(dead!, 'dead');
    await settle(gone!, 'disabled');
    const next = new Outbox(store);
    expect(next.figures()).toEqual({ pending: 1, delivered: 1, dead: 1, disabled: 1 });
    expect(idsOf(await next.settledAmong(1, [1, 2, 3, 4]))).toEqual([1, 2, 3]);
  });
});

it('makes one change of the table for a delivery that is settled, while all are kept', async () => {
  const { store, add, settle } = await opened();
  const [delivery] = await add(1);
  const table = store.table('deliveries');
  const before = table.version;
  await settle(delivery!);
  expect(table.version - before).toBe(1);
});

describe('a delivery that its receiver has not got', () => {
  it('stays pending until that is on disk', async () => {
    const { store, outbox, rows, add, settle } = await opened();
    const [delivery] = await add(1);
    store.beforeCommit = () => {
      throw new Error('the disk is full');
    };
    await expect(settle(delivery!, 'dead')).rejects.toThrow('the disk is full');
    expect([outbox.figures(), outbox.pending]).toMatchObject([{ pending: 1, dead: 0 }, [delivery]]);
    const states: unknown[] = [];
    store.beforeCommit = () => void states.push(rows.get(1)?.state);
    await settle(delivery!, 'dead');
    // It is stored as dead before it is settled in memory, and then once more with that.
    expect(states).toEqual(['pending', 'dead']);
    expect(outbox.figures()).toMatchObject({ pending: 0, dead: 1 });
  });
});

describe('figures', () => {
  it('count a delivery that is being stored as settled neither twice nor as pending', async () => {
    const { outbox, add, settle } = await opened();
    const [delivery] = await add(1);
    const stored = settle(delivery!);
    expect(outbox.figures()).toEqual({ pending: 0, delivered: 0, dead: 0, disabled: 0 });
    await stored;
    expect(outbox.figures()).toEqual({ pending: 0, delivered: 1, dead: 0, disabled: 0 });
  });

  it('leave out a delivery whose row was removed before it was accepted', async () => {
    const { store, outbox } = await opened({ pending: few(0) });
    const made = await store.change((draft) => outbox.add(draft, [CONTENT]));
    await outbox.clear();
    outbox.accept(made);
    expect(outbox.figures().dead).toBe(0);
  });
});

describe('a page', () => {
  it('that holds the last delivery is the last one', async () => {
    const { outbox, add } = await opened();
    await add(3);
    expect(await outbox.ids(1, {})).toEqual([1, 2, 3]);
    const page = async (limit: number) => {
      const { deliveries, next } = await outbox.page(1, { limit });
      return [idsOf(deliveries), next];
    };
    expect(await page(3)).toEqual([[3, 2, 1], null]);
    expect(await page(2)).toEqual([[3, 2], 2]);
  });

  it.each([
    [255, true],
    [256, false],
    [700, false],
  ])(
    'over %d deliveries is read within one turn of the event loop: %s',
    async (count, isAtOnce) => {
      const { outbox, add } = await opened();
      await add(count);
      let isRead = false;
      const reading = outbox.ids(1, {}).then((found) => {
        isRead = true;
        return found;
      });
      for (let i = 0; i < 20; i++) await Promise.resolve();
      expect(isRead).toBe(isAtOnce);
      expect(await reading).toHaveLength(count);
    },
  );

  it('counts no delivery of another owner', async () => {
    const { outbox, add } = await opened();
    await add(2);
    await add(1, { owner_id: 2 });
    expect([await outbox.ids(1, {}), await outbox.ids(2, {})]).toEqual([[1, 2], [3]]);
    expect(await outbox.page(2, { limit: 1 })).toMatchObject({ next: null });
    expect(await outbox.find(1, 3)).toBeNull();
    expect(await outbox.find(1, 4)).toBeNull();
  });

  it('leaves out a delivery that is removed while it is read', async () => {
    const { store, outbox, add, settle } = await opened({ kept: few(1) });
    const [old, next] = await add(2);
    await settle(old!);
    const read = store.readBody.bind(store);
    store.readBody = async (...place) => {
      const text = await read(...place);
      await settle(next!);
      return text;
    };
    expect(await outbox.page(1, { limit: 1, before: 2 })).toEqual({ deliveries: [], next: null });
    expect(await outbox.ids(1, {})).toEqual([2]);
  });
});

describe('a delivery that is queued again', () => {
  it('is pending, in memory and in the store', async () => {
    const { outbox, ready, rows, add, settle } = await opened();
    const [delivery] = await add(1);
    await settle(delivery!, 'dead');
    expect(await outbox.requeue([delivery!], ALWAYS)).toBeNull();
    expect(delivery).toMatchObject({ id: 1, state: 'pending' });
    expect(ready).toEqual([delivery, delivery]);
    expect(rows.get(1)).toEqual({ owner_id: 1, run_id: '1', url: CONTENT.url, state: 'pending' });
  });

  it('stays settled when the guard refuses', async () => {
    const { outbox, ready, rows, add, settle } = await opened();
    const [delivery] = await add(1);
    await settle(delivery!, 'dead');
    const refused = await outbox.requeue([delivery!], () => refuse('not_authenticated'));
    expect(refused).toMatchObject({ refused: 'not_authenticated' });
    expect([delivery!.state, rows.get(1)?.state, ready.length]).toEqual(['dead', 'dead', 1]);
    expect(outbox.figures()).toMatchObject({ pending: 0, dead: 1 });
  });

  it('is not stored again when newer ones have replaced it meanwhile', async () => {
    const { outbox, ready, rows, add, settle } = await opened({ kept: few(1) });
    const [old, next] = await add(2);
    await settle(old!);
    await settle(next!);
    expect(await outbox.requeue([old!], ALWAYS)).toBeNull();
    expect([...rows.rows()].map(([key]) => key)).toEqual([2]);
    expect([ready.length, outbox.figures().pending]).toEqual([2, 0]);
  });

  it('is a settled one of its owner', async () => {
    const { outbox, add, settle } = await opened();
    const [first] = await add(2);
    await settle(first!);
    expect(idsOf(await outbox.settledAmong(1, [1, 2]))).toEqual([1]);
    expect(await outbox.settledAmong(2, [1, 2])).toEqual([]);
  });
});

describe('a lane with more deliveries than memory holds', () => {
  it('is read further when none of its deliveries is in memory any more', async () => {
    const { outbox, add, settle } = await opened({ inMemory: 2 });
    const [first, second] = await add(4);
    await add(1, { url: 'http://127.0.0.2:1/' });
    const inMemory = () => idsOf(outbox.pending).sort();
    expect(inMemory()).toEqual([1, 2, 5]);
    await settle(first!);
    await turn();
    expect(inMemory()).toEqual([2, 5]);
    await settle(second!);
    await turn();
    expect(inMemory()).toEqual([3, 5]);
  });

  it('goes on after those that cannot be read', async () => {
    const { store, outbox, ready, add, settle } = await opened({ inMemory: 1 });
    const errors: unknown[] = [];
    outbox.onReadError = (error) => void errors.push(error);
    const [first] = await add(4);
    const read = store.readBody.bind(store);
    store.readBody = (table, key) =>
      key === 2 || key === 3 ? Promise.reject(new Error(`lost ${key}`)) : read(table, key);
    await settle(first!);
    await turn();
    expect(errors).toEqual([new Error('lost 2'), new Error('lost 3')]);
    expect(idsOf(ready)).toEqual([1, 4]);
    expect(idsOf(outbox.pending)).toEqual([4]);
    await settle(ready[1]!);
    expect(outbox.figures()).toMatchObject({ pending: 0, delivered: 2 });
  });
});

describe('a delivery that waits aside', () => {
  it('takes no memory, and is published again when it is recalled', async () => {
    const { outbox, ready, add } = await opened({ inMemory: 2 });
    const [first] = await add(4);
    const inMemory = () => idsOf(outbox.pending).sort();
    await outbox.putAside(first!);
    expect([inMemory(), outbox.figures().pending]).toEqual([[2], 4]);
    outbox.recall(first!);
    await turn();
    expect([inMemory(), ready.at(-1)]).toMatchObject([[1, 2], { id: 1, isAlone: true }]);
  });

  it('lets the next of its lane be read when it was the last in memory', async () => {
    const { outbox, ready, add } = await opened({ inMemory: 1 });
    const [first] = await add(2);
    await outbox.putAside(first!);
    await turn();
    expect(idsOf(ready)).toEqual([1, 2]);
  });

  it('is put aside again from memory', async () => {
    const { outbox, ready, add } = await opened({ inMemory: 1 });
    const [first] = await add(1);
    await outbox.putAside(first!);
    outbox.recall(first!);
    await turn();
    await outbox.putAside(ready[1]!);
    await turn();
    expect([idsOf(ready), outbox.pending, outbox.figures().pending]).toEqual([[1, 1], [], 1]);
  });
});

it('keeps no safety event behind others, and stores that', async () => {
  const { store, outbox, ready, add, rows } = await opened({ inMemory: 1 });
  await add(2);
  const [safety] = await add(1, { hook_type: 'SafetyStateChangeHook' });
  expect([idsOf(ready), safety!.isAlone]).toEqual([[1, safety!.id], true]);
  expect(rows.get(safety!.id)).toMatchObject({ isAlone: true });
  const next = new Outbox(store);
  const again: DeliveryRecord[] = [];
  next.onReady = (delivery) => void again.push(delivery);
  next.resume();
  await turn();
  expect(again.filter(({ isAlone }) => isAlone).map(({ id }) => id)).toEqual([safety!.id]);
  expect(outbox.figures().pending).toBe(3);
});

describe('after all deliveries are removed', () => {
  it('the first delivery has id 1 and is sent at once: none waits in its lane', async () => {
    const { store, outbox, ready, add, settle } = await opened({ inMemory: 1 });
    const [old] = await add(3);
    await settle(old!);
    await turn();
    await outbox.clear();
    expect([outbox.pending, store.counters.get('delivery')]).toEqual([[], 0]);
    const [first] = await add(1);
    expect([first!.id, ready.at(-1)]).toEqual([1, first]);
    expect(await outbox.settledAmong(1, [1])).toEqual([]);
  });

  it('a call that ends then stores nothing', async () => {
    const { outbox, rows, add, settle } = await opened();
    const [delivery] = await add(1);
    await outbox.clear();
    await settle(delivery!);
    expect([rows.size, outbox.figures().delivered]).toEqual([0, 0]);
  });

  it('one that was being read is not sent', async () => {
    const { store, outbox, ready, add, settle } = await opened({ inMemory: 1 });
    const [first] = await add(2);
    let finish = (_text: string) => {};
    store.readBody = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    await settle(first!);
    await outbox.clear();
    // The new ones have the same ids.
    const [again] = await add(2);
    finish('{}');
    await turn();
    expect(ready).toEqual([first, again]);
    expect([outbox.pending, outbox.figures().pending]).toEqual([[again], 2]);
  });
});

describe('the queues of lanes', () => {
  it('name the lanes with waiting deliveries', () => {
    const queues = new LaneQueues(10);
    expect(queues.takeNow('a')).toBe(true);
    queues.add('b', 1);
    expect([queues.lanes, queues.count]).toEqual([['b'], 2]);
    queues.take('b', 5);
    expect([queues.lanes, queues.count]).toEqual([[], 2]);
  });

  it('give as many as are asked for and memory holds, but at least one', () => {
    const queues = new LaneQueues(4);
    for (let id = 1; id <= 9; id++) queues.add('a', id);
    queues.add('b', 10);
    expect(queues.takeNow('c')).toBe(true);
    expect(queues.take('a', 2)).toEqual([1, 2]);
    expect(queues.take('a', 5)).toEqual([3]);
    expect(queues.take('b', 5)).toEqual([10]);
    expect(queues.take('a', 5)).toEqual([4]);
  });

  it('let no delivery pass those that are being read', () => {
    const queues = new LaneQueues(10);
    queues.add('a', 1);
    queues.take('a', 1);
    expect(queues.takeNow('a')).toBe(false);
    queues.loaded('a');
    expect(queues.takeNow('a')).toBe(true);
  });

  it('count what a lane has in memory until the last of it is released', () => {
    const queues = new LaneQueues(2);
    expect(['a', 'a', 'b'].map((key) => queues.takeNow(key))).toEqual([true, true, true]);
    queues.release('a');
    expect(queues.takeNow('a')).toBe(false);
    queues.release('a');
    expect(queues.takeNow('a')).toBe(true);
  });

  it('give each id of a long lane once, in order', () => {
    const queues = new LaneQueues(1);
    const ids = Array.from({ length: 1100 }, (_, i) => i);
    for (const id of ids) queues.add('a', id);
    const taken: number[] = [];
    for (; queues.lanes.length > 0; queues.release('a')) taken.push(...queues.take('a', 1));
    expect(taken).toEqual(ids);
    expect([queues.count, queues.mayLoad('a')]).toEqual([0, false]);
  });
});

describe('what another owner does', () => {
  it('pushes out none of the settled deliveries of one who settles nothing', async () => {
    const { outbox, add, settle } = await opened({ kept: { ...few(8), part: 1 / 2 } });
    const [mine] = await add(1);
    await settle(mine!);
    for (const one of await add(40, { owner_id: 2 })) await settle(one);
    expect([...outbox.kept.owners]).toEqual([
      [1, 1],
      [2, 3],
    ]);
    expect(await outbox.ids(1, {})).toEqual([1]);
    // The latest three of the other.
    expect(await outbox.ids(2, {})).toEqual([39, 40, 41]);
  });

  it('makes no delivery of another dead', async () => {
    const { outbox, add } = await opened({ pending: { ...few(8), part: 3 / 4 } });
    const theirs = await add(9, { owner_id: 2 });
    expect(theirs.map(({ state }) => state).lastIndexOf('pending')).toBe(5);
    const [mine] = await add(1);
    expect([mine!.state, outbox.waiting.usedBy(1)]).toEqual(['pending', 1]);
  });
});
