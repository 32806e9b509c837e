/**
 * The arm dynamics against MuJoCo, an independent engine, over random states: links, rotors,
 * viscous friction and load on both sides.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { DRIVE } from '../arm/arm-model.ts';
import { ForwardDynamics } from './forward-dynamics.ts';
import { InverseDynamics } from './inverse-dynamics.ts';
import { ballLoad } from './load.ts';
import { createMujocoArm, type MujocoArm } from './mujoco-arm.cases.ts';
import { randomStates } from './states.cases.ts';

const PAYLOAD_KG = 0.7;
const STATES = 2000;
const SEED = 20240611;

/** Largest difference, relative to the largest of the reference or `floor`. */
function relative(ours: ArrayLike<number>, theirs: ArrayLike<number>, floor: number): number {
  let scale = floor;
  let worst = 0;
  for (let j = 0; j < 6; j++) {
    scale = Math.max(scale, Math.abs(theirs[j]!));
    worst = Math.max(worst, Math.abs(ours[j]! - theirs[j]!));
  }
  return worst / scale;
}

describe('dynamics against MuJoCo', () => {
  let arm: MujocoArm;
  const out = new Float64Array(6);
  const viscous = (rates: Float64Array): Float64Array =>
    rates.map((rate, j) => DRIVE.viscous_n_m_s[j]! * rate);

  beforeAll(async () => {
    arm = await createMujocoArm(ballLoad(PAYLOAD_KG));
  });

  it('gives the same joint torques for any motion', () => {
    const { mujoco, model, data } = arm;
    const dynamics = new InverseDynamics(PAYLOAD_KG);
    let worst = 0;
    for (const { q, rates, accelerations } of randomStates(SEED, STATES)) {
      data.qpos.set(q);
      data.qvel.set(rates);
      data.qacc.set(accelerations);
      mujoco.mj_inverse(model, data);
      dynamics.torque(q, { rates, accelerations }, out);
      const friction = viscous(rates);
      const torques = out.map((torque, j) => torque + friction[j]!);
      worst = Math.max(worst, relative(torques, data.qfrc_inverse, 1));
    }
    expect(worst, `seed ${SEED}`).toBeLessThan(1e-12);
  });

  it('gives the same accelerations for any torques', () => {
    const { mujoco, model, data } = arm;
    const dynamics = new ForwardDynamics(PAYLOAD_KG);
    let worst = 0;
    for (const { q, rates, torques } of randomStates(SEED, STATES)) {
      data.qpos.set(q);
      data.qvel.set(rates);
      data.qfrc_applied.set(torques);
      mujoco.mj_forward(model, data);
      dynamics.update(q, rates);
      const friction = viscous(rates);
      const net = torques.map((torque, j) => torque - friction[j]!);
      dynamics.acceleration(net, out);
      worst = Math.max(worst, relative(out, data.qacc, 1));
    }
    expect(worst, `seed ${SEED}`).toBeLessThan(1e-12);
  });
});
