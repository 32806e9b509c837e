/**
 * The same path under other caps: a toolpath built for automatic speed, run in teach mode
 * (decision D24).
 */
import type { MotionLimits } from './limits.ts';
import { type MotionCaps, restSegment, type Segment } from './segment.ts';
import { timePath } from './time-path.ts';
import { dilateProfile } from './time-profile.ts';

/**
 * The segment with a new timing for `caps`. A requested time is kept where the caps allow it and
 * else exceeded: a slower mode is no fault of the toolpath. Problem and warnings stay.
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
