/**
 * The closing condition as smooth periodic functions: over phi where every phi is in reach,
 * otherwise over psi with phi = middle - half width · cos psi, so that both elbow configurations of
 * a reach window form one loop and the elbow's square root has no kink at the window's edges. This
 * file samples the loops and evaluates them at nodes; root-isolation.ts finds the zeros (§4.7).
 */
import { ELBOW_TO_WRIST_M, UPPER_ARM_M, WRIST_OFFSET_M } from '../arm/arm-model.ts';
import { acos, cos, PI, sinCos, sincosAt, TWO_PI, wrapAngle } from '../math/portable.ts';
import { isTurnSought, neighbourhood } from './neighbourhood.ts';
import {
  closingCondition,
  DISTANCE_SQUARE,
  ELBOW_SQUARE,
  evaluateCondition,
  OTHER_BEND,
  PHI,
  RADIUS,
  SLOPE,
  UX,
  UY,
  VALUE,
} from './wrist-condition.ts';

/** Maximum number of sampled phi values of a loop. */
const SAMPLES_MAX = 512;
const NODES_MAX = 2 * SAMPLES_MAX;
/** Numbers of a node: position, value, slope, and the remainder that root-isolation.ts measures. */
export const LOOP_NODE_SIZE = 4;
/**
 * Start of the nodes of a window's loop or of a full loop with bend 1, then of a full loop with
 * bend -1.
 */
const START = LOOP_NODE_SIZE;
const OTHER_START = START + LOOP_NODE_SIZE * (NODES_MAX + 2);
/** The last node is repeated before the first, and the first after the last. */
export const loopNodes = new Float64Array(2 * OTHER_START);

/** The active loop. */
export const activeLoop = {
  side: 1,
  /** Bend of a full loop; for a window the bend of the last evaluation. */
  elbow: 1,
  windowed: false,
  /** Start and number of its nodes in `loopNodes`. */
  start: START,
  count: 0,
};
/** Middle and half width of the reach window (rad), and dphi/dpsi of the last evaluation. */
export const reachWindow = new Float64Array(3);
/**
 * A single node outside the list: position in, value and slope out; the evaluation may shift the
 * position.
 */
export const loopPoint = new Float64Array(LOOP_NODE_SIZE);

const FULL_NODES = 20;
/** Least distance of the wrist centre from axis 1 for nodes a radian apart (m): that of full loops. */
const RADIUS_PER_RAD = (FULL_NODES * Math.abs(WRIST_OFFSET_M)) / TWO_PI;
/** Distance of the nodes outside a span from its ends, in steps: they only serve the remainders. */
const OUTER = 0.15;
/** Most that the squared distance from axis 2 to the wrist centre changes with phi (m²/rad). */
const REACH_PER_RAD = 2 * Math.abs(WRIST_OFFSET_M) * (UPPER_ARM_M + ELBOW_TO_WRIST_M);
const WINDOW_NODES_MIN = 8;
const WINDOW_NODES_PER_RAD = 6;
const EDGE_SQUARE = 1e-13;
const EDGE_SHIFT = 1e-6;
const DUPLICATE = 1e-13;
/** Below this value at every node the condition vanishes on the whole loop. */
const ZERO_LOOP = 1e-9;

/** Sampled positions: phi of full loops, or psi in (0, pi), the first half of a window's loop. */
const samples = new Float64Array(SAMPLES_MAX);
const sampling = { count: 0 };
/** 1 for each interval that may hold what is sought, in the order of the nodes. */
export const soughtIntervals = new Uint8Array(NODES_MAX);
/** Ends of the parts of phi between samples, and outside of them in a window. */
const partEnds = new Float64Array(SAMPLES_MAX + 2);
/** The squared distance from axis 2 to the wrist centre at each sample (m²). */
const reaches = new Float64Array(SAMPLES_MAX);
/** 1 for each node without a kink near it. */
const clear = new Uint8Array(SAMPLES_MAX);

