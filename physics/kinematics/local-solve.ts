/**
 * Levenberg-Marquardt solver from a start close to the solution: double roots and continua near
 * the guess, the polishing of found roots and the exit from singular starts. The damping follows
 * the error, so it converges quadratically even onto continua of solutions, where the Jacobian is
 * singular.
 */
import type { Numbers } from '../math/vector.ts';
import { createFrames, forward, POSE_SIZE, type Tool, toolPose } from './forward.ts';
import { jacobian, normalEquations, solveDamped } from './jacobian.ts';

/**
 * Error between two poses, the residual that local solver, tracking and complete search drive to
 * zero; they share one definition of a solved pose (§4.7).
 */

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

/** Damping as a share of the squared error. */
const DAMPING_SHARE = 0.02;
const DAMPING_GROWTH = 8;
/** Rejected steps in a row that end the search. */
const REJECTIONS_MAX = 10;

const frames = createFrames();
const pose = new Float64Array(POSE_SIZE);
const error = createPoseError();
const tried = new Float64Array(6);
const step = new Float64Array(6);
const rows = new Float64Array(36);
const square = new Float64Array(36);
const side = new Float64Array(6);
const damping = new Float64Array(1);
const work = new Float64Array(36);

/** Goal of a local search. */
export interface SolverGoal {
  /** Squared pose error at which the search stops. */
  readonly target: number;
  /** Squared pose error that still counts as solved. */
  readonly accepted: number;
  readonly iterations: number;
}

/** Measures the error of joints `q` against `goal`; leaves frames and pose for the next step. */
function measure(q: Float64Array, goal: Float64Array, tool: Tool): void {
  forward(q, frames);
  toolPose(frames, tool, pose);
  poseError(pose, goal, error);
}

/**
 * Moves `q` onto a solution of tool pose `goal`; true when the squared error is accepted. `q` ends
 * at the best point found, neither wrapped nor clamped to limits. No allocation.
 */
export function solveLocally(
  q: Float64Array,
  goal: Float64Array,
  tool: Tool,
  want: SolverGoal,
): boolean {
  measure(q, goal, tool);
  let best = error[ERROR_SQUARE]!;
  let factor = DAMPING_SHARE;
  let rejected = 0;
  let moved = true;
  for (let i = 0; i < want.iterations && best > want.target; i++) {
    if (moved) {
      jacobian(frames, pose, 9, rows);
      scaleJacobian(rows);
      normalEquations(rows, error, square, side);
    }
    moved = false;
    damping[0] = factor * best + 1e-18;
    if (solveDamped(square, damping, side, step, work)) {
      for (let j = 0; j < 6; j++) tried[j] = q[j]! + step[j]!;
      measure(tried, goal, tool);
      const now = error[ERROR_SQUARE]!;
      if (now < best) {
        for (let j = 0; j < 6; j++) q[j] = tried[j]!;
        factor = now < 0.1 * best ? Math.max(factor / DAMPING_GROWTH, 1e-4) : factor;
        best = now;
        moved = true;
        rejected = 0;
        continue;
      }
    }
    if (++rejected > REJECTIONS_MAX) break;
    factor *= DAMPING_GROWTH;
  }
  return best <= want.accepted;
}
