/**
 * Inverse kinematics for calls: the solution nearest to the guess, or the code of the reason why
 * there is none (§2.4, §4.7). The guess itself if it solves the pose; the solution near it where
 * none can be nearer (unique-solution.ts); else the nearest of all (solution-search.ts).
 */

import type { MotionError } from '../../contract/motion-errors.ts';
import { jointName } from '../arm/arm-model.ts';
import type { ArmRange } from '../arm/arm-range.ts';
import { jointCode } from '../arm/joint-error-codes.ts';
import { PI } from '../math/portable.ts';
import type { Numbers } from '../math/vector.ts';
import { wrapJoint } from './chain-angles.ts';
import { slideToNearest } from './continuum.ts';
import { createFrames, forward } from './forward.ts';
import { squaredDistance } from './joint-distance.ts';
import { clampToRange, rangeExcess, worstJointOutside } from './joint-limits.ts';
import { type SolverGoal, solveLocally } from './local-solve.ts';
import { createPoseError, ERROR_SQUARE, poseError } from './pose-error.ts';
import { allSolutions, SOLUTIONS_MAX, searchStatus, solutionsNear } from './solution-search.ts';
import { POSE_SIZE, type Tool, toolPose } from './tool.ts';
import { type Nearness, reachTo, solveNear } from './unique-solution.ts';

/** Request: bring the tool to `pose`, close to `guess`. */
export interface InverseRequest {
  /** Tool pose: rotation row-major (9), then position (m), in the robot frame. */
  readonly pose: Float64Array;
  /** Joints that select between solutions (rad). */
  readonly guess: Numbers;
  readonly tool: Tool;
  /** Range that the joints keep to. */
  readonly range: ArmRange;
}

/** Joints inside the software limits, or an error code with a message. */
export type InverseReply =
  | { readonly ok: true; readonly joints: Float64Array }
  | { readonly ok: false; readonly code: MotionError; readonly message: string };

/** Squared pose error below which the guess is the answer. */
const EXACT = 1e-24;
/** Squared pose error of the guess above which the local solver is not tried. */
const FAR = 1;
const LOCAL: SolverGoal = { target: 1e-24, accepted: 1e-18, iterations: 12 };
const LAST: SolverGoal = { target: 1e-24, accepted: 1e-18, iterations: 60 };
const ORTHOGONAL = 1e-6;

const frames = createFrames();
const reached = new Float64Array(POSE_SIZE);
const error = createPoseError();
const joints = new Float64Array(6);
const solutions = new Float64Array(6 * SOLUTIONS_MAX);
const slid = new Float64Array(6);
const near = new Float64Array(6);

/** True when all numbers are finite and the rotation matrix is orthonormal. */
function isPose(pose: Float64Array): boolean {
  for (let i = 0; i < POSE_SIZE; i++) if (!Number.isFinite(pose[i]!)) return false;
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k <= i; k++) {
      let dot = 0;
      for (let j = 0; j < 3; j++) dot += pose[3 * i + j]! * pose[3 * k + j]!;
      if (Math.abs(dot - (i === k ? 1 : 0)) > ORTHOGONAL) return false;
    }
  }
  const spatial =
    pose[0]! * (pose[4]! * pose[8]! - pose[5]! * pose[7]!) -
    pose[1]! * (pose[3]! * pose[8]! - pose[5]! * pose[6]!) +
    pose[2]! * (pose[3]! * pose[7]! - pose[4]! * pose[6]!);
  return spatial > 0;
}

/** Offset of the solution nearest to the guess, in the range or, with null, anywhere; -1: none. */
function nearest(count: number, guess: Numbers, range: ArmRange | null): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < 6 * count; at += 6) {
    if (range && worstJointOutside(range, solutions, at) >= 0) continue;
    const size = squaredDistance(solutions, at, guess);
    if (size < least) {
      least = size;
      best = at;
    }
  }
  return best;
}

/** Copies the guess to `joints`; true when it is a pose-exact answer inside the limits. */
function isExactGuess({ pose, guess, tool, range }: InverseRequest): boolean {
  for (let j = 0; j < 6; j++) joints[j] = guess[j]!;
  forward(joints, frames);
  toolPose(frames, tool, reached);
  poseError(reached, pose, error);
  return error[ERROR_SQUARE]! <= EXACT && worstJointOutside(range, joints) < 0;
}

/** Finds a solution near the guess inside the limits, in `near`: on its branch, else any. */
function findNear({ pose, guess, tool, range }: InverseRequest): Nearness {
  if (!(error[ERROR_SQUARE]! < FAR)) return 'none';
  const nearness = solveNear({ pose, tool, guess, frames }, near);
  if (nearness !== 'none' && worstJointOutside(range, near) < 0) return nearness;
  for (let j = 0; j < 6; j++) near[j] = guess[j]!;
  return solveLocally(near, pose, tool, LOCAL) && worstJointOutside(range, near) < 0
    ? 'near'
    : 'none';
}