/** Evaluates the active loop at `loopPoint[0]`, shifted off an edge if it lies on one. */
export function evaluatePoint(): void {
  if (!activeLoop.windowed) {
    closingCondition[PHI] = loopPoint[0]!;
    evaluateCondition(activeLoop.side);
    const bend = activeLoop.elbow > 0 ? 0 : OTHER_BEND;
    loopPoint[1] = closingCondition[VALUE + bend]!;
    loopPoint[2] = closingCondition[SLOPE + bend]!;
    return;
  }
  evaluateWindow();
  activeLoop.elbow = reachWindow[2]! >= 0 ? 1 : -1;
  const bend = activeLoop.elbow > 0 ? 0 : OTHER_BEND;
  loopPoint[1] = closingCondition[VALUE + bend]!;
  loopPoint[2] = closingCondition[SLOPE + bend]! * reachWindow[2]!;
}

/** Evaluates both bends at psi = `loopPoint[0]`, shifted off an edge if it lies on one. */
function evaluateWindow(): void {
  evaluateAtPsi();
  if (closingCondition[ELBOW_SQUARE]! >= EDGE_SQUARE) return;
  const inward =
    reachWindow[2]! >= 0 === closingCondition[PHI]! < reachWindow[0]! ? EDGE_SHIFT : 0 - EDGE_SHIFT;
  loopPoint[0] = loopPoint[0]! + inward;
  evaluateAtPsi();
}

function evaluateAtPsi(): void {
  sincosAt(loopPoint, 0);
  reachWindow[2] = reachWindow[1]! * sinCos[0]!;
  closingCondition[PHI] = reachWindow[0]! - reachWindow[1]! * sinCos[1]!;
  evaluateCondition(activeLoop.side);
}

/** Samples the two loops over all phi, one for each bend of the elbow. */
export function sampleFullLoops(side: number): void {
  activeLoop.side = side;
  activeLoop.windowed = false;
  sampling.count = FULL_NODES;
  for (let i = 0; i < FULL_NODES; i++) samples[i] = (TWO_PI * i) / FULL_NODES;
}

/** Samples the loop over both elbow configurations of `reachWindow`. */
export function sampleWindowLoop(side: number): void {
  activeLoop.side = side;
  activeLoop.windowed = true;
  const half = Math.max(WINDOW_NODES_MIN, Math.ceil(WINDOW_NODES_PER_RAD * reachWindow[1]!));
  sampling.count = half;
  for (let i = 0; i < half; i++) samples[i] = ((i + 0.5) * PI) / half;
}

/**
 * Evaluates the branch of the active loop at nodes over the q6 of the neighbourhood and at one more on either side, as
 * close to each other as those of a full loop or closer; `soughtIntervals` says which of the intervals
 * hold what is sought. False where one of these has a kink too near: the wrist centre passes axis 1,
 * or the elbow's root ends, or where the arm of `frames` is closer to the other side's azimuth than
 * to that of a node.
 */
export function sampleSpan(frames: Float64Array): boolean {
  const span = neighbourhood;
  const steps = Math.max(2, Math.ceil((2 * span.half * FULL_NODES) / TWO_PI));
  const step = (2 * span.half) / steps;
  const bend = activeLoop.elbow > 0 ? 0 : OTHER_BEND;
  activeLoop.start = START;
  activeLoop.count = steps + 1;
  for (let i = -1; i <= steps + 1; i++) {
    const at = START + LOOP_NODE_SIZE * i;
    loopNodes[at] =
      span.middle - span.half + Math.min(Math.max(i, 0 - OUTER), steps + OUTER) * step;
    closingCondition[PHI] = loopNodes[at]!;
    evaluateCondition(activeLoop.side);
    loopNodes[at + 1] = closingCondition[VALUE + bend]!;
    loopNodes[at + 2] = closingCondition[SLOPE + bend]!;
    reaches[i + 1] = closingCondition[DISTANCE_SQUARE]!;
    const aligned = closingCondition[UX]! * frames[12]! + closingCondition[UY]! * frames[15]!;
    const isClear = Math.abs(closingCondition[RADIUS]!) > RADIUS_PER_RAD * step && aligned > 0;
    clear[i + 1] = isClear && closingCondition[ELBOW_SQUARE]! > 0 ? 1 : 0;
  }
  const slack = REACH_PER_RAD * 0.5 * step;
  for (let i = 0; i < steps; i++) {
    const low = Math.min(reaches[i + 1]!, reaches[i + 2]!) - slack;
    const high = Math.max(reaches[i + 1]!, reaches[i + 2]!) + slack;
    soughtIntervals[i] = low < span.farthest && high > span.nearest ? 1 : 0;
    if (soughtIntervals[i] === 0) continue;
    if (!(clear[i]! && clear[i + 1]! && clear[i + 2]! && clear[i + 3]!)) return false;
  }
  return true;
}

