/** Thousands of runs with hooks to a receiver that hangs: the cost per event stays constant. */
import { expect, it } from 'vitest';
import { systemClock } from '../clock/wall-clock.ts';
import { DeliveryWorker } from './delivery-worker.ts';
import { openOutbox, openReceiver } from './receiver.cases.ts';
import { RETRY_PROFILES } from './retry-profiles.ts';
import { createSigningSecret } from './signature.ts';

const FEW = 2000;
const MANY = 4 * FEW;
/** Four times as many lanes would cost sixteen times as much if each looked at all others. */
const MOST_TIMES = 9;

async function spent_ms(url: string, lanes: number): Promise<number> {
  const { outbox, add } = await openOutbox();
  const secrets = [createSigningSecret()];
  const worker = new DeliveryWorker({
    ...{ outbox, profile: RETRY_PROFILES.ci, wall: systemClock, secretsOf: async () => secrets },
    rules: { allowPrivate: true, ownPort: () => 0 },
    onUnsaved: (error) => expect.unreachable(String(error)),
  });
  const base = { owner_id: 1, sequence: 1, hook_type: 'NewPlanHook', headers: {}, url } as const;
  const before = process.cpuUsage();
  for (let lane = 1; lane <= lanes; lane++) {
    const [delivery] = await add({ ...base, run_id: String(lane), body: '{}' });
    worker.enqueue(delivery!);
  }
  const { user, system } = process.cpuUsage(before);
  worker.close();
  return (user + system) / 1000;
}

it('takes time linear in the number of lanes', async () => {
  const receiver = await openReceiver(() => {});
  await spent_ms(receiver.url, FEW);
  const few_ms = await spent_ms(receiver.url, FEW);
  expect((await spent_ms(receiver.url, MANY)) / few_ms).toBeLessThan(MOST_TIMES);
  await receiver.close();
});
