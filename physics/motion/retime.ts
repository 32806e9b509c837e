import type { MotionLimits } from './limits.ts';
import type { MotionCaps } from './motion-caps.ts';
import { restSegment, type Segment } from './segment.ts';
import { timePath } from './time-path.ts';
import { dilateProfile } from './time-profile.ts';

/**
 * Re-times a segment for `caps`. Keeps a requested time where the caps allow it and exceeds it
 * otherwise: a slower mode is no fault of the toolpath. Problem and warnings stay.
 */
export function retime(segment: Segment, caps: MotionCaps, limits?: MotionLimits): Segment {
  const { path, waypoints, problem } = segment;
  if (segment.minimum_time_s === 0) return restSegment(path, { waypoints, caps }, problem);
  const timing = timePath({ path, caps, ...(limits ? { limits } : {}) });
  const stretch = Math.max(1, (caps.time_s ?? 0) / timing.minimum_time_s);
  return {
    ...segment,
    profile: dilateProfile(timing.profile, stretch),
    minimum_time_s: timing.minimum_time_s,
  };
}
