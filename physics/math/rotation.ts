/**
 * Rotations: 3x3 row-major matrices in flat arrays, unit quaternions {w, x, y, z} (§2.8: scalar
 * part `w`, identity = upright pose) and rotation vectors (axis times angle, rad) with their rates.
 * A rotation maps coordinates of the inner frame to the outer one. Linear and spline moves turn the
 * tool along rotation vectors (§2.2). Also: vectors.
 */
import { atan2, sinCos, sincos, sincosAt, trig } from './portable.ts';

/** Below this squared angle (rad²) the closed forms lose digits to cancellation. */
const SERIES_BELOW = 0.01;

/** a = sin θ / θ, b = (1 - cos θ) / θ², c = (θ - sin θ) / θ³ and their derivatives by θ². */
const coefficients = { a: 0, b: 0, c: 0, da: 0, db: 0, dc: 0 };

function fillCoefficients(w: number): void {
  if (w < SERIES_BELOW) {
    coefficients.a = 1 - w * (1 / 6 - w * (1 / 120 - w / 5040));
    coefficients.b = 1 / 2 - w * (1 / 24 - w * (1 / 720 - w / 40320));
    coefficients.c = 1 / 6 - w * (1 / 120 - w * (1 / 5040 - w / 362880));
    coefficients.da = -1 / 6 + w * (1 / 60 - w * (1 / 1680 - w / 90720));
    coefficients.db = -1 / 24 + w * (1 / 360 - w * (1 / 13440 - w / 907200));
    coefficients.dc = -1 / 120 + w * (1 / 2520 - w * (1 / 120960 - w / 9979200));
    return;
  }
  const angle = Math.sqrt(w);
  sincos(angle);
  coefficients.a = trig.sin / angle;
  coefficients.b = (1 - trig.cos) / w;
  coefficients.c = (1 - coefficients.a) / w;
  coefficients.da = (trig.cos - coefficients.a) / (2 * w);
  coefficients.db = (coefficients.a - 2 * coefficients.b) / (2 * w);
  coefficients.dc = (coefficients.b - 3 * coefficients.c) / (2 * w);
}

/** Three components from `at` on of a rotation vector and of its first two derivatives. */
export interface VectorRates {
  readonly value: Float64Array;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

/**
 * Writes angular velocity (to `out[3..5]` of `velocity`) and angular acceleration (likewise) of
 * exp(r), outer axes, for r at index `at` of the rates. ω = a r' + b r × r' + c (r·r') r. No
 * allocation.
 */
export function rotationRates(
  rates: VectorRates,
  at: number,
  velocity: Float64Array,
  acceleration: Float64Array,
): void {
  const { value: r, first: d, second: e } = rates;
  const w = dot(r, r, at);
  const rd = dot(r, d, at);
  fillCoefficients(w);
  const { a, b, c } = coefficients;
  const da = 2 * rd * coefficients.da;
  const db = 2 * rd * coefficients.db;
  const dc = 2 * rd * coefficients.dc;
  const along = dc * rd + c * (dot(d, d, at) + dot(r, e, at));
  for (let k = 0; k < 3; k++) {
    const i = at + k;
    const m = at + ((k + 1) % 3);
    const n = at + ((k + 2) % 3);
    const rxd = r[m]! * d[n]! - r[n]! * d[m]!;
    const rxe = r[m]! * e[n]! - r[n]! * e[m]!;
    velocity[3 + k] = a * d[i]! + b * rxd + c * rd * r[i]!;
    acceleration[3 + k] =
      da * d[i]! + a * e[i]! + db * rxd + b * rxe + along * r[i]! + c * rd * d[i]!;
  }
}

function dot(x: Float64Array, y: Float64Array, at: number): number {
  return x[at]! * y[at]! + x[at + 1]! * y[at + 1]! + x[at + 2]! * y[at + 2]!;
}

/** Below this squared angle (rad²) the series of sin(a)/a and (1 - cos(a))/a² are exact. */
const SMALL_SQUARE = 1e-8;
/** The angle and its half. */
const angles = new Float64Array(2);

/**
 * Writes the rotation vector of the shortest rotation from `a` to `b`, in outer coordinates: b =
 * exp(out) · a. At exactly half a turn both directions are valid; one is chosen.
 */
export function rotationBetween(a: Numbers, b: Numbers, out: Float64Array): void {
  const turn = new Float64Array(9);
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += b[3 * row + k]! * a[3 * column + k]!;
      turn[3 * row + column] = sum;
    }
  }
  const q = matrixToQuaternion(turn);
  const sine = Math.sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  const scale = sine < 1e-12 ? 2 : (2 * atan2(sine, q.w)) / sine;
  out[0] = q.x * scale;
  out[1] = q.y * scale;
  out[2] = q.z * scale;
}

