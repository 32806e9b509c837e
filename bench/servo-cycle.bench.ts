/**
 * The bus cycle over the TCP emulator at 250 Hz, six servos: time from asking to the answers, loop
 * lateness, and the same with a bus that is dead. Prints percentiles; the goal is p99 ≤ 8 ms.
 */

import { Bus } from '../bridge/bus/bus.ts';
import { ServoEmulator } from '../bridge/emulator/servo-emulator.ts';
import { WireFaults } from '../bridge/emulator/wire-faults.ts';
import { EMULATED_CALIBRATION } from '../bridge/servo/calibration.ts';
import { ServoArm } from '../bridge/servo-arm.ts';
import { systemBusClock as clock } from '../bridge/transport/bus-clock.ts';
import { createTcpTransport } from '../bridge/transport/tcp.ts';
import { serveTcpPeer } from '../bridge/transport/tcp-peer.ts';

const TICK_MS = 4;
const TICKS = 1250;

function percentiles(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(2) ?? '-';
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
}

const faults = new WireFaults(new ServoEmulator({ clock, supported: true }), clock);
const served = await serveTcpPeer(faults, 0);
const bus = new Bus(createTcpTransport({ host: '127.0.0.1', port: served.port }), clock);
const arm = new ServoArm({ bus, clock, calibration: EMULATED_CALIBRATION, cycle_ticks: 1 });
await arm.start();

async function run(name: string): Promise<void> {
  const setpoint = {
    mode: 'hold' as const,
    samples: new Float64Array(36),
    payload_kg: 0,
    detection: null,
  };
  const ages: number[] = [];
  const late: number[] = [];
  const start_ms = performance.now();
  for (let i = 0; i < TICKS; i++) {
    const due_ms = start_ms + i * TICK_MS;
    while (performance.now() < due_ms) await new Promise((done) => setTimeout(done, 1));
    late.push(performance.now() - due_ms);
    ages.push(1000 * arm.exchange(setpoint, 0.004).age_s);
  }
  console.log(`${name}: age of samples ${percentiles(ages)}; loop lateness ${percentiles(late)}`);
  const { transactions, timeouts } = bus.counts;
  const { bad_turns, missed_turns } = arm.link.counts;
  console.log(
    `  ${transactions} asked, ${timeouts} timed out, ${bad_turns} bad, ${missed_turns} left out`,
  );
}

await run('250 Hz over TCP');
faults.cut = true;
await run('with a dead bus');
await arm.stop();
await served.close();
