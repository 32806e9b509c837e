/**
 * Joint drives, shared by both plants so that they differ only in the mechanics engine: a position
 * servo that is exact for the discrete step, torque limits and end stops.
 */

import { DRIVE, END_STOP_MAX_RAD, END_STOP_MIN_RAD } from '../arm/arm-model.ts';
import type { Numbers } from '../math/vector.ts';
import { PLANT_STEP_S } from './plant-step.ts';

const STEP_SQUARED = PLANT_STEP_S * PLANT_STEP_S;

const BANDWIDTH = DRIVE.servo_bandwidth_rad_s;
const STIFFNESS = BANDWIDTH * BANDWIDTH;
const DAMPING = 2 * BANDWIDTH;

const TORQUE_MAX = Float64Array.from(DRIVE.torque_max_n_m);
const STOP_STIFFNESS = Float64Array.from(DRIVE.stop_stiffness_n_m);
const STOP_DAMPING = Float64Array.from(DRIVE.stop_damping_n_m_s);

/** Angles (rad) and rates (rad/s) of the six joints. */
export interface JointState {
  readonly position: Float64Array;
  readonly velocity: Float64Array;
}

/**
 * Writes the accelerations (rad/s²) that track the reference: its second difference plus critically
 * damped feedback on the remaining error. `samples` holds rows of six angles 1 ms apart; `row` is
 * the current one and needs both neighbours.
 */
export function servoAcceleration(
  samples: Numbers,
  row: number,
  state: JointState,
  out: Float64Array,
): void {
  const now = 6 * row;
  for (let j = 0; j < 6; j++) {
    const before = samples[now + j - 6]!;
    const here = samples[now + j]!;
    const after = samples[now + j + 6]!;
    const wanted = (after - 2 * here + before) / STEP_SQUARED;
    const lag = here - state.position[j]!;
    const slip = (here - before) / PLANT_STEP_S - state.velocity[j]!;
    out[j] = wanted + STIFFNESS * lag + DAMPING * slip;
  }
}

/** Clamps motor torques (N m) to the drives' limits. No allocation. */
export function limitTorques(torques: Float64Array): void {
  for (let j = 0; j < 6; j++) {
    const limit = TORQUE_MAX[j]!;
    torques[j] = Math.min(Math.max(torques[j]!, -limit), limit);
  }
}

/** Adds the end stop torques (N m): springs that only push back. No allocation. */
export function addEndStopTorques(state: JointState, torques: Float64Array): void {
  for (let j = 0; j < 6; j++) {
    const angle = state.position[j]!;
    const low = END_STOP_MIN_RAD[j]!;
    const high = END_STOP_MAX_RAD[j]!;
    if (angle >= low && angle <= high) continue;
    const depth = (angle > high ? high : low) - angle;
    const push = STOP_STIFFNESS[j]! * depth - STOP_DAMPING[j]! * state.velocity[j]!;
    if (push > 0 === depth > 0) torques[j]! += push;
  }
}