/**
 * Writes exp(vector) · rotation into `out` at `at`; `out` must not be `rotation`. No allocation.
 */
export function rotateByVector(
  vector: Numbers,
  rotation: Numbers,
  out: Float64Array,
  at = 0,
): void {
  const x = vector[0]!;
  const y = vector[1]!;
  const z = vector[2]!;
  const square = x * x + y * y + z * z;
  let first = 1 - square / 6;
  let second = 0.5 - square / 24;
  if (square > SMALL_SQUARE) {
    const angle = Math.sqrt(square);
    angles[0] = angle;
    angles[1] = angle / 2;
    sincosAt(angles, 0);
    first = sinCos[0]! / angle;
    sincosAt(angles, 1);
    second = (2 * sinCos[0]! * sinCos[0]!) / square;
  }
  for (let column = 0; column < 3; column++) {
    const a = rotation[column]!;
    const b = rotation[column + 3]!;
    const c = rotation[column + 6]!;
    const u = y * c - z * b;
    const v = z * a - x * c;
    const w = x * b - y * a;
    out[at + column] = a + first * u + second * (y * w - z * v);
    out[at + column + 3] = b + first * v + second * (z * u - x * w);
    out[at + column + 6] = c + first * w + second * (x * v - y * u);
  }
}

/** Quaternion as in the wire format; a unit quaternion where it is a rotation. */
export interface QuaternionWxyz {
  w: number;
  x: number;
  y: number;
  z: number;
}

/** Scales a quaternion to unit length; null when it is zero or not finite (D20). */
export function normaliseQuaternion(q: QuaternionWxyz): QuaternionWxyz | null {
  const largest = Math.max(Math.abs(q.w), Math.abs(q.x), Math.abs(q.y), Math.abs(q.z));
  if (!(largest > 0) || largest === Number.POSITIVE_INFINITY) return null;
  const w = q.w / largest;
  const x = q.x / largest;
  const y = q.y / largest;
  const z = q.z / largest;
  const n = Math.sqrt(w * w + x * x + y * y + z * z);
  return { w: w / n, x: x / n, y: y / n, z: z / n };
}

/** Writes the rotation matrix of a unit quaternion into `out` at `at`. */
export function quaternionToMatrix(q: QuaternionWxyz, out: Float64Array, at = 0): void {
  const { w, x, y, z } = q;
  out[at] = 1 - 2 * (y * y + z * z);
  out[at + 1] = 2 * (x * y - w * z);
  out[at + 2] = 2 * (x * z + w * y);
  out[at + 3] = 2 * (x * y + w * z);
  out[at + 4] = 1 - 2 * (x * x + z * z);
  out[at + 5] = 2 * (y * z - w * x);
  out[at + 6] = 2 * (x * z - w * y);
  out[at + 7] = 2 * (y * z + w * x);
  out[at + 8] = 1 - 2 * (x * x + y * y);
}

