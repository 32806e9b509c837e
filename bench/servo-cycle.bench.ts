/**
 * The bus cycle at 250 Hz with six servos, against the emulator in its own process over TCP: time
 * from a request to the last reply, and lateness of the loop, with a working bus and with a dead
 * one (its process is stopped). Goals: p99 at most 8 ms, and the same lateness with a dead bus.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stationarySetpoint } from '../bridge/arm-driver.cases.ts';
import { TICK_S } from '../bridge/arm-driver.ts';
import { DynamixelBus } from '../bridge/dynamixel/dynamixel-bus.ts';
import { EMULATED_CALIBRATION } from '../bridge/dynamixel/emulated-calibration.ts';
import { PROTOCOL_2 } from '../bridge/dynamixel/protocol-2.ts';
import { Bus } from '../bridge/servo/bus/bus.ts';
import { ServoArm } from '../bridge/servo/servo-arm.ts';
import { systemBusClock as clock } from '../bridge/transport/bus-clock.ts';
import { createTcpTransport } from '../bridge/transport/tcp-transport.ts';

const TICK_MS = 1000 * TICK_S;
const TICKS = 2500;
const EMULATOR = ['dist/server/main.js', 'emulate-bus', '--tcp', '0'];

const emulator = spawn(process.execPath, EMULATOR, { stdio: ['ignore', 'pipe', 'inherit'] });
const [output] = await once(emulator.stdout, 'data');
const port = Number(/:(\d+)\s*$/.exec(String(output))?.[1]);

function percentiles(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(2) ?? '-';
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
}

const bus = new Bus(createTcpTransport({ host: '127.0.0.1', port }), clock, { format: PROTOCOL_2 });
const calibration = EMULATED_CALIBRATION;
const joints = new DynamixelBus({ bus, clock, calibration });
const arm = new ServoArm({ joints, clock, calibration, cycle_ticks: 1 });
await arm.start();

async function run(name: string): Promise<void> {
  const late: number[] = [];
  const setpoint = stationarySetpoint('hold');
  const start_ms = performance.now();
  const before = { ...bus.counts, ...joints.link.counts };
  for (let i = 0; i < TICKS; i++) {
    const due_ms = start_ms + i * TICK_MS;
    while (performance.now() < due_ms) await new Promise((done) => setTimeout(done, 1));
    late.push(performance.now() - due_ms);
    arm.exchange(setpoint, TICK_S);
  }
  const { cycle_p50_ms, cycle_p99_ms, period_p99_ms } = arm.read().bus;
  const now = { ...bus.counts, ...joints.link.counts };
  const more = (key: keyof typeof before) => now[key] - before[key];
  console.log(`${name}: loop lateness ${percentiles(late)}`);
  console.log(
    `  ${more('transactions')} requests, ${more('timeouts')} timed out, ` +
      `${more('missed_cycles')} skipped; fault: ${arm.read().fault?.message ?? 'none'}`,
  );
  if (more('timeouts') > TICKS / 100) return;
  const cycle = `p50 ${cycle_p50_ms.toFixed(2)} ms, p99 ${cycle_p99_ms.toFixed(2)} ms`;
  console.log(`  request to last reply ${cycle}; period p99 ${period_p99_ms.toFixed(2)} ms`);
}

await run('250 Hz over TCP');
emulator.kill('SIGSTOP');
await run('with a dead bus');
emulator.kill('SIGKILL');
// The emulator is gone, so the arm cannot be stopped.
await bus.close();
