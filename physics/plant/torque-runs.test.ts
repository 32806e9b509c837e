// @module-tag ci
import { describe, expect, it } from 'vitest';
import { createMujocoArm } from '../dynamics/mujoco-arm.cases.ts';
import { createFastPlant } from './fast-plant.ts';
import { createRapierPlant } from './rapier-plant.ts';
import { BESIDE_AXIS, worstRun } from './torque-runs.cases.ts';

const SEED = 415;
const UPRIGHT = new Float64Array(6);

describe('a plant under random torques', () => {
  it('stays with MuJoCo for 2 s, fast', async () => {
    const arm = await createMujocoArm(BESIDE_AXIS);
    expect(worstRun(createFastPlant(UPRIGHT), arm, SEED, 8), `seed ${SEED}`).toBeLessThan(1e-6);
  });

  it('stays with MuJoCo for 2 s as far as f32 allows, Rapier', async () => {
    const arm = await createMujocoArm(BESIDE_AXIS);
    const plant = await createRapierPlant(UPRIGHT);
    expect(worstRun(plant, arm, SEED, 3), `seed ${SEED}`).toBeLessThan(0.02);
    plant.free();
  });
});
