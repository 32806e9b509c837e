/**
 * Energy drift of the plants without friction: falling without motors until an end stop, and moving
 * with gravity compensated. docs/not-simulated.md states these figures.
 */
import { describe, expect, it } from 'vitest';
import {
  END_STOP_MAX_RAD,
  END_STOP_MIN_RAD,
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
  LINK_MASSES,
} from '../arm/arm-model.ts';
import { ForwardDynamics } from '../dynamics/forward-dynamics.ts';
import { createFrames, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { createPrng } from '../math/prng.ts';
import { createFastPlant } from './fast-plant.ts';
import type { Plant } from './plant.ts';
import { createRapierPlant } from './rapier-plant.ts';

const GRAVITY_M_S2 = 9.81;
const NO_FRICTION = { idle_share: 0, share_per_k: 0, least_share: 0 };
/** Torques (N m) that bring the joints to about 0.3 rad/s in PUSH_STEPS. */
const PUSH_N_M = [1.2, 1.2, 0.8, 0.3, 0.25, 0.12];
const PUSH_STEPS = 200;
const FALL_STEPS_MIN = 300;

const frames = createFrames();
const dynamics = new ForwardDynamics();

/** Kinetic and potential energy of the arm (J). */
function energyOf({ state }: Plant): { kinetic: number; potential: number } {
  dynamics.update(state.position, state.velocity);
  let kinetic = 0;
  for (let j = 0; j < 6; j++) kinetic += 0.5 * dynamics.momentum[j]! * state.velocity[j]!;
  forward(state.position, frames);
  const potential = LINK_MASSES.reduce((sum, { mass_kg, com_m }, link) => {
    const at = link * FRAME_SIZE;
    const height = com_m.reduce((z, x, k) => z + frames[at + 6 + k]! * x, frames[at + 11]!);
    return sum + GRAVITY_M_S2 * mass_kg * height;
  }, 0);
  return { kinetic, potential };
}

function isInside({ state, environment }: Plant): boolean {
  if (environment.isActing) return false;
  return state.position.every((q, j) => q < END_STOP_MAX_RAD[j]! && q > END_STOP_MIN_RAD[j]!);
}

function placeAtRandom(plant: Plant, random: () => number): void {
  plant.frictionLaw = NO_FRICTION;
  const middle = JOINT_MIN_RAD.map((low, j) => {
    const high = JOINT_MAX_RAD[j]!;
    return 0.5 * (low + high) + 0.2 * (high - low) * (2 * random() - 1);
  });
  plant.place(middle);
}

/** Largest change of the total energy as a share of the kinetic one; null for short falls. */
function fall(plant: Plant, random: () => number): number | null {
  placeAtRandom(plant, random);
  const start = energyOf(plant).potential;
  const none = new Float64Array(18);
  let [worst, most, steps] = [0, 0, 0];
  for (; steps < 2000; steps++) {
    plant.step('torque', none, 1);
    if (!isInside(plant)) break;
    const { kinetic, potential } = energyOf(plant);
    most = Math.max(most, kinetic);
    worst = Math.max(worst, Math.abs(kinetic + potential - start));
  }
  return steps < FALL_STEPS_MIN ? null : worst / most;
}

/** Largest change of the kinetic energy in 2 s without gravity; null for runs that touch. */
function coast(plant: Plant, random: () => number): number | null {
  placeAtRandom(plant, random);
  const push = PUSH_N_M.map((most) => most * (2 * random() - 1));
  const samples = new Float64Array(18);
  for (let i = 0; i < PUSH_STEPS; i++) {
    dynamics.update(plant.state.position, plant.state.velocity);
    dynamics.gravity(samples.subarray(6, 12));
    for (let j = 0; j < 6; j++) samples[6 + j]! += push[j]!;
    plant.step('torque', samples, 1);
  }
  const start = energyOf(plant).kinetic;
  let worst = 0;
  for (let i = 0; i < 2000; i++) {
    plant.step('backdrive', samples, 1);
    if (!isInside(plant)) return null;
    worst = Math.max(worst, Math.abs(energyOf(plant).kinetic - start));
  }
  return worst / start;
}

function largest(runs: number, run: () => number | null): number {
  const found = Array.from({ length: runs }, run).filter((share) => share !== null);
  expect(found.length).toBeGreaterThan(runs / 3);
  return Math.max(...found);
}

const plants = [
  { name: 'fast', create: async (q: Float64Array) => createFastPlant(q), runs: 12, coasts: 5e-4 },
  { name: 'rapier', create: createRapierPlant, runs: 4, coasts: 3e-3 },
];

describe.each(plants)('energy without friction on $name', ({ create, runs, coasts }) => {
  it('drifts by less than half a percent in a fall', async () => {
    const [plant, random] = [await create(new Float64Array(6)), createPrng(3)];
    const worst = largest(runs, () => fall(plant, random));
    expect(worst).toBeLessThan(5e-3);
    expect(worst).toBeGreaterThan(5e-4);
    plant.free();
  });

  it('hardly drifts in 2 s with gravity compensated', async () => {
    const [plant, random] = [await create(new Float64Array(6)), createPrng(3)];
    expect(largest(runs, () => coast(plant, random))).toBeLessThan(coasts);
    plant.free();
  });
});