/** Adds samples at the first `count` angles phi of `angles` that lie on the loop. */
export function addNodes(angles: Float64Array, count: number): void {
  for (let i = 0; i < count && sampling.count < SAMPLES_MAX; i++) {
    if (!activeLoop.windowed) {
      const angle = wrapAngle(angles[i]!);
      samples[sampling.count++] = angle < 0 ? angle + TWO_PI : angle;
      continue;
    }
    const cosine = (0 - wrapAngle(angles[i]! - reachWindow[0]!)) / reachWindow[1]!;
    if (Math.abs(cosine) < 1) samples[sampling.count++] = acos(cosine);
  }
  sortSamples();
}

function sortSamples(): void {
  for (let i = 1; i < sampling.count; i++) {
    const held = samples[i]!;
    let k = i - 1;
    while (k >= 0 && samples[k]! > held) {
      samples[k + 1] = samples[k]!;
      k--;
    }
    samples[k + 1] = held;
  }
  let kept = 1;
  for (let i = 1; i < sampling.count; i++) {
    if (samples[i]! - samples[kept - 1]! > DUPLICATE) samples[kept++] = samples[i]!;
  }
  sampling.count = kept;
}

/**
 * Evaluates the samples as nodes, those at the ends of sought intervals and one more on either side,
 * and activates the first loop. False where nothing is sought on the loops.
 */
export function evaluateNodes(): boolean {
  activeLoop.elbow = 1;
  activeLoop.start = START;
  activeLoop.count = activeLoop.windowed ? 2 * sampling.count : sampling.count;
  if (neighbourhood.isAll) soughtIntervals.fill(1, 0, activeLoop.count);
  else if (!seekByTurn()) return false;
  if (activeLoop.windowed) evaluateWindowNodes();
  else evaluateFullNodes();
  return neighbourhood.isAll || seekByReach();
}

/** Number of the parts of phi: intervals, and in a window those of one half. */
function partCount(): number {
  return activeLoop.windowed ? sampling.count + 1 : sampling.count;
}

/** Marks the intervals over part `k` of phi, two in a window; the first and the last pass its edges. */
function markPart(k: number, isSought: 0 | 1): void {
  if (!activeLoop.windowed) {
    soughtIntervals[k] = isSought;
    return;
  }
  const last = activeLoop.count - 1;
  const { isAll, bothBends, elbow } = neighbourhood;
  const isEdge = k === 0 || k === sampling.count;
  const any = isAll || bothBends || isEdge;
  soughtIntervals[k === 0 ? last : k - 1] = any || elbow > 0 ? isSought : 0;
  if (!isEdge) soughtIntervals[last - k] = any || elbow < 0 ? isSought : 0;
}

/** Marks the intervals whose phi is sought; false where there is none. */
function seekByTurn(): boolean {
  const { windowed } = activeLoop;
  const count = partCount();
  const middle = reachWindow[0]!;
  const half = reachWindow[1]!;
  if (windowed && !isTurnSought(middle, half)) return false;
  partEnds[0] = windowed ? middle - half : samples[0]!;
  let found = 0;
  for (let k = 0; k < count; k++) {
    if (windowed)
      partEnds[k + 1] = k + 1 < count ? middle - half * cos(samples[k]!) : middle + half;
    else partEnds[k + 1] = k + 1 < count ? samples[k + 1]! : samples[0]! + TWO_PI;
    const from = partEnds[k]!;
    const to = partEnds[k + 1]!;
    const isSought = isTurnSought(0.5 * (from + to), 0.5 * (to - from)) ? 1 : 0;
    markPart(k, isSought);
    found += isSought;
  }
  return found > 0;
}

/** Whether node `i` is an end of a sought interval, or beside one. */
function isNeeded(i: number): boolean {
  const { count } = activeLoop;
  for (let k = i - 2; k <= i + 1; k++) {
    if (soughtIntervals[k < 0 ? k + count : k < count ? k : k - count] === 1) return true;
  }
  return false;
}

