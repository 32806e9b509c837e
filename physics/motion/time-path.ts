/**
 * When to be where on a given path: the shortest timing found within the limits of joints and
 * tool. A double-S from worst-case constants first; where that is far from the floor that
 * TOPP-RA gives, the tightened and filtered solution; then the result is brought to its limits.
 * Durations depend on the arguments alone.
 */

import { worstDilation } from './dilation.ts';
import { bestDoubleS, STRAIGHT_RAD } from './double-s-search.ts';
import { type MotionLimits, PLANNING_LIMITS, PLANNING_SHARE } from './limits.ts';
import { timeLine } from './line-timing.ts';
import type { JointPath } from './path.ts';
import { createRateCheck, type RateCheck } from './rate-check.ts';
import type { MotionCaps, Timing } from './segment.ts';
import { type Candidate, CURVE_EFFORT, tighten } from './tighten.ts';
import { dilateProfile, type TimeProfile } from './time-profile.ts';
import { boundsOf, gridFor } from './timing-grid.ts';
import { createSpeedRows } from './topp-ra.ts';

/** A path to be timed from rest at `from_s` (0 unless given) to rest at 1. */
export interface TimingRequest {
  readonly path: JointPath;
  readonly caps: MotionCaps;
  /** What is planned to; the planning limits of the arm unless given. */
  readonly limits?: MotionLimits;
  readonly from_s?: number;
}

/** The shortest timing found for the path; time_s of the caps is not regarded. */
export function timePath(request: TimingRequest): Timing {
  const from_s = request.from_s ?? 0;
  const check = createRateCheck(
    gridFor(request.path, from_s, request.caps.tool_offset_m),
    request.limits ?? PLANNING_LIMITS,
    request.caps.tool_speed_m_s * PLANNING_SHARE,
  );
  const { path } = request;
  const profile = path.kind === 'line' ? timeLine(check, path, from_s) : timeCurve(check, from_s);
  return { profile, minimum_time_s: profile.duration_s };
}

/** Samples of the double-S before it is known whether it is the answer. */
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

function shortestOnCurve(check: RateCheck, from_s: number, start: Candidate): Candidate {
  // On a path that is as good as straight nothing is left to gain.
  if (Math.max(...boundsOf(check.grid).q1) * (1 - from_s) < STRAIGHT_RAD) return start;
  const rows = createSpeedRows(check.grid, check.limits, check.tool_speed_m_s);
  return tighten(check, rows, start, CURVE_EFFORT);
}

const SAMPLES_MIN = 64;
const SAMPLE_STEP_S = 0.5e-3;

/** The profile dilated or contracted until its worst ratio is 1. */
function normalise(check: RateCheck, profile: TimeProfile): TimeProfile {
  const step_s = Math.min(SAMPLE_STEP_S, profile.duration_s / SAMPLES_MIN);
  return dilateProfile(profile, worstDilation(check, profile, step_s));
}
