/**
 * Jerk limits on a curved path: the fastest speed curve, averaged over a window, looked at along
 * the path, and slowed down only where it breaks a limit; again until it hardly breaks any. The
 * best of several windows wins. On average within 5 % of a convex-concave optimisation at a
 * hundredth of its time.
 */

import { cbrt } from '../math/portable.ts';
import { createScratch } from '../math/views.ts';
import { createSpeedCurve, filterCurve, type SpeedCurve, traceSpeeds } from './jerk-filter.ts';
import { boundRates, type RateRatios } from './joint-rates.ts';
import {
  boundToolRates,
  checkRates,
  dilationFor,
  evaluateInPiece,
  type RateCheck,
} from './rate-check.ts';
import type { TimeProfile } from './time-profile.ts';
import { type LocalShares, type SpeedRows, solveSpeeds } from './topp-ra.ts';

/** Windows tried (s), and how often each may slow down. */
export interface Effort {
  readonly windows_s: readonly number[];
  readonly rounds: number;
}

/**
 * Curved paths: a window of acceleration over jerk limit serves most; a wider one shortens splines
 * by another percent, further ones nothing worth their time.
 */
export const CURVE_EFFORT: Effort = { windows_s: [0.1, 0.14], rounds: 7 };
/** Straight joint lines, where only the tool's rates vary: all that more effort gains is 0.5 %. */
export const LINE_EFFORT: Effort = { windows_s: [0.1], rounds: 2 };
/** Closer to the floor than this a timing is not worth improving. */
export const NEAR_FLOOR = 1.03;
const SCAN_STEP_S = 4e-3;
const SCANS_MIN = 32;
/** Pieces shorter than this are only looked at where nothing else is. */
const PIECE_MIN_S = 1e-4;
/** Samples for each node of a straight joint line, whose grid follows the tool's turning. */
const LINE_SCANS = 3;
/** Good enough: what is left is taken by dilation. */
const CLOSE_ENOUGH = 1.002;
const ACCELERATION_GAIN = 0.6;
const SPEED_GAIN = 0.7;
const SHARE_MIN = 0.05;
/** Jerk without the profile's own that calls for less speed rather than less acceleration. */
const PATH_JERK_SHARE = 0.6;

/** One search: what to solve, where it stands, its arrays. */
interface Search {
  readonly check: RateCheck;
  readonly rows: SpeedRows;
  readonly x: Float64Array;
  readonly curve: SpeedCurve;
  readonly shares: LocalShares;
  /** Worst excess marked at each node: of acceleration and jerk, and of speed squared. */
  readonly acceleration_excess: Float64Array;
  readonly speed_excess: Float64Array;
  best: Candidate;
  /** Duration of the speed curve solved last (s). */
  curve_s: number;
}

/** A profile that keeps the limits once it is dilated. */
export interface Candidate {
  readonly profile: TimeProfile;
  readonly dilation: number;
}

function durationOf({ profile, dilation }: Candidate): number {
  return profile.duration_s * dilation;
}

const searchScratch = createScratch();
const curveScratch = createScratch();

/** The shortest candidate found; `start`, when nothing is shorter or it is near the floor. */
export function tighten(
  check: RateCheck,
  rows: SpeedRows,
  start: Candidate,
  effort: Effort,
): Candidate {
  const n = rows.s.length;
  const [x, acceleration, speed_square, harsh, fast] = searchScratch([n, n, n, n, n]);
  const search: Search = {
    check,
    rows,
    x: x!,
    curve: createSpeedCurve(rows.s, curveScratch),
    shares: { acceleration: acceleration!, speed_square: speed_square! },
    acceleration_excess: harsh!,
    speed_excess: fast!,
    best: start,
    curve_s: 0,
  };
  solveUnslowed(search);
  // Without a jerk limit nothing is shorter, so near that nothing is left to gain.
  if (durationOf(start) < NEAR_FLOOR * search.curve_s) return start;
  effort.windows_s.forEach((window_s, i) => {
    if (i > 0) solveUnslowed(search);
    searchWindow(search, window_s, effort.rounds);
  });
  return search.best;
}

function solveUnslowed(search: Search): void {
  search.shares.acceleration.fill(1);
  search.shares.speed_square.fill(1);
  solve(search);
}

