/**
 * Natural cubic spline through points of any dimension: twice continuously differentiable, with
 * zero curvature at its ends.
 */

/** Knots, values and second derivatives, `size` components a knot. */
export interface NaturalSpline {
  readonly size: number;
  readonly knots: readonly number[];
  readonly values: Float64Array;
  readonly seconds: Float64Array;
}

/** The spline through `values` (`size` components for each of the rising `knots`). */
export function createNaturalSpline(
  knots: readonly number[],
  values: Float64Array,
  size: number,
): NaturalSpline {
  const seconds = new Float64Array(values.length);
  for (let k = 0; k < size; k++) solveSeconds(knots, values, seconds, { size, k });
  return { size, knots, values, seconds };
}

/** Tridiagonal equations of continuity, for component `k`. */
function solveSeconds(
  knots: readonly number[],
  values: Float64Array,
  seconds: Float64Array,
  { size, k }: { readonly size: number; readonly k: number },
): void {
  const last = knots.length - 1;
  const ratio = new Float64Array(last + 1);
  const side = new Float64Array(last + 1);
  const slope = (i: number) =>
    (values[(i + 1) * size + k]! - values[i * size + k]!) / (knots[i + 1]! - knots[i]!);
  for (let i = 1; i < last; i++) {
    const before = knots[i]! - knots[i - 1]!;
    const after = knots[i + 1]! - knots[i]!;
    const pivot = 2 * (before + after) - before * ratio[i - 1]!;
    ratio[i] = after / pivot;
    side[i] = (6 * (slope(i) - slope(i - 1)) - before * side[i - 1]!) / pivot;
  }
  for (let i = last - 1; i > 0; i--) {
    seconds[i * size + k] = side[i]! - ratio[i]! * seconds[(i + 1) * size + k]!;
  }
}

/** Writes value, first and second derivative at `at[0]` (`size` numbers each). No allocation. */
export function sampleSpline(spline: NaturalSpline, at: Float64Array, out: SplineSample): void {
  const { knots, values, seconds, size } = spline;
  const u = at[0]!;
  let i = 0;
  while (i < knots.length - 2 && knots[i + 1]! <= u) i++;
  const h = knots[i + 1]! - knots[i]!;
  const b = (u - knots[i]!) / h;
  const a = 1 - b;
  for (let k = 0; k < size; k++) {
    const y0 = values[i * size + k]!;
    const y1 = values[(i + 1) * size + k]!;
    const m0 = seconds[i * size + k]!;
    const m1 = seconds[(i + 1) * size + k]!;
    out.value[k] = a * y0 + b * y1 + (((a * a - 1) * a * m0 + (b * b - 1) * b * m1) * h * h) / 6;
    out.first[k] = (y1 - y0) / h + (((1 - 3 * a * a) * m0 + (3 * b * b - 1) * m1) * h) / 6;
    out.second[k] = a * m0 + b * m1;
  }
}

/** Value and derivatives of a spline at one parameter. */
export interface SplineSample {
  readonly value: Float64Array;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

/** Scratch space for one sample: value and the first two derivatives, `size` numbers each. */
export function createSplineSample(size: number): SplineSample {
  return {
    value: new Float64Array(size),
    first: new Float64Array(size),
    second: new Float64Array(size),
  };
}
