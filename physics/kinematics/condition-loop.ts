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
  OTHER_BEND,
  PHI,
  SLOPE,
  VALUE,
} from './wrist-condition.ts';

/** Most values of phi at which a loop has nodes. */
const LAID_MAX = 512;
const NODES_MAX = 2 * LAID_MAX;
/** Numbers of a node: place, value, slope, and the remainder that root-isolation.ts measures. */
export const NODE_SIZE = 4;
/** Where the nodes start: of a window's loop or a full loop with bend 1, and with bend -1. */
const START = NODE_SIZE;
const OTHER_START = START + NODE_SIZE * (NODES_MAX + 2);
/** The last node stands once more before the first, the first once more behind the last. */
export const nodes = new Float64Array(2 * OTHER_START);

/** The loop at hand. */
export const loop = {
  side: 1,
  /** Bend of a full loop; in a window that of the last evaluation. */
  elbow: 1,
  windowed: false,
  /** Where its nodes start in `nodes`, and how many they are. */
  start: START,
  count: 0,
};
/** Middle and half width of the window (rad), and dphi/dpsi of the last evaluation. */
export const window = new Float64Array(3);
/** A node off the list: the place goes in, value and slope come out; the place may shift. */
export const point = new Float64Array(NODE_SIZE);

const FULL_NODES = 20;
const WINDOW_NODES_MIN = 8;
const WINDOW_NODES_PER_RAD = 6;
const EDGE_SQUARE = 1e-13;
const EDGE_SHIFT = 1e-6;
const DUPLICATE = 1e-13;
/** Values this small at every node: the condition is zero all along. */
const ZERO_LOOP = 1e-9;

/** Where nodes are wanted: phi of full loops, or psi in (0, pi), the first half of a window's. */
const laid = new Float64Array(LAID_MAX);
const layout = { count: 0 };

/** Evaluates the loop at `point[0]`, off the edge if it lies on one. */
export function evaluatePoint(): void {
  if (!loop.windowed) {
    condition[PHI] = point[0]!;
    evaluateCondition(loop.side);
    const bend = loop.elbow > 0 ? 0 : OTHER_BEND;
    point[1] = condition[VALUE + bend]!;
    point[2] = condition[SLOPE + bend]!;
    return;
  }
  evaluateWindow();
  loop.elbow = window[2]! >= 0 ? 1 : -1;
  const bend = loop.elbow > 0 ? 0 : OTHER_BEND;
  point[1] = condition[VALUE + bend]!;
  point[2] = condition[SLOPE + bend]! * window[2]!;
}

/** Evaluates both bends at psi = `point[0]`, off the edge if it lies on one. */
function evaluateWindow(): void {
  evaluateTurn();
  if (condition[ELBOW_SQUARE]! >= EDGE_SQUARE) return;
  const inward = window[2]! >= 0 === condition[PHI]! < window[0]! ? EDGE_SHIFT : 0 - EDGE_SHIFT;
  point[0] = point[0]! + inward;
  evaluateTurn();
}

function evaluateTurn(): void {
  sincosAt(point, 0);
  window[2] = window[1]! * circle[0]!;
  condition[PHI] = window[0]! - window[1]! * circle[1]!;
  evaluateCondition(loop.side);
}

/** Starts the two loops over all phi, one for each bend of the elbow. */
export function layFullLoops(side: number): void {
  loop.side = side;
  loop.windowed = false;
  layout.count = FULL_NODES;
  for (let i = 0; i < FULL_NODES; i++) laid[i] = (TWO_PI * i) / FULL_NODES;
}

/** Starts the loop over both elbows of the window set in `window`. */
export function layWindowLoop(side: number): void {
  loop.side = side;
  loop.windowed = true;
  const half = Math.max(WINDOW_NODES_MIN, Math.ceil(WINDOW_NODES_PER_RAD * window[1]!));
  layout.count = half;
  for (let i = 0; i < half; i++) laid[i] = ((i + 0.5) * PI) / half;
}

