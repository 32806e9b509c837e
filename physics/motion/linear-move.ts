/**
 * Linear moves: the tool point on a straight line, its orientation along the geodesic between the
 * two ends (§2.2), from the start joints to the end joints without changing branch. Also: how a
 * curve of tool poses becomes a joint path, which spline moves share.
 */
import type { MotionError } from '../../contract/errors.ts';
import {
  createFrames,
  createTool,
  createToolMotion,
  forward,
  LINEAR_ACCELERATION,
  POSE_SIZE,
  type Tool,
  toolMotion,
  toolPose,
} from '../kinematics/forward.ts';
import { createFactors, factorise, jacobian, solveFactored } from '../kinematics/jacobian.ts';
import {
  createLine,
  createTracker,
  type PoseCurve,
  startTracking,
  type Tracker,
  type TrackOutcome,
  trackingProblem,
  trackTo,
} from '../kinematics/tracking.ts';
import { largestDifference } from '../math/rotation.ts';
import type { MotionLimits } from './limits.ts';
import {
  boundaryProblem,
  findSingularityMargins,
  hasTravel,
  type MotionCaps,
  type MotionProblem,
  type PathTable,
  restSegment,
  type SegmentPlan,
  timedSegment,
} from './segment.ts';
import { timePath } from './time-path.ts';

export interface LinearMoveRequest {
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly caps: MotionCaps;
  readonly waypoints: readonly number[];
  readonly limits?: MotionLimits;
}

/** Largest distance of the end joints from the waypoint on the same branch (rad). */
const SAME_BRANCH_RAD = 1e-5;

/**
 * Plans a straight line of the tool point. Impossible where the line cannot be followed
 * (`jN_boundary_limit`, a singularity) or ends in other joints than the waypoint's
 * (`linear_path_calculation_error`); requested times as for joint moves.
 */
export function planLinearMove(request: LinearMoveRequest): SegmentPlan {
  const { start, end } = request;
  if (!hasTravel(start, end)) return resting(request);
  const curve = lineBetween(start, end, toolOf(request.caps));
  return planAlong(curve, request, 'linear_path_calculation_error');
}

/** The tool of the caps; its own rotation is left out because no geodesic depends on it. */
export function toolOf(caps: MotionCaps): Tool {
  const [x, y, z] = caps.tool_offset_m;
  return createTool({ offsets: { x, y, z } });
}

/** Pose of the tool at joints `q`. */
export function toolPoseAt(q: Float64Array, tool: Tool): Float64Array {
  const frames = createFrames();
  const pose = new Float64Array(POSE_SIZE);
  forward(q, frames);
  toolPose(frames, tool, pose);
  return pose;
}

function lineBetween(start: Float64Array, end: Float64Array, tool: Tool): SmoothCurve {
  const line = createLine(toolPoseAt(start, tool), toolPoseAt(end, tool));
  return {
    knots: [0, 1],
    evaluate: line.evaluate,
    accelerate(_at, out) {
      out.fill(0);
    },
  };
}

function resting(request: LinearMoveRequest): SegmentPlan {
  const { start, end } = request;
  const path = { kind: 'line', start, end } as const;
  return { kind: 'planned', segment: restSegment(path, request, boundaryProblem(end)) };
}

/** Tracks and times a curve from the start joints to the end joints of a request. */
export function planAlong(
  curve: SmoothCurve,
  request: LinearMoveRequest,
  mismatchCode: MotionError,
): SegmentPlan {
  const { start, end, caps } = request;
  const built = buildPathTable(curve, toolOf(caps), start);
  if (built.kind === 'ended') return { kind: 'impossible', problem: built.problem };
  const path = closed(built.path, start, end);
  if (!path) return { kind: 'impossible', problem: otherJoints(mismatchCode) };
  const timing = timePath({ path, caps, ...(request.limits ? { limits: request.limits } : {}) });
  const { problem, warnings } = findSingularityMargins(path);
  return {
    kind: 'planned',
    segment: { ...timedSegment(path, timing, request, problem), warnings },
  };
}

/** The path with exactly the joints of the waypoints at its ends, or null when it misses them. */
function closed(path: PathTable, start: Float64Array, end: Float64Array): PathTable | null {
  const last = path.q.length - 6;
  if (largestDifference(path.q.subarray(last), end) > SAME_BRANCH_RAD) return null;
  const q = Float64Array.from(path.q);
  q.set(start, 0);
  q.set(end, last);
  // Explicit fields: hot code samples this record, and a spread object is slower to read.
  const { kind, s, q1, q2, q3_left, q3_right } = path;
  return { kind, s, q, q1, q2, q3_left, q3_right };
}

