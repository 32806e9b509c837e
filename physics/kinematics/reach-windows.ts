/**
 * Where on the circle of the wrist centre the elbow can close: the windows of phi for each side,
 * from the roots of two trigonometric quadratics. Apart from the search because "no window at all"
 * is the definition of reach_limit (spec §2.4).
 */
import { atan, cos, HALF_PI, PI, sin, TWO_PI, wrapAngle } from '../math/portable.ts';
import { ELBOW_M, SHOULDER_M, UPPER_ARM_M, WRIST_M } from './arm-plane.ts';
import { polynomial, rootsInUnit, unitRoots } from './quartic-roots.ts';
import {
  condition,
  DISTANCE_SQUARE,
  evaluateCondition,
  MIDDLE,
  PHI,
  target,
} from './wrist-condition.ts';

const NEAREST_SQUARE = (ELBOW_M - UPPER_ARM_M) * (ELBOW_M - UPPER_ARM_M);
const FARTHEST_SQUARE = (ELBOW_M + UPPER_ARM_M) * (ELBOW_M + UPPER_ARM_M);
const EDGES_MAX = 40;
/** The charts are centred here and opposite (rad): no symmetric pose has an edge on their seam. */
const CHART_RAD = 0.7391;
const CHART_COS = cos(CHART_RAD);
const CHART_SIN = sin(CHART_RAD);
const CHART_COS_2 = cos(2 * CHART_RAD);
const CHART_SIN_2 = sin(2 * CHART_RAD);
/** Windows narrower than this hold one stretched pose (rad). */
export const NARROW_RAD = 2e-9;

/** Windows of one side: starts and ends (rad, end > start), how many. A full circle has none. */
export interface Windows {
  readonly start: Float64Array;
  readonly end: Float64Array;
  count: number;
  /** True when every phi is in reach. */
  full: boolean;
}

function createWindows(): Windows {
  return {
    start: new Float64Array(EDGES_MAX + 1),
    end: new Float64Array(EDGES_MAX + 1),
    count: 0,
    full: false,
  };
}

export const frontWindows = createWindows();
export const backWindows = createWindows();

/** |W|² = size[0] + size[1] cos phi + size[2] sin phi, of the wrist centre W. */
const size = new Float64Array(3);
/** |W_xy|² over 1, cos phi, sin phi, cos 2 phi, sin 2 phi (m²). */
export const axisDistance = new Float64Array(5);
const trigonometric = new Float64Array(5);
const frontEdges = new Float64Array(EDGES_MAX);
const backEdges = new Float64Array(EDGES_MAX);
const counts = new Int32Array(2);
/** Squared reach whose edges are being looked for: one number. */
const reach = new Float64Array(1);

function prepareDistances(): void {
  const x = target[MIDDLE]!;
  const y = target[MIDDLE + 1]!;
  const z = target[MIDDLE + 2]!;
  size[0] = x * x + y * y + z * z + WRIST_M * WRIST_M;
  size[1] = 2 * WRIST_M * (x * target[0]! + y * target[1]! + z * target[2]!);
  size[2] = -2 * WRIST_M * (x * target[3]! + y * target[4]! + z * target[5]!);
  const p = WRIST_M * target[2]!;
  const q = 0 - WRIST_M * target[5]!;
  axisDistance[0] = size[0]! - z * z - 0.5 * (p * p + q * q);
  axisDistance[1] = size[1]! - 2 * z * p;
  axisDistance[2] = size[2]! - 2 * z * q;
  axisDistance[3] = -0.5 * (p * p - q * q);
  axisDistance[4] = 0 - p * q;
}

/** T = 4 a² |W_xy|² - (|W|² + a² - D)² over phi - CHART_RAD: zero where the reach is sqrt(D). */
function prepareEdgeCondition(): void {
  const a4 = 4 * SHOULDER_M * SHOULDER_M;
  const p0 = size[0]! + SHOULDER_M * SHOULDER_M - reach[0]!;
  const p1 = size[1]!;
  const p2 = size[2]!;
  const t = trigonometric;
  t[0] = a4 * axisDistance[0]! - p0 * p0 - 0.5 * (p1 * p1 + p2 * p2);
  const t1 = a4 * axisDistance[1]! - 2 * p0 * p1;
  const t2 = a4 * axisDistance[2]! - 2 * p0 * p2;
  const t3 = a4 * axisDistance[3]! - 0.5 * (p1 * p1 - p2 * p2);
  const t4 = a4 * axisDistance[4]! - p1 * p2;
  t[1] = t1 * CHART_COS + t2 * CHART_SIN;
  t[2] = t2 * CHART_COS - t1 * CHART_SIN;
  t[3] = t3 * CHART_COS_2 + t4 * CHART_SIN_2;
  t[4] = t4 * CHART_COS_2 - t3 * CHART_SIN_2;
}

