/**
 * Segment: one rest-to-rest motion, a path with its timing and the findings of planning. Plain
 * data: built in a worker, played by the robot's trajectory player, drawn by the viewer. Also the
 * checks that all planners share for a path and its ends (§2.2, §2.4).
 */
import type { MotionError } from '../../contract/errors.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';
import { BOUNDARY_CODES, LIMIT_TOLERANCE_RAD } from '../kinematics/joint-range.ts';
import { restProfile } from './jerk-phases.ts';
import type { MotionTiming } from './limits.ts';
import type { JointPath } from './path.ts';
import { dilateProfile, type TimeProfile } from './time-profile.ts';

/** A problem of a motion and its position on the path. */
export interface MotionProblem {
  readonly code: MotionError;
  /** Position on the path, 0..1. */
  readonly s: number;
  /** The problem and what to do about it. */
  readonly message: string;
}

/** Speed caps and requested time of a motion. */
export interface MotionCaps {
  /** Tool speed limit (m/s), already clamped to the mode's cap. */
  readonly tool_speed_m_s: number;
  /** Requested duration (s), or undefined for the fastest motion within the limits. */
  readonly time_s?: number;
  /** Tool point in the flange frame (m). */
  readonly tool_offset_m: readonly [number, number, number];
  /** Payload at the flange (kg), which the energy limits count; 0 when absent. */
  readonly payload_kg?: number;
  /** Timing of the arm's planner; that of the model when absent. */
  readonly timing?: MotionTiming | null;
}

export interface Segment {
  readonly path: JointPath;
  readonly profile: TimeProfile;
  /** Indexes of the waypoints moved from, to or through; -1 for a grid waypoint (§2.3). */
  readonly waypoints: readonly number[];
  /** Null when every setpoint is valid. */
  readonly problem: MotionProblem | null;
  readonly warnings: readonly MotionProblem[];
  /** Shortest duration that the planner found for this path at these caps (s). */
  readonly minimum_time_s: number;
}

/** A planned motion, or the reason why it has no path. */
export type SegmentPlan =
  | { readonly kind: 'planned'; readonly segment: Segment }
  | { readonly kind: 'impossible'; readonly problem: MotionProblem };

/** A profile for a path, and the shortest duration found for it. */
export type Timing = Pick<Segment, 'profile' | 'minimum_time_s'>;

/** Joint travel up to which a move counts as no motion (rad). */
export const NO_TRAVEL_RAD = 1e-8;

/** True when a joint moves by more than rounding. */
export function hasTravel(start: Float64Array, end: Float64Array): boolean {
  return start.some((value, j) => !(Math.abs(end[j]! - value) <= NO_TRAVEL_RAD));
}

/** A segment at rest at the end of its path. */
export function restSegment(
  path: JointPath,
  waypoints: readonly number[],
  problem: MotionProblem | null,
): Segment {
  return { path, profile: restProfile(1), waypoints, problem, warnings: [], minimum_time_s: 0 };
}

/** The segment of a timed path, dilated to the requested time of the caps. */
export function timedSegment(
  path: JointPath,
  timing: Timing,
  request: { readonly caps: MotionCaps; readonly waypoints: readonly number[] },
  problem: MotionProblem | null = null,
): Segment {
  const { minimum_time_s } = timing;
  const time_s = request.caps.time_s;
  const base = { path, waypoints: request.waypoints, warnings: [], minimum_time_s };
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
      `The requested ${time_s} s are less than the ${minimum_time_s.toFixed(4)} s that this ` +
      'motion takes. Request more time, or a max_speed instead.',
  };
}

/** The problem of the first joint of the pose outside its limits, or null. */
export function boundaryProblem(end: Float64Array): MotionProblem | null {
  const j = end.findIndex(
    (value, i) =>
      !(value >= JOINT_MIN_RAD[i]! - LIMIT_TOLERANCE_RAD) ||
      !(value <= JOINT_MAX_RAD[i]! + LIMIT_TOLERANCE_RAD),
  );
  if (j < 0) return null;
  return {
    code: BOUNDARY_CODES[j]!,
    s: 1,
    message:
      `Joint ${j + 1} would be at ${end[j]!.toFixed(4)} rad; its limits are ` +
      `${JOINT_MIN_RAD[j]!.toFixed(4)} to ${JOINT_MAX_RAD[j]!.toFixed(4)} rad. Move the waypoint.`,
  };
}
