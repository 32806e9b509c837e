/**
 * 3-vectors and small numeric helpers over Float64Array; the hot ones do not allocate. Also: the
 * assertion of programmer errors, and arrays of one buffer.
 */

/**
 * Assertion for programmer errors that also runs in browsers. Invalid data is reported as a Result
 * value instead.
 */

/** Throws when an invariant of the code is broken. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

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

/**
 * Allocates several number arrays in one buffer. A solve needs many short arrays, and the cost of
 * an array is its buffer, which the garbage collector has to track.
 */

/** Zeroed arrays of the given lengths, contiguous in one buffer. */
export function allocateArrays(lengths: readonly number[]): Float64Array[] {
  return arraysIn(new Float64Array(sumOf(lengths)), lengths);
}

/**
 * `allocateArrays` in reused memory: each call reuses the memory of the call before, whose values
 * are still there. Use it only where no array outlives the work.
 */
export function createScratch(): typeof allocateArrays {
  let held = new Float64Array(0);
  return (lengths) => {
    const total = sumOf(lengths);
    if (held.length < total) held = new Float64Array(total);
    return arraysIn(held, lengths);
  };
}

function sumOf(lengths: readonly number[]): number {
  let total = 0;
  for (let i = 0; i < lengths.length; i++) total += lengths[i]!;
  return total;
}

function arraysIn({ buffer }: Float64Array, lengths: readonly number[]): Float64Array[] {
  let from = 0;
  return lengths.map((length) => {
    const view = new Float64Array(buffer, from, length);
    from += length * Float64Array.BYTES_PER_ELEMENT;
    return view;
  });
}

/** Size of a length. */
const LENGTH_BYTES = 4;

/** Joins byte arrays, each with its length in front. */
export function join(parts: readonly Uint8Array[]): Uint8Array {
  const size = parts.reduce((sum, { length }) => sum + LENGTH_BYTES + length, 0);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const one of parts) {
    view.setUint32(at, one.length, true);
    bytes.set(one, at + LENGTH_BYTES);
    at += LENGTH_BYTES + one.length;
  }
  return bytes;
}

/** Splits what `join` made. */
export function split(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = view.getUint32(at, true);
    parts.push(bytes.slice(at + LENGTH_BYTES, at + LENGTH_BYTES + length));
    at += LENGTH_BYTES + length;
  }
  return parts;
}

/** The doubles of bytes. */
export function doublesOf(bytes: Uint8Array): Float64Array {
  return new Float64Array(bytes.slice().buffer);
}
