/**
 * From a curve of tool poses to a path of joints: tracked on one branch from the start joints, with
 * exact first and second derivatives at each node and as many nodes as the quintic between them
 * needs to stand within 1e-8 rad of the tracked joints. Linear and spline moves share it. Where the
 * curve can not be followed it says why and where. Spec §2.2.
 */
import { createFrames, forward } from '../kinematics/forward.ts';
import { jacobian } from '../kinematics/jacobian.ts';
import { createFactors, factorise, solveFactored } from '../kinematics/linear-solve.ts';
import { POSE_SIZE, type Tool, toolPose } from '../kinematics/tool.ts';
import {
  createTracker,
  type PoseCurve,
  startTracking,
  type Tracker,
  type TrackOutcome,
  trackTo,
} from '../kinematics/tracking.ts';
import { trackingProblem } from '../kinematics/tracking-problem.ts';
import type { PathTable } from './path.ts';
import type { MotionProblem } from './segment.ts';
import { createToolMotion, LINEAR_ACCELERATION, toolMotion } from './tool-motion.ts';

/** A curve of tool poses with its second derivative. */
export interface SmoothCurve extends PoseCurve {
  /** Places on [0, 1], first 0 and last 1, that shall be nodes; the third derivative may jump. */
  readonly knots: readonly number[];
  /** Writes acceleration of the tool point and angular acceleration by s at s = `at[0]`. */
  accelerate(at: Float64Array, out: Float64Array): void;
}

/** A path that follows the curve, or how far it can be followed and what ends it there. */
export type TableResult =
  | { readonly kind: 'built'; readonly path: PathTable }
  | { readonly kind: 'ended'; readonly problem: MotionProblem };

/** Nodes wanted at least, so that timing sees the path. */
const NODES_MIN = 48;
/** A node more for so much travel of the tool (m, or 0.3 rad of turn a metre). */
const NODE_TRAVEL = 0.01;
/** Nodes at most; of a spline with many knots, twice as many as its coarsest table. */
const NODES_MAX = 2000;
const QUINTIC_ERROR_RAD = 1e-8;
/** Still a path, where the cap on nodes or the width ends the refinement (rad). */
const COARSE_ERROR_RAD = 1e-6;
const WIDTH_MIN = 1e-6;

/** One node: s, then q, dq/ds and d²q/ds² (six each). */
type Node = Float64Array;
const Q = 1;
const Q1 = 7;
const Q2 = 13;
const NODE_SIZE = 19;

/** An interval's end, tracked, and the node half-way to it once that is tracked too. */
interface Ahead {
  readonly node: Node;
  readonly middle: Node | null;
}

interface Builder {
  readonly curve: SmoothCurve;
  readonly tool: Tool;
  readonly tracker: Tracker;
  readonly nodes: Node[];
  readonly nodes_max: number;
  outcome: Exclude<TrackOutcome, 'arrived'> | null;
}

/** Follows `curve` with `tool` from joints `start`; deterministic. */
export function buildPathTable(curve: SmoothCurve, tool: Tool, start: Float64Array): TableResult {
  const tracker = createTracker(curve, tool);
  const ends = breakpoints(curve);
  const nodes_max = Math.max(NODES_MAX, 2 * ends.length);
  const builder: Builder = { curve, tool, tracker, nodes: [], nodes_max, outcome: null };
  const outcome = startTracking(tracker, start, 0);
  if (outcome !== 'arrived') return ended(builder, outcome);
  const first = firstNode(builder, start);
  if (!first) return ended(builder, builder.outcome ?? 'branch_end');
  builder.nodes.push(first);
  for (const s of ends) {
    if (!extendTo(builder, s)) return ended(builder, builder.outcome ?? 'branch_end');
  }
  return { kind: 'built', path: tableOf(builder.nodes) };
}

