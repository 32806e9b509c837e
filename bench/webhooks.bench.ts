/**
 * Webhook deliveries next to a moving arm in real time, on the same event loop: 10,000 bodies, in
 * order and stored on disk, within 20 s, with 99 of 100 ticks at most 4 ms late. The receiver is
 * another process. The first line shows the ticks without deliveries.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunningTwin, startTwin } from '../server/app/app.ts';
import { TWIN_DEFAULTS } from '../server/cli/config.ts';
import { systemClock } from '../server/clock/wall-clock.ts';
import type { Caller } from '../server/robot/caller.ts';
import { thereAndBack } from '../server/robot/robot-harness.cases.ts';
import { openStore } from '../server/store/open-store.ts';
import type { Store } from '../server/store/store.ts';
import { Webhooks } from '../server/webhooks/webhooks.ts';

const BODIES = 10_000;
const RUNS = 4;
/** Hooks fired by one event. */
const HOOKS = 10;
/** Intervals between events (ms); 0: all at once. */
const EVERY_MS = [10, 0];
const WARM_UP_MS = 5000;
const RECEIVER = fileURLToPath(new URL('./webhook-receiver.mjs', import.meta.url));
const ADA: Caller = { user_id: 1, token_id: 1, role: 'admin' };

function keepMoving({ loop }: RunningTwin): void {
  loop.apply({ kind: 'lock', caller: ADA });
  loop.apply({ kind: 'load', caller: ADA, toolpath: thereAndBack() });
  const refusal = loop.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 0 });
  if (refusal) throw new Error(`the run was rejected: ${refusal.refused}`);
}

const sleep = (time_ms: number) => new Promise((resolve) => setTimeout(resolve, time_ms));

function lateness({ clock }: RunningTwin): string {
  const { lateness_p50_ms, lateness_p99_ms } = clock.statistics();
  return `ticks late p50 ${lateness_p50_ms.toFixed(2)} ms, p99 ${lateness_p99_ms.toFixed(2)} ms`;
}

interface Parts {
  readonly webhooks: Webhooks;
  readonly store: Store;
}

async function notifyAll({ webhooks, store }: Parts, url: string, every_ms: number): Promise<void> {
  const hooks = Array.from({ length: HOOKS }, () => {
    return { type: 'NewPlanHook' as const, parameters: { url } };
  });
  for (let i = 0; i < BODIES / HOOKS; i++) {
    const run_id = String(1 + (i % RUNS));
    const body = { run_id, timestamp: '2020-01-01T00:00:00.000Z', remaining_worktime: i };
    const event = { sequence: i + 1, hook_type: 'NewPlanHook' as const, body };
    const stored = store.change((draft) =>
      webhooks.addDeliveries(draft, { owner_id: 1, hooks }, [event]),
    );
    void stored.then((send) => send());
    if (every_ms > 0) await sleep(every_ms);
  }
}

async function deliver(twin: RunningTwin, every_ms: number): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'webhooks-'));
  const receiver = spawn(process.execPath, [RECEIVER]);
  const [line] = (await once(receiver.stdout, 'data')) as [Buffer];
  const url = `http://127.0.0.1:${/\d+/.exec(String(line))![0]}/hooks`;
  const store = await openStore(place);
  const webhooks = new Webhooks({
    store,
    profile: 'ci',
    rules: { allowPrivate: true, ownPort: () => 0 },
    wall: systemClock,
    onUnsaved: (error) => console.error(error),
  });
  let calls = 0;
  receiver.stdout.on('data', (chunk: Buffer) => {
    calls = Number(String(chunk).trim().split('\n').at(-1));
  });
  const [began_ms, began_cpu] = [performance.now(), process.cpuUsage()];
  await notifyAll({ webhooks, store }, url, every_ms);
  while (calls < BODIES) await sleep(20);
  const took_s = (performance.now() - began_ms) / 1000;
  const { user, system } = process.cpuUsage(began_cpu);
  const rate = every_ms > 0 ? `${HOOKS} every ${every_ms} ms` : 'all at once';
  const share = ((user + system) / 1e4 / took_s).toFixed(0);
  const name = `${BODIES} bodies of ${RUNS} runs, ${rate}`;
  console.log(`${name}: ${took_s.toFixed(1)} s, ${lateness(twin)}, ${share} % of one core`);
  webhooks.close();
  await store.close();
  receiver.kill();
  rmSync(place, { recursive: true });
}

const pace = { kind: 'scaled', factor: 1 } as const;
const twin = await startTwin({ ...TWIN_DEFAULTS, driver: 'rapier', pace });
keepMoving(twin);
await sleep(WARM_UP_MS);
console.log(`a moving arm alone: ${lateness(twin)}`);
for (const every_ms of EVERY_MS) await deliver(twin, every_ms);
await twin.close();
