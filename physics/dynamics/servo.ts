/**
 * The joints' drives: a servo that is exact for the discrete step, friction with a smooth sign,
 * and the end stops. Pure functions of numbers over flat arrays; both plants share them, so that
 * they differ in mechanics alone.
 */
import { DRIVE, STOP_MAX_RAD, STOP_MIN_RAD } from '../arm/arm-model.ts';
import type { Numbers } from '../math/vector.ts';

/** One plant step (s). */
export const STEP_S = 0.001;
const STEP_SQUARED = STEP_S * STEP_S;

const BANDWIDTH = DRIVE.servo_bandwidth_rad_s;
const STIFFNESS = BANDWIDTH * BANDWIDTH;
const DAMPING = 2 * BANDWIDTH;

const VISCOUS = Float64Array.from(DRIVE.viscous_n_m_s);
const COULOMB = Float64Array.from(DRIVE.coulomb_n_m);
const SMOOTH_SQUARED = DRIVE.coulomb_smooth_rad_s * DRIVE.coulomb_smooth_rad_s;
const TORQUE_MAX = Float64Array.from(DRIVE.torque_max_n_m);
const STOP_STIFFNESS = Float64Array.from(DRIVE.stop_stiffness_n_m);
const STOP_DAMPING = Float64Array.from(DRIVE.stop_damping_n_m_s);

/** Angles (rad) and rates (rad/s) of the six joints. */
export interface JointState {
  readonly position: Float64Array;
  readonly velocity: Float64Array;
}

/**
 * Writes the accelerations (rad/s²) that keep the joints on their reference: the reference's own
 * second difference, and a critically damped pull on what is left. `samples` holds rows of six
 * angles 1 ms apart; `row` is the present one and needs both neighbours.
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
    const slip = (here - before) / STEP_S - state.velocity[j]!;
    out[j] = wanted + STIFFNESS * lag + DAMPING * slip;
  }
}

/** Friction torque (N m) of joint `j` at a rate (rad/s); opposes the motion. */
export function friction(j: number, rate: number): number {
  return VISCOUS[j]! * rate + (COULOMB[j]! * rate) / Math.sqrt(rate * rate + SMOOTH_SQUARED);
}

/**
 * Writes the friction torques (N m) at six joint rates (rad/s). Spelt out again for the plants'
 * step: a number that a call hands back may be boxed. No allocation.
 */
export function writeFriction(rates: Float64Array, out: Float64Array): void {
  for (let j = 0; j < 6; j++) {
    const rate = rates[j]!;
    const smooth = Math.sqrt(rate * rate + SMOOTH_SQUARED);
    out[j] = VISCOUS[j]! * rate + (COULOMB[j]! * rate) / smooth;
  }
}

/** Holds motor torques (N m) to what the drives can give. No allocation. */
export function limitTorques(torques: Float64Array): void {
  for (let j = 0; j < 6; j++) {
    const limit = TORQUE_MAX[j]!;
    torques[j] = Math.min(Math.max(torques[j]!, -limit), limit);
  }
}

/** Adds the torques (N m) of the end stops: springs that only push back. No allocation. */
export function addStops(state: JointState, torques: Float64Array): void {
  for (let j = 0; j < 6; j++) {
    const angle = state.position[j]!;
    const low = STOP_MIN_RAD[j]!;
    const high = STOP_MAX_RAD[j]!;
    if (angle >= low && angle <= high) continue;
    const depth = (angle > high ? high : low) - angle;
    const push = STOP_STIFFNESS[j]! * depth - STOP_DAMPING[j]! * state.velocity[j]!;
    if (push > 0 === depth > 0) torques[j]! += push;
  }
}
