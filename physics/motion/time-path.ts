/**
 * Time parameterisation of a path: the shortest timing found within the limits of joints and tool.
 * Curved paths: a double-S from worst-case constants; where that is far from the lower bound of
 * TOPP-RA, the jerk-limited solution; then the result is dilated to its limits. Straight joint
 * lines are in line-timing.ts. Durations depend only on the arguments.
 */

import { worstDilation } from './dilation.ts';
import { bestDoubleS, STRAIGHT_RAD } from './double-s-search.ts';
import { energySpeed_m_s, limitEnergies } from './energy-limits.ts';
import { CURVE_EFFORT, limitJerk, type TimingCandidate } from './jerk-limiting.ts';
import type { JointPath } from './joint-path.ts';
import { type MotionLimits, PLANNING_SHARE } from './limits.ts';
import { timeLine } from './line-timing.ts';
import type { MotionCaps } from './motion-caps.ts';
import { planningLimits } from './motion-timing.ts';
import { boundsOf } from './path-bounds.ts';
import { createRateCheck, type RateCheck } from './rate-check.ts';
import type { Timing } from './segment.ts';
import { dilateProfile, type TimeProfile } from './time-profile.ts';
import { gridFor } from './timing-grid.ts';
import { createSpeedRows } from './topp-ra.ts';

/** Timing request: a path from rest at `from_s` (0 by default) to rest at 1. */
export interface TimingRequest {
  readonly path: JointPath;
  readonly caps: MotionCaps;
  /** Planning limits; those of the arm by default. */
  readonly limits?: MotionLimits;
  readonly from_s?: number;
}

/** Returns the shortest timing found for the path; ignores time_s of the caps. */
export function timePath(request: TimingRequest): Timing {
  const { path, caps } = request;
  const from_s = request.from_s ?? 0;
  const payload_kg = caps.payload_kg ?? 0;
  const grid = gridFor(path, from_s, caps.tool_offset_m);
  const check = createRateCheck(
    grid,
    limitEnergies(request.limits ?? planningLimits(caps.timing), path, grid.s, payload_kg),
    Math.min(caps.tool_speed_m_s, energySpeed_m_s(payload_kg)) * PLANNING_SHARE,
  );
  const profile =
    path.kind === 'line' ? timeLine(check, path, from_s, caps.timing) : timeCurve(check, from_s);
  return { profile, minimum_time_s: profile.duration_s };
}

/** Samples of the double-S while it is only a candidate. */
const COARSE_SAMPLES = 200;

function timeCurve(check: RateCheck, from_s: number): TimeProfile {
  const simple = bestDoubleS(check, from_s);
  const dilation = worstDilation(check, simple, simple.duration_s / COARSE_SAMPLES);
  const { profile, dilation: scale } = shortestOnCurve(check, from_s, {
    profile: simple,
    dilation,
  });
  return normalise(check, dilateProfile(profile, scale));
}

function shortestOnCurve(
  check: RateCheck,
  from_s: number,
  start: TimingCandidate,
): TimingCandidate {
  // On an almost straight path there is nothing to gain.
  if (Math.max(...boundsOf(check.grid).q1) * (1 - from_s) < STRAIGHT_RAD) return start;
  const rows = createSpeedRows(check.grid, check.limits, check.tool_speed_m_s);
  return limitJerk(check, rows, start, CURVE_EFFORT);
}

const SAMPLES_MIN = 64;
const SAMPLE_STEP_S = 0.5e-3;

/** Dilates or contracts the profile until its worst ratio is 1. */
function normalise(check: RateCheck, profile: TimeProfile): TimeProfile {
  const step_s = Math.min(SAMPLE_STEP_S, profile.duration_s / SAMPLES_MIN);
  return dilateProfile(profile, worstDilation(check, profile, step_s));
}
