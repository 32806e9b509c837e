/**
 * When to be where on a given path: the shortest timing found within the limits of joints and
 * tool. A double-S from worst-case constants first; where that is far from the floor that
 * TOPP-RA gives, the tightened and filtered solution; then the result is brought to its limits.
 * Durations depend on the arguments alone.
 */
import { doubleS, doubleSDuration, type ScalarLimits } from './double-s.ts';
import { type MotionLimits, PLANNING_LIMITS, PLANNING_SHARE } from './limits.ts';
import type { JointPath } from './path.ts';
import { createRateCheck, type RateCheck, worstDilation } from './rate-check.ts';
import type { MotionCaps } from './segment.ts';
import { CURVE_EFFORT, fastestWithoutJerk, LINE_EFFORT, tighten } from './tighten.ts';
import { dilateProfile, type TimeProfile } from './time-profile.ts';
import { boundsOf, createTimingGrid, type PathBounds } from './timing-grid.ts';
import { createSpeedRows } from './topp-ra.ts';

/** A path to be timed from rest at `from_s` (0 unless given) to rest at 1. */
export interface TimingRequest {
  readonly path: JointPath;
  readonly caps: MotionCaps;
  /** What is planned to; the planning limits of the arm unless given. */
  readonly limits?: MotionLimits;
  readonly from_s?: number;
}

export interface Timing {
  readonly profile: TimeProfile;
  /** Duration of `profile` (s). */
  readonly minimum_time_s: number;
}

/** Speeds tried by the double-S: each this share of the one before. */
const SPEED_STEP = 0.9;
const SPEED_STEPS = 30;
const ACCELERATION_STEPS = 8;
/** Joint travel below which a path is as good as straight (rad). */
const STRAIGHT_RAD = 1e-3;

/** The shortest timing found for the path; time_s of the caps is not regarded. */
export function timePath(request: TimingRequest): Timing {
  const from_s = request.from_s ?? 0;
  const check = createRateCheck(
    createTimingGrid(request.path, from_s, request.caps.tool_offset_m),
    request.limits ?? PLANNING_LIMITS,
    request.caps.tool_speed_m_s * PLANNING_SHARE,
  );
  const profile = shortest(check, from_s);
  return { profile, minimum_time_s: profile.duration_s };
}

/** Closer to the floor than this the double-S is not worth improving. */
const NEAR_FLOOR = 1.03;
/** Samples of the double-S before it is known whether it is the answer. */
const COARSE_SAMPLES = 200;

function shortest(check: RateCheck, from_s: number): TimeProfile {
  const simple = bestDoubleS(check, from_s);
  const scale = worstDilation(check, simple, simple.duration_s / COARSE_SAMPLES);
  const start = dilateProfile(simple, scale);
  if (isExact(check, start, from_s)) return normalise(check, start);
  const rows = createSpeedRows(check.grid, check.limits, check.tool_speed_m_s);
  if (start.duration_s < NEAR_FLOOR * fastestWithoutJerk(rows)) return normalise(check, start);
  const effort = check.path.kind === 'line' ? LINE_EFFORT : CURVE_EFFORT;
  return normalise(check, tighten(check, rows, start, effort));
}

/**
 * Nothing is shorter than a double-S that joint limits alone bind on a straight line, and nothing
 * is left to gain on a path that is as good as straight.
 */
function isExact(check: RateCheck, profile: TimeProfile, from_s: number): boolean {
  const bounds = boundsOf(check.grid);
  if (Math.max(...bounds.q1) * (1 - from_s) < STRAIGHT_RAD) return true;
  if (check.path.kind !== 'line') return false;
  const free = { ...bounds, p1: 0, p2: 0 };
  const v = speedLimit(check, free);
  const a = accelerationLimit(check, free, v);
  const floor_s = doubleSDuration(1 - from_s, { v, a, j: jerkLimit(check, free, v, a) });
  return profile.duration_s <= floor_s * (1 + 1e-12);
}

