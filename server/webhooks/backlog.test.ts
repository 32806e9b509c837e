/** Deliveries to a receiver that accepts none: how many are in memory, and their order. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryRecord } from './delivery-record.ts';
import { Outbox } from './outbox.ts';
import { OVERFLOW_FILE } from './overflow-queue.ts';

const SIZES = { inMemory: 3, kept: 4, pending: 30 };
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
  const outbox = await Outbox.open(place, SIZES);
  outbox.onReady = (delivery) => void ready.push(delivery);
  outbox.onReadError = (error) => expect.unreachable(String(error));
  outbox.resume();
  const add = async (count: number, url = 'http://a.test/') => {
    const added = numbers(count).map((sequence) => {
      return outbox.add({ ...CONTENT, sequence, url, body: `{"n":${sequence}}` });
    });
    await Promise.all(added.map(({ kept }) => kept));
    return added.map(({ delivery }) => delivery);
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
  return { outbox, ready, add, deliver, ids };
}

describe.each(['on disk', 'in memory'])('a backlog %s', (where) => {
  const at = () => (where === 'on disk' ? folder : ':memory:');

  it('waits outside of memory, is listed completely and is sent in order', async () => {
    const { outbox, add, deliver, ids, ready } = await opened(at());
    await add(COUNT);
    expect([outbox.pending.length, ready.length]).toEqual([SIZES.inMemory, SIZES.inMemory]);
    expect(outbox.figures().pending).toBe(COUNT);
    expect(await ids()).toEqual(numbers(COUNT).reverse());
    expect(await outbox.find(1, COUNT)).toMatchObject({ body: `{"n":${COUNT}}`, state: 'pending' });
    expect(await outbox.find(2, COUNT)).toBeNull();
    const late = deliver(COUNT + 5);
    await add(5);
    expect(await late).toEqual(numbers(COUNT + 5));
    expect(outbox.figures()).toMatchObject({ pending: 0, delivered: SIZES.kept });
    await outbox.close();
  });

  it('delays no other lane, however full memory is', async () => {
    const { outbox, add, ready } = await opened(at());
    await add(COUNT);
    const [other] = await add(1, 'http://b.test/');
    expect(ready.at(-1)).toBe(other);
    await outbox.close();
  });

  it('marks deliveries beyond the limit dead at once', async () => {
    const { outbox, add, deliver, ids } = await opened(at());
    const deliveries = await add(SIZES.pending + 2);
    expect(deliveries.map(({ state }) => state).slice(-3)).toEqual(['pending', 'dead', 'dead']);
    expect(await deliver(SIZES.pending)).toEqual(numbers(SIZES.pending));
    expect((await ids()).length).toBe(SIZES.kept);
    await outbox.requeue(deliveries.at(-1)!);
    await outbox.close();
  });

  it('is empty after clear, and ids start at 1 again', async () => {
    const { outbox, add, ids } = await opened(at());
    await add(COUNT);
    await outbox.clear();
    expect(await ids()).toEqual([]);
    const [first] = await add(1);
    expect(first!.id).toBe(1);
    expect(outbox.figures().pending).toBe(1);
    await outbox.close();
  });
});

describe('after a restart', () => {
  it('a backlog continues where it was, and nothing is sent twice', async () => {
    const first = await opened(folder);
    await first.add(COUNT);
    expect(await first.deliver(8)).toEqual(numbers(8));
    await first.outbox.close();
    const second = await opened(folder);
    expect(second.outbox.figures().pending).toBe(COUNT - 8);
    const [last] = await second.add(1);
    expect(last!.id).toBe(COUNT + 1);
    expect(await second.deliver(COUNT - 7)).toEqual(numbers(COUNT - 7, 9));
    await second.outbox.close();
    const third = await opened(folder);
    expect(third.outbox.figures().pending).toBe(0);
    await third.outbox.close();
  });

  it('a delivery that was just settled is not sent again after compactions', async () => {
    const first = await opened(folder);
    const deliveries = await first.add(SIZES.inMemory + 1);
    await first.deliver(SIZES.inMemory);
    await expect.poll(() => first.ready.length).toBe(1);
    const [last] = first.ready;
    expect(last!.id).toBe(deliveries.at(-1)!.id);
    // The process ends between two writes: delivered in the log, still in the overflow file.
    const overflow = join(folder, OVERFLOW_FILE);
    const lines = readFileSync(overflow);
    await first.deliver(1);
    await first.outbox.close();
    writeFileSync(overflow, lines);
    for (let start = 0; start < 3; start++) {
      const next = await opened(folder);
      expect(next.ready).toEqual([]);
      await next.add(SIZES.kept);
      await next.deliver(SIZES.kept);
      await next.outbox.close();
    }
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

  it('hold the deliveries of one owner, and of one run with run_id', async () => {
    const { outbox, add } = await opened(':memory:');
    await add(2);
    outbox.add({ ...CONTENT, run_id: '7', sequence: 1, url: 'http://a.test/', body: '{}' });
    const of = async (owner_id: number, run_id?: number) =>
      (await outbox.page(owner_id, { limit: 9, run_id })).deliveries.map(({ id }) => id);
    expect([await of(1), await of(1, 7), await of(1, 8), await of(2)]).toEqual([
      [3, 2, 1],
      [3],
      [],
      [],
    ]);
  });
});
