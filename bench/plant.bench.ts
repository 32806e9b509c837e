/**
 * Speed of the plants at 1 kHz relative to real time, with servo, friction, observer and heat, over
 * random full-speed moves; of the whole driver in ticks; and of the textbook baseline
 * (dynamics.baseline.ts, and Rapier through its public API over six bodies) in the same run.
 */
import { createSimulatedArm } from '../bridge/simulated/simulated-arm.ts';
import { TURNS_ABOUT_Z } from '../physics/arm/arm-model.ts';
import { ForwardDynamics } from '../physics/dynamics/forward-dynamics.ts';
import { InverseDynamics } from '../physics/dynamics/inverse-dynamics.ts';
import { ballLoad } from '../physics/dynamics/load.ts';
import { randomStates } from '../physics/dynamics/states.cases.ts';
import { createFastPlant } from '../physics/plant/fast-plant.ts';
import { RandomMoves } from '../physics/plant/moves.cases.ts';
import type { Plant } from '../physics/plant/plant.ts';
import { buildArm } from '../physics/plant/rapier-arm.ts';
import { loadRapier } from '../physics/plant/rapier-loader.ts';
import { createRapierPlant } from '../physics/plant/rapier-plant.ts';
import { baselineForwardDynamics, baselineInverseDynamics } from './dynamics.baseline.ts';

const ROUNDS = 15;
const START = new Float64Array(6);

