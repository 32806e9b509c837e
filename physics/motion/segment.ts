/**
 * One motion from rest to rest: a path and its timing, with what planning found out about it.
 * Plain data: built in a worker, played by the robot's mover, drawn by the viewer. Here is also
 * what all planners make of a path and its ends alike (spec §2.2, §2.4).
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';
import { BOUNDARY_CODES } from '../kinematics/joint-range.ts';
import { restProfile } from './jerk-phases.ts';
import type { JointPath } from './path.ts';
import { dilateProfile, type TimeProfile } from './time-profile.ts';

/** What is wrong with a motion and where on it. */
export interface MotionProblem {
  readonly code: MotionError;
  /** Place on the path, 0..1. */
  readonly s: number;
  /** What is wrong and what a person can do about it. */
  readonly message: string;
}

/** The speeds that a motion is timed for. */
export interface MotionCaps {
  /** Tool speed limit (m/s); already held to the mode's cap. */
  readonly tool_speed_m_s: number;
  /** Requested duration (s), or undefined for the fastest motion within the limits. */
  readonly time_s?: number;
  /** Tool point in the flange frame (m). */
  readonly tool_offset_m: readonly [number, number, number];
}

export interface Segment {
  readonly path: JointPath;
  readonly profile: TimeProfile;
  /** Indexes of the waypoints moved from, to or through; -1 for a grid waypoint (spec §2.3). */
  readonly waypoints: readonly number[];
  /** Null when every setpoint is valid. */
  readonly problem: MotionProblem | null;
  readonly warnings: readonly MotionProblem[];
  /** Shortest duration that the planner found for this path at these caps (s). */
  readonly minimum_time_s: number;
}

/** A profile for a path, and the shortest duration found for it. */
export type Timing = Pick<Segment, 'profile' | 'minimum_time_s'>;

/** Joint travel up to which a move is no motion (rad). */
export const NO_TRAVEL_RAD = 1e-8;
/** Waypoints read back from a file may stand this far outside by rounding (rad). */
const BOUNDARY_TOLERANCE_RAD = 1e-9;

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