function solve(search: Search): void {
  solveSpeeds(search.rows, search.shares, search.x);
  search.curve_s = traceSpeeds(search.curve, search.x);
}

function searchWindow(search: Search, window_s: number, rounds: number): void {
  for (let round = 0; round < rounds; round++) {
    if (round > 0) slowDown(search);
    if (search.curve_s + window_s >= durationOf(search.best)) return;
    const profile = filterCurve(search.curve, window_s);
    const candidate = { profile, dilation: scan(search, profile, window_s) };
    if (durationOf(candidate) < durationOf(search.best)) search.best = candidate;
    if (candidate.dilation < CLOSE_ENOUGH) return;
  }
}

/**
 * Looks along the profile, marks where it breaks limits and returns the dilation it needs. Every
 * piece has a jerk of its own, so each is looked at in its middle, however short.
 */
function scan(search: Search, profile: TimeProfile, window_s: number): number {
  const { check } = search;
  search.acceleration_excess.fill(1);
  search.speed_excess.fill(1);
  const { knots_s } = profile;
  const step_s = stepOf(search, profile);
  let worst = 0;
  let looked_s = 0;
  const span = { first: 0, last: 0 };
  for (let i = 0; i < knots_s.length - 2; i++) {
    const end_s = knots_s[i + 1]!;
    const width = end_s - knots_s[i]!;
    if (width < PIECE_MIN_S && end_s - looked_s < step_s) continue;
    const n = Math.max(1, Math.ceil(width / step_s));
    for (let k = 0; k < n; k++) {
      const u = (width * (k + 0.5)) / n;
      evaluateInPiece(profile, i, u, check.point);
      if (!checkMatters(check, worst)) continue;
      checkRates(check, check.point);
      worst = dilationFor(check.ratios, worst);
      if (isOver(check.ratios)) mark(search, knots_s[i]! + u, window_s, span);
    }
    looked_s = end_s;
  }
  return worst;
}

/** False where bounds say that no limit is broken and that the worst so far stays the worst. */
function checkMatters(check: RateCheck, worst: number): boolean {
  const { point, rates, ratios } = check;
  boundRates(rates, point, ratios);
  if (isOver(ratios) || dilationFor(ratios, worst) > worst) return true;
  boundToolRates(check, point);
  return isOver(ratios) || dilationFor(ratios, worst) > worst;
}

function isOver({ velocity, acceleration, jerk }: RateRatios): boolean {
  return velocity > 1 || acceleration > 1 || jerk > 1;
}

function stepOf({ check }: Search, { duration_s }: TimeProfile): number {
  if (check.path.kind === 'line') return duration_s / (LINE_SCANS * check.grid.s.length);
  return Math.min(SCAN_STEP_S, duration_s / SCANS_MIN);
}

/** Marks the nodes whose speeds the sample at `t` is made of; `span` only moves on. */
function mark(
  search: Search,
  t: number,
  window_s: number,
  span: { first: number; last: number },
): void {
  const { ratios } = search.check;
  const times = search.curve.t;
  const end = times.length - 1;
  while (span.first < end && times[span.first + 1]! <= t - window_s) span.first++;
  while (span.last < end && times[span.last]! < t) span.last++;
  const acceleration = Math.max(ratios.acceleration, ratios.jerk);
  let speed = Math.max(ratios.velocity * ratios.velocity, Math.sqrt(ratios.acceleration));
  if (ratios.path_jerk > PATH_JERK_SHARE) {
    const root = cbrt(ratios.jerk);
    speed = Math.max(speed, root * root);
  }
  for (let i = span.first; i <= span.last; i++) {
    if (acceleration > search.acceleration_excess[i]!) search.acceleration_excess[i] = acceleration;
    if (speed > search.speed_excess[i]!) search.speed_excess[i] = speed;
  }
}

/** Solves once more, slower where the last scan marked an excess. */
function slowDown(search: Search): void {
  const { shares, acceleration_excess, speed_excess } = search;
  for (let i = 0; i < acceleration_excess.length; i++) {
    const acceleration =
      shares.acceleration[i]! / (1 + ACCELERATION_GAIN * (acceleration_excess[i]! - 1));
    shares.acceleration[i] = Math.max(SHARE_MIN, acceleration);
    shares.speed_square[i] = shares.speed_square[i]! / (1 + SPEED_GAIN * (speed_excess[i]! - 1));
  }
  solve(search);
}
