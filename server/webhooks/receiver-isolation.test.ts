/**
 * Receivers do not influence the arm or the schedule: the results are bit-equal.
 * @module-tag ci
 */
import { expect, it } from 'vitest';
import { hooksTo } from '../../scheduler/definition/workflow.cases.ts';
import { oneMove, startedRun } from '../../scheduler/scenarios/assay.cases.ts';
import { withTwinClient } from '../service/simulation/twin-client.cases.ts';
import { type Answering, openReceiver } from './receiver.cases.ts';

const RUN_S = 80;

function played(webhooks: 'ci' | 'off', urls: readonly string[]) {
  return withTwinClient({ webhooks }, async ({ twin, arm }) => {
    const definition = oneMove();
    definition.workflow.hooks = urls.flatMap(hooksTo);
    const run = await startedRun(arm, definition);
    await twin.advance(RUN_S);
    const { events } = await arm.listRunEvents(run);
    return { events, digest: twin.digest() };
  });
}

it('no receiver changes the motion of the arm or its timing', async () => {
  const answers: readonly Answering[] = [
    () => {},
    (response) => response.writeHead(429, { 'Retry-After': '3600' }).end(),
    (response) => response.writeHead(410).end(),
    (response) => response.writeHead(302, { Location: '/hooks' }).end(),
    (response) => response.writeHead(200).write(Buffer.alloc(1024 * 1024)),
  ];
  const receivers = await Promise.all(answers.map((answering) => openReceiver(answering)));
  const dead = await openReceiver();
  await dead.close();
  const urls = [dead.url, ...receivers.map(({ url }) => url)];
  const silent = await played('off', []);
  expect(silent.events.at(-1)!.body).toMatchObject({ state: 'stopped', message: 'completed' });
  expect(await played('ci', urls)).toEqual(silent);
  for (const { received } of receivers) expect(received.length).toBeGreaterThan(0);
  for (const receiver of receivers) await receiver.close();
}, 60_000);
