/**
 * One motion from rest to rest: a path and its timing, with what planning found out about it.
 * Plain data: built in a worker, played by the robot's mover, drawn by the viewer.
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import type { JointPath } from './path.ts';
import type { TimeProfile } from './time-profile.ts';

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
