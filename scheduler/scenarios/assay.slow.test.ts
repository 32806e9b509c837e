/** The assay of the fixtures at every clock pace but real time: equal bodies in equal order. */

import { expect, it } from 'vitest';
import type { RunEvent } from '../../contract/types.generated.ts';
import { withTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { bodyFaults } from '../../server/webhooks/body-check.cases.ts';
import { openReceiver } from '../../server/webhooks/receiver.cases.ts';
import { assayDefinition, ENOUGH_S, startedRun } from './assay.cases.ts';

/** Clock scale at which the assay ends within seconds. */
const SCALE = 100;

/** Events with their times as seconds since the first. */
function relative(events: readonly RunEvent[]) {
  const began_ms = Date.parse(events[0]!.body.timestamp);
  return events.map(({ hook_type, body: { timestamp, ...rest } }) => {
    return { hook_type, rest, after_ms: Date.parse(timestamp) - began_ms };
  });
}

async function eventsAt(clock: 'stepped' | 'max' | number) {
  const receiver = await openReceiver();
  try {
    return await withTwinClient({ clock }, async ({ twin, arm }) => {
      const run = await startedRun(arm, assayDefinition(receiver.url));
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

it('publishes the same events on the stepped, unpaced and scaled clock', async () => {
  const stepped = await eventsAt('stepped');
  expect(stepped.at(-1)!.rest).toMatchObject({ state: 'stopped', message: 'completed' });
  for (const clock of ['max', SCALE] as const) {
    expect(await eventsAt(clock), `clock ${clock}`).toEqual(stepped);
  }
}, 300_000);
