/**
 * joint_space moves: a straight line in joint space, all joints starting and ending together
 * (spec §2.2). The path does not depend on the timing, so pause, collision checks and speed caps
 * never leave it.
 */
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';
import { BOUNDARY_CODES } from '../kinematics/joint-range.ts';
import { restProfile } from './jerk-phases.ts';
import type { MotionLimits } from './limits.ts';
import type { JointLine, JointPath } from './path.ts';
import type { MotionCaps, MotionProblem, Segment } from './segment.ts';
import { type Timing, timePath } from './time-path.ts';
import { dilateProfile } from './time-profile.ts';

/** A move from rest at `start` to rest at `end` (rad, six each). */
export interface JointMoveRequest {
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly caps: MotionCaps;
  /** Indexes of the waypoints moved between, as the reply names them. */
  readonly waypoints: readonly number[];
  /** What is planned to; the planning limits of the arm unless given. */
  readonly limits?: MotionLimits;
}

/** Joint travel up to which a move is no motion (rad). */
export const NO_TRAVEL_RAD = 1e-8;
/** Waypoints read back from a file may stand this far outside by rounding (rad). */
const BOUNDARY_TOLERANCE_RAD = 1e-9;

/**
 * Plans a straight joint line within the limits of joints and tool. A requested `time_s` at or
 * above the minimum dilates the motion; below it the timing is still the requested one and the
 * problem is `time_too_short` (decision D23). An end outside the joint limits is the problem
 * `jN_boundary_limit`; a start outside is not, so that the arm can come back in.
 */
export function planJointMove(request: JointMoveRequest): Segment {
  const path: JointLine = { kind: 'line', start: request.start, end: request.end };
  const boundary = boundaryProblem(request.end);
  if (!hasTravel(request.start, request.end)) return restSegment(path, request.waypoints, boundary);
  const timing = timePath({
    path,
    caps: request.caps,
    ...(request.limits ? { limits: request.limits } : {}),
  });
  return segmentOf(path, timing, request, boundary);
}

/** True when some joint moves by more than rounding. */
export function hasTravel(start: Float64Array, end: Float64Array): boolean {
  return start.some((value, j) => !(Math.abs(end[j]! - value) <= NO_TRAVEL_RAD));
}

/** A segment that stays at the end of its path. */
export function restSegment(
  path: JointPath,
  waypoints: readonly number[],
  problem: MotionProblem | null,
): Segment {
  return { path, profile: restProfile(1), waypoints, problem, warnings: [], minimum_time_s: 0 };
}

/** The segment of a timed path, held to the requested time of the caps. */
export function segmentOf(
  path: JointPath,
  timing: Timing,
  asked: { readonly caps: MotionCaps; readonly waypoints: readonly number[] },
  problem: MotionProblem | null = null,
): Segment {
  const { minimum_time_s } = timing;
  const time_s = asked.caps.time_s;
  const base = { path, waypoints: asked.waypoints, warnings: [], minimum_time_s };
  if (time_s === undefined) return { ...base, profile: timing.profile, problem };
  const profile = dilateProfile(timing.profile, time_s / minimum_time_s);
  const tooShort = time_s < minimum_time_s ? timeProblem(time_s, minimum_time_s) : null;
  return { ...base, profile, problem: problem ?? tooShort };
}

function timeProblem(time_s: number, minimum_time_s: number): MotionProblem {
  return {
    code: 'time_too_short',
    s: 0,
    message:
      `The requested ${time_s} s are less than the ${minimum_time_s.toFixed(4)} s that the ` +
      'planner needs for this motion. Ask for more time, or for a max_speed instead.',
  };
}

/** The first joint of the end pose that is outside its limits, or null. */
export function boundaryProblem(end: Float64Array): MotionProblem | null {
  const j = end.findIndex(
    (value, i) =>
      !(value >= JOINT_MIN_RAD[i]! - BOUNDARY_TOLERANCE_RAD) ||
      !(value <= JOINT_MAX_RAD[i]! + BOUNDARY_TOLERANCE_RAD),
  );
  if (j < 0) return null;
  return {
    code: BOUNDARY_CODES[j]!,
    s: 1,
    message:
      `Joint ${j + 1} would stand at ${end[j]!.toFixed(4)} rad; its limits are ` +
      `${JOINT_MIN_RAD[j]!.toFixed(4)} to ${JOINT_MAX_RAD[j]!.toFixed(4)} rad. Move the waypoint.`,
  };
}
