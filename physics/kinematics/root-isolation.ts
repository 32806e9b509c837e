/**
 * Finds all zeros of a smooth periodic function from values and slopes at nodes: cubic Hermite
 * pieces in Bernstein form with a measured remainder, so that each interval is dropped, accepted as
 * holding exactly one zero, or split. It knows only the loop's nodes. The remainder is measured,
 * not proven; the slow tests count missed roots: none so far.
 */
import {
  activeLoop,
  evaluatePoint,
  LOOP_NODE_SIZE,
  loopNodes,
  loopPoint,
  soughtIntervals,
} from './condition-loop.ts';

const STACK_MAX = 256;
/** An interval is two consecutive nodes: position, value, slope and remainder of either end. */
const INTERVAL = 2 * LOOP_NODE_SIZE;
/** Pending intervals and their subdivision depths. */
const stack = new Float64Array(STACK_MAX * INTERVAL);
const depths = new Uint8Array(STACK_MAX);

const SAFETY = 4;
const NARROW = 1e-8;
const DEPTH_MAX = 60;
const SPLITS_MAX = 300;
const NEWTON_MAX = 60;
/** Newton step at which the root is exact; after one below CLOSE the next step is the last. */
const EXACT = 1e-13;
const CLOSE = 2e-9;
/** A value below this on an interval that cannot be split counts as a zero. */
const ZERO = 1e-9;
/**
 * An extremum this close to zero counts as a double zero, which rounding has lifted off: the local
 * solver decides whether it solves the pose.
 */
const TOUCH = 1e-11;
/** Steps to an extremum: secants on the slope, which end where it is linear. */
const EXTREMUM_STEPS = 12;

/** Statistics of one search, for tests and error classification. */
export const isolation = { splits: 0, exhausted: 0 };

/**
 * Writes the remainder of the node at `of` against the Hermite cubic H over the nodes at `a` and
 * `b` of `ends` around it: |F(x) - H(x)| / ((x - a)² (b - x)²).
 */
function measureRemainder(
  node: Float64Array,
  of: number,
  ends: Float64Array,
  a: number,
  b: number,
): void {
  const left = node[of]! - ends[a]!;
  const right = ends[b]! - node[of]!;
  const inverse = 1 / (left + right);
  const t = left * inverse;
  const u = right * inverse;
  const hermite =
    u * u * ((1 + 2 * t) * ends[a + 1]! + left * ends[a + 2]!) +
    t * t * ((1 + 2 * u) * ends[b + 1]! - right * ends[b + 2]!);
  const product = left * right;
  node[of + 3] = Math.abs(node[of + 1]! - hermite) / (product * product);
}

/** The zeros in the sought intervals of a span, each a simple crossing; -1 when that is not certain. */
export function countCrossings(): number {
  const last = activeLoop.start + LOOP_NODE_SIZE * (activeLoop.count - 1);
  let count = 0;
  for (let at = activeLoop.start; at <= last; at += LOOP_NODE_SIZE) {
    measureRemainder(loopNodes, at, loopNodes, at - LOOP_NODE_SIZE, at + LOOP_NODE_SIZE);
  }
  for (let i = 0, at = activeLoop.start; at < last; i++, at += LOOP_NODE_SIZE) {
    if (soughtIntervals[i] === 0) continue;
    const verdict = judge(loopNodes, at);
    if (verdict === 2) count++;
    else if (verdict !== 1) return -1;
  }
  return count;
}

/** Remainders of the ends of all sought intervals of the loop, from the two neighbours of each. */
function measureRemainders(): void {
  const end = activeLoop.start + LOOP_NODE_SIZE * activeLoop.count;
  let before = soughtIntervals[activeLoop.count - 1]!;
  for (let i = 0, at = activeLoop.start; at < end; i++, at += LOOP_NODE_SIZE) {
    const isEnd = before + soughtIntervals[i]! > 0;
    before = soughtIntervals[i]!;
    if (!isEnd) continue;
    measureRemainder(loopNodes, at, loopNodes, at - LOOP_NODE_SIZE, at + LOOP_NODE_SIZE);
  }
  loopNodes[end + 3] = loopNodes[activeLoop.start + 3]!;
}

