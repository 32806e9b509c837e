/**
 * Error between two poses, the residual that local solver, tracking and complete search drive to
 * zero; they share one definition of a solved pose (§4.7).
 */
import type { Numbers } from '../math/vector.ts';

/** Length that weighs positions against rotations: 0.3 m of error count as 1 rad. */
export const POSE_LENGTH_M = 0.3;
const INVERSE_LENGTH = 1 / POSE_LENGTH_M;
/** Index of the squared length in the result of `poseError`. */
export const ERROR_SQUARE = 6;
/** Added to the squared error for rotations beyond a right angle, where the sine is no measure. */
const FAR_TURN = 4;

/** Allocates a result of `poseError`: six components and their squared length. */
export function createPoseError(): Float64Array {
  return new Float64Array(7);
}

/**
 * Writes the twist from `pose` to `goal` to `out`: position over POSE_LENGTH_M, then sine of the
 * rotation times its axis, world axes; `out[6]` is the squared length. No allocation.
 */
export function poseError(pose: Numbers, goal: Numbers, out: Float64Array): void {
  const x = (goal[9]! - pose[9]!) * INVERSE_LENGTH;
  const y = (goal[10]! - pose[10]!) * INVERSE_LENGTH;
  const z = (goal[11]! - pose[11]!) * INVERSE_LENGTH;
  let a = 0;
  let b = 0;
  let c = 0;
  let trace = 0;
  for (let i = 0; i < 3; i++) {
    const px = pose[i]!;
    const py = pose[i + 3]!;
    const pz = pose[i + 6]!;
    const gx = goal[i]!;
    const gy = goal[i + 3]!;
    const gz = goal[i + 6]!;
    a += py * gz - pz * gy;
    b += pz * gx - px * gz;
    c += px * gy - py * gx;
    trace += px * gx + py * gy + pz * gz;
  }
  a *= 0.5;
  b *= 0.5;
  c *= 0.5;
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = a;
  out[4] = b;
  out[5] = c;
  const square = x * x + y * y + z * z + a * a + b * b + c * c;
  out[ERROR_SQUARE] = trace < 1 ? square + FAR_TURN : square;
}

/** Scales the position rows of a Jacobian to the units of `poseError`. */
export function scaleJacobian(jacobian: Float64Array): void {
  for (let i = 0; i < 18; i++) jacobian[i] = jacobian[i]! * INVERSE_LENGTH;
}
