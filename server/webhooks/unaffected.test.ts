/** Whatever receivers do, the arm and the schedule do what they did, bit by bit. */
import { expect, it } from 'vitest';
import { onStage } from '../sim/sim.cases.ts';
import { began, oneMove } from '../workflow/assay.cases.ts';
import { hooksTo } from '../workflow/workcell.cases.ts';
import { type Answering, openReceiver } from './receiver.cases.ts';

const RUN_S = 80;

function played(webhooks: 'ci' | 'off', urls: readonly string[]) {
  return onStage({ webhooks }, async ({ twin, arm }) => {
    const definition = oneMove();
    definition.workflow.hooks = urls.flatMap(hooksTo);
    const run = await began(arm, definition);
    await twin.advance(RUN_S);
    const { events } = await arm.listRunEvents(run);
    return { events, digest: twin.digest() };
  });
}

it('no receiver changes what the arm does, or when', async () => {
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
