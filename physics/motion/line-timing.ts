/**
 * Timing of straight joint lines, of which a build has hundreds: joint rates are those of s at a
 * scale, so a double-S meets the joint limits in closed form, nothing is shorter, and only the
 * tool is checked along the path.
 */

import { dilationFor } from './dilation.ts';
import { doubleS, doubleSLimits, type ScalarLimits } from './double-s.ts';
import { bestDoubleS } from './double-s-search.ts';
import { LINE_EFFORT, limitJerk, NEAR_FLOOR } from './jerk-limiting.ts';
import type { JointLine } from './joint-path.ts';
import type { MotionTiming } from './motion-timing.ts';
import { checkToolRates, type RateCheck } from './rate-check.ts';
import { dilateProfile, evaluateInPiece, type TimeProfile } from './time-profile.ts';
import { refineTool } from './timing-grid.ts';
import { profileOfLaw } from './timing-laws.ts';
import { createLineRows } from './topp-ra.ts';

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
export function timeLine(
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