const SAMPLES_MIN = 64;
const SAMPLE_STEP_S = 0.5e-3;
/** Samples for each node of a straight joint line, whose grid follows the tool's turning. */
const LINE_SAMPLES = 4;

/** The profile dilated or contracted until its worst ratio is 1. */
export function normalise(check: RateCheck, profile: TimeProfile): TimeProfile {
  const { duration_s } = profile;
  const step_s =
    check.path.kind === 'line' ? duration_s / (LINE_SAMPLES * check.grid.s.length) : SAMPLE_STEP_S;
  const finest_s = Math.min(step_s, duration_s / SAMPLES_MIN);
  return dilateProfile(profile, worstDilation(check, profile, finest_s));
}

/** The shortest double-S whose worst-case rates keep the limits. */
export function bestDoubleS(check: RateCheck, from_s: number): TimeProfile {
  const bounds = straightened(boundsOf(check.grid), 1 - from_s);
  let v = speedLimit(check, bounds);
  let best: ScalarLimits | null = null;
  let best_s = Number.POSITIVE_INFINITY;
  // No double-S is shorter than the way at its top speed.
  for (let n = 0; n < SPEED_STEPS && (1 - from_s) / v < best_s; n++) {
    const most = accelerationLimit(check, bounds, v);
    for (let k = 0; k < ACCELERATION_STEPS && most > 0; k++) {
      const a = (most * (ACCELERATION_STEPS - k)) / ACCELERATION_STEPS;
      const candidate = { v, a, j: jerkLimit(check, bounds, v, a) };
      if (!(candidate.j > 0)) continue;
      const duration_s = doubleSDuration(1 - from_s, candidate);
      if (duration_s < best_s) {
        best = candidate;
        best_s = duration_s;
      }
    }
    v *= SPEED_STEP;
  }
  return doubleS(from_s, 1, best ?? gentlest(check, bounds));
}

/** Limits for a path so bent that no tried speed leaves room; normalising speeds it up again. */
function gentlest(check: RateCheck, bounds: PathBounds): ScalarLimits {
  const straight = { ...bounds, q2: new Float64Array(6), q3: new Float64Array(6), p2: 0 };
  const v = speedLimit(check, bounds);
  return {
    v,
    a: accelerationLimit(check, straight, 0),
    j: jerkLimit(check, straight, 0, 0),
  };
}

/** On the shortest paths the curvature is below what rounding leaves of it. */
function straightened(bounds: PathBounds, length: number): PathBounds {
  const travel = Math.max(...bounds.q1) * length;
  if (travel >= STRAIGHT_RAD) return bounds;
  return { ...bounds, q2: new Float64Array(6), q3: new Float64Array(6), p2: 0 };
}

function speedLimit(check: RateCheck, bounds: PathBounds): number {
  let v = check.tool_speed_m_s / bounds.p1;
  for (let j = 0; j < 6; j++) v = Math.min(v, check.limits.velocity_rad_s[j]! / bounds.q1[j]!);
  return v;
}

function accelerationLimit(check: RateCheck, bounds: PathBounds, v: number): number {
  let a = (check.limits.tool_acceleration_m_s2 - bounds.p2 * v * v) / bounds.p1;
  for (let j = 0; j < 6; j++) {
    const room = check.limits.acceleration_rad_s2[j]! - bounds.q2[j]! * v * v;
    if (bounds.q1[j]! > 0 || room < 0) a = Math.min(a, room / bounds.q1[j]!);
  }
  return a;
}

function jerkLimit(check: RateCheck, bounds: PathBounds, v: number, a: number): number {
  let most = Number.POSITIVE_INFINITY;
  for (let j = 0; j < 6; j++) {
    const taken = bounds.q3[j]! * v * v * v + 3 * bounds.q2[j]! * v * a;
    const room = check.limits.jerk_rad_s3[j]! - taken;
    if (bounds.q1[j]! > 0 || room < 0) most = Math.min(most, room / bounds.q1[j]!);
  }
  return most;
}
