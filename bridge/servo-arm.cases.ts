/**
 * An arm of emulated servos for tests: driver, line and servos in one, on a clock that the test
 * steps, or over a real socket.
 */

import { still } from './arm-driver.cases.ts';
import type { ArmDriver } from './arm-driver.ts';
import { TICK_S } from './arm-driver.ts';
import { Bus } from './bus/bus.ts';
import type { ServoSetup } from './emulator/emulated-servo.ts';
import { ServoEmulator } from './emulator/servo-emulator.ts';
import { WireFaults } from './emulator/wire-faults.ts';
import { type Calibration, EMULATED_CALIBRATION } from './servo/calibration.ts';
import { ServoArm } from './servo-arm.ts';
import { createMemoryTransport } from './transport/memory.ts';
import { SteppedBusClock } from './transport/stepped-clock.cases.ts';
import { createTcpTransport } from './transport/tcp.ts';
import { serveTcpPeer } from './transport/tcp-peer.ts';

export interface BenchOptions {
  readonly servos?: readonly ServoSetup[];
  readonly calibration?: Calibration;
  readonly start?: ArrayLike<number>;
  readonly tcp?: boolean;
}

/** Driver, servos and the wire between them, not yet started. */
export async function servoBench(options: BenchOptions = {}) {
  const { calibration = EMULATED_CALIBRATION, tcp, ...emulated } = options;
  const clock = new SteppedBusClock();
  const emulator = new ServoEmulator({ clock, ...emulated });
  const faults = new WireFaults(emulator, clock);
  const served = tcp ? await serveTcpPeer(faults, 0) : null;
  const line = served
    ? createTcpTransport({ host: '127.0.0.1', port: served.port })
    : createMemoryTransport(faults);
  const bus = new Bus(line, clock);
  const arm = new ServoArm({ bus, clock, calibration });
  const close = async () => {
    await clock.until(arm.stop());
    await served?.close();
  };
  return { clock, emulator, faults, bus, arm, close };
}

export type ServoBench = Awaited<ReturnType<typeof servoBench>>;

/** The same arm with time that passes while it is started, driven and stopped. */
export function steppedDriver({ arm, clock, close }: ServoBench): ArmDriver {
  return {
    name: arm.name,
    pace: arm.pace,
    start: () => clock.until(arm.start()),
    exchange: (setpoint, dt_s) => arm.exchange(setpoint, dt_s),
    recover: () => arm.recover(),
    stop: close,
  };
}

/** Lets a tick's time pass, or more, once everything asked has been answered or given up. */
export async function passTick({ bus, clock }: ServoBench, ticks = 1): Promise<void> {
  for (let i = 0; i < 200 && !bus.idle; i++) await new Promise((done) => setImmediate(done));
  clock.advance(ticks * TICK_S * 1000);
  await new Promise((done) => setImmediate(done));
}

/** Holds for a while; answers the feedback at the end. */
export async function holdFor(bench: ServoBench, ticks: number) {
  let feedback = bench.arm.exchange(still('hold'), TICK_S);
  for (let i = 1; i < ticks; i++) {
    await passTick(bench);
    feedback = bench.arm.exchange(still('hold'), TICK_S);
  }
  return feedback;
}
