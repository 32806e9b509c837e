/**
 * Converts a curve of tool poses to a joint path: tracked on one branch from the start joints, with
 * exact first and second derivatives at each node and as many nodes as the quintic between them
 * needs to stay within 1e-8 rad of the tracked joints. Reports why and where a curve cannot be
 * followed.
 */

import type { ArmRange } from '../arm/arm-range.ts';
import { createFrames, forward } from '../kinematics/forward.ts';
import { jacobian } from '../kinematics/jacobian.ts';
import { createFactors, factorise, solveFactored } from '../kinematics/linear-solve.ts';
import { POSE_SIZE, type Tool, toolPose } from '../kinematics/tool.ts';
import { createToolMotion, LINEAR_ACCELERATION, toolMotion } from '../kinematics/tool-motion.ts';
import {
  createTracker,
  type PoseCurve,
  startTracking,
  type Tracker,
  type TrackOutcome,
  trackTo,
} from '../kinematics/tracking.ts';
import { trackingProblem } from '../kinematics/tracking-problem.ts';
import type { PathTable } from './joint-path.ts';
import type { MotionProblem } from './motion-problem.ts';
import {
  addNode,
  createNodeStore,
  type NodeStore,
  PATH_NODE_SIZE,
  type PathNode,
  Q,
  Q1,
  Q2,
  quinticError,
  tableOf,
} from './node-store.ts';

/** A curve of tool poses with its second derivative. */
export interface SmoothCurve extends PoseCurve {
  /**
   * Positions on [0, 1], first 0 and last 1, that become nodes; the third derivative may jump
   * there.
   */
  readonly knots: readonly number[];
  /** Writes acceleration of the tool point and angular acceleration, by s, at s = `at[0]`. */
  accelerate(at: Float64Array, out: Float64Array): void;
}

/** The path along the curve, or the problem that ends it. */
export type TableResult =
  | { readonly kind: 'built'; readonly path: PathTable }
  | { readonly kind: 'ended'; readonly problem: MotionProblem };

/** Minimum number of nodes for the timing. */
const NODES_MIN = 48;
/** Tool travel per additional node (m; 0.3 m a radian). */
const NODE_TRAVEL = 0.01;
/** Maximum number of nodes; twice the coarsest table for a spline with many knots. */
const NODES_MAX = 2000;
const QUINTIC_ERROR_RAD = 1e-8;
/** Accepted error where the cap on nodes or the width ends the refinement (rad). */
const COARSE_ERROR_RAD = 1e-6;
const WIDTH_MIN = 1e-6;

/** No node: the curve cannot be followed so far, or the node is not tracked yet. */
const NONE = -1;

interface Builder {
  readonly curve: SmoothCurve;
  readonly tool: Tool;
  readonly tracker: Tracker;
  /** Nodes of the path so far, in order. */
  readonly nodes: PathNode[];
  readonly nodes_max: number;
  /** Ends of the pending intervals, the next one last, and the node half-way to each or NONE. */
  readonly ends: PathNode[];
  readonly middles: PathNode[];
  readonly store: NodeStore;
  outcome: Exclude<TrackOutcome, 'arrived'> | null;
}

/** Follows `curve` with a tool from joints `start` within a range; deterministic. */
export function buildPathTable(
  curve: SmoothCurve,
  { tool, range }: { readonly tool: Tool; readonly range: ArmRange },
  start: Float64Array,
): TableResult {
  const tracker = createTracker(curve, tool, range);
  const ends = breakpoints(curve);
  const nodes_max = Math.max(NODES_MAX, 2 * ends.length);
  const builder: Builder = {
    curve,
    tool,
    tracker,
    nodes: [],
    nodes_max,
    ends: [],
    middles: [],
    store: createNodeStore(),
    outcome: null,
  };
  const outcome = startTracking(tracker, start, 0);
  if (outcome !== 'arrived') return ended(builder, outcome);
  const first = firstNode(builder, start);
  if (first === NONE) return ended(builder, builder.outcome ?? 'branch_end');
  builder.nodes.push(first);
  for (const s of ends) {
    if (!extendTo(builder, s)) return ended(builder, builder.outcome ?? 'branch_end');
  }
  return { kind: 'built', path: tableOf(builder.store, builder.nodes) };
}

function ended({ tracker }: Builder, outcome: Exclude<TrackOutcome, 'arrived'>): TableResult {
  const problem = trackingProblem(tracker, outcome)!;
  return { kind: 'ended', problem: { ...problem, s: tracker.s } };
}

const at = new Float64Array(1);
const pose = new Float64Array(POSE_SIZE);
const twist = new Float64Array(6);