/**
 * Classifies the interval at `at` of `ends`: 1 no zero, 2 exactly one crossing, 3 no crossing but an
 * extremum that may touch zero, 0 undecided.
 */
function judge(ends: Float64Array, at: number): number {
  const width = ends[at + 4]! - ends[at]!;
  const square = width * width;
  const bound = (SAFETY / 16) * Math.max(ends[at + 3]!, ends[at + 7]!) * square * square;
  const v0 = ends[at + 1]!;
  const v3 = ends[at + 5]!;
  const third = width * (1 / 3);
  const v1 = v0 + ends[at + 2]! * third;
  const v2 = v3 - ends[at + 6]! * third;
  if (v0 > 0 === v3 > 0) {
    const side = v0 > 0 ? 1 : -1;
    const least = Math.min(side * v1, side * v2, side * v0, side * v3);
    if (least > bound + TOUCH) return 1;
    if (!(least > bound)) return 0;
    return side * (v1 - v0) <= 0 && side * (v3 - v2) >= 0 ? 3 : 1;
  }
  const sign = v3 > v0 ? 1 : -1;
  const steep = 2 * bound;
  const monotone = sign * (v1 - v0) > steep && sign * (v2 - v1) > steep && sign * (v3 - v2) > steep;
  return monotone ? 2 : 0;
}

/**
 * Sets the position of `loopPoint` close to the zero of the monotone Hermite cubic over the
 * interval.
 */
function crossCubic(ends: Float64Array, at: number): void {
  const width = ends[at + 4]! - ends[at]!;
  const v0 = ends[at + 1]!;
  const v3 = ends[at + 5]!;
  const c1 = ends[at + 2]! * width;
  const c3 = c1 + ends[at + 6]! * width + 2 * (v0 - v3);
  const c2 = v3 - v0 - c1 - c3;
  let t = v0 / (v0 - v3);
  t -= (v0 + t * (c1 + t * (c2 + t * c3))) / (c1 + t * (2 * c2 + 3 * t * c3));
  loopPoint[0] = ends[at]! + (t > 0 ? (t < 1 ? t : 1) : 0) * width;
}

/** Bracketed Newton from the cubic's zero; leaves the loop evaluated at the zero. */
function refine(ends: Float64Array, at: number): void {
  let low = ends[at]!;
  let high = ends[at + 4]!;
  const rising = ends[at + 5]! > ends[at + 1]!;
  crossCubic(ends, at);
  let close = false;
  for (let i = 0; i < NEWTON_MAX; i++) {
    evaluatePoint();
    const x = loopPoint[0]!;
    const value = loopPoint[1]!;
    const move = value / loopPoint[2]!;
    if (close || Math.abs(move) < EXACT) return;
    if (value > 0 === rising) high = x;
    else low = x;
    const next = x - move;
    close = Math.abs(move) < CLOSE;
    loopPoint[0] = next >= low && next <= high ? next : 0.5 * (low + high);
  }
}

/**
 * Goes to the extremum of an interval that no zero crosses; true, with the loop evaluated there, if
 * it is close enough to zero.
 */
function touches(ends: Float64Array, at: number): boolean {
  let low = ends[at]!;
  let high = ends[at + 4]!;
  let lowSlope = ends[at + 2]!;
  let highSlope = ends[at + 6]!;
  for (let i = 0; i < EXTREMUM_STEPS; i++) {
    const t = lowSlope === highSlope ? 0.5 : lowSlope / (lowSlope - highSlope);
    loopPoint[0] = low + (t > 0.01 ? (t < 0.99 ? t : 0.99) : 0.01) * (high - low);
    evaluatePoint();
    const slope = loopPoint[2]!;
    if (Math.abs(slope) < ZERO || high - low < NARROW) break;
    if (slope > 0 === highSlope > 0) {
      high = loopPoint[0]!;
      highSlope = slope;
    } else {
      low = loopPoint[0]!;
      lowSlope = slope;
    }
  }
  return Math.abs(loopPoint[1]!) < TOUCH;
}