/** Processor time of this process so far (µs). */
function processorTime_us(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Median processor time per item of `body`, which processes `count` items (µs). */
function median(count: number, body: () => void): number {
  const times: number[] = [];
  body();
  for (let round = 0; round < ROUNDS; round++) {
    const start = processorTime_us();
    body();
    times.push((processorTime_us() - start) / count);
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
}

function windows(count: number): Float64Array[] {
  const moves = new RandomMoves(3, START);
  return Array.from({ length: count }, () => {
    moves.advance();
    return Float64Array.from(moves.samples);
  });
}

function report(name: string, each_us: number, baseline_us: number): void {
  const real = (1000 / each_us).toFixed(0);
  const ratio = (baseline_us / each_us).toFixed(1);
  console.log(`${name}: ${each_us.toFixed(2)} µs a step, ${real} x real time, ${ratio} x baseline`);
}

function playThrough(plant: Plant, samples: readonly Float64Array[]): number {
  return median(samples.length, () => {
    plant.place(START);
    for (const window of samples) plant.step('follow', window, 1);
  });
}

/** Baseline step: servo torques, then forward dynamics. */
function baselineFast(samples: readonly Float64Array[]): number {
  return median(samples.length, () => {
    const q = [0, 0, 0, 0, 0, 0];
    const rates = [0, 0, 0, 0, 0, 0];
    for (const window of samples) {
      const commanded = q.map((angle, j) => {
        const [before, here, after] = [window[j]!, window[6 + j]!, window[12 + j]!];
        const slip = (here - before) * 1e3 - rates[j]!;
        return (after - 2 * here + before) * 1e6 + 1e4 * (here - angle) + 200 * slip;
      });
      const gained = baselineForwardDynamics(
        q,
        rates,
        baselineInverseDynamics(q, rates, commanded),
      );
      gained.forEach((value, j) => {
        rates[j]! += 1e-3 * value;
        q[j]! += 1e-3 * rates[j]!;
      });
    }
  });
}

type Turned = { x: number; y: number; z: number; w: number };

/** Axis of the joint (+z or -y of its body) in world coordinates. */
function axisOf(joint: number, { x, y, z, w }: Turned): { x: number; y: number; z: number } {
  if (TURNS_ABOUT_Z[joint]) {
    return { x: 2 * (x * z + w * y), y: 2 * (y * z - w * x), z: 1 - 2 * (x * x + y * y) };
  }
  return { x: -2 * (x * y - w * z), y: 2 * (x * x + z * z) - 1, z: -2 * (y * z + w * x) };
}

/** Rapier through its public API: six bodies, torques with reactions, rotations and rates read. */
async function baselineRapier(samples: readonly Float64Array[]): Promise<number> {
  const arm = buildArm(await loadRapier(), START, ballLoad(0));
  const bodies = arm.handles.map((handle) => arm.world.getRigidBody(handle));
  const none = [0, 0, 0, 0, 0, 0];
  const each_us = median(samples.length, () => {
    for (const window of samples) {
      const torques = baselineInverseDynamics(Array.from(window.subarray(6, 12)), none, none);
      for (const body of bodies) body.resetTorques(true);
      torques.forEach((torque, joint) => {
        const body = bodies[joint + 1]!;
        body.angvel();
        const { x, y, z } = axisOf(joint, body.rotation());
        body.addTorque({ x: torque * x, y: torque * y, z: torque * z }, true);
        bodies[joint]!.addTorque({ x: -torque * x, y: -torque * y, z: -torque * z }, true);
      });
      arm.world.step();
    }
  });
  arm.world.free();
  return each_us;
}

function dynamics(): void {
  const states = [...randomStates(8, 500)];
  const plain = states.map((state) => ({
    q: Array.from(state.q),
    rates: Array.from(state.rates),
    accelerations: Array.from(state.accelerations),
  }));
  const inverse = new InverseDynamics();
  const forward = new ForwardDynamics();
  const out = new Float64Array(6);
  const inverse_us = median(500, () => {
    for (const state of states) inverse.torque(state.q, state, out);
  });
  const forward_us = median(500, () => {
    for (const state of states) {
      forward.update(state.q, state.rates);
      forward.acceleration(state.torques, out);
    }
  });
  const plainInverse_us = median(500, () => {
    for (const { q, rates, accelerations } of plain)
      baselineInverseDynamics(q, rates, accelerations);
  });
  const plainForward_us = median(500, () => {
    for (const { q, rates, accelerations } of plain)
      baselineForwardDynamics(q, rates, accelerations);
  });
  report('inverse dynamics', inverse_us, plainInverse_us);
  report('state and forward dynamics', forward_us, plainForward_us);
}

/** The driver in ticks of 4 ms, with a follow setpoint each. */
async function ticks(plant: 'fast' | 'rapier', count: number): Promise<number> {
  const driver = createSimulatedArm({ plant });
  await driver.start();
  const moves = new RandomMoves(3, START);
  const setpoints = Array.from({ length: count }, () => {
    const samples = new Float64Array(36);
    samples.set(moves.samples.subarray(6), 0);
    for (let row = 2; row < 6; row++) {
      moves.advance();
      samples.set(moves.samples.subarray(12), 6 * row);
      if (row === 2) samples.set(moves.samples.subarray(6, 12), 6);
    }
    return { mode: 'follow' as const, samples, payload_kg: 0, detection: 'medium' as const };
  });
  const each_us = median(4 * count, () => {
    driver.world.place(START);
    for (const setpoint of setpoints) {
      const { fault } = driver.exchange(setpoint, 0.004);
      if (fault) throw new Error(fault.message);
    }
  });
  await driver.stop();
  return each_us;
}

dynamics();
const long = windows(20_000);
const short = windows(3000);
const plainFast_us = baselineFast(short);
const plainRapier_us = await baselineRapier(short);
report('fast plant', playThrough(createFastPlant(START), long), plainFast_us);
const cluttered = createFastPlant(START);
cluttered.environment.setObstacles(
  Array.from({ length: 10 }, (_, i) => ({
    position: { x: 0.45 * Math.cos(i), y: 0.45 * Math.sin(i), z: 0.08 * i },
    half: { x: 0.03, y: 0.03, z: 0.03 },
    orientation: { w: 1, x: 0, y: 0, z: 0 },
    stiffness_n_per_m: 100,
  })),
);
report('fast plant, 10 obstacles', playThrough(cluttered, short), plainFast_us);
report('fast driver', await ticks('fast', 5000), plainFast_us);
report('rapier plant', playThrough(await createRapierPlant(START), short), plainRapier_us);
report('rapier driver', await ticks('rapier', 750), plainRapier_us);