/** Ends of the coarsest intervals, including the knots. */
function breakpoints(curve: SmoothCurve): number[] {
  const out: number[] = [];
  const total = Math.max(NODES_MIN, Math.ceil(travelAlong(curve) / NODE_TRAVEL));
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

/** Travel of the tool along the curve (m), rotation counted as 0.3 m a radian. */
function travelAlong(curve: SmoothCurve): number {
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
const zeros = new Float64Array(6);
const joints = new Float64Array(6);
const tangent = new Float64Array(6);
const motion = createToolMotion();
const second = new Float64Array(6);

/** Adds a node at the tracker's position without its second derivative. */
function nodeHere({ store, tracker }: Builder): PathNode {
  return addNode(store, tracker.s, tracker.q, tracker.tangent);
}

/** Fills in the second derivative of a node; false where it is undefined. */
function fillSecondDerivative({ curve, tool, store }: Builder, node: PathNode): boolean {
  const { held } = store;
  at[0] = held[node]!;
  for (let j = 0; j < 6; j++) {
    joints[j] = held[node + Q + j]!;
    tangent[j] = held[node + Q1 + j]!;
  }
  forward(joints, frames);
  toolPose(frames, tool, pose);
  jacobian(frames, pose, 9, factors.a);
  if (!factorise(factors)) return false;
  toolMotion(frames, tangent, zeros, tool.offset_m, motion);
  curve.accelerate(at, second);
  for (let i = 0; i < 6; i++) second[i] = second[i]! - motion[LINEAR_ACCELERATION + i]!;
  solveFactored(factors, second, second);
  for (let j = 0; j < 6; j++) held[node + Q2 + j] = second[j]!;
  return true;
}

/** Tracks the node at `s` from node `from`; NONE and the builder's outcome where tracking ends. */
function trackNode(builder: Builder, from: PathNode, s: number): PathNode {
  const { tracker } = builder;
  const { held } = builder.store;
  if (tracker.s !== held[from]) {
    for (let j = 0; j < 6; j++) joints[j] = held[from + Q + j]!;
    startTracking(tracker, joints, held[from]!);
  }
  const outcome = trackTo(tracker, s);
  if (outcome === 'arrived') return nodeHere(builder);
  builder.outcome = outcome;
  return NONE;
}

/** `trackNode` with the second derivative. */
function trackEnd(builder: Builder, from: PathNode, s: number): PathNode {
  const node = trackNode(builder, from, s);
  return node !== NONE && fillSecondDerivative(builder, node) ? node : NONE;
}

/** Step of the samples from which the derivatives at a singular start are extrapolated. */
const LEAVE_STEP = 1 / 1024;

/**
 * The start node. At a singular start its derivatives are extrapolated from the branch that leaves
 * it; where that branch jumps, the quintic does not fit.
 */
function firstNode(builder: Builder, start: Float64Array): PathNode {
  const { tracker } = builder;
  if (tracker.determinant !== 0) {
    const node = nodeHere(builder);
    return fillSecondDerivative(builder, node) ? node : NONE;
  }
  for (let k = 1; k <= 4; k++) {
    const outcome = trackTo(tracker, k * LEAVE_STEP);
    builder.outcome = outcome === 'arrived' ? null : outcome;
    if (builder.outcome || !fillSecondDerivative(builder, nodeHere(builder))) return NONE;
  }
  startTracking(tracker, start, 0);
  const first = nodeHere(builder);
  const { held } = builder.store;
  const near = (k: number, i: number) => held[first - k * PATH_NODE_SIZE + i]!;
  for (let i = Q1; i < PATH_NODE_SIZE; i++) {
    held[first + i] = 4 * near(4, i) - 6 * near(3, i) + 4 * near(2, i) - near(1, i);
  }
  return first;
}

/** Adds the nodes up to `s`; false where the curve cannot be followed. */
function extendTo(builder: Builder, s: number): boolean {
  const { nodes, ends, middles, store } = builder;
  const from = nodes[nodes.length - 1]!;
  const middle = trackNode(builder, from, (store.held[from]! + s) / 2);
  const end = middle === NONE ? NONE : trackEnd(builder, middle, s);
  if (end === NONE) return false;
  ends.push(end);
  middles.push(middle);
  while (ends.length > 0) {
    if (!settleNext(builder)) return false;
  }
  return true;
}

/** Accepts the next interval or splits it. */
function settleNext(builder: Builder): boolean {
  const { nodes, ends, middles, store } = builder;
  const from = nodes[nodes.length - 1]!;
  const node = ends.pop()!;
  const known = middles.pop()!;
  const begin_s = store.held[from]!;
  const end_s = store.held[node]!;
  const middle = known === NONE ? trackNode(builder, from, (begin_s + end_s) / 2) : known;
  if (middle === NONE) return false;
  const error = quinticError(store.held, from, node, middle);
  const finest = nodes.length >= builder.nodes_max || end_s - begin_s < WIDTH_MIN;
  if (error <= (finest ? COARSE_ERROR_RAD : QUINTIC_ERROR_RAD)) nodes.push(node);
  else if (finest || !fillSecondDerivative(builder, middle)) return false;
  else {
    ends.push(node, middle);
    middles.push(NONE, NONE);
  }
  return true;
}
