/**
 * Speed of the emulated servo buses, six and eight servos of all families, relative to real time
 * (goal: eight servos at least 20 times), and what an arm on them does with the latency of a USB
 * adapter at 125 and 250 Hz: exchanges a second and the largest lag of the base behind its goal.
 * The latency figures run on a stepped clock, so that they are the same on every machine; bytes
 * take no time in them.
 */

import { stationarySetpoint } from '../bridge/arm-driver.cases.ts';
import { type Setpoint, TICK_S } from '../bridge/arm-driver.ts';
import { Bus } from '../bridge/servo/bus/bus.ts';
import { createEmulator } from '../bridge/servo/emulator/create-emulator.ts';
import { WireFaults } from '../bridge/servo/emulator/wire-faults.ts';
import { passTick } from '../bridge/servo/servo-arm.cases.ts';
import { ServoArm } from '../bridge/servo/servo-arm.ts';
import type { ServoFamily } from '../bridge/servo/servo-family.ts';
import { FAMILIES } from '../bridge/servo-families.ts';
import { createMemoryTransport } from '../bridge/transport/memory-transport.ts';
import { SteppedBusClock } from '../bridge/transport/stepped-clock.cases.ts';

/** Time that is emulated in a measurement (s). */
const EMULATED_S = 10;
const WARM_UP_S = 2;
/** A steady motion of the base, without load from gravity (rad/s). */
const RATE_RAD_S = 0.5;
const MOTION_S = 3;
const LATENCIES_MS = [0, 1, 4, 8, 16];
const RATES_HZ = [125, 250];

function createArm(family: ServoFamily, paired: boolean, rate_hz = RATES_HZ[0]!) {
  const clock = new SteppedBusClock();
  const emulator = createEmulator(family, clock, paired);
  const wire = new WireFaults(emulator, clock);
  const base = family.emulated;
  const calibration = {
    ...base,
    joints: base.joints.map((joint, j) =>
      paired && (j === 1 || j === 2) ? { ...joint, ids: [j + 1, j + 11] } : joint,
    ),
  };
  const transport = createMemoryTransport(wire);
  const bus = new Bus(transport, clock, { format: family.format });
  const options = { bus, clock, calibration };
  const joints = family.createJoints(options);
  const cycle_ticks = 1 / (TICK_S * rate_hz);
  const arm = new ServoArm({ joints, clock, calibration, cycle_ticks });
  return { clock, emulator, wire, bus, joints, arm };
}

type EmulatedArm = ReturnType<typeof createArm>;

/** Processor time since a reading (s). */
function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** Emulated seconds a second of processor time: the emulator alone, and with the driver. */
async function speedOf(family: ServoFamily, paired: boolean) {
  const { clock, emulator, bus, arm } = createArm(family, paired);
  await clock.until(arm.start());
  const hold = stationarySetpoint('hold');
  const run = async (duration_s: number) => {
    for (let t_s = 0; t_s < duration_s; t_s += TICK_S) {
      arm.exchange(hold, TICK_S);
      await passTick({ bus, clock });
    }
  };
  await run(WARM_UP_S);
  const start = process.cpuUsage();
  await run(EMULATED_S);
  const with_driver = EMULATED_S / cpuSince(start);
  const alone_start = process.cpuUsage();
  for (let t_s = 0; t_s < EMULATED_S; t_s += TICK_S) {
    clock.advance(1000 * TICK_S);
    emulator.catchUp(true);
  }
  return { with_driver, alone: EMULATED_S / cpuSince(alone_start) };
}

/** A steady motion of the base: cycles a second, largest lag (rad) and the fault, if any. */
async function motionWith(fixture: EmulatedArm, latency_ms: number) {
  const { clock, wire, bus, arm, joints, emulator } = fixture;
  await clock.until(arm.start());
  wire.delay_ms = latency_ms;
  const start = Array.from(joints.measured.position_rad);
  const setpoint: Setpoint = { ...stationarySetpoint('hold'), mode: 'follow' };
  const sent = bus.counts.transactions;
  let lag_rad = 0;
  let t_s = 0;
  for (; t_s < MOTION_S; t_s += TICK_S) {
    for (let i = 0; i < setpoint.samples.length; i++) {
      const at_s = t_s + (Math.floor(i / 6) - 1) * 0.001;
      setpoint.samples[i] = start[i % 6]! + (i % 6 === 0 ? RATE_RAD_S * at_s : 0);
    }
    arm.exchange(setpoint, TICK_S);
    if (arm.read().fault) break;
    for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done));
    clock.advance(1000 * TICK_S);
    emulator.catchUp();
    const wanted_rad = start[0]! + RATE_RAD_S * (t_s + TICK_S);
    lag_rad = Math.max(lag_rad, Math.abs(wanted_rad - emulator.plant.position_rad[0]!));
  }
  const rate_hz = (bus.counts.transactions - sent) / Math.max(TICK_S, t_s);
  return { rate_hz, lag_rad, fault: arm.read().fault?.kind ?? 'none' };
}

console.log('| servos | emulator alone | with the driver, by processor time |');
for (const family of FAMILIES) {
  for (const paired of [false, true]) {
    const { alone, with_driver } = await speedOf(family, paired);
    const times = [alone, with_driver].map((one) => `${one.toFixed(0)} x`);
    console.log(`| ${paired ? 8 : 6} ${family.name} | ${times.join(' | ')} |`);
  }
}
console.log('| servos | bus rate | adapter latency | exchanges a second | largest lag | fault |');
for (const family of FAMILIES) {
  for (const rate_hz of RATES_HZ) {
    for (const latency_ms of LATENCIES_MS) {
      const fixture = createArm(family, false, rate_hz);
      const { rate_hz: found_hz, lag_rad, fault } = await motionWith(fixture, latency_ms);
      const figures = [`${found_hz.toFixed(0)} Hz`, `${lag_rad.toFixed(3)} rad`, fault];
      console.log(`| ${family.name} | ${rate_hz} Hz | ${latency_ms} ms | ${figures.join(' | ')} |`);
    }
  }
}
