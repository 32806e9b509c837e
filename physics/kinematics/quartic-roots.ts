/**
 * Real roots of a quartic between -1 and 1: the roots of each derivative split the next polynomial
 * (quadratic, cubic, quartic) into monotone pieces, so no root between two samples is missed.
 */

/** The quartic, lowest power first; fill it, then call `rootsInUnit`. */
export const polynomial = new Float64Array(5);
/** Roots found, ascending; a double root appears twice. */
export const unitRoots = new Float64Array(12);

/** An extremum this close to zero, relative to the largest coefficient, counts as a double root. */
const TOUCH = 1e-11;
const NEWTON_MAX = 60;

const level = new Float64Array(5);
const cuts = new Float64Array(8);
const found = new Float64Array(8);
const bracket = new Float64Array(4);
const value = new Float64Array(1);

/** Value of the polynomial of the current level, of degree `degree`, at `place[i]`. */
function evaluateLevel(degree: number, place: Float64Array, i: number): void {
  const t = place[i]!;
  let sum = level[degree]!;
  for (let k = degree - 1; k >= 0; k--) sum = sum * t + level[k]!;
  value[0] = sum;
}

/** Derivative of the quartic so that `level` has the given degree. */
function prepareLevel(degree: number): void {
  for (let k = 0; k <= degree; k++) {
    let factor = 1;
    for (let m = k + 1; m <= k + 4 - degree; m++) factor *= m;
    level[k] = factor * polynomial[k + 4 - degree]!;
  }
}

/** Roots of the quadratic level in (-1, 1), ascending, into `found`. */
function quadraticRoots(): number {
  const a = level[2]!;
  const b = level[1]!;
  const c = level[0]!;
  const square = b * b - 4 * a * c;
  if (!(square >= 0)) return 0;
  const q = -0.5 * (b + (b < 0 ? 0 - Math.sqrt(square) : Math.sqrt(square)));
  const first = q / a;
  const second = c / q;
  let count = 0;
  const low = Math.min(first, second);
  const high = Math.max(first, second);
  if (low > -1 && low < 1) found[count++] = low;
  if (high > -1 && high < 1 && high !== low) found[count++] = high;
  if (count === 0 && first > -1 && first < 1) found[count++] = first;
  else if (count === 0 && second > -1 && second < 1) found[count++] = second;
  return count;
}

/** Safeguarded Newton in the bracket [0, 1] with values [2, 3] of opposite sign; root to [0]. */
function refine(degree: number): void {
  let low = bracket[0]!;
  let high = bracket[1]!;
  const rising = bracket[3]! > bracket[2]!;
  let t = low + ((high - low) * bracket[2]!) / (bracket[2]! - bracket[3]!);
  for (let i = 0; i < NEWTON_MAX; i++) {
    let sum = level[degree]!;
    let slope = 0;
    for (let k = degree - 1; k >= 0; k--) {
      slope = slope * t + sum;
      sum = sum * t + level[k]!;
    }
    if (sum === 0) break;
    if (sum > 0 === rising) high = t;
    else low = t;
    let next = t - sum / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const move = Math.abs(next - t);
    t = next;
    if (move < 4e-16) break;
  }
  bracket[0] = t;
}

/** Roots of the level of `degree` between the cuts (count of them, ascending) into `found`. */
function rootsBetween(degree: number, count: number): number {
  let roots = 0;
  cuts[count] = 1;
  let left = -1;
  evaluateAt(degree, -1);
  let leftValue = value[0]!;
  for (let i = 0; i <= count; i++) {
    evaluateLevel(degree, cuts, i);
    const rightValue = value[0]!;
    const right = cuts[i]!;
    if (leftValue > 0 !== rightValue > 0) {
      bracket[0] = left;
      bracket[1] = right;
      bracket[2] = leftValue;
      bracket[3] = rightValue;
      refine(degree);
      found[roots++] = bracket[0]!;
    }
    left = right;
    leftValue = rightValue;
  }
  return roots;
}

/** Value at a whole number. */
function evaluateAt(degree: number, t: number): void {
  bracket[0] = t;
  evaluateLevel(degree, bracket, 0);
}

/**
 * Writes the roots of `polynomial` in [-1, 1) to `unitRoots` and returns their number. Double roots
 * within rounding are listed twice, as the ends of an empty window.
 */
export function rootsInUnit(): number {
  prepareLevel(2);
  let count = quadraticRoots();
  for (let i = 0; i < count; i++) cuts[i] = found[i]!;
  prepareLevel(3);
  count = rootsBetween(3, count);
  for (let i = 0; i < count; i++) cuts[i] = found[i]!;
  prepareLevel(4);
  let scale = 0;
  for (let k = 0; k < 5; k++) scale = Math.max(scale, Math.abs(polynomial[k]!));
  const roots = rootsBetween(4, count);
  for (let i = 0; i < roots; i++) unitRoots[i] = found[i]!;
  let total = roots;
  for (let i = 0; i < count; i++) {
    evaluateLevel(4, cuts, i);
    if (Math.abs(value[0]!) >= TOUCH * scale) continue;
    unitRoots[total++] = cuts[i]!;
    unitRoots[total++] = cuts[i]!;
  }
  return total;
}
