import { expect, it } from 'vitest';
import { createMujocoArm } from '../dynamics/mujoco-arm.cases.ts';
import { createFastPlant } from './fast-plant.ts';
import { createRapierPlant } from './rapier-plant.ts';
import { BESIDE_AXIS, worstRun } from './torque-runs.cases.ts';

const SEED = 90_125;
const UPRIGHT = new Float64Array(6);

it('200 random torque runs of 2 s stay with MuJoCo, fast', async () => {
  const arm = await createMujocoArm(BESIDE_AXIS);
  expect(worstRun(createFastPlant(UPRIGHT), arm, SEED, 200), `seed ${SEED}`).toBeLessThan(1e-6);
}, 300_000);

it('200 random torque runs of 2 s stay with MuJoCo as far as f32 allows, Rapier', async () => {
  const arm = await createMujocoArm(BESIDE_AXIS);
  const plant = await createRapierPlant(UPRIGHT);
  expect(worstRun(plant, arm, SEED, 200), `seed ${SEED}`).toBeLessThan(0.1);
  plant.free();
}, 300_000);
