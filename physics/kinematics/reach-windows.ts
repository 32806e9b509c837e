/**
 * Reach windows: the ranges of phi = q6 in which the elbow closes, for each side, from the roots of
 * two trigonometric quadratics over the circle of the wrist centre. No window at all is the
 * definition of reach_limit (§2.4).
 */
import {
  ELBOW_TO_WRIST_M,
  IS_SPHERICAL,
  SHOULDER_OFFSET_M,
  UPPER_ARM_M,
  WRIST_OFFSET_M,
} from '../arm/arm-model.ts';
import { acos, atan, atan2, cos, HALF_PI, PI, sin, TWO_PI, wrapAngle } from '../math/portable.ts';
import { polynomial, rootsInUnit, unitRoots } from './quartic-roots.ts';
import {
  closingCondition,
  DISTANCE_SQUARE,
  evaluateCondition,
  MIDDLE,
  PHI,
  wristTarget,
} from './wrist-condition.ts';

const NEAREST_SQUARE = (ELBOW_TO_WRIST_M - UPPER_ARM_M) * (ELBOW_TO_WRIST_M - UPPER_ARM_M);
const FARTHEST_SQUARE = (ELBOW_TO_WRIST_M + UPPER_ARM_M) * (ELBOW_TO_WRIST_M + UPPER_ARM_M);
/**
 * Rounding of a squared reach (m²): a spherical wrist has no windows, whose edges would hold the
 * stretched poses.
 */
const ROUNDING_SQUARE = IS_SPHERICAL ? 1e-13 : 0;
/** Share of a squared distance by which rounding may have parted two edges that touch. */
const TANGENT = 1e-13;
const EDGES_MAX = 40;
/** Centre of the charts, and opposite (rad): no symmetric pose has an edge on their seam. */
const CHART_RAD = 0.7391;
const CHART_COS = cos(CHART_RAD);
const CHART_SIN = sin(CHART_RAD);
const CHART_COS_2 = cos(2 * CHART_RAD);
const CHART_SIN_2 = sin(2 * CHART_RAD);
/** Windows narrower than this hold one stretched pose (rad). */
export const NARROW_RAD = 2e-9;

/**
 * Windows of one side: starts and ends (rad, end > start) and their number; none for a full circle.
 */
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
const distanceTerms = new Float64Array(3);
/** |W_xy|² over 1, cos phi, sin phi, cos 2 phi, sin 2 phi (m²). */
export const axisDistance = new Float64Array(5);
const trigonometric = new Float64Array(5);
const frontEdges = new Float64Array(EDGES_MAX);
const backEdges = new Float64Array(EDGES_MAX);
const counts = new Int32Array(2);
/** Squared reach whose edges are computed. */
const soughtReach = new Float64Array(1);

function prepareDistances(): void {
  const x = wristTarget[MIDDLE]!;
  const y = wristTarget[MIDDLE + 1]!;
  const z = wristTarget[MIDDLE + 2]!;
  distanceTerms[0] = x * x + y * y + z * z + WRIST_OFFSET_M * WRIST_OFFSET_M;
  distanceTerms[1] =
    2 * WRIST_OFFSET_M * (x * wristTarget[0]! + y * wristTarget[1]! + z * wristTarget[2]!);
  distanceTerms[2] =
    -2 * WRIST_OFFSET_M * (x * wristTarget[3]! + y * wristTarget[4]! + z * wristTarget[5]!);
  const p = WRIST_OFFSET_M * wristTarget[2]!;
  const q = 0 - WRIST_OFFSET_M * wristTarget[5]!;
  axisDistance[0] = distanceTerms[0]! - z * z - 0.5 * (p * p + q * q);
  axisDistance[1] = distanceTerms[1]! - 2 * z * p;
  axisDistance[2] = distanceTerms[2]! - 2 * z * q;
  axisDistance[3] = -0.5 * (p * p - q * q);
  axisDistance[4] = 0 - p * q;
}