/**
 * Offset in `solutions` of the nearest of all that are as near to the guess as `near`, which bounds
 * the search; -1 where that does not find even `near`, or may not find all.
 */
function searchNear(request: InverseRequest): number {
  const { guess, range } = request;
  const d = reachTo(near, guess);
  const count = solutionsNear(request, d, solutions);
  if (searchStatus.continuum || searchStatus.exhausted > 0) return -1;
  const at = nearest(count, guess, range);
  return at >= 0 && squaredDistance(solutions, at, guess) <= d * d ? at : -1;
}

/**
 * Number of solutions in `solutions`: all that the search finds, on continua the nearest points of
 * their lines; and where these may not be all, that of the local solver from a close guess.
 */
function collectSolutions({ pose, guess, tool, range }: InverseRequest): number {
  const isClose = error[ERROR_SQUARE]! < FAR;
  const count = allSolutions(pose, tool, guess, solutions);
  if (!searchStatus.continuum && searchStatus.exhausted === 0) return count;
  for (let i = 0; i < count; i++) toNearestPoint(i, { pose, guess, tool, range });
  if (!isClose || count === SOLUTIONS_MAX || !solveLocally(joints, pose, tool, LOCAL)) return count;
  for (let j = 0; j < 6; j++) solutions[6 * count + j] = wrapJoint(j, joints[j]!);
  return count + 1;
}

/** Moves solution `i` to the point of its continuum nearest to the guess, if it is on one. */
function toNearestPoint(i: number, { pose, guess, tool, range }: InverseRequest): void {
  slid.set(solutions.subarray(6 * i, 6 * i + 6));
  if (!slideToNearest(slid, guess, range) || !solveLocally(slid, pose, tool, LOCAL)) return;
  solutions.set(slid, 6 * i);
}

/** Last attempt when the search finds nothing: the local solver from the guess. */
function solveLast(request: InverseRequest): boolean {
  for (let j = 0; j < 6; j++) joints[j] = request.guess[j]!;
  if (!solveLocally(joints, request.pose, request.tool, LAST)) return false;
  for (let j = 0; j < 6; j++) {
    joints[j] = wrapJoint(j, joints[j]!);
  }
  return worstJointOutside(request.range, joints) < 0;
}

/** The reply with these joints, on their limits where they are beyond them by rounding. */
function answer(found: Float64Array, range: ArmRange): InverseReply {
  const inside = found.slice();
  clampToRange(range, inside);
  return { ok: true, joints: inside };
}

function refuse(code: MotionError, message: string): InverseReply {
  return { ok: false, code, message };
}

function outside(at: number, range: ArmRange): InverseReply {
  const joint = worstJointOutside(range, solutions, at);
  const degrees = (rangeExcess(range, solutions, at, joint) * 180) / PI;
  return refuse(
    jointCode(joint, 'boundary_limit'),
    `The pose needs ${jointName(joint)} ${degrees.toFixed(1)}° beyond its range; ` +
      'rotate the tool or move the pose.',
  );
}

/** The reason why the complete search found nothing. */
function nothingFound(): InverseReply {
  if (!searchStatus.reachable) {
    return refuse('reach_limit', 'The pose is out of reach; bring it closer to the shoulder.');
  }
  if (searchStatus.exhausted > 0) {
    return refuse(
      'ik_failure',
      'The search for joint angles exceeded its work budget; pass a closer guess.',
    );
  }
  return refuse(
    'analytical_ik_failure',
    'The position is within reach, but not with this orientation; rotate the tool.',
  );
}

/**
 * Joint angles inside the range that bring the tool to the pose within 1e-11 (rad, and
 * 0.3e-11 m): the guess if it does, else the solution nearest to it. A joint within 1e-9 rad of a
 * limit is put onto it, which moves the pose by as much at most.
 * Codes: ik_failure (not a pose, or the search exceeded its budget), jN_boundary_limit (every
 * solution leaves a range; N is the worst joint, 0-based, of the one nearest the guess),
 * reach_limit, analytical_ik_failure (in reach, but no orientation fits). Does not check
 * collisions.
 */
export function solveInverse(request: InverseRequest): InverseReply {
  const { pose, guess, range } = request;
  for (let j = 0; j < 6; j++) joints[j] = guess[j]!;
  if (!isPose(pose) || !joints.every(Number.isFinite)) {
    return refuse(
      'ik_failure',
      'Position, orientation and guess must be finite numbers, and the orientation a rotation.',
    );
  }
  if (isExactGuess(request)) return answer(joints, range);
  const nearness = findNear(request);
  if (nearness === 'nearest') return answer(near, range);
  const among = nearness === 'near' ? searchNear(request) : -1;
  if (among >= 0) return answer(solutions.subarray(among, among + 6), range);
  const count = collectSolutions(request);
  const inside = nearest(count, guess, range);
  if (inside >= 0) return answer(solutions.subarray(inside, inside + 6), range);
  if (count > 0) return outside(nearest(count, guess, null), range);
  if (solveLast(request)) return answer(joints, range);
  return nothingFound();
}
