/** The assay of the fixtures at every pace but the slowest: the same bodies in the same order. */
import { expect, it } from 'vitest';
import type { RunEvent } from '../../contract/types.ts';
import { onStage } from '../sim/sim.cases.ts';
import { bodyFaults } from '../webhooks/body-check.cases.ts';
import { openReceiver } from '../webhooks/receiver.cases.ts';
import { assay, began, ENOUGH_S } from './assay.cases.ts';

/** So fast that the assay is over in seconds, and yet paced. */
const SCALE = 100;

/** Events with their times as seconds since the first. */
function relative(events: readonly RunEvent[]) {
  const began_ms = Date.parse(events[0]!.body.timestamp);
  return events.map(({ hook_type, body: { timestamp, ...rest } }) => {
    return { hook_type, rest, after_ms: Date.parse(timestamp) - began_ms };
  });
}

async function toldAt(clock: 'stepped' | 'max' | number) {
  const receiver = await openReceiver();
  try {
    return await onStage({ clock }, async ({ twin, arm }) => {
      const run = await began(arm, assay(receiver.url));
      if (clock === 'stepped') await twin.advance(ENOUGH_S);
      await receiver.until(({ text }) => text.includes('"stopped"'));
      const { events } = await arm.listRunEvents(run);
      const bodies = receiver.received.map(({ text }) => JSON.parse(text) as unknown);
      expect(bodies, `clock ${clock}`).toEqual(events.map(({ body }) => body));
      const faults = receiver.received.map(({ headers, text }) =>
        bodyFaults(String(headers['x-hook-type']), text),
      );
      expect(faults.flat()).toEqual([]);
      return relative(events);
    });
  } finally {
    await receiver.close();
  }
}

it('tells the same on the stepped clock, as fast as can be, and scaled', async () => {
  const stepped = await toldAt('stepped');
  expect(stepped.at(-1)!.rest).toMatchObject({ state: 'stopped', message: 'completed' });
  for (const clock of ['max', SCALE] as const) {
    expect(await toldAt(clock), `clock ${clock}`).toEqual(stepped);
  }
}, 300_000);
