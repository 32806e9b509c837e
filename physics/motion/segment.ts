/**
 * Segment: one rest-to-rest motion, a path with its timing and the findings of planning. Plain
 * data: built in a worker, played by the robot's trajectory player, drawn by the viewer (§2.2,
 * §2.4).
 */

import { restProfile } from './jerk-phases.ts';
import type { JointPath } from './joint-path.ts';
import type { MotionCaps } from './motion-caps.ts';
import type { MotionProblem } from './motion-problem.ts';
import { dilateProfile, type TimeProfile } from './time-profile.ts';

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

/** A segment at rest at the end of its path; it lasts the requested time, if there is one. */
export function restSegment(
  path: JointPath,
  { waypoints, caps }: { readonly waypoints: readonly number[]; readonly caps?: MotionCaps },
  problem: MotionProblem | null,
): Segment {
  const profile = restProfile(1, caps?.time_s);
  return { path, profile, waypoints, problem, warnings: [], minimum_time_s: 0 };
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

/** The problem of a plan, or null when it is valid. */
export function segmentProblem(plan: SegmentPlan): MotionProblem | null {
  return plan.kind === 'planned' ? plan.segment.problem : plan.problem;
}