/** Unit quaternion of a rotation matrix, with w >= 0 (Shepperd's method). */
export function matrixToQuaternion(m: Numbers, at = 0): QuaternionWxyz {
  const xx = m[at]!;
  const yy = m[at + 4]!;
  const zz = m[at + 8]!;
  const trace = xx + yy + zz;
  let q: QuaternionWxyz;
  if (trace > 0) {
    const s = 2 * Math.sqrt(1 + trace);
    q = {
      w: s / 4,
      x: (m[at + 7]! - m[at + 5]!) / s,
      y: (m[at + 2]! - m[at + 6]!) / s,
      z: (m[at + 3]! - m[at + 1]!) / s,
    };
  } else if (xx >= yy && xx >= zz) {
    const s = 2 * Math.sqrt(1 + xx - yy - zz);
    q = {
      w: (m[at + 7]! - m[at + 5]!) / s,
      x: s / 4,
      y: (m[at + 1]! + m[at + 3]!) / s,
      z: (m[at + 2]! + m[at + 6]!) / s,
    };
  } else if (yy >= zz) {
    const s = 2 * Math.sqrt(1 + yy - xx - zz);
    q = {
      w: (m[at + 2]! - m[at + 6]!) / s,
      x: (m[at + 1]! + m[at + 3]!) / s,
      y: s / 4,
      z: (m[at + 5]! + m[at + 7]!) / s,
    };
  } else {
    const s = 2 * Math.sqrt(1 + zz - xx - yy);
    q = {
      w: (m[at + 3]! - m[at + 1]!) / s,
      x: (m[at + 2]! + m[at + 6]!) / s,
      y: (m[at + 5]! + m[at + 7]!) / s,
      z: s / 4,
    };
  }
  return q.w < 0 ? { w: -q.w, x: -q.x, y: -q.y, z: -q.z } : q;
}

/** out = a * b for 3x3 matrices at the given offsets; `out` must be neither. */
export function multiplyMatrices(
  a: Numbers,
  i: number,
  b: Numbers,
  j: number,
  out: Float64Array,
  at: number,
): void {
  for (let row = 0; row < 3; row++) {
    const r = i + 3 * row;
    for (let column = 0; column < 3; column++) {
      out[at + 3 * row + column] =
        a[r]! * b[j + column]! + a[r + 1]! * b[j + 3 + column]! + a[r + 2]! * b[j + 6 + column]!;
    }
  }
}

/** Rotation about fixed x, then y, then z (rad): R = Rz * Ry * Rx (D20). */
export function fixedAxisRotation(x: number, y: number, z: number, out: Float64Array): void {
  sincos(x);
  const sx = trig.sin;
  const cx = trig.cos;
  sincos(y);
  const sy = trig.sin;
  const cy = trig.cos;
  sincos(z);
  const sz = trig.sin;
  const cz = trig.cos;
  out[0] = cz * cy;
  out[1] = cz * sy * sx - sz * cx;
  out[2] = cz * sy * cx + sz * sx;
  out[3] = sz * cy;
  out[4] = sz * sy * sx + cz * cx;
  out[5] = sz * sy * cx - cz * sx;
  out[6] = -sy;
  out[7] = cy * sx;
  out[8] = cy * cx;
}

/** Below this cosine of the angle about y the angles about x and z are not distinguished. */
const FIXED_AXIS_LOCK = 1e-9;

/**
 * Angles (rad) about fixed x, then y, then z of the rotation at `at`, row by row: the inverse of
 * `fixedAxisRotation`. At a quarter turn about y the angles about x and z are one, which is z's.
 */
export function fixedAxisAngles(m: Numbers, at = 0): [number, number, number] {
  const across = Math.sqrt(m[at]! * m[at]! + m[at + 3]! * m[at + 3]!);
  const y = atan2(-m[at + 6]!, across);
  if (across < FIXED_AXIS_LOCK) return [0, y, atan2(-m[at + 1]!, m[at + 4]!)];
  return [atan2(m[at + 7]!, m[at + 8]!), y, atan2(m[at + 3]!, m[at]!)];
}

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