/** Chooses the split position: near the zero of the secant, or the extremum of the cubic. */
function chooseSplit(at: number, depth: number): void {
  const v0 = stack[at + 1]!;
  const v3 = stack[at + 5]!;
  let t = 0.48;
  if (depth % 3 !== 2) {
    if (v0 > 0 !== v3 > 0) t = v0 / (v0 - v3);
    else t = stack[at + 2]! / (stack[at + 2]! - stack[at + 6]!);
    t = t > 0.1 ? (t < 0.9 ? t : 0.9) : 0.1;
  }
  loopPoint[0] = stack[at]! + t * (stack[at + 4]! - stack[at]!);
}

/** Splits the interval on top of the stack at `loopPoint`; its left part ends on top. */
function split(top: number): void {
  const at = top * INTERVAL;
  const above = at + INTERVAL;
  measureRemainder(loopPoint, 0, stack, at, at + LOOP_NODE_SIZE);
  const remainder = Math.max(loopPoint[3]!, Math.max(stack[at + 3]!, stack[at + 7]!) / 4);
  for (let k = 0; k < LOOP_NODE_SIZE; k++) {
    stack[above + k] = stack[at + k]!;
    stack[above + LOOP_NODE_SIZE + k] = loopPoint[k]!;
    stack[at + k] = loopPoint[k]!;
  }
  for (let k = 3; k < 2 * INTERVAL; k += LOOP_NODE_SIZE) stack[at + k] = remainder;
  depths[top] = depths[top]! + 1;
  depths[top + 1] = depths[top]!;
}

/** True when the interval on top cannot be split further. */
function tooFine(top: number): boolean {
  const at = top * INTERVAL;
  if (isolation.splits >= SPLITS_MAX || top === STACK_MAX - 1) {
    isolation.exhausted++;
    return true;
  }
  return !(stack[at + 4]! - stack[at]! >= NARROW) || depths[top]! >= DEPTH_MAX;
}

/**
 * Handles an interval that cannot be split further: emits its middle if that is close enough to
 * zero.
 */
function settle(at: number, emit: () => void): void {
  loopPoint[0] = 0.5 * (stack[at]! + stack[at + 4]!);
  evaluatePoint();
  if (Math.abs(loopPoint[1]!) < ZERO) emit();
}

/** Subdivides the interval at the bottom of the stack until every part is decided. */
function search(emit: () => void): void {
  for (let top = 0; top >= 0; ) {
    const at = top * INTERVAL;
    const verdict = judge(stack, at);
    if (verdict === 0 && !tooFine(top)) {
      isolation.splits++;
      chooseSplit(at, depths[top]!);
      evaluatePoint();
      split(top++);
      continue;
    }
    if (verdict === 0) settle(at, emit);
    if (verdict === 2) {
      refine(stack, at);
      emit();
    }
    if (verdict === 3 && touches(stack, at)) emit();
    top--;
  }
}

/**
 * Finds every zero in the sought intervals of the evaluated loop; calls `emit` with `loopPoint` and the condition evaluated
 * there. A double zero is emitted once or twice, or more often where it cannot be told from a pair.
 */
export function isolateRoots(emit: () => void): void {
  isolation.splits = 0;
  measureRemainders();
  const end = activeLoop.start + LOOP_NODE_SIZE * activeLoop.count;
  for (let i = 0, at = activeLoop.start; at < end; i++, at += LOOP_NODE_SIZE) {
    if (soughtIntervals[i] === 0) continue;
    const verdict = judge(loopNodes, at);
    if (verdict === 2) {
      refine(loopNodes, at);
      emit();
    }
    if (verdict === 3 && touches(loopNodes, at)) emit();
    if (verdict !== 0) continue;
    for (let k = 0; k < INTERVAL; k++) stack[k] = loopNodes[at + k]!;
    depths[0] = 0;
    search(emit);
  }
}
