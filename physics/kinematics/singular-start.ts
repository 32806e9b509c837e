/**
 * Leaves a singular pose: finds joints for a pose slightly further on, close to the current joints.
 * The tangent is undefined there, so the local solver tries first and the complete search decides.
 * tracking.ts follows only regular points; calls start from the upright pose, which is singular
 * (§2.8, §4.7).
 */

import { createFrames, forward } from './forward.ts';
import { createDeterminantFactors, determinantFactors } from './jacobian.ts';
import { type SolverGoal, solveLocally } from './local-solve.ts';
import { POSE_LENGTH_M } from './pose-error.ts';
import { allSolutions, SOLUTIONS_MAX } from './solution-search.ts';
import type { Tool } from './tool.ts';

/** Below this determinant (position rows over 0.3 m) a pose counts as a singular start. */
export const SINGULAR_DETERMINANT = 1e-9;
/** Largest joint move out of a singular start (rad). */
const MOVE_MAX_RAD = 0.3;
const GOAL: SolverGoal = { target: 1e-26, accepted: 1e-20, iterations: 60 };
const CUBE = POSE_LENGTH_M * POSE_LENGTH_M * POSE_LENGTH_M;

const startFrames = createFrames();
const factors = createDeterminantFactors();
const startSolutions = new Float64Array(6 * SOLUTIONS_MAX);
const local = new Float64Array(6);

/** True where the Jacobian at `q` is regular enough to be followed. */
function isRegular(q: Float64Array): boolean {
  forward(q, startFrames);
  determinantFactors(startFrames, factors);
  return Math.abs(factors.determinant) / CUBE >= SINGULAR_DETERMINANT;
}

/** Largest difference between q and the six numbers at `at` of `other` (rad). */
function moveTo(other: Float64Array, at: number, q: Float64Array): number {
  let most = 0;
  for (let j = 0; j < 6; j++) most = Math.max(most, Math.abs(other[at + j]! - q[j]!));
  return most;
}

/** Writes the regular solution of `goal` nearest to `q` to `out`; false when none is close. */
function searchBeside(q: Float64Array, goal: Float64Array, tool: Tool, out: Float64Array): boolean {
  const count = allSolutions(goal, tool, q, startSolutions);
  let least = MOVE_MAX_RAD;
  for (let i = 0; i < count; i++) {
    const move = moveTo(startSolutions, 6 * i, q);
    const candidate = startSolutions.subarray(6 * i, 6 * i + 6);
    if (move >= least || !isRegular(candidate)) continue;
    least = move;
    out.set(candidate);
  }
  return least < MOVE_MAX_RAD;
}

/**
 * Writes joints for tool pose `goal` within 0.3 rad of `q` to `out`. regular: tracking can continue
 * from there; singular: they solve the pose but are singular themselves; none: no close solution.
 */
export function solveNearSingularity(
  q: Float64Array,
  goal: Float64Array,
  tool: Tool,
  out: Float64Array,
): 'regular' | 'singular' | 'none' {
  local.set(q);
  const solved = solveLocally(local, goal, tool, GOAL) && moveTo(local, 0, q) <= MOVE_MAX_RAD;
  if (solved && isRegular(local)) {
    out.set(local);
    return 'regular';
  }
  if (searchBeside(q, goal, tool, out)) return 'regular';
  if (!solved) return 'none';
  out.set(local);
  return 'singular';
}
