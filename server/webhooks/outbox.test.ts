/** What is kept of deliveries: everything on its way, and so many of those that have ended. */
import { expect, it } from 'vitest';
import { Outbox } from './outbox.ts';
import type { Parcel } from './parcel.ts';

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
  const { parcels } = await outbox.page(1, { limit: 100 });
  return parcels.map(({ id }) => id);
};

async function sent(outbox: Outbox): Promise<Parcel> {
  const { parcel } = outbox.add(CONTENT);
  parcel.state = 'delivered';
  await outbox.settle(parcel);
  return parcel;
}

it('forgets the oldest of those that have ended, and none that is on its way', async () => {
  const outbox = await Outbox.open(':memory:', { kept: MOST });
  const { parcel: first } = outbox.add(CONTENT);
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

it('keeps a parcel that is on its way once more', async () => {
  const outbox = await Outbox.open(':memory:', { kept: MOST });
  const again = await sent(outbox);
  await outbox.again(again);
  for (let i = 0; i < 4; i++) await sent(outbox);
  expect(await ids(outbox)).toContain(again.id);
});
