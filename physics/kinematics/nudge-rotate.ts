/**
 * Nudge and rotate: small straight moves of the tool point, tracked on one branch of the inverse
 * kinematics and checked along the way. They return joints and move nothing (§4.7, D20).
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { jointName } from '../arm/arm-model.ts';
import type { ArmRange } from '../arm/arm-range.ts';
import { jointCode } from '../arm/joint-error-codes.ts';
import type { Numbers } from '../math/vector.ts';
import { createLineBy } from './cartesian-line.ts';
import { createFrames, forward } from './forward.ts';
import { type InverseReply, solveInverse } from './inverse.ts';
import { clampToRange, worstJointOutside } from './joint-limits.ts';
import { POSE_SIZE, type Tool, toolPose } from './tool.ts';
import { createTracker, type PoseCurve, startTracking, type Tracker, trackTo } from './tracking.ts';
import { trackingProblem } from './tracking-problem.ts';

export type MoveAxis = 'x' | 'y' | 'z';
/** Frame whose axes a move follows. No public source specifies it; these constants do. */
type AxisFrame = 'robot' | 'tool';
const NUDGE_AXES: AxisFrame = 'robot';
const ROTATE_AXES: AxisFrame = 'tool';

/** Check of joints along the way: the code of what forbids them (collision, zones), or null. */
export type JointStateCheck = (q: Float64Array) => MotionError | null;

export interface ToolMove {
  /** Start joints (rad). */
  readonly joints: Numbers;
  readonly axis: MoveAxis;
  /** Offset: m for nudge, rad for rotate; either sign. */
  readonly offset: number;
  readonly tool: Tool;
  /** Range that the joints keep to. */
  readonly range: ArmRange;
  readonly check: JointStateCheck;
}

const STEP_M = 0.005;
const STEP_RAD = 0.02;
/** Maximum number of steps; no move inside the arm's reach and ranges is longer. */
const STEPS_MAX = 2_000;

/** Unit vector of the axis in robot coordinates. */
function directionOf(pose: Float64Array, axis: MoveAxis, frame: AxisFrame): number[] {
  const i = axis === 'x' ? 0 : axis === 'y' ? 1 : 2;
  if (frame === 'tool') return [pose[i]!, pose[3 + i]!, pose[6 + i]!];
  return [0, 1, 2].map((k) => (k === i ? 1 : 0));
}

function refuse(code: MotionError, message: string): InverseReply {
  return { ok: false, code, message };
}

function refuseByCheck(code: MotionError): InverseReply {
  return refuse(
    code,
    'The move would collide with the arm itself, the ground or an avoidance zone.',
  );
}

/**
 * Moves a tracker that cannot leave its singular start to the nearest solution one step ahead, on
 * any branch: at such a pose no branch is preferred. False when there is none.
 */
function restartNearby(tracker: Tracker, s: number): boolean {
  const { tool, range } = tracker;
  const pose = new Float64Array(POSE_SIZE);
  tracker.curve.evaluate(Float64Array.of(s), pose, new Float64Array(6));
  const reply = solveInverse({ pose, guess: tracker.q, tool, range });
  return reply.ok && startTracking(tracker, reply.joints, s) === 'arrived';
}

/** Tracks the whole curve in `steps`; returns the end joints or the first error. */
function trackCurve(curve: PoseCurve, move: ToolMove, steps: number): InverseReply {
  const tracker = createTracker(curve, move.tool, move.range);
  const singularStart =
    startTracking(tracker, move.joints, 0) === 'arrived' && tracker.determinant === 0;
  const forbidden = move.check(tracker.q);
  if (forbidden) return refuseByCheck(forbidden);
  for (let i = 1; i <= steps; i++) {
    let outcome = trackTo(tracker, i / steps);
    if (outcome === 'branch_end' && singularStart && tracker.determinant === 0) {
      if (restartNearby(tracker, i / steps)) outcome = 'arrived';
    }
    const problem = trackingProblem(tracker, outcome);
    if (problem) return refuse(problem.code, problem.message);
    const code = move.check(tracker.q);
    if (code) return refuseByCheck(code);
  }
  const joints = tracker.q.slice();
  clampToRange(move.range, joints);
  return { ok: true, joints };
}

/** Validates a move and returns the tool pose at the start, or the refusal. */
function prepare(move: ToolMove, step: number): Float64Array | InverseReply {
  const joint = worstJointOutside(move.range, move.joints);
  if (joint >= 0)
    return refuse(jointCode(joint, 'boundary_limit'), `${jointName(joint)} starts out of range.`);
  if (!Number.isFinite(move.offset) || Array.from(move.joints).some((x) => !Number.isFinite(x))) {
    return refuse('ik_failure', 'Joints and offset must be finite numbers.');
  }
  if (Math.abs(move.offset) > STEPS_MAX * step) {
    return refuse('reach_limit', 'The offset is longer than any move of the arm.');
  }
  const frames = createFrames();
  const pose = new Float64Array(POSE_SIZE);
  forward(move.joints, frames);
  toolPose(frames, move.tool, pose);
  return pose;
}

/** Tracking steps of at most `step` each, at least one. */
function stepsOf(offset: number, step: number): number {
  return Math.max(1, Math.ceil(Math.abs(offset) / step));
}

/**
 * Joints after moving the tool point by `offset` m along an axis of the robot frame, orientation
 * kept. Codes: what the check says, jN_boundary_limit, reach_limit, a singularity.
 */
export function nudge(move: ToolMove): InverseReply {
  const pose = prepare(move, STEP_M);
  if (!(pose instanceof Float64Array)) return pose;
  const travel = directionOf(pose, move.axis, NUDGE_AXES).map((x) => x * move.offset);
  return trackCurve(createLineBy(pose, travel, [0, 0, 0]), move, stepsOf(move.offset, STEP_M));
}

/**
 * Joints after turning the tool by `offset` rad about one of its own axes, tool point kept. Codes
 * as for `nudge`.
 */
export function rotate(move: ToolMove): InverseReply {
  const pose = prepare(move, STEP_RAD);
  if (!(pose instanceof Float64Array)) return pose;
  const turn = directionOf(pose, move.axis, ROTATE_AXES).map((x) => x * move.offset);
  return trackCurve(createLineBy(pose, [0, 0, 0], turn), move, stepsOf(move.offset, STEP_RAD));
}