function ended({ tracker }: Builder, outcome: Exclude<TrackOutcome, 'arrived'>): TableResult {
  const problem = trackingProblem(tracker, outcome)!;
  return { kind: 'ended', problem: { ...problem, s: tracker.s } };
}

const at = new Float64Array(1);
const pose = new Float64Array(POSE_SIZE);
const twist = new Float64Array(6);

/** Ends of the coarsest intervals, the knots among them. */
function breakpoints(curve: SmoothCurve): number[] {
  const out: number[] = [];
  const total = Math.max(NODES_MIN, Math.ceil(travelOf(curve) / NODE_TRAVEL));
  const count = Math.min(total, NODES_MAX / 2);
  for (let k = 1; k < curve.knots.length; k++) {
    const from = curve.knots[k - 1]!;
    const width = curve.knots[k]! - from;
    const parts = Math.max(5, Math.ceil(count * width));
    for (let i = 1; i < parts; i++) out.push(from + (width * i) / parts);
    out.push(curve.knots[k]!);
  }
  return out;
}

/** Travel of the tool along the curve (m), turning counted as 0.3 m a radian. */
function travelOf(curve: SmoothCurve): number {
  const samples = 16;
  let sum = 0;
  for (let i = 0; i < samples; i++) {
    at[0] = (i + 0.5) / samples;
    curve.evaluate(at, pose, twist);
    const [x, y, z, a, b, c] = twist;
    sum += Math.sqrt(x! * x! + y! * y! + z! * z! + 0.09 * (a! * a! + b! * b! + c! * c!));
  }
  return sum / samples;
}

const frames = createFrames();
const factors = createFactors();
const still = new Float64Array(6);
const motion = createToolMotion();
const bend = new Float64Array(6);

/** The node where the tracker stands, or null where the second derivative is not defined. */
function nodeHere({ curve, tool, tracker }: Builder): Node | null {
  const node = new Float64Array(NODE_SIZE);
  node[0] = tracker.s;
  node.set(tracker.q, Q);
  node.set(tracker.tangent, Q1);
  at[0] = tracker.s;
  forward(tracker.q, frames);
  toolPose(frames, tool, pose);
  jacobian(frames, pose, 9, factors.a);
  if (!factorise(factors)) return null;
  toolMotion(frames, tracker.tangent, still, tool.offset_m, motion);
  curve.accelerate(at, bend);
  for (let i = 0; i < 6; i++) bend[i] = bend[i]! - motion[LINEAR_ACCELERATION + i]!;
  solveFactored(factors, bend, bend);
  node.set(bend, Q2);
  return node;
}

/** The node at `s`, tracked from node `from`; null with the builder's outcome where it ends. */
function trackNode(builder: Builder, from: Node, s: number): Node | null {
  const { tracker } = builder;
  if (tracker.s !== from[0]) startTracking(tracker, from.subarray(Q, Q1), from[0]!);
  const outcome = trackTo(tracker, s);
  if (outcome === 'arrived') return nodeHere(builder);
  builder.outcome = outcome;
  return null;
}

/** Distance of the two places from which the derivatives at a singular start are taken. */
const LEAVE_STEP = 1 / 1024;

/**
 * The node at the start. At a singular start the derivatives are those that the branch which
 * leaves it has close by, extrapolated; where it leaves with a jump the quintic will not fit.
 */
function firstNode(builder: Builder, start: Float64Array): Node | null {
  const { tracker } = builder;
  if (tracker.determinant !== 0) return nodeHere(builder);
  const near: Node[] = [];
  for (let k = 1; k <= 4; k++) {
    const outcome = trackTo(tracker, k * LEAVE_STEP);
    builder.outcome = outcome === 'arrived' ? null : outcome;
    const node = builder.outcome ? null : nodeHere(builder);
    if (!node) return null;
    near.push(node);
  }
  const first = new Float64Array(NODE_SIZE);
  for (let i = Q1; i < NODE_SIZE; i++) {
    first[i] = 4 * near[0]![i]! - 6 * near[1]![i]! + 4 * near[2]![i]! - near[3]![i]!;
  }
  first.set(start, Q);
  startTracking(tracker, start, 0);
  return first;
}

