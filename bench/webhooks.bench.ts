/** How long 10,000 bodies take to a receiver on this machine, in order, kept on disk: ≤ 20 s. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../server/clock/wall-clock.ts';
import { openReceiver } from '../server/webhooks/receiver.cases.ts';
import { Webhooks } from '../server/webhooks/webhooks.ts';

const BODIES = 10_000;
const RUNS = 4;

const place = mkdtempSync(join(tmpdir(), 'webhooks-'));
const receiver = await openReceiver();
const webhooks = await Webhooks.open({
  place,
  profile: 'ci',
  rules: { allowPrivate: true, ownPort: () => 0 },
  wall: systemClock,
  onUnsaved: (error) => console.error(error),
});
const hooks = [{ type: 'NewPlanHook' as const, parameters: { url: receiver.url } }];
const began_ms = performance.now();
for (let i = 0; i < BODIES; i++) {
  const run_id = String(1 + (i % RUNS));
  const body = { run_id, timestamp: '2020-01-01T00:00:00.000Z', remaining_worktime: i };
  webhooks.notify({ owner_id: 1, hooks }, { sequence: i + 1, hook_type: 'NewPlanHook', body });
}
await receiver.heard(BODIES);
const took_s = (performance.now() - began_ms) / 1000;
console.log(`${BODIES} bodies of ${RUNS} runs in ${took_s.toFixed(1)} s`);
await webhooks.close();
await receiver.close();
rmSync(place, { recursive: true });
