/**
 * Received bodies are the run's events, byte for byte and in order, at every clock pace.
 * @module-tag ci
 */
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import type { RunEvent } from '../../contract/types.generated.ts';
import { washAndRead } from '../../scheduler/definition/workflow.cases.ts';
import { withTwinClient } from '../service/simulation/twin-client.cases.ts';
import { bodyFaults } from './body-check.cases.ts';
import { openReceiver, type Received } from './receiver.cases.ts';

/** Half a second of tasks: equally long on every clock, and short in real time. */
function shortWorkflow(url: string) {
  const task = { time_estimate: 0, mock_behaviour: { execution_time: 0.25 } };
  const definition = washAndRead({ plates: 2, url, task });
  return { ...definition, workcell: { ...definition.workcell, transport_matrix: { default: 0 } } };
}

interface Heard {
  readonly events: readonly RunEvent[];
  readonly received: readonly Received[];
  readonly secret: string;
}

async function ranAt(clock: 'stepped' | 'max' | number): Promise<Heard> {
  const receiver = await openReceiver();
  try {
    return await withTwinClient({ clock }, async ({ arm, twin }) => {
      const { secret } = (await arm.getSecret()).signing;
      const { workflow } = await arm.createWorkflow(shortWorkflow(receiver.url));
      const { run } = await arm.startRun({ workflow_id: workflow.id }, {});
      if (clock === 'stepped') await twin.advance(10);
      await receiver.until(({ text }) => text.includes('"stopped"'));
      const { events } = await arm.listRunEvents({ run_id: run.id });
      return { events, received: receiver.received, secret };
    });
  } finally {
    await receiver.close();
  }
}

/** Events with their times as seconds since the first. */
function relative(events: readonly RunEvent[]) {
  const times_ms = events.map(({ body }) => Date.parse(body.timestamp));
  return events.map(({ hook_type, body: { timestamp: _, ...rest } }, i) => {
    return { hook_type, rest, after_ms: times_ms[i]! - times_ms[0]! };
  });
}

async function proven(clock: 'stepped' | 'max' | number) {
  const { events, received, secret } = await ranAt(clock);
  expect(received.map(({ text }) => JSON.parse(text) as unknown)).toEqual(
    events.map(({ body }) => body),
  );
  const webhook = new Webhook(secret);
  for (const [i, { headers, text }] of received.entries()) {
    const signed = headers as Record<string, string>;
    expect(bodyFaults(signed['x-hook-type']!, text)).toEqual([]);
    expect(signed['x-hook-type']).toBe(events[i]!.hook_type);
    expect(webhook.verify(text, signed)).toEqual(events[i]!.body);
    expect(() => webhook.verify(text.replace('run_id', 'run_ID'), signed)).toThrow();
    expect(() => webhook.verify(text, { ...signed, 'webhook-id': 'msg_other' })).toThrow();
  }
  return relative(events);
}

it('gives the same events on the stepped, unpaced, scaled and real-time clock', async () => {
  const stepped = await proven('stepped');
  expect(stepped.length).toBeGreaterThan(15);
  for (const clock of ['max', 20, 1] as const) {
    expect(await proven(clock), `clock ${clock}`).toEqual(stepped);
  }
}, 60_000);
