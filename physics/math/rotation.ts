/**
 * Rotations: 3x3 row-major matrices in flat arrays and unit quaternions {w, x, y, z} (§2.8: scalar
 * part `w`, identity = upright pose). A rotation maps coordinates of the inner frame to the outer
 * one.
 */

import { atan2, sincos, trig } from './portable.ts';
import type { Numbers } from './vector.ts';

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
