/**
 * Reference for timing tests: a convex-concave optimisation of b = (ds/dt)² along a given path
 * under all limits, jerk included. It is too slow for planning and constrains only the nodes of its
 * grid, so its result may be slightly shorter than any motion that keeps the limits everywhere.
 *
 * Near its ends a motion of bounded jerk has b ~ s^(4/3). On s(c) = 10c³ - 15c⁴ + 6c⁵ with uniform
 * c that is c⁴ times a smooth function, so the unknowns are g = b / (c (1 - c))⁴: differences of g
 * are accurate up to the ends, and the duration is the integral of 30 / √g.
 */
import { addSquare, type Banded, createBanded, solveBanded } from './banded-solve.cases.ts';
import type { MotionLimits } from './limits.ts';
import type { TimingGrid } from './timing-grid.ts';

/** Nodes of the reference grid on [0, 1], both ends included. */
export function referenceNodes(intervals: number): Float64Array {
  return Float64Array.from({ length: intervals + 1 }, (_, i) => {
    const c = i / intervals;
    return c ** 3 * (10 - 15 * c + 6 * c * c);
  });
}

/** One row |value| <= limit, or value <= limit: value = sum of k[m] g[first + m]. */
interface Row {
  readonly first: number;
  readonly k: Float64Array;
  readonly two_sided: boolean;
  /** For jerk rows: the node whose b scales the limit, and the jerk limit. */
  readonly node: number;
  readonly limit: number;
}

interface Problem {
  readonly intervals: number;
  readonly weight: Float64Array;
  readonly rows: readonly Row[];
}

/** Result of the reference: duration and number of rounds. */
export interface Reference {
  readonly duration_s: number;
  readonly rounds: number;
}

const ROUNDS_MAX = 80;
/** A round that gains less than this share at the last barrier is the last one. */
const SETTLED = 1e-5;
/** Barrier of the first round, of each further one, and of the last, as shares of the duration. */
const BARRIER_FIRST = 1e-3;
const BARRIER_STEP = 0.5;
const BARRIER_LAST = 1e-7;

/** The shortest duration for `grid`, whose nodes are `referenceNodes`. */
export function referenceDuration(
  grid: TimingGrid,
  limits: MotionLimits,
  tool_speed_m_s: number,
): Reference {
  const problem = createProblem(grid, limits, tool_speed_m_s);
  const g = start(problem);
  let duration_s = durationOf(problem, g);
  let share = BARRIER_FIRST;
  for (let round = 1; ; round++) {
    solveRound(problem, g, share * duration_s);
    const next_s = durationOf(problem, g);
    const settled = share === BARRIER_LAST && next_s > duration_s * (1 - SETTLED);
    duration_s = next_s;
    if (settled || round === ROUNDS_MAX) return { duration_s, rounds: round };
    share = Math.max(BARRIER_LAST, share * BARRIER_STEP);
  }
}

function createProblem(grid: TimingGrid, limits: MotionLimits, tool_speed: number): Problem {
  const intervals = grid.s.length - 1;
  const weight = Float64Array.from(grid.s, (_, i) => ((i * (intervals - i)) / intervals ** 2) ** 4);
  const rows: Row[] = [];
  for (let i = 0; i <= intervals; i += intervals) rows.push(endRow(grid, limits, i));
  for (let i = 1; i < intervals; i++) {
    const at = derivativesAt(i, intervals, weight[i]!);
    rows.push(...jointRows(grid, limits, i, at), ...toolRows(grid, limits, tool_speed, { i, at }));
  }
  return { intervals, weight, rows };
}

/** b, db/ds and d²b/ds² at node i as combinations of g at i - 1, i and i + 1. */
interface Derivatives {
  readonly b: Float64Array;
  readonly b1: Float64Array;
  readonly b2: Float64Array;
}

