/**
 * Segment: one rest-to-rest motion, a path with its timing and the findings of planning. Plain
 * data: built in a worker, played by the robot's trajectory player, drawn by the viewer. Also the
 * geometric path, and the checks that all planners share for a path and its ends: limits and
 * singularity margins (§2.2, §2.4).
 */
import type { MotionError } from '../../contract/errors.ts';
import { jointName, RANGE } from '../arm/arm-model.ts';
import { BOUNDARY_CODES, LIMIT_TOLERANCE_RAD } from '../kinematics/forward.ts';
import {
  SINGULARITY_MARGINS,
  type SingularityMargin,
  singularDistances,
} from '../kinematics/tracking.ts';
import { dilateProfile, restProfile, type TimeProfile } from './jerk-phases.ts';
import type { MotionTiming } from './limits.ts';

/**
 * Geometric joint path q(s), s in [0, 1], as plain data: it crosses worker boundaries, is part of
 * recordings and snapshots, and is sampled without allocation. Timing chooses only s(t)
 * (jerk-phases.ts), so timing, pause and speed caps never leave the path.
 */

/** Straight line in joint space. */
export interface JointLine {
  readonly kind: 'line';
  readonly start: Float64Array;
  readonly end: Float64Array;
}

/**
 * Path tracked through Cartesian space: joints and their derivatives by s at each node s[i],
 * quintic Hermite through (q, q', q'') between nodes. Joint arrays hold six numbers a node. q'''
 * may jump at a node, so it has a value on each side.
 */
export interface PathTable {
  readonly kind: 'table';
  readonly s: Float64Array;
  readonly q: Float64Array;
  readonly q1: Float64Array;
  readonly q2: Float64Array;
  readonly q3_left: Float64Array;
  readonly q3_right: Float64Array;
}

export type JointPath = JointLine | PathTable;

/** q and its first three derivatives with respect to s at one s; rad per unit of s. */
export interface PathSample {
  readonly q: Float64Array;
  readonly q1: Float64Array;
  readonly q2: Float64Array;
  readonly q3: Float64Array;
}

export function createPathSample(): PathSample {
  return {
    q: new Float64Array(6),
    q1: new Float64Array(6),
    q2: new Float64Array(6),
    q3: new Float64Array(6),
  };
}

/** Writes q(s) and its derivatives to `out`; clamps s to [0, 1]. No allocation. */
export function samplePath(path: JointPath, s: number, out: PathSample): void {
  position.s = s;
  samplePathAt(path, position, out);
}

const position = { s: 0 };

/**
 * As `samplePath`, with s in a record such as a profile's point: V8 puts a number that is passed to
 * a call on the heap unless it inlines the call.
 */
export function samplePathAt(path: JointPath, at: { readonly s: number }, out: PathSample): void {
  if (path.kind === 'line') sampleLine(path, at, out);
  else sampleTable(path, at, out);
}

function sampleLine(path: JointLine, at: { readonly s: number }, out: PathSample): void {
  const s = at.s < 0 ? 0 : at.s > 1 ? 1 : at.s;
  for (let j = 0; j < 6; j++) {
    const travel = path.end[j]! - path.start[j]!;
    out.q[j] = s === 1 ? path.end[j]! : path.start[j]! + travel * s;
    out.q1[j] = travel;
    out.q2[j] = 0;
    out.q3[j] = 0;
  }
}