/** Unmarks the intervals whose reach is not sought; false where none is left. */
function seekByReach(): boolean {
  const { windowed } = activeLoop;
  const count = partCount();
  let found = 0;
  for (let k = 0; k < count; k++) {
    const interval = windowed ? (k === 0 ? activeLoop.count - 1 : k - 1) : k;
    const mirrored = windowed && k > 0 && k < sampling.count ? activeLoop.count - 1 - k : interval;
    if (soughtIntervals[interval] === 0 && soughtIntervals[mirrored] === 0) continue;
    const left = windowed ? Math.max(k - 1, 0) : k;
    const right = windowed ? Math.min(k, sampling.count - 1) : k + 1 < count ? k + 1 : 0;
    // All of an edge is on one side of its sample.
    const share = left === right ? 1 : 0.5;
    const slack = share * REACH_PER_RAD * (partEnds[k + 1]! - partEnds[k]!);
    const isNearer = Math.max(reaches[left]!, reaches[right]!) + slack < neighbourhood.nearest;
    const isFarther = Math.min(reaches[left]!, reaches[right]!) - slack > neighbourhood.farthest;
    if (isNearer || isFarther) markPart(k, 0);
    else found++;
  }
  return found > 0;
}

/** Activates the full loop with the other bend, which is evaluated together with the first. */
export function selectOtherLoop(): void {
  activeLoop.elbow = -1;
  activeLoop.start = OTHER_START;
}

function evaluateFullNodes(): void {
  const { isAll } = neighbourhood;
  for (let i = 0; i < sampling.count; i++) {
    const at = START + LOOP_NODE_SIZE * i;
    const other = OTHER_START + LOOP_NODE_SIZE * i;
    loopNodes[at] = samples[i]!;
    loopNodes[other] = samples[i]!;
    if (!isAll && !isNeeded(i)) continue;
    closingCondition[PHI] = samples[i]!;
    evaluateCondition(activeLoop.side);
    if (!isAll) reaches[i] = closingCondition[DISTANCE_SQUARE]!;
    loopNodes[at + 1] = closingCondition[VALUE]!;
    loopNodes[at + 2] = closingCondition[SLOPE]!;
    loopNodes[other + 1] = closingCondition[VALUE + OTHER_BEND]!;
    loopNodes[other + 2] = closingCondition[SLOPE + OTHER_BEND]!;
  }
  close(START);
  close(OTHER_START);
}

/** psi and 2 pi - psi share phi and differ in the bend: one evaluation fills both nodes. */
function evaluateWindowNodes(): void {
  const { isAll } = neighbourhood;
  for (let i = 0; i < sampling.count; i++) {
    const mirror = activeLoop.count - 1 - i;
    if (!isAll && !isNeeded(i) && !isNeeded(mirror)) continue;
    loopPoint[0] = samples[i]!;
    evaluateWindow();
    if (!isAll) reaches[i] = closingCondition[DISTANCE_SQUARE]!;
    const at = START + LOOP_NODE_SIZE * i;
    const mirrored = START + LOOP_NODE_SIZE * mirror;
    loopNodes[at] = loopPoint[0]!;
    loopNodes[at + 1] = closingCondition[VALUE]!;
    loopNodes[at + 2] = closingCondition[SLOPE]! * reachWindow[2]!;
    loopNodes[mirrored] = TWO_PI - loopPoint[0]!;
    loopNodes[mirrored + 1] = closingCondition[VALUE + OTHER_BEND]!;
    loopNodes[mirrored + 2] = 0 - closingCondition[SLOPE + OTHER_BEND]! * reachWindow[2]!;
  }
  close(START);
}

/**
 * Closes the loop that starts at `start`: repeats each end node one turn away outside the other
 * end.
 */
function close(start: number): void {
  const end = start + LOOP_NODE_SIZE * activeLoop.count;
  for (let k = 0; k < 3; k++) {
    loopNodes[end + k] = loopNodes[start + k]!;
    loopNodes[start - LOOP_NODE_SIZE + k] = loopNodes[end - LOOP_NODE_SIZE + k]!;
  }
  loopNodes[end] = loopNodes[end]! + TWO_PI;
  loopNodes[start - LOOP_NODE_SIZE] = loopNodes[start - LOOP_NODE_SIZE]! - TWO_PI;
}

/** True when the condition is zero at the start of all sought intervals of the loop. */
export function vanishes(): boolean {
  for (let i = 0; i < activeLoop.count; i++) {
    if (soughtIntervals[i] === 0) continue;
    if (Math.abs(loopNodes[activeLoop.start + LOOP_NODE_SIZE * i + 1]!) >= ZERO_LOOP) return false;
  }
  return true;
}
