/**
 * The solution near a guess, where it can be told from a few evaluations that no other is nearer
 * (§4.7): a third of the time of the complete search, which decides all else.
 *
 * Newton's method on the closing condition leads from the guess to a solution at a distance d. A
 * nearer one has joints that differ from the guess by less than d over their weights: so its q6 lies
 * in a window, its wrist centre on the same side of axis 1, its elbow on the same bend. What remains
 * is one smooth function over that window, and whether it crosses zero there once. That is judged as
 * the complete search judges its intervals.
 */

import { IS_ALIGNED } from '../arm/arm-model.ts';
import type { Numbers } from '../math/vector.ts';
import { chainAngles } from './chain-angles.ts';
import { activeLoop, evaluatePoint, loopPoint, sampleSpan } from './condition-loop.ts';
import { createFrames, FLANGE_FRAME, forward } from './forward.ts';
import { createDeterminantFactors, determinantFactors } from './jacobian.ts';
import { squaredDistance } from './joint-distance.ts';
import { neighbourhood, seekNear } from './neighbourhood.ts';
import { createPoseError, ERROR_SQUARE, poseError } from './pose-error.ts';
import { countCrossings } from './root-isolation.ts';
import { flangePose, POSE_SIZE, type Tool } from './tool.ts';
import { closingCondition, ELBOW_SQUARE, jointsOfCondition, setTarget } from './wrist-condition.ts';

/** Squared pose error of a solution, as in the complete search. */
const EXACT = 1e-23;
const NEWTON_MAX = 8;
/** Largest Newton step (rad). */
const STEP_MAX_RAD = 0.5;
/** A step after which the next one is the last (rad). */
const CLOSE_RAD = 2e-9;
/** Largest half of a window of q6 (rad): a wider one is not near. */
const WINDOW_MAX_RAD = 1.2;
/** Added to the distance for rounding (rad). */
const SLACK_RAD = 1e-9;

const flange = new Float64Array(POSE_SIZE);
const reachedFrames = createFrames();
const reached = reachedFrames.subarray(12 * FLANGE_FRAME, 12 * FLANGE_FRAME + POSE_SIZE);
const error = createPoseError();
const factors = createDeterminantFactors();

export interface NearTarget {
  readonly pose: Float64Array;
  readonly tool: Tool;
  readonly guess: Numbers;
  /** Frames of the arm at the guess. */
  readonly frames: Float64Array;
}

/** Newton's method on the branch of the guess, from its q6; true when it ends at a zero. */
function followCondition(q6: number): boolean {
  loopPoint[0] = q6;
  let close = false;
  for (let i = 0; i < NEWTON_MAX; i++) {
    evaluatePoint();
    if (close) return true;
    if (!(closingCondition[ELBOW_SQUARE]! > 0)) return false;
    const move = loopPoint[1]! / loopPoint[2]!;
    close = Math.abs(move) < CLOSE_RAD;
    loopPoint[0] = loopPoint[0]! - Math.min(Math.max(move, 0 - STEP_MAX_RAD), STEP_MAX_RAD);
  }
  return false;
}

/** True when `q` solves the pose to working precision. */
function isSolution(q: Float64Array): boolean {
  forward(q, reachedFrames);
  poseError(reached, flange, error);
  return error[ERROR_SQUARE]! < EXACT;
}

/**
 * What is known of a solution: it is the `nearest` to the guess of all, joint limits or not; or it is
 * just `near`; or `none` was found.
 */
export type Nearness = 'nearest' | 'near' | 'none';

/** Weighted distance between joints and a guess, with what rounding may add (rad). */
export function reachTo(q: Float64Array, guess: Numbers): number {
  return Math.sqrt(squaredDistance(q, 0, guess)) + SLACK_RAD;
}

/** Writes a solution near the guess to `out`, joint limits or not. */
export function solveNear({ pose, tool, guess, frames }: NearTarget, out: Float64Array): Nearness {
  flangePose(pose, tool, flange);
  setTarget(flange);
  determinantFactors(frames, factors);
  activeLoop.windowed = false;
  activeLoop.side = factors.shoulder_m > 0 ? 1 : -1;
  activeLoop.elbow = factors.elbow > 0 ? 1 : -1;
  const q = IS_ALIGNED ? guess : chainAngles(guess, 0);
  if (!followCondition(q[5]!)) return 'none';
  jointsOfCondition(activeLoop.elbow, out);
  if (!isSolution(out)) return 'none';
  seekNear(guess, reachTo(out, guess));
  if (!(neighbourhood.half < WINDOW_MAX_RAD)) return 'none';
  if (neighbourhood.bothBends) return 'near';
  return sampleSpan(frames) && countCrossings() === 1 ? 'nearest' : 'near';
}