/** Adds nodes at each of the first `count` angles phi in `angles`, where the loop passes them. */
export function addNodes(angles: Float64Array, count: number): void {
  for (let i = 0; i < count && layout.count < LAID_MAX; i++) {
    if (!loop.windowed) {
      const angle = wrapAngle(angles[i]!);
      laid[layout.count++] = angle < 0 ? angle + TWO_PI : angle;
      continue;
    }
    const cosine = (0 - wrapAngle(angles[i]! - window[0]!)) / window[1]!;
    if (Math.abs(cosine) < 1) laid[layout.count++] = acos(cosine);
  }
  sortLaid();
}

function sortLaid(): void {
  for (let i = 1; i < layout.count; i++) {
    const held = laid[i]!;
    let k = i - 1;
    while (k >= 0 && laid[k]! > held) {
      laid[k + 1] = laid[k]!;
      k--;
    }
    laid[k + 1] = held;
  }
  let kept = 1;
  for (let i = 1; i < layout.count; i++) {
    if (laid[i]! - laid[kept - 1]! > DUPLICATE) laid[kept++] = laid[i]!;
  }
  layout.count = kept;
}

/** Evaluates all nodes of what was laid, and makes its first loop the one at hand. */
export function evaluateNodes(): void {
  loop.elbow = 1;
  loop.start = START;
  if (loop.windowed) evaluateWindowNodes();
  else evaluateFullNodes();
}

/** Makes the full loop with the other bend, evaluated with the first, the one at hand. */
export function turnToOtherLoop(): void {
  loop.elbow = -1;
  loop.start = OTHER_START;
}

function evaluateFullNodes(): void {
  loop.count = layout.count;
  for (let i = 0; i < layout.count; i++) {
    condition[PHI] = laid[i]!;
    evaluateCondition(loop.side);
    const at = START + NODE_SIZE * i;
    const other = OTHER_START + NODE_SIZE * i;
    nodes[at] = laid[i]!;
    nodes[at + 1] = condition[VALUE]!;
    nodes[at + 2] = condition[SLOPE]!;
    nodes[other] = laid[i]!;
    nodes[other + 1] = condition[VALUE + OTHER_BEND]!;
    nodes[other + 2] = condition[SLOPE + OTHER_BEND]!;
  }
  close(START);
  close(OTHER_START);
}

/** psi and 2 pi - psi share phi and differ in the bend: one evaluation serves both nodes. */
function evaluateWindowNodes(): void {
  loop.count = 2 * layout.count;
  for (let i = 0; i < layout.count; i++) {
    point[0] = laid[i]!;
    evaluateWindow();
    const at = START + NODE_SIZE * i;
    const mirrored = START + NODE_SIZE * (loop.count - 1 - i);
    nodes[at] = point[0]!;
    nodes[at + 1] = condition[VALUE]!;
    nodes[at + 2] = condition[SLOPE]! * window[2]!;
    nodes[mirrored] = TWO_PI - point[0]!;
    nodes[mirrored + 1] = condition[VALUE + OTHER_BEND]!;
    nodes[mirrored + 2] = 0 - condition[SLOPE + OTHER_BEND]! * window[2]!;
  }
  close(START);
}

/** Closes the loop that starts at `start`: either end stands once more a turn away, outside. */
function close(start: number): void {
  const end = start + NODE_SIZE * loop.count;
  for (let k = 0; k < 3; k++) {
    nodes[end + k] = nodes[start + k]!;
    nodes[start - NODE_SIZE + k] = nodes[end - NODE_SIZE + k]!;
  }
  nodes[end] = nodes[end]! + TWO_PI;
  nodes[start - NODE_SIZE] = nodes[start - NODE_SIZE]! - TWO_PI;
}

/** True when the condition is zero all along the loop, as far as its nodes tell. */
export function vanishes(): boolean {
  for (let i = 0; i < loop.count; i++) {
    if (Math.abs(nodes[loop.start + NODE_SIZE * i + 1]!) >= ZERO_LOOP) return false;
  }
  return true;
}
