/**
 * Random torque runs of a plant beside MuJoCo (test code): the same motor torques, the same
 * semi-implicit step of 1 ms, from the same state; links, rotors, load, friction and end stops on
 * both sides. MuJoCo has no smooth Coulomb friction and no stops of this form, so their torques are
 * computed here, from MuJoCo's own state.
 */
import {
  DRIVE,
  END_STOP_MAX_RAD,
  END_STOP_MIN_RAD,
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
} from '../arm/arm-model.ts';
import type { Load } from '../dynamics/load.ts';
import type { MujocoArm } from '../dynamics/mujoco-arm.cases.ts';
import { randomNumbers } from '../dynamics/states.cases.ts';
import type { Plant } from './plant.ts';

/** A load whose centre of mass lies beside the flange axis, with a full inertia tensor. */
export const BESIDE_AXIS: Load = {
  mass_kg: 0.8,
  centre_of_mass_m: [0.03, -0.02, 0.06],
  inertia_kg_m2: [1.1e-3, 1.4e-3, 0.9e-3, 1e-4, -2e-4, 5e-5],
};

const LEAD_STEPS = 300;
const RUN_STEPS = 2000;
/** Steps between two draws of torque. */
const HOLD_STEPS = 50;
const TORQUE_SHARE = 0.35;

/** Friction beside the viscous part, and end stops, at MuJoCo's state. */
function addOwnTorques({ data }: MujocoArm, torques: Float64Array): void {
  for (let j = 0; j < 6; j++) {
    const [angle, rate] = [data.qpos[j]!, data.qvel[j]!];
    const smooth = Math.hypot(rate, DRIVE.coulomb_smooth_rad_s);
    torques[j]! -= (DRIVE.coulomb_n_m[j]! * rate) / smooth;
    const depth =
      Math.min(END_STOP_MAX_RAD[j]! - angle, 0) + Math.max(END_STOP_MIN_RAD[j]! - angle, 0);
    if (depth === 0) continue;
    const push = DRIVE.stop_stiffness_n_m[j]! * depth - DRIVE.stop_damping_n_m_s[j]! * rate;
    if (push > 0 === depth > 0) torques[j]! += push;
  }
}

/**
 * One run from a random pose: a lead-in brings the plant to a random state, MuJoCo takes it over,
 * and both run for 2 s. Returns the greatest distance of a joint (rad) and its greatest rate
 * (rad/s).
 */
export function torqueRun(
  plant: Plant,
  mujocoArm: MujocoArm,
  seed: number,
): { readonly apart_rad: number; readonly rate_rad_s: number } {
  const random = randomNumbers(seed);
  const gravity = new Float64Array(6);
  plant.place(
    JOINT_MIN_RAD.map((low, j) => {
      const high = JOINT_MAX_RAD[j]!;
      return 0.5 * (low + high) + 0.4 * (high - low) * random();
    }),
  );
  gravity.set(plant.torque);
  const { mujoco, model, data } = mujocoArm;
  const motor = new Float64Array(6);
  let apart_rad = 0;
  let rate_rad_s = 0;
  for (let i = -LEAD_STEPS; i < RUN_STEPS; i++) {
    if (i % HOLD_STEPS === 0) {
      for (let j = 0; j < 6; j++) {
        motor[j] = gravity[j]! + TORQUE_SHARE * DRIVE.torque_max_n_m[j]! * random();
      }
    }
    if (i === 0) {
      mujoco.mj_resetData(model, data);
      data.qpos.set(plant.state.position);
      data.qvel.set(plant.state.velocity);
    }
    plant.step('torque', motor, 0);
    if (i < 0) continue;
    const { environment } = plant;
    // The load may touch the floor, which MuJoCo does not know.
    const torques = plant.torque.map((torque, j) => torque + environment.torque[j]!);
    addOwnTorques(mujocoArm, torques);
    data.qfrc_applied.set(torques);
    mujoco.mj_step(model, data);
    for (let j = 0; j < 6; j++) {
      apart_rad = Math.max(apart_rad, Math.abs(data.qpos[j]! - plant.state.position[j]!));
      rate_rad_s = Math.max(rate_rad_s, Math.abs(data.qvel[j]!));
    }
  }
  return { apart_rad, rate_rad_s };
}

/** The greatest distance (rad) over runs of consecutive seeds. */
export function worstRun(plant: Plant, arm: MujocoArm, seed: number, count: number): number {
  plant.setLoad(BESIDE_AXIS, BESIDE_AXIS.mass_kg);
  let worst = 0;
  let fastest = 0;
  for (let i = 0; i < count; i++) {
    const { apart_rad, rate_rad_s } = torqueRun(plant, arm, seed + 7919 * i);
    worst = Math.max(worst, apart_rad);
    fastest = Math.max(fastest, rate_rad_s);
  }
  const figures = `apart ${worst.toExponential(2)} rad, up to ${fastest.toFixed(1)} rad/s`;
  process.stdout.write(`${count} runs: ${figures}\n`);
  return worst;
}
