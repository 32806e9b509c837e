/**
 * Geometric Jacobian and its determinant in closed form: joint rates to the twist of a point fixed
 * to the flange. The determinant's factors also identify the cause of a singularity
 * (singularity.ts, §2.4).
 */

import {
  ELBOW_TO_WRIST_M,
  JOINT_SENSE,
  SHOULDER_OFFSET_M,
  UPPER_ARM_M,
  WRIST_OFFSET_M,
} from '../arm/arm-model.ts';
import type { Numbers } from '../math/vector.ts';

const [S1 = 1, S2 = 1, S3 = 1, S4 = 1, S5 = 1, S6 = 1] = JOINT_SENSE;
/** Sign of the determinant against that of the chain. */
const HANDEDNESS = S1 * S2 * S3 * S4 * S5 * S6;

/**
 * Writes column j: the joint turns about `sign` times column `axis` of its frame, at the frame's
 * origin. Its numeric arguments are integers, which are never boxed.
 */
function writeColumn(
  f: Float64Array,
  j: number,
  axis: number,
  sign: number,
  p: Numbers,
  at: number,
  out: Float64Array,
): void {
  const o = 12 * j + 12;
  const x = p[at]! - f[o + 9]!;
  const y = p[at + 1]! - f[o + 10]!;
  const z = p[at + 2]! - f[o + 11]!;
  const ax = sign * f[o + axis]!;
  const ay = sign * f[o + axis + 3]!;
  const az = sign * f[o + axis + 6]!;
  out[j] = ay * z - az * y;
  out[6 + j] = az * x - ax * z;
  out[12 + j] = ax * y - ay * x;
  out[18 + j] = ax;
  out[24 + j] = ay;
  out[30 + j] = az;
}

/**
 * Writes the 6 x 6 Jacobian, row-major, of `frames` about `point` (world, m, from `at`): rows 0 to
 * 2 the point's velocity (m/s per rad/s), rows 3 to 5 the angular velocity; world axes. No
 * allocation.
 */
export function jacobian(
  frames: Float64Array,
  point: Numbers,
  at: number,
  out: Float64Array,
): void {
  writeColumn(frames, 0, 2, S1, point, at, out);
  writeColumn(frames, 1, 1, -S2, point, at, out);
  writeColumn(frames, 2, 1, -S3, point, at, out);
  writeColumn(frames, 3, 2, S4, point, at, out);
  writeColumn(frames, 4, 1, -S5, point, at, out);
  writeColumn(frames, 5, 2, S6, point, at, out);
}

/** The factors of the determinant: det = r · L2 · K · sin(gamma) · f. */
export interface DeterminantFactors {
  /** Signed distance of the wrist centre from axis 1 (m): the shoulder's factor. */
  shoulder_m: number;
  /** Sine of the elbow's angle from stretched: the elbow's factor. */
  elbow: number;
  /** Derivative of the wrist's closing condition by q6, NaN where another factor is zero. */
  wrist: number;
  /** Determinant of the Jacobian (m³), finite everywhere. */
  determinant: number;
  /**
   * Remainder where the shoulder factor is zero (m): the shoulder is the cause only if this is
   * small too.
   */
  shoulder_rest_m: number;
  /** The same for the elbow's factor. */
  elbow_rest: number;
}

export function createDeterminantFactors(): DeterminantFactors {
  return {
    shoulder_m: 0.5,
    elbow: 0.5,
    wrist: 0.5,
    determinant: 0.5,
    shoulder_rest_m: 0.5,
    elbow_rest: 0.5,
  };
}

/**
 * Writes the determinant of the Jacobian and its factors for `frames`. The determinant is the same
 * about every point and, up to the factor 1/0.027, for rows scaled by 0.3 m.
 */
export function determinantFactors(frames: Float64Array, out: DeterminantFactors): void {
  const c1 = frames[12]!;
  const s1 = frames[15]!;
  const r = c1 * frames[69]! + s1 * frames[70]!;
  const x = r - SHOULDER_OFFSET_M;
  const z = frames[71]! - frames[35]!;
  const ex = c1 * frames[45]! + s1 * frames[46]! - SHOULDER_OFFSET_M;
  const ez = frames[47]! - frames[35]!;
  const cross = x * ez - z * ex;
  const hx = 0 - frames[61]!;
  const hy = 0 - frames[64]!;
  const hz = 0 - frames[67]!;
  const hs = hx * c1 + hy * s1;
  const ht = hy * c1 - hx * s1;
  const c23 = frames[44]!;
  const s23 = frames[42]!;
  const x5u = frames[60]! * c1 + frames[63]! * s1;
  const rest = s23 * WRIST_OFFSET_M * ht * ht;
  const slope = r * (s23 * x5u - c23 * frames[66]!) - rest;
  const bend = WRIST_OFFSET_M * (hs * ex + hz * ez) * (hs * c23 + hz * s23);
  const product = cross * slope - r * bend;
  out.shoulder_m = r;
  out.elbow = cross / (UPPER_ARM_M * ELBOW_TO_WRIST_M);
  out.wrist = product / (r * cross);
  out.determinant = HANDEDNESS * product;
  out.shoulder_rest_m = rest;
  out.elbow_rest = bend / (UPPER_ARM_M * ELBOW_TO_WRIST_M);
}
