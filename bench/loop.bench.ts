/**
 * The control loop: tick lateness at real time with stream clients, drift, memory, and the speed of
 * a stepped twin relative to real time, on both plants, with and without a client. Goals: p99 4 ms
 * with 20 clients, no drift, 250 MB with Rapier, 30 times (Rapier), 400 and 200 times (fast plant),
 * 8 µs per tick for the state difference and its publication to one client.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { connect } from '../contract/client.ts';
import { type RunningTwin, startTwin } from '../server/app/app.ts';
import { TWIN_DEFAULTS } from '../server/cli/config.ts';
import type { Caller } from '../server/robot/caller.ts';
import { thereAndBack } from '../server/robot/robot-harness.cases.ts';

const ADA: Caller = { user_id: 1, token_id: 1, role: 'admin' };
const CLIENTS = fileURLToPath(new URL('./stream-clients.mjs', import.meta.url));
const TOKEN = 'token-of-the-benchmark';
const REAL_S = 20;
/** Excludes JIT compilation. */
const WARM_UP_TICKS = 20_000;
const STEPPED_S = { rapier: 120, fast: 1200 } as const;

function keepMoving({ loop }: RunningTwin): void {
  loop.apply({ kind: 'lock', caller: ADA });
  loop.apply({ kind: 'load', caller: ADA, toolpath: thereAndBack() });
  const refusal = loop.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 0 });
  if (refusal) throw new Error(`the run was rejected: ${refusal.refused}`);
}

async function withClients<Value>(twin: RunningTwin, count: number, work: () => Promise<Value>) {
  const session = await connect({ baseUrl: twin.url, token: TOKEN }).session();
  const child = spawn(process.execPath, [CLIENTS, twin.url, session, String(count)]);
  await once(child.stdout, 'data');
  const value = await work();
  child.kill('SIGTERM');
  await once(child, 'exit');
  return value;
}

async function realPace(clients: number): Promise<void> {
  const pace = { kind: 'scaled', factor: 1 } as const;
  const twin = await startTwin({ ...TWIN_DEFAULTS, driver: 'rapier', pace, token: TOKEN });
  keepMoving(twin);
  await withClients(twin, clients, async () => {
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const [tick, wall_ms] = [twin.loop.tick, performance.now()];
    await new Promise((resolve) => setTimeout(resolve, REAL_S * 1000));
    const drift_ms = (twin.loop.tick - tick) * 4 - (performance.now() - wall_ms);
    const { lateness_p50_ms, lateness_p99_ms } = twin.clock.statistics();
    const rss_mb = process.memoryUsage.rss() / 2 ** 20;
    console.log(
      `real pace, rapier, ${clients} clients: late p50 ${lateness_p50_ms.toFixed(2)} ms, ` +
        `p99 ${lateness_p99_ms.toFixed(2)} ms, drift ${drift_ms.toFixed(1)} ms in ${REAL_S} s, ` +
        `RSS ${rss_mb.toFixed(0)} MB`,
    );
  });
  await twin.close();
}

/** Returns the processor time of one tick (µs). */
async function steppedPace(driver: 'rapier' | 'fast', clients: number): Promise<number> {
  const twin = await startTwin({ ...TWIN_DEFAULTS, driver, token: TOKEN });
  keepMoving(twin);
  const measure = async () => {
    await twin.clock.advance(driver === 'fast' ? WARM_UP_TICKS : WARM_UP_TICKS / 20);
    const ticks = Math.round(STEPPED_S[driver] / 0.004);
    const start = process.cpuUsage();
    await twin.clock.advance(ticks);
    const { user, system } = process.cpuUsage(start);
    const times = (STEPPED_S[driver] * 1e6) / (user + system);
    const tick_us = (user + system) / ticks;
    console.log(
      `stepped, ${driver}, ${clients} clients: ${times.toFixed(0)} x real time, ` +
        `${tick_us.toFixed(1)} µs a tick (processor time)`,
    );
    return tick_us;
  };
  const tick_us = await (clients > 0 ? withClients(twin, clients, measure) : measure());
  await twin.close();
  return tick_us;
}

const alone_us = await steppedPace('fast', 0);
const watched_us = await steppedPace('fast', 1);
const fanOut_us = (watched_us - alone_us).toFixed(1);
console.log(`state difference and publication per tick, one client: ${fanOut_us} µs`);
await steppedPace('rapier', 0);
await realPace(20);
await realPace(100);
