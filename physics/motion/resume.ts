/**
 * The rest of a path after a pause, from rest at s to rest at the end, on the same path object so
 * that s keeps its meaning (§3: resume).
 */
import { createPathSample, type JointPath, samplePath } from './joint-path.ts';
import type { MotionLimits } from './limits.ts';
import type { MotionCaps } from './motion-caps.ts';
import { NO_TRAVEL_RAD, restSegment, type Segment } from './segment.ts';
import { timePath } from './time-path.ts';

/** Position of the pause and the caps of the rest. */
export interface ResumeRequest {
  readonly path: JointPath;
  /** Position on the path, at rest. */
  readonly s: number;
  /** Caps; the requested time was for the whole motion and is ignored. */
  readonly caps: MotionCaps;
  readonly waypoints?: readonly number[];
  readonly limits?: MotionLimits;
}

/** The fastest motion from rest at `s` to the end of the path; its profile starts at `s`. */
export function planResume(request: ResumeRequest): Segment {
  const { path, s, caps } = request;
  const waypoints = request.waypoints ?? [];
  if (remainingTravel(path, s) <= NO_TRAVEL_RAD) return restSegment(path, { waypoints }, null);
  const limits = request.limits ? { limits: request.limits } : {};
  const { profile, minimum_time_s } = timePath({ path, caps, from_s: s, ...limits });
  return { path, profile, waypoints, problem: null, warnings: [], minimum_time_s };
}

/**
 * Joint travel of the rest, from joint rates: a path may turn back on itself, so its end pose does
 * not show travel.
 */
function remainingTravel(path: JointPath, s: number): number {
  const sample = createPathSample();
  samplePath(path, s, sample);
  return (1 - s) * sample.q1.reduce((most, rate) => Math.max(most, Math.abs(rate)), 0);
}
