/** Retention: all pending deliveries, and a bounded number of settled ones. */
import { expect, it } from 'vitest';
import { ALWAYS } from '../store/database.ts';
import type { DeliveryRecord } from './outbox.ts';
import { type OpenOutbox, openOutbox } from './receiver.cases.ts';

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
  const opened = await openOutbox(':memory:', { kept: MOST });
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
  const opened = await openOutbox(':memory:', { kept: MOST });
  const again = await sent(opened);
  await opened.outbox.requeue([again], ALWAYS);
  for (let i = 0; i < 4; i++) await sent(opened);
  expect(await ids(opened)).toContain(again.id);
});