/** Adds the edge of root i, on the chart around CHART_RAD (sign 1) or opposite, to its side. */
function addEdge(i: number, sign: number): void {
  const t = unitRoots[i]!;
  const square = t * t;
  const cosine = (sign * (1 - square)) / (1 + square);
  const sine = (sign * 2 * t) / (1 + square);
  const c = cosine * CHART_COS - sine * CHART_SIN;
  const s = sine * CHART_COS + cosine * CHART_SIN;
  const front = size[0]! + size[1]! * c + size[2]! * s + SHOULDER_M * SHOULDER_M >= reach[0]!;
  const side = front ? 0 : 1;
  const at = counts[side]!;
  if (at >= EDGES_MAX) return;
  const edges = front ? frontEdges : backEdges;
  edges[at] = wrapAngle(2 * atan(t) + CHART_RAD + (sign > 0 ? 0 : PI));
  counts[side] = at + 1;
}

/** Roots of the quartic that the edge condition is on one chart of the half-angle tangent. */
function addChart(sign: number): void {
  const t = trigonometric;
  const t1 = sign * t[1]!;
  const t2 = sign * t[2]!;
  polynomial[0] = t[0]! + t1 + t[3]!;
  polynomial[1] = 2 * t2 + 4 * t[4]!;
  polynomial[2] = 2 * t[0]! - 6 * t[3]!;
  polynomial[3] = 2 * t2 - 4 * t[4]!;
  polynomial[4] = t[0]! - t1 + t[3]!;
  const found = rootsInUnit();
  for (let i = 0; i < found; i++) addEdge(i, sign);
}

function addEdges(): void {
  prepareEdgeCondition();
  const t = trigonometric;
  const swing = Math.sqrt(t[1]! * t[1]! + t[2]! * t[2]!) + Math.sqrt(t[3]! * t[3]! + t[4]! * t[4]!);
  if (Math.abs(t[0]!) > swing) return;
  addChart(1);
  addChart(-1);
}

function sortEdges(edges: Float64Array, count: number): void {
  for (let i = 1; i < count; i++) {
    const held = edges[i]!;
    let k = i - 1;
    while (k >= 0 && edges[k]! > held) {
      edges[k + 1] = edges[k]!;
      k--;
    }
    edges[k + 1] = held;
  }
}

/** True when the elbow closes at `condition[PHI]`. */
function inReach(side: number): boolean {
  evaluateCondition(side);
  const square = condition[DISTANCE_SQUARE]!;
  return square >= NEAREST_SQUARE && square <= FARTHEST_SQUARE;
}

function collect(windows: Windows, edges: Float64Array, count: number, side: number): void {
  sortEdges(edges, count);
  windows.count = 0;
  windows.full = false;
  if (count === 0) {
    condition[PHI] = HALF_PI;
    windows.full = inReach(side);
    return;
  }
  for (let i = 0; i < count; i++) {
    const start = edges[i]!;
    const end = i + 1 < count ? edges[i + 1]! : edges[0]! + TWO_PI;
    condition[PHI] = 0.5 * (start + end);
    if (end - start >= NARROW_RAD && !inReach(side)) continue;
    windows.start[windows.count] = start;
    windows.end[windows.count] = end;
    windows.count++;
  }
}

/** Finds the windows of both sides for the target; false when there are none: out of reach. */
export function findWindows(): boolean {
  counts[0] = 0;
  counts[1] = 0;
  prepareDistances();
  reach[0] = NEAREST_SQUARE;
  addEdges();
  reach[0] = FARTHEST_SQUARE;
  addEdges();
  collect(frontWindows, frontEdges, counts[0]!, 1);
  collect(backWindows, backEdges, counts[1]!, -1);
  return frontWindows.full || backWindows.full || frontWindows.count > 0 || backWindows.count > 0;
}
