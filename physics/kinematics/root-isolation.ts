/**
 * All zeros of a smooth periodic function from values and slopes at nodes: cubic Hermite pieces in
 * Bernstein form with a measured remainder, so that an interval is dropped, accepted as holding
 * exactly one zero, or split. Apart from what the function means: it only knows the loop's nodes.
 * The remainder is measured, not proven; the slow tests count what that costs: nothing so far.
 */
import { TWO_PI } from '../math/portable.ts';
import { evaluatePoint, loop, NODES_MAX, places, point, slopes, values } from './condition-loop.ts';

const STACK_MAX = 256;
/** One waiting interval: both ends as place, value, slope; remainder bound; depth. */
const ENTRY = 8;
const stack = new Float64Array(STACK_MAX * ENTRY);
const remainders = new Float64Array(NODES_MAX + 1);
const interval = new Float64Array(ENTRY);
const control = new Float64Array(2);

const SAFETY = 4;
const NARROW = 1e-8;
const DEPTH_MAX = 60;
const SPLITS_MAX = 300;
const NEWTON_STOP = 2e-9;
/** A value this small on an interval that cannot be split counts as a zero. */
const ZERO = 1e-9;

/** What one search met, for tests and for the classification. */
export const isolation = { splits: 0, exhausted: 0 };

/** |F(x) - H(x)| / ((x - a)² (b - x)²) at `point`, H the Hermite cubic of `interval`; in [0]. */
const deviation = new Float64Array(1);

function measureDeviation(): void {
  const a = interval[0]!;
  const width = interval[3]! - a;
  const t = (point[0]! - a) / width;
  const u = 1 - t;
  const hermite =
    u * u * ((1 + 2 * t) * interval[1]! + t * width * interval[2]!) +
    t * t * ((1 + 2 * u) * interval[4]! - u * width * interval[5]!);
  const product = t * u * width * width;
  deviation[0] = Math.abs(point[1]! - hermite) / (product * product);
}

/** Sets one end of `interval` to node i of n, whole turns added. */
function setEnd(end: number, i: number, turns: number): void {
  interval[end] = places[i]! + turns;
  interval[end + 1] = values[i]!;
  interval[end + 2] = slopes[i]!;
}

/** Fourth-derivative bound at every node from its two neighbours. */
function measureRemainders(): void {
  const n = loop.count;
  for (let i = 0; i < n; i++) {
    if (i > 0) setEnd(0, i - 1, 0);
    else setEnd(0, n - 1, 0 - TWO_PI);
    setEnd(3, i + 1, 0);
    point[0] = places[i]!;
    point[1] = values[i]!;
    measureDeviation();
    remainders[i] = deviation[0]!;
  }
  remainders[n] = remainders[0]!;
}

/** 1: surely no zero; 2: exactly one, with a sign change; 0: not decided. */
function judge(): number {
  const width = interval[3]! - interval[0]!;
  const square = width * width;
  const bound = (interval[6]! * square * square) / 16;
  const v0 = interval[1]!;
  const v3 = interval[4]!;
  const v1 = v0 + (interval[2]! * width) / 3;
  const v2 = v3 - (interval[5]! * width) / 3;
  if (Math.min(v0, v1, v2, v3) > bound || Math.max(v0, v1, v2, v3) < 0 - bound) return 1;
  control[0] = v1;
  control[1] = v2;
  if (v0 > 0 === v3 > 0) return 0;
  const sign = v3 > v0 ? 1 : -1;
  const least = Math.min(sign * interval[2]!, (sign * 3 * (v2 - v1)) / width, sign * interval[5]!);
  return least > (6 * bound) / width ? 2 : 0;
}

/** Bracketed Newton; leaves the loop evaluated at the zero. */
function refine(): void {
  let low = interval[0]!;
  let high = interval[3]!;
  const rising = interval[4]! > interval[1]!;
  let x = low + ((high - low) * interval[1]!) / (interval[1]! - interval[4]!);
  for (let i = 0; i < 60; i++) {
    point[0] = x;
    evaluatePoint();
    const value = point[1]!;
    if (value > 0 === rising) high = x;
    else low = x;
    let next = x - value / point[2]!;
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    const move = Math.abs(next - x);
    x = next;
    if (move < NEWTON_STOP) break;
  }
  point[0] = x;
  evaluatePoint();
}

/** Where to split: near the zero of the secant, or the extremum of the cubic; into `point[0]`. */
function chooseSplit(depth: number): void {
  const a = interval[0]!;
  const width = interval[3]! - a;
  let t = 0.48;
  if (depth % 3 !== 2) {
    if (interval[1]! > 0 !== interval[4]! > 0) t = interval[1]! / (interval[1]! - interval[4]!);
    else t = interval[2]! / (interval[2]! - interval[5]!);
    t = t > 0.1 ? (t < 0.9 ? t : 0.9) : 0.1;
  }
  point[0] = a + t * width;
}

/** Pushes the part of `interval` from end to end of six numbers; the split point is `point`. */
function push(top: number, left: boolean): void {
  const at = top * ENTRY;
  for (let k = 0; k < 3; k++) {
    stack[at + k] = left ? interval[k]! : point[k]!;
    stack[at + 3 + k] = left ? point[k]! : interval[3 + k]!;
  }
  stack[at + 6] = Math.max(SAFETY * deviation[0]!, interval[6]! / 4);
  stack[at + 7] = interval[7]! + 1;
}

function tooFine(top: number): boolean {
  const width = interval[3]! - interval[0]!;
  if (isolation.splits >= SPLITS_MAX || top > STACK_MAX - 2) {
    isolation.exhausted++;
    return true;
  }
  return !(width >= NARROW) || interval[7]! >= DEPTH_MAX;
}

/** At an interval that cannot be split further: its middle if it is as good as zero. */
function settle(emit: () => void): void {
  point[0] = 0.5 * (interval[0]! + interval[3]!);
  evaluatePoint();
  if (Math.abs(point[1]!) < ZERO) emit();
}

/** Works through the stack of `interval`; calls `emit` with the loop evaluated at each zero. */
function search(emit: () => void): void {
  let top = 0;
  for (;;) {
    const verdict = judge();
    if (verdict === 2) {
      refine();
      emit();
    } else if (verdict === 0) {
      if (tooFine(top)) settle(emit);
      else {
        isolation.splits++;
        chooseSplit(interval[7]!);
        evaluatePoint();
        measureDeviation();
        push(top++, false);
        push(top++, true);
      }
    }
    if (top === 0) return;
    top--;
    for (let k = 0; k < ENTRY; k++) interval[k] = stack[top * ENTRY + k]!;
  }
}

/**
 * Finds every zero of the loop whose nodes are evaluated; `emit` is called with `point` and the
 * condition evaluated there. A double zero may be emitted once, twice or left to the local solver.
 */
export function isolateRoots(emit: () => void): void {
  isolation.splits = 0;
  measureRemainders();
  for (let i = 0; i < loop.count; i++) {
    setEnd(0, i, 0);
    setEnd(3, i + 1, 0);
    interval[6] = SAFETY * Math.max(remainders[i]!, remainders[i + 1]!);
    interval[7] = 0;
    search(emit);
  }
}
