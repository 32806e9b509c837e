/**
 * Time parameterisation of a path: the shortest timing found within the limits of joints and tool.
 * Curved paths: a double-S from worst-case constants; where that is far from the lower bound of
 * TOPP-RA, the jerk-limited solution; then the result is dilated to its limits. Straight joint
 * lines, of which a build has hundreds: joint rates are those of s at a scale, so a double-S meets
 * the joint limits in closed form, nothing is shorter, and only the tool is checked along the path.
 * Durations depend only on the arguments. Also: the jerk limits of a curved path.
 */

import { cbrt } from '../math/portable.ts';
import { createScratch } from '../math/rotation.ts';
import {
  dilateProfile,
  doubleS,
  doubleSLimits,
  type ScalarLimits,
  type TimeProfile,
} from './jerk-phases.ts';
import {
  boundToolRates,
  checkRates,
  checkToolRates,
  createRateCheck,
  dilationFor,
  energySpeed_m_s,
  evaluateInPiece,
  limitEnergies,
  type MotionLimits,
  type MotionTiming,
  PLANNING_SHARE,
  planningLimits,
  type RateCheck,
  worstDilation,
} from './limits.ts';
import type { JointLine, JointPath, MotionCaps, Timing } from './segment.ts';
import {
  bestDoubleS,
  createLineRows,
  createSpeedCurve,
  createSpeedRows,
  filterCurve,
  type LocalShares,
  type SpeedCurve,
  type SpeedRows,
  STRAIGHT_RAD,
  solveSpeeds,
  traceSpeeds,
} from './timing-candidates.ts';
import { boundJointRatios, boundsOf, gridFor, type RateRatios, refineTool } from './timing-grid.ts';
import { profileOfLaw } from './timing-laws.ts';

/** Tool samples per interval of the grid, whose spacing follows the tool's rotation. */
const TOOL_SAMPLES = 6;

/** How far the steps between samples are halved, and the dilation at which sampling may end. */
interface ToolSampling {
  readonly halvings: number;
  readonly enough: number;
  /** True where the joints keep their limits by construction. */
  readonly toolOnly?: boolean;
}

const ROUGH: ToolSampling = { halvings: 0, enough: Number.POSITIVE_INFINITY };
const FINE: ToolSampling = { halvings: 4, enough: Number.POSITIVE_INFINITY };
const TOOL_ONLY: ToolSampling = { ...FINE, toolOnly: true };
/** Ratio to the lower bound below which a timing is not improved further. */
const NEAR_FLOOR = 1.03;
const FREE: ToolSampling = { halvings: 4, enough: NEAR_FLOOR };
/** A squared speed by which a step may exceed the worst before it is halved; PLANNING_SHARE
 * leaves ten times as much. */
const RESOLVED = 1 + 2e-5;
/** Minimum number of nodes of a speed curve. */
const SPEED_NODES_MIN = 24;

const SLOWING_ROUNDS = 8;
const CLOSE = 1 + 1e-4;

/** A motion by the law of an arm; its speed is lowered until the tool keeps its limits. */
function timeWhole(
  check: RateCheck,
  { timing, joints, from_s }: { timing: MotionTiming; joints: ScalarLimits; from_s: number },
): TimeProfile {
  let limits = joints;
  let profile = profileOfLaw(timing, from_s, limits);
  let over = lineDilation(check, profile, TOOL_ONLY);
  for (let round = 0; round < SLOWING_ROUNDS && over > CLOSE; round++) {
    limits = { ...limits, v: fastestOf(profile) / over };
    profile = profileOfLaw(timing, from_s, limits);
    over = lineDilation(check, profile, TOOL_ONLY);
  }
  return dilateProfile(profile, Math.max(1, over));
}

/** Largest speed of s at the ends of the pieces. */
function fastestOf({ coefficients }: TimeProfile): number {
  let fastest = 0;
  for (let i = 1; i < coefficients.length; i += 4) fastest = Math.max(fastest, coefficients[i]!);
  return fastest;
}

/** The shortest timing found for a straight line from `from_s` to 1; it touches a limit. */
function timeLine(
  check: RateCheck,
  path: JointLine,
  from_s: number,
  timing: MotionTiming | null | undefined,
): TimeProfile {
  const travel = path.end.map((angle, k) => angle - path.start[k]!);
  const joints = doubleSLimits(travel, check.limits);
  const isWhole = timing && (timing.law !== 'double_s' || timing.tool_speed === 'whole_motion');
  if (isWhole) return timeWhole(check, { timing, joints, from_s });
  const free = doubleS(from_s, 1, joints);
  const scale = lineDilation(check, free, FREE);
  // No motion is shorter than that of the joints alone; close to it there is nothing to gain.
  if (scale < NEAR_FLOOR) return dilateProfile(free, scale);
  const simple = bestDoubleS(check, from_s);
  const start = { profile: simple, dilation: lineDilation(check, simple, ROUGH) };
  const tool = refineTool(check.grid, SPEED_NODES_MIN);
  const rows = createLineRows(tool, joints, check.limits, check.tool_speed_m_s);
  const { profile } = limitJerk(check, rows, start, LINE_EFFORT);
  return dilateProfile(profile, lineDilation(check, profile, FINE));
}

/** Squared tool speed (share of the cap) and its slope (1/s), `u` seconds into a piece. */
interface ToolSample {
  u: number;
  square: number;
  slope: number;
}

interface LineScan {
  readonly check: RateCheck;
  readonly profile: TimeProfile;
  readonly halvings: number;
  /** Ends of the present step, then the middles of its halves. */
  readonly samples: readonly ToolSample[];
  piece: number;
  worst: number;
}