function otherJoints(code: MotionError): MotionProblem {
  return {
    code,
    s: 1,
    message:
      'The tool can follow the path, but the arm ends in other joint angles than those of the ' +
      'waypoint. Record the waypoint again from there, or use joint_space.',
  };
}

/**
 * Converts a curve of tool poses to a joint path: tracked on one branch from the start joints, with
 * exact first and second derivatives at each node and as many nodes as the quintic between them
 * needs to stay within 1e-8 rad of the tracked joints. Reports why and where a curve cannot be
 * followed.
 */

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

/** Follows `curve` with `tool` from joints `start`; deterministic. */
export function buildPathTable(curve: SmoothCurve, tool: Tool, start: Float64Array): TableResult {
  const tracker = createTracker(curve, tool);
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

/**
 * Node store of a path while it is tracked: all nodes in one array, because many more are evaluated
 * than a path keeps and an object for each would cost as much as computing it. §2.2.
 */

/** Offset of a node's numbers: s, then q, dq/ds and d²q/ds² (six each). */
export type PathNode = number;
export const Q = 1;
export const Q1 = 7;
export const Q2 = 13;
export const PATH_NODE_SIZE = 19;

/** Numbers of every tracked node; `used` of them are filled. */
export interface NodeStore {
  held: Float64Array;
  used: number;
}

/** Initial capacity (nodes). */
const NODES_HELD = 128;

/** An empty store, for one path. */
export function createNodeStore(): NodeStore {
  return { held: new Float64Array(NODES_HELD * PATH_NODE_SIZE), used: 0 };
}

/** Adds a node without its second derivative; may replace `held`. */
export function addNode(store: NodeStore, s: number, q: Float64Array, q1: Float64Array): PathNode {
  const node = store.used;
  store.used += PATH_NODE_SIZE;
  if (store.used > store.held.length) {
    const held = new Float64Array(2 * store.held.length);
    held.set(store.held);
    store.held = held;
  }
  const { held } = store;
  held[node] = s;
  for (let j = 0; j < 6; j++) {
    held[node + Q + j] = q[j]!;
    held[node + Q1 + j] = q1[j]!;
  }
  return node;
}

/** Distance of the quintic between two nodes from the node tracked half-way (rad, worst joint). */
export function quinticError(
  held: Float64Array,
  a: PathNode,
  b: PathNode,
  middle: PathNode,
): number {
  const h = held[b]! - held[a]!;
  let worst = 0;
  for (let j = 0; j < 6; j++) {
    const q =
      (held[a + Q + j]! + held[b + Q + j]!) / 2 +
      (5 / 32) * h * (held[a + Q1 + j]! - held[b + Q1 + j]!) +
      ((h * h) / 64) * (held[a + Q2 + j]! + held[b + Q2 + j]!);
    worst = Math.max(worst, Math.abs(q - held[middle + Q + j]!));
  }
  return worst;
}

/** Converts nodes, given in order, to a path table with third derivatives. */
export function tableOf({ held }: NodeStore, nodes: readonly PathNode[]): PathTable {
  const n = nodes.length;
  const table: PathTable = {
    kind: 'table',
    s: new Float64Array(n),
    q: new Float64Array(6 * n),
    q1: new Float64Array(6 * n),
    q2: new Float64Array(6 * n),
    q3_left: new Float64Array(6 * n),
    q3_right: new Float64Array(6 * n),
  };
  for (let i = 0; i < n; i++) {
    const node = nodes[i]!;
    table.s[i] = held[node]!;
    for (let j = 0; j < 6; j++) {
      table.q[6 * i + j] = held[node + Q + j]!;
      table.q1[6 * i + j] = held[node + Q1 + j]!;
      table.q2[6 * i + j] = held[node + Q2 + j]!;
    }
  }
  for (let i = 0; i < n - 1; i++) fillThird(table, i);
  table.q3_left.set(table.q3_right.subarray(0, 6), 0);
  table.q3_right.set(table.q3_left.subarray(6 * n - 6), 6 * n - 6);
  return table;
}

/** Fills the third derivatives at both ends of interval `i` of the quintic. */
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
