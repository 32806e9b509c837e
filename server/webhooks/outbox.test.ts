/** Retention: all pending deliveries, and a bounded number of settled ones. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DeliveryRecord } from './delivery-record.ts';
import { Outbox } from './outbox.ts';

const MOST = 3;

const CONTENT = {
  owner_id: 1,
  run_id: '1',
  sequence: 1,
  hook_type: 'NewPlanHook',
  url: 'http://127.0.0.1:1/',
  headers: {},
  body: '{}',
} as const;

const ids = async (outbox: Outbox) => {
  const { deliveries } = await outbox.page(1, { limit: 100 });
  return deliveries.map(({ id }) => id);
};

async function sent(outbox: Outbox): Promise<DeliveryRecord> {
  const { delivery } = outbox.add(CONTENT);
  delivery.state = 'delivered';
  await outbox.settle(delivery);
  return delivery;
}

it('removes the oldest settled deliveries, and no pending one', async () => {
  const outbox = await Outbox.open(':memory:', { kept: MOST });
  const { delivery: first } = outbox.add(CONTENT);
  for (let i = 0; i < 4; i++) await sent(outbox);
  expect(await ids(outbox)).toEqual([5, 4, 1]);
  for (let i = 0; i < 4; i++) outbox.add(CONTENT);
  expect(await ids(outbox)).toEqual([9, 8, 7, 6, 1]);
  expect(outbox.pending.map(({ id }) => id)).toEqual([1, 6, 7, 8, 9]);
  first.state = 'dead';
  await outbox.settle(first);
  outbox.add(CONTENT);
  expect(await ids(outbox)).toEqual([10, 9, 8, 7, 6]);
});

it('keeps a delivery that is queued again', async () => {
  const outbox = await Outbox.open(':memory:', { kept: MOST });
  const again = await sent(outbox);
  await outbox.requeue(again);
  for (let i = 0; i < 4; i++) await sent(outbox);
  expect(await ids(outbox)).toContain(again.id);
});

it('reads deliveries that an earlier build stored under another name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-outbox-'));
  try {
    const first = await Outbox.open(folder);
    const { kept } = first.add(CONTENT);
    await Promise.all([kept, sent(first)]);
    await first.close();
    const file = join(folder, 'outbox.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"delivery":', '"item":'));
    const second = await Outbox.open(folder);
    expect(second.figures()).toMatchObject({ pending: 1, delivered: 1 });
    expect(await ids(second)).toEqual([2, 1]);
    await second.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