function createToolSamples(): ToolSample[] {
  return Array.from({ length: FINE.halvings + 2 }, () => ({ u: 0, square: 0, slope: 0 }));
}

/**
 * Dilation factor that brings a profile on a straight line to its limits: joints at their largest
 * rates, the tool at samples along the path. A step between two samples is halved while the cubic
 * through them exceeds the worst. Ends early when the factor reaches `enough`.
 */
function lineDilation(
  check: RateCheck,
  profile: TimeProfile,
  { halvings, enough, toolOnly }: ToolSampling,
): number {
  const samples = createToolSamples();
  const scan: LineScan = { check, profile, halvings, samples, piece: 0, worst: 0 };
  const { s } = check.grid;
  const density = (TOOL_SAMPLES * (s.length - 1)) / (1 - s[0]!);
  for (let i = 0; i < profile.knots_s.length - 1 && scan.worst < enough; i++) {
    const width = profile.knots_s[i + 1]! - profile.knots_s[i]!;
    if (!(width > 0)) continue;
    scan.piece = i;
    if (!toolOnly) scan.worst = jointDilation(check, profile, i, scan.worst);
    evaluateInPiece(profile, i, 0, check.point);
    const from_s = check.point.s;
    evaluateInPiece(profile, i, width, check.point);
    scanTool(scan, width, Math.max(1, Math.ceil(density * (check.point.s - from_s))));
  }
  return scan.worst;
}

/** Samples the tool at the ends of `steps` steps of a piece, and inside them where needed. */
function scanTool(scan: LineScan, width: number, steps: number): void {
  let from = scan.samples[0]!;
  let to = scan.samples[1]!;
  sampleTool(scan, 0, from);
  for (let k = 1; k <= steps; k++) {
    sampleTool(scan, (width * k) / steps, to);
    halveStep(scan, from, to, 0);
    [from, to] = [to, from];
  }
}

/** Samples the middle of a step, and so on, while its cubic rises above the worst. */
function halveStep(scan: LineScan, from: ToolSample, to: ToolSample, level: number): void {
  if (level === scan.halvings) return;
  const third = (to.u - from.u) / 3;
  // The cubic stays below its largest Bernstein coefficient.
  const inner = Math.max(from.square + third * from.slope, to.square - third * to.slope);
  if (inner <= RESOLVED * scan.worst * scan.worst) return;
  const middle = scan.samples[2 + level]!;
  sampleTool(scan, 0.5 * (from.u + to.u), middle);
  halveStep(scan, from, middle, level + 1);
  halveStep(scan, middle, to, level + 1);
}

/** Samples the tool `u` seconds into the piece and raises the worst dilation. */
function sampleTool(scan: LineScan, u: number, out: ToolSample): void {
  const { check } = scan;
  evaluateInPiece(scan.profile, scan.piece, u, check.point);
  check.ratios.velocity = 0;
  check.ratios.acceleration = 0;
  checkToolRates(check, check.point);
  out.u = u;
  out.square = check.ratios.velocity * check.ratios.velocity;
  out.slope = check.tool_slope;
  const worst = Math.max(scan.worst, check.ratios.velocity);
  const { acceleration } = check.ratios;
  scan.worst = acceleration > worst * worst ? Math.sqrt(acceleration) : worst;
}

/** Dilation required by the joints on piece `i`, or `least` when that is not smaller. */
function jointDilation(check: RateCheck, profile: TimeProfile, i: number, least: number): number {
  const { point, ratios } = check;
  const { straight } = check.rates;
  evaluateInPiece(profile, i, 0, point);
  const last = point.a + point.j * (profile.knots_s[i + 1]! - profile.knots_s[i]!);
  // Inside a piece the speed is largest where the acceleration turns to braking.
  const turning = point.a > 0 && last < 0 ? (point.a * point.a) / (-2 * point.j) : 0;
  ratios.velocity = (point.v + turning) * straight.velocity;
  ratios.acceleration = Math.max(Math.abs(point.a), Math.abs(last)) * straight.acceleration;
  ratios.jerk = Math.abs(point.j) * straight.jerk;
  return dilationFor(ratios, least);
}

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

/**
 * Jerk limits on a curved path: takes the fastest speed curve (TOPP-RA), averages it over a window,
 * scans the rates along the path and slows down only where a limit is exceeded, repeatedly until
 * hardly any is. The best of several windows wins. On average within 5 % of a convex-concave
 * optimisation at a hundredth of its time.
 */

/** Trial windows (s) and the number of rounds for each. */
interface SearchEffort {
  readonly windows_s: readonly number[];
  readonly rounds: number;
}

/**
 * Effort on curved paths: a window of acceleration over jerk limit suits most; a wider one shortens
 * splines by another percent, more are not worth their time.
 */
const CURVE_EFFORT: SearchEffort = { windows_s: [0.1, 0.14], rounds: 7 };
/** Effort on straight joint lines, where only the tool's rates vary; more effort gains 0.5 %. */
const LINE_EFFORT: SearchEffort = { windows_s: [0.1], rounds: 2 };
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
interface TimingCandidate {
  readonly profile: TimeProfile;
  readonly dilation: number;
}

function durationOf({ profile, dilation }: TimingCandidate): number {
  return profile.duration_s * dilation;
}

const searchScratch = createScratch();
const curveScratch = createScratch();

/** The shortest candidate found; `start` when nothing is shorter or it is near the lower bound. */
function limitJerk(
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