function derivativesAt(i: number, intervals: number, w: number): Derivatives {
  const h = 1 / intervals;
  const c = i * h;
  const p = c * (1 - c);
  const p1 = 1 - 2 * c;
  const w1 = 4 * p ** 3 * p1;
  const w2 = 12 * p * p * p1 * p1 - 8 * p ** 3;
  const s1 = 30 * p * p;
  const s2 = 60 * p * p1;
  const by_c = Float64Array.of(-w / (2 * h), w1, w / (2 * h));
  const by_c2 = Float64Array.of(w / (h * h) - w1 / h, w2 - (2 * w) / (h * h), w / (h * h) + w1 / h);
  const b1 = by_c.map((k) => k / s1);
  return { b: Float64Array.of(0, w, 0), b1, b2: by_c2.map((k, m) => (k - b1[m]! * s2) / s1 ** 2) };
}

/** At rest only the jerk limit counts: s = j t³ / 6, so b = (j² 6⁴ / 64)^(1/3) s^(4/3). */
function endRow(grid: TimingGrid, limits: MotionLimits, i: number): Row {
  let jerk = Number.POSITIVE_INFINITY;
  for (let j = 0; j < 6; j++) {
    jerk = Math.min(jerk, limits.jerk_rad_s3[j]! / Math.abs(grid.q1[6 * i + j]!));
  }
  const limit = ((jerk * jerk * 6 ** 4) / 64) ** (1 / 3) * 10 ** (4 / 3);
  return { first: i, k: Float64Array.of(1), two_sided: false, node: -1, limit };
}

function row(i: number, k: Float64Array, limit: number, node = -1): Row {
  return { first: i - 1, k, two_sided: true, node, limit };
}

function jointRows(grid: TimingGrid, limits: MotionLimits, i: number, at: Derivatives): Row[] {
  const rows: Row[] = [];
  for (let j = 0; j < 6; j++) {
    const q1 = grid.q1[6 * i + j]!;
    const q2 = grid.q2[6 * i + j]!;
    const q3 = grid.q3[6 * i + j]!;
    const combine = (x: number, y: number, z: number) =>
      at.b.map((b, m) => x * b + y * at.b1[m]! + z * at.b2[m]!);
    if (q1 === 0 && q2 === 0 && q3 === 0) continue;
    rows.push(row(i, combine(q1 * q1, 0, 0), limits.velocity_rad_s[j]! ** 2));
    rows.push(row(i, combine(q2, q1 / 2, 0), limits.acceleration_rad_s2[j]!));
    rows.push(row(i, combine(q3, 1.5 * q2, 0.5 * q1), limits.jerk_rad_s3[j]!, i));
  }
  return rows;
}

/** The tool's speed, and its acceleration in each direction of its path's plane. */
function toolRows(
  grid: TimingGrid,
  limits: MotionLimits,
  tool_speed: number,
  { i, at }: { readonly i: number; readonly at: Derivatives },
): Row[] {
  const p1 = grid.p1.subarray(3 * i, 3 * i + 3);
  const p2 = grid.p2.subarray(3 * i, 3 * i + 3);
  const speed = Math.hypot(...p1);
  if (!(speed > 1e-9)) return [];
  const along = (p1[0]! * p2[0]! + p1[1]! * p2[1]! + p1[2]! * p2[2]!) / speed;
  return [
    row(
      i,
      at.b.map((b) => speed * speed * b),
      tool_speed * tool_speed,
    ),
    row(
      i,
      at.b.map((b, m) => along * b + (speed / 2) * at.b1[m]!),
      limits.tool_acceleration_m_s2,
    ),
  ];
}

/** An even share of all limits: slow enough for every row. */
function start({ intervals, rows, weight }: Problem): Float64Array {
  let g = 1;
  for (const { k, limit, node } of rows) {
    let value = 0;
    for (const part of k) value += part;
    value = Math.abs(value);
    if (node >= 0) g = Math.min(g, (limit / value / Math.sqrt(weight[node]!)) ** (2 / 3));
    else if (value > 0) g = Math.min(g, limit / value);
  }
  return new Float64Array(intervals + 1).fill(g / 4);
}

function durationOf({ intervals }: Problem, g: Float64Array): number {
  let sum = 0;
  for (let i = 0; i <= intervals; i++) sum += share(i, intervals) / Math.sqrt(g[i]!);
  return sum;
}

