/**
 * The closing condition as smooth periodic functions: over phi where every phi is in reach, else
 * over psi with phi = middle - half cos psi, so that both elbows of a window form one loop and the
 * elbow's square root leaves no corner at its edges. Here loops are laid out and evaluated at
 * their nodes; root-isolation.ts finds the zeros (spec §4.7).
 */
import { acos, circle, PI, sincosAt, TWO_PI, wrapAngle } from '../math/portable.ts';
import {
  condition,
  ELBOW_SQUARE,
  evaluateCondition,
  PHI,
  SLOPE,
  VALUE,
} from './wrist-condition.ts';

export const NODES_MAX = 1024;
/** Nodes of the loop: place, value, slope and a fourth-derivative bound; one more than `count`. */
export const places = new Float64Array(NODES_MAX + 1);
export const values = new Float64Array(NODES_MAX + 1);
export const slopes = new Float64Array(NODES_MAX + 1);

/** The loop at hand. */
export const loop = {
  side: 1,
  /** Bend of a full loop; in a window the sign of sin psi decides. */
  elbow: 1,
  windowed: false,
  count: 0,
};
/** Middle and half width of the window (rad). */
export const window = new Float64Array(2);
/** One evaluation of the loop: place goes in, value and slope come out; the place may shift. */
export const point = new Float64Array(3);

const FULL_NODES = 20;
const WINDOW_NODES_MIN = 8;
const WINDOW_NODES_PER_RAD = 6;
const EDGE_SQUARE = 1e-13;
const EDGE_SHIFT = 1e-6;
const DUPLICATE = 1e-13;

/** Evaluates the loop at `point[0]`, off the edge if it lies on one. */
export function evaluatePoint(): void {
  if (!loop.windowed) {
    condition[PHI] = point[0]!;
    evaluateCondition(loop.side, loop.elbow);
    point[1] = condition[VALUE]!;
    point[2] = condition[SLOPE]!;
    return;
  }
  evaluateWindow();
  if (condition[ELBOW_SQUARE]! >= EDGE_SQUARE) return;
  const inward = circle[0]! >= 0 === circle[1]! > 0 ? EDGE_SHIFT : 0 - EDGE_SHIFT;
  point[0] = point[0]! + inward;
  evaluateWindow();
}

function evaluateWindow(): void {
  sincosAt(point, 0);
  const sine = circle[0]!;
  const cosine = circle[1]!;
  condition[PHI] = window[0]! - window[1]! * cosine;
  evaluateCondition(loop.side, sine >= 0 ? 1 : -1);
  point[1] = condition[VALUE]!;
  point[2] = condition[SLOPE]! * window[1]! * sine;
  circle[0] = sine;
  circle[1] = cosine;
}

/** Starts a loop over all phi with one bend of the elbow. */
export function layFullLoop(side: number, elbow: number): void {
  loop.side = side;
  loop.elbow = elbow;
  loop.windowed = false;
  loop.count = FULL_NODES;
  for (let i = 0; i < FULL_NODES; i++) places[i] = (TWO_PI * i) / FULL_NODES;
}

/** Starts the loop over both elbows of the window set in `window`. */
export function layWindowLoop(side: number): void {
  loop.side = side;
  loop.windowed = true;
  const half = Math.max(WINDOW_NODES_MIN, Math.ceil(WINDOW_NODES_PER_RAD * window[1]!));
  loop.count = 2 * half;
  for (let i = 0; i < loop.count; i++) places[i] = ((i + 0.5) * PI) / half;
}

const extra = new Float64Array(1);

function addPlace(): void {
  if (loop.count < NODES_MAX) places[loop.count++] = extra[0]!;
}

/** Adds nodes at each of the first `count` angles phi in `angles`, where the loop passes them. */
export function addNodes(angles: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    if (!loop.windowed) {
      const angle = wrapAngle(angles[i]!);
      extra[0] = angle < 0 ? angle + TWO_PI : angle;
      addPlace();
      continue;
    }
    const cosine = (0 - wrapAngle(angles[i]! - window[0]!)) / window[1]!;
    if (!(Math.abs(cosine) < 1)) continue;
    const psi = acos(cosine);
    extra[0] = psi;
    addPlace();
    extra[0] = TWO_PI - psi;
    addPlace();
  }
  sortPlaces();
}

function sortPlaces(): void {
  for (let i = 1; i < loop.count; i++) {
    const held = places[i]!;
    let k = i - 1;
    while (k >= 0 && places[k]! > held) {
      places[k + 1] = places[k]!;
      k--;
    }
    places[k + 1] = held;
  }
  let kept = 1;
  for (let i = 1; i < loop.count; i++) {
    if (places[i]! - places[kept - 1]! > DUPLICATE) places[kept++] = places[i]!;
  }
  loop.count = kept;
}

/** Evaluates all nodes, the first once more at the end; answers by `point[1]` the largest |value|. */
export function evaluateNodes(): void {
  let largest = 0;
  for (let i = 0; i < loop.count; i++) {
    point[0] = places[i]!;
    evaluatePoint();
    places[i] = point[0]!;
    values[i] = point[1]!;
    slopes[i] = point[2]!;
    largest = Math.max(largest, Math.abs(point[1]!));
  }
  places[loop.count] = places[0]! + TWO_PI;
  values[loop.count] = values[0]!;
  slopes[loop.count] = slopes[0]!;
  point[1] = largest;
}
