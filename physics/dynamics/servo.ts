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

/** A motor torque (N m) held to what the drive of joint `j` can give. */
export function heldTorque(j: number, torque: number): number {
  const limit = TORQUE_MAX[j]!;
  return torque > limit ? limit : Math.max(torque, -limit);
}

/** Torque (N m) of joint `j`'s end stop: a spring that only pushes back; 0 between the stops. */
export function stopTorque(j: number, angle: number, rate: number): number {
  if (angle > STOP_MAX_RAD[j]!) {
    const push = STOP_STIFFNESS[j]! * (STOP_MAX_RAD[j]! - angle) - STOP_DAMPING[j]! * rate;
    return Math.min(push, 0);
  }
  if (angle < STOP_MIN_RAD[j]!) {
    const push = STOP_STIFFNESS[j]! * (STOP_MIN_RAD[j]! - angle) - STOP_DAMPING[j]! * rate;
    return Math.max(push, 0);
  }
  return 0;
}