/** T = 4 a² |W_xy|² - (|W|² + a² - D)² over phi - CHART_RAD: zero where the reach is sqrt(D). */
function prepareEdgeCondition(): void {
  const a4 = 4 * SHOULDER_OFFSET_M * SHOULDER_OFFSET_M;
  const p0 = distanceTerms[0]! + SHOULDER_OFFSET_M * SHOULDER_OFFSET_M - soughtReach[0]!;
  const p1 = distanceTerms[1]!;
  const p2 = distanceTerms[2]!;
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
  const outward =
    distanceTerms[0]! +
      distanceTerms[1]! * c +
      distanceTerms[2]! * s +
      SHOULDER_OFFSET_M * SHOULDER_OFFSET_M >=
    soughtReach[0]!;
  const front = outward === SHOULDER_OFFSET_M > 0;
  const side = front ? 0 : 1;
  const at = counts[side]!;
  if (at >= EDGES_MAX) return;
  const edges = front ? frontEdges : backEdges;
  edges[at] = wrapAngle(2 * atan(t) + CHART_RAD + (sign > 0 ? 0 : PI));
  counts[side] = at + 1;
}

/** Adds the roots of the edge condition, a quartic in the half-angle tangent on one chart. */
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

/**
 * Adds the edges of both sides where axis 2 crosses axis 1: |W|² = D, a linear trigonometric equation
 * whose square the condition T is there.
 */
function addCommonEdges(): void {
  const p0 = distanceTerms[0]! - soughtReach[0]!;
  const swing = Math.sqrt(
    distanceTerms[1]! * distanceTerms[1]! + distanceTerms[2]! * distanceTerms[2]!,
  );
  if (swing === 0 || Math.abs(p0) > swing + TANGENT * distanceTerms[0]!) return;
  const middle = atan2(distanceTerms[2]!, distanceTerms[1]!);
  const half = acos(Math.min(Math.max((0 - p0) / swing, -1), 1));
  for (let sign = -1; sign <= 1; sign += 2) {
    const edge = wrapAngle(middle + sign * half);
    frontEdges[counts[0]!] = edge;
    backEdges[counts[1]!] = edge;
    counts[0] = counts[0]! + 1;
    counts[1] = counts[1]! + 1;
  }
}

function addEdges(): void {
  // The wrist centre of a spherical wrist does not move with phi.
  if (IS_SPHERICAL) return;
  if (SHOULDER_OFFSET_M === 0) {
    addCommonEdges();
    return;
  }
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

/** True when the elbow closes at `closingCondition[PHI]`. */
function inReach(side: number): boolean {
  evaluateCondition(side);
  const square = closingCondition[DISTANCE_SQUARE]!;
  return square >= NEAREST_SQUARE - ROUNDING_SQUARE && square <= FARTHEST_SQUARE + ROUNDING_SQUARE;
}

function collect(windows: Windows, edges: Float64Array, count: number, side: number): void {
  sortEdges(edges, count);
  windows.count = 0;
  windows.full = false;
  if (count === 0) {
    closingCondition[PHI] = HALF_PI;
    windows.full = inReach(side);
    return;
  }
  for (let i = 0; i < count; i++) {
    const start = edges[i]!;
    const end = i + 1 < count ? edges[i + 1]! : edges[0]! + TWO_PI;
    closingCondition[PHI] = 0.5 * (start + end);
    if (end - start >= NARROW_RAD && !inReach(side)) continue;
    windows.start[windows.count] = start;
    windows.end[windows.count] = end;
    windows.count++;
  }
}

/** Finds the windows of both sides for the target; false when there are none (out of reach). */
export function findWindows(): boolean {
  counts[0] = 0;
  counts[1] = 0;
  prepareDistances();
  soughtReach[0] = NEAREST_SQUARE;
  addEdges();
  soughtReach[0] = FARTHEST_SQUARE;
  addEdges();
  collect(frontWindows, frontEdges, counts[0]!, 1);
  collect(backWindows, backEdges, counts[1]!, -1);
  return frontWindows.full || backWindows.full || frontWindows.count > 0 || backWindows.count > 0;
}