/** Index of the table interval that contains s. */
export function intervalOf(nodes: Float64Array, s: number): number {
  let low = 0;
  let high = nodes.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (nodes[middle]! <= s) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Evaluates the quintic Hermite of the interval that contains s, in powers of its share t. */
function sampleTable(path: PathTable, at: { readonly s: number }, out: PathSample): void {
  const s = at.s < 0 ? 0 : at.s > 1 ? 1 : at.s;
  const i = intervalOf(path.s, s);
  const width = path.s[i + 1]! - path.s[i]!;
  const t = (s - path.s[i]!) / width;
  for (let j = 0; j < 6; j++) {
    const node = 6 * i + j;
    const p0 = path.q[node]!;
    const v0 = path.q1[node]! * width;
    const a0 = path.q2[node]! * width * width;
    const dp = path.q[node + 6]! - p0;
    const v1 = path.q1[node + 6]! * width;
    const a1 = path.q2[node + 6]! * width * width;
    const c2 = a0 / 2;
    const c3 = 10 * dp - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1;
    const c4 = -15 * dp + 8 * v0 + 7 * v1 + 1.5 * a0 - a1;
    const c5 = 6 * dp - 3 * v0 - 3 * v1 - 0.5 * a0 + 0.5 * a1;
    out.q[j] = p0 + t * (v0 + t * (c2 + t * (c3 + t * (c4 + t * c5))));
    out.q1[j] = (v0 + t * (2 * c2 + t * (3 * c3 + t * (4 * c4 + t * 5 * c5)))) / width;
    out.q2[j] = (2 * c2 + t * (6 * c3 + t * (12 * c4 + t * 20 * c5))) / (width * width);
    out.q3[j] = (6 * c3 + t * (24 * c4 + t * 60 * c5)) / (width * width * width);
  }
}

/** A problem of a motion and its position on the path. */
export interface MotionProblem {
  readonly code: MotionError;
  /** Position on the path, 0..1. */
  readonly s: number;
  /** The problem and what to do about it. */
  readonly message: string;
}

/** Speed caps and requested time of a motion. */
export interface MotionCaps {
  /** Tool speed limit (m/s), already clamped to the mode's cap. */
  readonly tool_speed_m_s: number;
  /** Requested duration (s), or undefined for the fastest motion within the limits. */
  readonly time_s?: number;
  /** Tool point in the flange frame (m). */
  readonly tool_offset_m: readonly [number, number, number];
  /** Payload at the flange (kg), which the energy limits count; 0 when absent. */
  readonly payload_kg?: number;
  /** Timing of the arm's planner; that of the model when absent. */
  readonly timing?: MotionTiming | null;
}

export interface Segment {
  readonly path: JointPath;
  readonly profile: TimeProfile;
  /** Indexes of the waypoints moved from, to or through; -1 for a grid waypoint (§2.3). */
  readonly waypoints: readonly number[];
  /** Null when every setpoint is valid. */
  readonly problem: MotionProblem | null;
  readonly warnings: readonly MotionProblem[];
  /** Shortest duration that the planner found for this path at these caps (s). */
  readonly minimum_time_s: number;
}

/** A planned motion, or the reason why it has no path. */
export type SegmentPlan =
  | { readonly kind: 'planned'; readonly segment: Segment }
  | { readonly kind: 'impossible'; readonly problem: MotionProblem };

/** A profile for a path, and the shortest duration found for it. */
export type Timing = Pick<Segment, 'profile' | 'minimum_time_s'>;

/** Joint travel up to which a move counts as no motion (rad). */
export const NO_TRAVEL_RAD = 1e-8;

/** True when a joint moves by more than rounding. */
export function hasTravel(start: Float64Array, end: Float64Array): boolean {
  return start.some((value, j) => !(Math.abs(end[j]! - value) <= NO_TRAVEL_RAD));
}

/** A segment at rest at the end of its path; it lasts the requested time, if there is one. */
export function restSegment(
  path: JointPath,
  { waypoints, caps }: { readonly waypoints: readonly number[]; readonly caps?: MotionCaps },
  problem: MotionProblem | null,
): Segment {
  const profile = restProfile(1, caps?.time_s);
  return { path, profile, waypoints, problem, warnings: [], minimum_time_s: 0 };
}

/** The segment of a timed path, dilated to the requested time of the caps. */
export function timedSegment(
  path: JointPath,
  timing: Timing,
  request: { readonly caps: MotionCaps; readonly waypoints: readonly number[] },
  problem: MotionProblem | null = null,
): Segment {
  const { minimum_time_s } = timing;
  const time_s = request.caps.time_s;
  const base = { path, waypoints: request.waypoints, warnings: [], minimum_time_s };
  if (time_s === undefined) return { ...base, profile: timing.profile, problem };
  const profile = dilateProfile(timing.profile, time_s / minimum_time_s);
  const tooShort = time_s < minimum_time_s ? timeProblem(time_s, minimum_time_s) : null;
  return { ...base, profile, problem: problem ?? tooShort };
}

function timeProblem(time_s: number, minimum_time_s: number): MotionProblem {
  return {
    code: 'time_too_short',
    s: 0,
    message:
      `The requested ${time_s} s are less than the ${minimum_time_s.toFixed(4)} s that this ` +
      'motion takes. Request more time, or a max_speed instead.',
  };
}

/** Decimals, at least four, that show a value and its limit apart. */
function digitsApart(value: number, limit: number): number {
  let digits = 4;
  while (digits < 10 && value.toFixed(digits) === limit.toFixed(digits)) digits++;
  return digits;
}

/**
 * The problem of the first joint of the pose outside its limits, or null. A limit is exceeded by
 * more than the tolerance of 1e-9 rad.
 */
export function boundaryProblem(end: Float64Array): MotionProblem | null {
  const j = end.findIndex(
    (value, i) =>
      !(value >= RANGE.min_rad[i]! - LIMIT_TOLERANCE_RAD) ||
      !(value <= RANGE.max_rad[i]! + LIMIT_TOLERANCE_RAD),
  );
  if (j < 0) return null;
  const [value, least, most] = [end[j]!, RANGE.min_rad[j]!, RANGE.max_rad[j]!];
  const digits = digitsApart(value, value < least ? least : most);
  return {
    code: BOUNDARY_CODES[j]!,
    s: 1,
    message:
      `${jointName(j)} would be at ${value.toFixed(digits)} rad; its limits are ` +
      `${least.toFixed(digits)} to ${most.toFixed(digits)} rad. Move the waypoint.`,
  };
}

/**
 * How closely a Cartesian path passes a singularity: tracking reports where a curve cannot be
 * followed at all, the margins judge paths that can (§2.4).
 */

interface Margin extends SingularityMargin {
  readonly advice: string;
}

const ADVICE = {
  shoulder_singularity:
    'the wrist comes too close to the axis of joint 1. Move the path away from that axis.',
  elbow_singularity: 'the elbow is almost stretched. Move the path closer to the robot.',
  wrist_singularity:
    'the axes of the wrist are aligned. Rotate the tool, or use a joint_space move.',
} as const;

const MARGINS: readonly Margin[] = SINGULARITY_MARGINS.map((margin) => ({
  ...margin,
  advice: ADVICE[margin.code],
}));

/** Distance from each singularity at the last measured pose. */
const distances = new Float64Array(MARGINS.length);

/** Problem and warnings of the singularity margins on a path. */
export interface MarginFindings {
  readonly problem: MotionProblem | null;
  readonly warnings: readonly MotionProblem[];
}

/**
 * Passing through a margin is a problem or a warning. The part of a path that leaves or reaches a
 * pose within the error margin is neither, so that every pose can be left and reached.
 */
export function findSingularityMargins(path: PathTable): MarginFindings {
  const nodes = path.s.length;
  const table = new Float64Array(MARGINS.length * nodes);
  for (let i = 0; i < nodes; i++) {
    singularDistances(path.q.subarray(6 * i, 6 * i + 6), distances);
    for (let k = 0; k < MARGINS.length; k++) table[k * nodes + i] = distances[k]!;
  }
  let problem: MotionProblem | null = null;
  const warnings: MotionProblem[] = [];
  MARGINS.forEach((margin, k) => {
    const along = table.subarray(k * nodes, (k + 1) * nodes);
    const close = closest(along, 0, nodes - 1);
    if (along[close]! < margin.warning) {
      warnings.push(problemAt(path.s[close]!, margin, margin.warning_code));
    }
    const passed = closestPassage(along, margin.error);
    if (passed < 0 || (problem && problem.s <= path.s[passed]!)) return;
    problem = problemAt(path.s[passed]!, margin, margin.code);
  });
  return { problem, warnings };
}

/** Index of the smallest distance between two nodes, both included. */
function closest(along: Float64Array, from: number, to: number): number {
  let best = from;
  for (let i = from + 1; i <= to; i++) if (along[i]! < along[best]!) best = i;
  return best;
}

/**
 * Closest node within the error margin that belongs neither to the part that leaves the start nor
 * to the part that reaches the end, or -1. At an end that is exactly singular another factor may
 * vanish, so the nodes next to the ends decide.
 */
function closestPassage(along: Float64Array, error: number): number {
  let from = 1;
  let to = along.length - 2;
  while (from <= to && along[from]! < error) from++;
  while (to >= from && along[to]! < error) to--;
  if (from > to) return -1;
  const close = closest(along, from, to);
  return along[close]! < error ? close : -1;
}

function problemAt(s: number, margin: Margin, code: MotionError): MotionProblem {
  return { code, s, message: `At ${(100 * s).toFixed(1)} % of the path ${margin.advice}` };
}

/** A move of the tool from rest at joints `start` to rest at joints `end` (rad). */
