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
import { ELBOW_TO_WRIST_M, FOREARM_M, FOREARM_OFFSET_M, UPPER_ARM_M } from '../arm/arm-model.ts';
import { atan2, cos, HALF_PI, sin } from '../math/portable.ts';
import type { Numbers } from '../math/vector.ts';
import { activeLoop, evaluatePoint, loopPoint, type Span, sampleSpan } from './condition-loop.ts';
import { createFrames, FLANGE_FRAME, forward } from './forward.ts';
import { createDeterminantFactors, determinantFactors } from './jacobian.ts';
import { JOINT_WEIGHTS, squaredDistance } from './joint-distance.ts';
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
/** Largest half of a window of q6 (rad): wider, the complete search costs no more. */
const WINDOW_MAX_RAD = 1.2;
/** Added to the distance for rounding (rad). */
const SLACK_RAD = 1e-9;
/** q3 of the stretched elbow (rad). */
const STRETCHED_RAD = 0 - atan2(FOREARM_OFFSET_M, FOREARM_M);
/** Squared distance from axis 2 to the wrist centre = MIDDLE + SPREAD · cos(q3 - STRETCHED) (m²). */
const MIDDLE_SQUARE = UPPER_ARM_M * UPPER_ARM_M + ELBOW_TO_WRIST_M * ELBOW_TO_WRIST_M;
const SPREAD_SQUARE = 2 * UPPER_ARM_M * ELBOW_TO_WRIST_M;

const flange = new Float64Array(POSE_SIZE);
const reachedFrames = createFrames();
const reached = reachedFrames.subarray(12 * FLANGE_FRAME, 12 * FLANGE_FRAME + POSE_SIZE);
const error = createPoseError();
const factors = createDeterminantFactors();
const span: Span = { middle: 0.5, half: 0.5, nearest: 0.5, farthest: 0.5 };

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
 * Writes the reach of every arm within the weighted distance `d` of the one of `factors` to `span`;
 * false where some of these bend their elbow the other way.
 */
function boundReach(q3: number, d: number): boolean {
  const turn = d / JOINT_WEIGHTS[2];
  if (!(turn < HALF_PI && Math.abs(factors.elbow) > sin(turn))) return false;
  const bend = q3 - STRETCHED_RAD;
  span.nearest = MIDDLE_SQUARE + SPREAD_SQUARE * Math.min(cos(bend + turn), cos(bend - turn));
  span.farthest = MIDDLE_SQUARE + SPREAD_SQUARE * Math.max(cos(bend + turn), cos(bend - turn));
  return true;
}

/**
 * Writes to `out` the solution nearest to the guess of all, joint limits or not. False where that
 * is not certain; nothing is known then.
 */
export function solveUniquely(
  { pose, tool, guess, frames }: NearTarget,
  out: Float64Array,
): boolean {
  flangePose(pose, tool, flange);
  setTarget(flange);
  determinantFactors(frames, factors);
  activeLoop.windowed = false;
  activeLoop.side = factors.shoulder_m > 0 ? 1 : -1;
  activeLoop.elbow = factors.elbow > 0 ? 1 : -1;
  if (!followCondition(guess[5]!)) return false;
  jointsOfCondition(activeLoop.elbow, out);
  if (!isSolution(out)) return false;
  const d = Math.sqrt(squaredDistance(out, 0, guess)) + SLACK_RAD;
  span.middle = guess[5]!;
  span.half = d / JOINT_WEIGHTS[5];
  if (!(span.half < WINDOW_MAX_RAD) || !boundReach(guess[2]!, d)) return false;
  return sampleSpan(span, frames) && countCrossings() === 1;
}
