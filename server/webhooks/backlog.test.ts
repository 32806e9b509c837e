/** Deliveries to a receiver that accepts none: how many are in memory, and their order. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shares } from '../../contract/shares.ts';
import { ALWAYS } from '../store/guard.ts';
import type { DeliveryRecord } from './delivery-record.ts';
import { openOutbox } from './receiver.cases.ts';

const KEPT = 4;
const PENDING = 30;
const share = { ...shares.pending_deliveries, part: 1 };
const SIZES = {
  inMemory: 3,
  kept: { ...share, total: KEPT },
  pending: { ...share, total: PENDING },
};
const COUNT = 20;
const CONTENT = { owner_id: 1, run_id: '1', hook_type: 'NewPlanHook', headers: {} } as const;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'armtwin-backlog-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const numbers = (count: number, first = 1) => Array.from({ length: count }, (_, i) => first + i);

async function opened(place: string) {
  const ready: DeliveryRecord[] = [];
  const opened = await openOutbox(place, SIZES);
  const { outbox, close } = opened;
  outbox.onReady = (delivery) => void ready.push(delivery);
  outbox.onReadError = (error) => expect.unreachable(String(error));
  outbox.resume();
  const add = async (count: number, url = 'http://a.test/') => {
    const contents = numbers(count).map((sequence) => {
      return { ...CONTENT, sequence, url, body: `{"n":${sequence}}` };
    });
    return opened.add(...contents);
  };
  /** Delivers what is ready, one after another, until `count` have gone out. */
  const deliver = async (count: number) => {
    const gone: number[] = [];
    while (gone.length < count) {
      await expect.poll(() => ready.length, { interval: 1 }).toBeGreaterThan(0);
      const delivery = ready.shift()!;
      delivery.state = 'delivered';
      gone.push(delivery.id);
      await outbox.settle(delivery);
    }
    return gone;
  };
  const ids = async () => (await outbox.page(1, { limit: 100 })).deliveries.map(({ id }) => id);
  return { ...opened, ready, add, deliver, ids, close };
}

describe.each(['on disk', 'in memory'])('a backlog %s', (where) => {
  const at = () => (where === 'on disk' ? folder : ':memory:');

  it('waits outside of memory, is listed completely and is sent in order', async () => {
    const { outbox, add, deliver, ids, ready, close } = await opened(at());
    await add(COUNT);
    expect([outbox.pending.length, ready.length]).toEqual([SIZES.inMemory, SIZES.inMemory]);
    expect(outbox.figures().pending).toBe(COUNT);
    expect(await ids()).toEqual(numbers(COUNT).reverse());
    expect(await outbox.find(1, COUNT)).toMatchObject({ body: `{"n":${COUNT}}`, state: 'pending' });
    expect(await outbox.find(2, COUNT)).toBeNull();
    const late = deliver(COUNT + 5);
    await add(5);
    expect(await late).toEqual(numbers(COUNT + 5));
    expect(outbox.figures()).toMatchObject({ pending: 0, delivered: KEPT });
    await close();
  });

  it('delays no other lane, however full memory is', async () => {
    const { add, ready, close } = await opened(at());
    await add(COUNT);
    const [other] = await add(1, 'http://b.test/');
    expect(ready.at(-1)).toBe(other);
    await close();
  });

  it('marks deliveries beyond the limit dead at once', async () => {
    const { outbox, add, deliver, ids, close } = await opened(at());
    const deliveries = await add(PENDING + 2);
    expect(deliveries.map(({ state }) => state).slice(-3)).toEqual(['pending', 'dead', 'dead']);
    expect(deliveries.at(-1)!.attempts).toMatchObject([
      { status: null, error: expect.stringContaining(`not sent: ${PENDING} deliveries that wait`) },
    ]);
    expect(await deliver(PENDING)).toEqual(numbers(PENDING));
    expect((await ids()).length).toBe(KEPT);
    await outbox.requeue([deliveries.at(-1)!], ALWAYS);
    await close();
  });

  it('is empty after clear, and ids start at 1 again', async () => {
    const { outbox, add, ids, close } = await opened(at());
    await add(COUNT);
    await outbox.clear();
    expect(await ids()).toEqual([]);
    const [first] = await add(1);
    expect(first!.id).toBe(1);
    expect(outbox.figures().pending).toBe(1);
    await close();
  });
});

describe('after a restart', () => {
  it('a backlog continues where it was, and nothing is sent twice', async () => {
    const first = await opened(folder);
    await first.add(COUNT);
    expect(await first.deliver(8)).toEqual(numbers(8));
    await first.close();
    const second = await opened(folder);
    expect(second.outbox.figures().pending).toBe(COUNT - 8);
    const [last] = await second.add(1);
    expect(last!.id).toBe(COUNT + 1);
    expect(await second.deliver(COUNT - 7)).toEqual(numbers(COUNT - 7, 9));
    await second.close();
    const third = await opened(folder);
    expect(third.outbox.figures().pending).toBe(0);
    await third.close();
  });
});

describe('pages', () => {
  it('have no gaps while deliveries are added and settled', async () => {
    const { outbox, add, deliver } = await opened(':memory:');
    await add(10);
    const seen: number[] = [];
    let before: number | undefined;
    for (let page = 0; page < 10; page++) {
      const { deliveries, next } = await outbox.page(1, { limit: 3, before });
      seen.push(...deliveries.map(({ id }) => id));
      if (next === null) break;
      before = next;
      await add(1);
      if (page === 0) await deliver(1);
    }
    expect(seen).toEqual(numbers(10).reverse());
  });

  it('hold the deliveries of one owner, and those that a filter selects', async () => {
    const { outbox, add, deliver } = await opened(':memory:');
    await add(2);
    await add(1, 'http://b.test/');
    await deliver(1);
    const of = async (owner_id: number, query = {}) =>
      (await outbox.page(owner_id, { limit: 9, ...query })).deliveries.map(({ id }) => id);
    expect([await of(1), await of(1, { run_id: 1 }), await of(1, { run_id: 8 })]).toEqual([
      [3, 2, 1],
      [3, 2, 1],
      [],
    ]);
    const state = 'delivered' as const;
    const url = 'http://b.test/';
    expect([await of(1, { state }), await of(1, { url }), await of(2)]).toEqual([[1], [3], []]);
  });
});