/** Adds the nodes up to `s`; false where the curve can not be followed. */
function extendTo(builder: Builder, s: number): boolean {
  const { nodes } = builder;
  const from = nodes[nodes.length - 1]!;
  const middle = trackNode(builder, from, (from[0]! + s) / 2);
  const end = middle && trackNode(builder, middle, s);
  if (!end) return false;
  const stack: Ahead[] = [{ node: end, middle }];
  while (stack.length > 0) {
    if (!settleTop(builder, stack)) return false;
  }
  return true;
}

/** Accepts the interval on top of the stack or halves it. */
function settleTop(builder: Builder, stack: Ahead[]): boolean {
  const { nodes } = builder;
  const from = nodes[nodes.length - 1]!;
  const { node, middle: known } = stack.pop()!;
  const middle = known ?? trackNode(builder, from, (from[0]! + node[0]!) / 2);
  if (!middle) return false;
  const error = quinticError(from, node, middle);
  const finest = nodes.length >= builder.nodes_max || node[0]! - from[0]! < WIDTH_MIN;
  if (error <= (finest ? COARSE_ERROR_RAD : QUINTIC_ERROR_RAD)) nodes.push(node);
  else if (finest) return false;
  else stack.push({ node, middle: null }, { node: middle, middle: null });
  return true;
}

/** Distance of the quintic between two nodes from the node tracked half-way (rad, worst joint). */
function quinticError(a: Node, b: Node, middle: Node): number {
  const h = b[0]! - a[0]!;
  let worst = 0;
  for (let j = 0; j < 6; j++) {
    const q =
      (a[Q + j]! + b[Q + j]!) / 2 +
      (5 / 32) * h * (a[Q1 + j]! - b[Q1 + j]!) +
      ((h * h) / 64) * (a[Q2 + j]! + b[Q2 + j]!);
    worst = Math.max(worst, Math.abs(q - middle[Q + j]!));
  }
  return worst;
}

function tableOf(nodes: readonly Node[]): PathTable {
  const n = nodes.length;
  const table: PathTable = {
    kind: 'table',
    s: Float64Array.from(nodes, (node) => node[0]!),
    q: new Float64Array(6 * n),
    q1: new Float64Array(6 * n),
    q2: new Float64Array(6 * n),
    q3_left: new Float64Array(6 * n),
    q3_right: new Float64Array(6 * n),
  };
  nodes.forEach((node, i) => {
    table.q.set(node.subarray(Q, Q1), 6 * i);
    table.q1.set(node.subarray(Q1, Q2), 6 * i);
    table.q2.set(node.subarray(Q2), 6 * i);
  });
  for (let i = 0; i < n - 1; i++) fillThird(table, i);
  table.q3_left.set(table.q3_right.subarray(0, 6), 0);
  table.q3_right.set(table.q3_left.subarray(6 * n - 6), 6 * n - 6);
  return table;
}

/** Third derivatives at both ends of interval `i`, of the quintic that the arm will follow. */
function fillThird(table: PathTable, i: number): void {
  const h = table.s[i + 1]! - table.s[i]!;
  for (let k = 6 * i; k < 6 * i + 6; k++) {
    const d = (table.q[k + 6]! - table.q[k]!) / h;
    const v0 = table.q1[k]!;
    const v1 = table.q1[k + 6]!;
    const a0 = table.q2[k]! * h;
    const a1 = table.q2[k + 6]! * h;
    table.q3_right[k] = (60 * d - 36 * v0 - 24 * v1 - 9 * a0 + 3 * a1) / (h * h);
    table.q3_left[k + 6] = (60 * d - 24 * v0 - 36 * v1 - 3 * a0 + 9 * a1) / (h * h);
  }
}
