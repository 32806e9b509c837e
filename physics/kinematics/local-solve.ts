/**
 * Levenberg-Marquardt solver from a start close to the solution: double roots and continua near
 * the guess, the polishing of found roots and the exit from singular starts. The damping follows
 * the error, so it converges quadratically even onto continua of solutions, where the Jacobian is
 * singular.
 */
import { createFrames, forward } from './forward.ts';
import { jacobian } from './jacobian.ts';
import { normalEquations, solveDamped } from './linear-solve.ts';
import { createPoseError, ERROR_SQUARE, poseError, scaleJacobian } from './pose-error.ts';
import { POSE_SIZE, type Tool, toolPose } from './tool.ts';

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
