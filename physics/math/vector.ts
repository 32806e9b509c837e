/** 3-vectors and numbers in flat arrays; the hot functions do not allocate. */

/** Array-like of numbers that can be read by index. */
export type Numbers = ArrayLike<number>;

/** Dot product of two 3-vectors starting at the given offsets. */
export function dot3(a: Numbers, i: number, b: Numbers, j: number): number {
  return a[i]! * b[j]! + a[i + 1]! * b[j + 1]! + a[i + 2]! * b[j + 2]!;
}

/** Euclidean length of (x, y, z). */
export function length3(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}

/** Largest absolute difference between two arrays of equal length. */
export function largestDifference(a: Numbers, b: Numbers): number {
  let worst = 0;
  for (let i = 0; i < a.length; i++) {
    const d = a[i]! - b[i]!;
    const size = d < 0 ? -d : d;
    if (size > worst) worst = size;
  }
  return worst;
}

/** Clamps `x` to [low, high]. */
export function clamp(x: number, low: number, high: number): number {
  return x < low ? low : Math.min(x, high);
}

/** Absolute value. */
export function absolute(x: number): number {
  return x < 0 ? -x : x;
}
