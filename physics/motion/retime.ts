/**
 * New timings for an existing path: the whole path under other caps, for a toolpath built at
 * automatic speed and run in teach mode (D24), and the rest of the path after a pause, from rest at
 * s to rest at the end, on the same path object so that s keeps its meaning (§3: resume).
 */
import type { MotionLimits } from './limits.ts';
import { createPathSample, type JointPath, samplePath } from './path.ts';
import { type MotionCaps, NO_TRAVEL_RAD, restSegment, type Segment } from './segment.ts';
import { timePath } from './time-path.ts';
import { dilateProfile } from './time-profile.ts';

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
  if (remainingTravel(path, s) <= NO_TRAVEL_RAD) return restSegment(path, waypoints, null);
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

/**
 * Re-times a segment for `caps`. Keeps a requested time where the caps allow it and exceeds it
 * otherwise: a slower mode is no fault of the toolpath. Problem and warnings stay.
 */
export function retime(segment: Segment, caps: MotionCaps, limits?: MotionLimits): Segment {
  const { path, waypoints, problem } = segment;
  if (segment.minimum_time_s === 0) return restSegment(path, waypoints, problem);
  const timing = timePath({ path, caps, ...(limits ? { limits } : {}) });
  const stretch = Math.max(1, (caps.time_s ?? 0) / timing.minimum_time_s);
  return {
    ...segment,
    profile: dilateProfile(timing.profile, stretch),
    minimum_time_s: timing.minimum_time_s,
  };
}
