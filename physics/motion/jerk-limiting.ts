/**
 * Jerk limits on a path: takes the fastest speed curve (TOPP-RA), averages it over a window, scans
 * the rates along the path and slows down only where a limit is exceeded, repeatedly until hardly
 * any is. The best of several windows wins. On average within 5 % of a convex-concave optimisation
 * at a hundredth of its time.
 */

import { createScratch } from '../math/array-allocation.ts';
import { cbrt } from '../math/portable.ts';
import { dilationFor } from './dilation.ts';
import { createSpeedCurve, filterCurve, type SpeedCurve, traceSpeeds } from './jerk-filter.ts';
import { boundJointRatios, type RateRatios } from './joint-rates.ts';
import { boundToolRates, checkRates, type RateCheck } from './rate-check.ts';
import { evaluateInPiece, type TimeProfile } from './time-profile.ts';
import { type LocalShares, type SpeedRows, solveSpeeds } from './topp-ra.ts';

/** Ratio to the lower bound below which a timing is not improved further. */
export const NEAR_FLOOR = 1.03;

/** Trial windows (s) and the number of rounds for each. */
interface SearchEffort {
  readonly windows_s: readonly number[];
  readonly rounds: number;
}

/**
 * Effort on curved paths: a window of acceleration over jerk limit suits most; a wider one shortens
 * splines by another percent, more are not worth their time.
 */
export const CURVE_EFFORT: SearchEffort = { windows_s: [0.1, 0.14], rounds: 7 };
/** Effort on straight joint lines, where only the tool's rates vary; more effort gains 0.5 %. */
export const LINE_EFFORT: SearchEffort = { windows_s: [0.1], rounds: 2 };
const SCAN_STEP_S = 4e-3;
const SCANS_MIN = 32;
/** Pieces shorter than this are sampled only if nothing near them is. */
const PIECE_MIN_S = 1e-4;
/** Samples per node of a straight joint line, whose grid follows the tool's rotation. */
const LINE_SCANS = 3;
/** Dilation that ends the search; the final dilation absorbs the rest. */
const CLOSE_ENOUGH = 1.002;
const ACCELERATION_GAIN = 0.6;
const SPEED_GAIN = 0.7;
const SHARE_MIN = 0.05;
/** Share of path-induced jerk above which the speed is reduced instead of the acceleration. */
const PATH_JERK_SHARE = 0.6;

/** State of one search. */
interface Search {
  readonly check: RateCheck;
  readonly rows: SpeedRows;
  readonly x: Float64Array;
  readonly curve: SpeedCurve;
  readonly shares: LocalShares;
  /** Worst excess at each node: of acceleration and jerk, and of squared speed. */
  readonly acceleration_excess: Float64Array;
  readonly speed_excess: Float64Array;
  best: TimingCandidate;
  /** Duration of the speed curve solved last (s). */
  curve_s: number;
}

/** A profile that keeps the limits after dilation. */
export interface TimingCandidate {
  readonly profile: TimeProfile;
  readonly dilation: number;
}

function durationOf({ profile, dilation }: TimingCandidate): number {
  return profile.duration_s * dilation;
}

const searchScratch = createScratch();
const curveScratch = createScratch();

/** The shortest candidate found; `start` when nothing is shorter or it is near the lower bound. */
export function limitJerk(
  check: RateCheck,
  rows: SpeedRows,
  start: TimingCandidate,
  effort: SearchEffort,
): TimingCandidate {
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
  // The curve without a jerk limit is the lower bound; close to it there is nothing to gain.
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
 * Scans the profile, marks exceeded limits and returns the required dilation. Each piece has its
 * own jerk, so each is sampled in its middle, however short.
 */
function scan(search: Search, profile: TimeProfile, window_s: number): number {
  const { check } = search;
  search.acceleration_excess.fill(1);
  search.speed_excess.fill(1);
  const { knots_s } = profile;
  const step_s = stepOf(search, profile);
  let worst = 0;
  let sampled_s = 0;
  const span = { first: 0, last: 0 };
  for (let i = 0; i < knots_s.length - 2; i++) {
    const end_s = knots_s[i + 1]!;
    const width = end_s - knots_s[i]!;
    if (width < PIECE_MIN_S && end_s - sampled_s < step_s) continue;
    const n = Math.max(1, Math.ceil(width / step_s));
    for (let k = 0; k < n; k++) {
      const u = (width * (k + 0.5)) / n;
      evaluateInPiece(profile, i, u, check.point);
      if (!checkMatters(check, worst)) continue;
      checkRates(check, check.point);
      worst = dilationFor(check.ratios, worst);
      if (isOver(check.ratios)) mark(search, knots_s[i]! + u, window_s, span);
    }
    sampled_s = end_s;
  }
  return worst;
}

/** False when bounds show that no limit is exceeded and the worst so far stays the worst. */
function checkMatters(check: RateCheck, worst: number): boolean {
  const { point, rates, ratios } = check;
  boundJointRatios(rates, point, ratios);
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

/** Marks the nodes that determine the sample at `t`; `span` only advances. */
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

/** Solves again, slower where the last scan marked an excess. */
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