/** Trapezoid weights of 30 / √g. */
function share(i: number, intervals: number): number {
  return (i === 0 || i === intervals ? 15 : 30) / intervals;
}

/** One linear constraint of a round in the form sum k g <= bound, scaled by the limit. */
interface Line {
  readonly first: number;
  readonly k: Float64Array;
  readonly bound: number;
}

/** The rows with the jerk bound linearised at `g`: a lower bound, so always safe. */
function linesAt({ rows, weight }: Problem, g: Float64Array): Line[] {
  const lines: Line[] = [];
  for (const { first, k, limit, node, two_sided } of rows) {
    const speed = node < 0 ? 1 : Math.sqrt(weight[node]! * g[node]!);
    for (const sign of two_sided ? [1, -1] : [1]) {
      const scaled = k.map((part) => (sign * part * speed) / limit);
      if (node >= 0) scaled[1] = scaled[1]! + 0.5 / g[node]!;
      lines.push({ first, k: scaled, bound: node < 0 ? 1 : 1.5 });
    }
  }
  return lines;
}

const NEWTON_MAX = 30;
const CENTRED = 1e-3;

/** Newton on the barrier of one round's programme, in place; the start is strictly inside. */
function solveRound(problem: Problem, g: Float64Array, barrier: number): void {
  const lines = linesAt(problem, g);
  for (const line of lines)
    if (!(slack(line, g) > 0))
      throw new Error('the start violates a constraint of the reference programme');
  const state = { g, system: createBanded(g.length), barrier };
  for (let n = 0; n < NEWTON_MAX; n++) if (newtonStep(problem, lines, state) < CENTRED) break;
}

function slack({ first, k, bound }: Line, g: Float64Array): number {
  let left = bound;
  for (let m = 0; m < k.length; m++) left -= k[m]! * g[first + m]!;
  return left;
}

interface State {
  readonly g: Float64Array;
  readonly system: Banded;
  readonly barrier: number;
}

/** One damped step; returns the decrement relative to the barrier. */
function newtonStep(problem: Problem, lines: readonly Line[], state: State): number {
  const { g, system, barrier } = state;
  system.diagonals.fill(0);
  system.side.fill(0);
  for (let i = 0; i < g.length; i++) {
    const root = share(i, problem.intervals) / (g[i]! * Math.sqrt(g[i]!)) / barrier;
    system.side[i] = root / 2 + 1 / g[i]!;
    system.diagonals[3 * i] = (0.75 * root) / g[i]! + 1 / (g[i]! * g[i]!);
  }
  for (const line of lines) addSquare(system, line.first, line.k, 1 / slack(line, g));
  const gradient = Float64Array.from(system.side);
  if (!solveBanded(system)) return 0;
  const step = system.side;
  const decrement = gradient.reduce((sum, value, i) => sum + value * step[i]!, 0);
  let length = 1;
  while (length > 1e-9 && !improves(problem, lines, state, { step, length, decrement }))
    length /= 2;
  for (let i = 0; i < g.length; i++) g[i] = g[i]! + length * step[i]!;
  return decrement;
}

function barrierValue(problem: Problem, lines: readonly Line[], g: Float64Array, barrier: number) {
  let value = durationOf(problem, g) / barrier;
  for (const one of g) value -= Math.log(one);
  for (const line of lines) value -= Math.log(slack(line, g));
  return value;
}

function improves(
  problem: Problem,
  lines: readonly Line[],
  { g, barrier }: State,
  move: { readonly step: Float64Array; readonly length: number; readonly decrement: number },
): boolean {
  const next = g.map((value, i) => value + move.length * move.step[i]!);
  if (next.some((value) => !(value > 0))) return false;
  if (lines.some((line) => !(slack(line, next) > 0))) return false;
  const before = barrierValue(problem, lines, g, barrier);
  const after = barrierValue(problem, lines, next, barrier);
  return after <= before - 1e-3 * move.length * move.decrement + 1e-9 * Math.abs(before);
}
