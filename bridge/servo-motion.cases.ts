/** Arms of emulated servos in the middle of a motion, and what is expected of them afterwards. */
import { expect } from 'vitest';
import { still } from './arm-driver.cases.ts';
import { SETPOINT_SAMPLES, type Setpoint, TICK_S } from './arm-driver.ts';
import {
  type BenchOptions,
  holdFor,
  passTick,
  type ServoBench,
  servoBench,
} from './servo-arm.cases.ts';

const RATE_RAD_S = 0.5;

/** A started arm in the middle of a steady motion of its first joint. */
export async function moving(
  options: BenchOptions & { readonly prepare?: (bench: ServoBench) => void } = {},
) {
  const bench = await servoBench(options);
  options.prepare?.(bench);
  await bench.clock.until(bench.arm.start());
  const motion = motionOf(bench);
  await motion.go(60);
  expect(bench.emulator.plant.velocity_rad_s[0]).toBeGreaterThan(0.3);
  return { ...bench, ...motion };
}

/** A hand that keeps joint 0 going, as a robot does until it is told of a fault. */
function motionOf(bench: ServoBench) {
  let t_s = 0;
  const base = Array.from(bench.arm.link.samples.position_rad);
  const setpoint: Setpoint = { ...still('hold'), mode: 'follow' };
  const tick = (detection: Setpoint['detection'] = null) => {
    for (let i = 0; i < 6 * SETPOINT_SAMPLES; i++) {
      const along = t_s + (Math.floor(i / 6) - 1) * 0.001;
      setpoint.samples[i] = base[i % 6]! + (i % 6 === 0 ? RATE_RAD_S * along : 0);
    }
    t_s += TICK_S;
    return bench.arm.exchange({ ...setpoint, detection }, TICK_S);
  };
  const go = async (ticks: number, detection: Setpoint['detection'] = null) => {
    let feedback = tick(detection);
    for (let i = 1; i < ticks && !feedback.fault && !feedback.contact; i++) {
      await passTick(bench);
      feedback = tick(detection);
    }
    return feedback;
  };
  return { go };
}

/** Goes on holding, and expects joint 0 to have come to rest. */
export async function expectRest(bench: ServoBench, ticks = 120): Promise<number> {
  await holdFor(bench, ticks);
  bench.emulator.catchUp();
  const before = bench.emulator.plant.position_rad[0]!;
  await holdFor(bench, 60);
  bench.emulator.catchUp();
  expect(Math.abs(bench.emulator.plant.position_rad[0]! - before)).toBeLessThan(0.003);
  return before;
}

/** Resets errors until it works, and expects that nothing moved. */
export async function expectRecovery(bench: ServoBench): Promise<void> {
  const { arm, clock, emulator } = bench;
  const before = Array.from(emulator.plant.position_rad);
  for (let i = 0; i < 5 && !arm.recover(); i++) {
    for (let k = 0; k < 400 && arm.exchange(still('hold'), TICK_S); k++) await passTick(bench);
  }
  expect(arm.exchange(still('hold'), TICK_S).fault).toBeNull();
  await holdFor(bench, 60);
  emulator.catchUp();
  Array.from(emulator.plant.position_rad).forEach((angle, j) => {
    expect(Math.abs(angle - before[j]!), `joint ${j} at ${clock.now_ms()} ms`).toBeLessThan(0.02);
  });
}
