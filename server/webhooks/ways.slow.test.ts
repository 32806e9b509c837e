/** Thousands of runs with hooks to a receiver that hangs: each event costs what the first did. */
import { expect, it } from 'vitest';
import { systemClock } from '../clock/wall-clock.ts';
import { Courier } from './delivery.ts';
import { Outbox } from './outbox.ts';
import { PROFILES } from './profile.ts';
import { openReceiver } from './receiver.cases.ts';
import { createSigningSecret } from './signature.ts';

const FEW = 2000;
const MANY = 4 * FEW;
/** Four times as many cost sixteen times as much where each looks at all others. */
const MOST_TIMES = 9;

async function spent_ms(url: string, ways: number): Promise<number> {
  const outbox = await Outbox.open(':memory:');
  const secrets = [createSigningSecret()];
  const courier = new Courier({
    ...{ outbox, profile: PROFILES.ci, wall: systemClock, secretsOf: async () => secrets },
    rules: { allowPrivate: true, ownPort: () => 0 },
    onUnsaved: (error) => expect.unreachable(String(error)),
  });
  const base = { owner_id: 1, sequence: 1, hook_type: 'NewPlanHook', headers: {}, url } as const;
  const before = process.cpuUsage();
  for (let way = 1; way <= ways; way++) {
    courier.take(outbox.add({ ...base, run_id: String(way), body: '{}' }).parcel);
  }
  const { user, system } = process.cpuUsage(before);
  courier.close();
  return (user + system) / 1000;
}

it('takes time that grows with their number, and no faster', async () => {
  const receiver = await openReceiver(() => {});
  await spent_ms(receiver.url, FEW);
  const few_ms = await spent_ms(receiver.url, FEW);
  expect((await spent_ms(receiver.url, MANY)) / few_ms).toBeLessThan(MOST_TIMES);
  await receiver.close();
});
