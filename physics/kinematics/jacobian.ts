/**
 * Geometric Jacobian and its determinant in closed form: joint rates to the twist of a point fixed
 * to the flange. The determinant's factors also identify the cause of a singularity
 * (tracking.ts, §2.4). Also: the linear systems that solvers make of it; a solver from a
 * start close to the solution.
 */
import {
  ELBOW_TO_WRIST_M,
  SHOULDER_OFFSET_M,
  UPPER_ARM_M,
  WRIST_OFFSET_M,
} from '../arm/arm-model.ts';
import type { Numbers } from '../math/rotation.ts';
import { createFrames, forward, POSE_SIZE, type Tool, toolPose } from './forward.ts';

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
  writeColumn(frames, 0, 2, 1, point, at, out);
  writeColumn(frames, 1, 1, -1, point, at, out);
  writeColumn(frames, 2, 1, -1, point, at, out);
  writeColumn(frames, 3, 2, 1, point, at, out);
  writeColumn(frames, 4, 1, -1, point, at, out);
  writeColumn(frames, 5, 2, 1, point, at, out);
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
  out.determinant = product;
  out.shoulder_rest_m = rest;
  out.elbow_rest = bend / (UPPER_ARM_M * ELBOW_TO_WRIST_M);
}

/**
 * Solves six linear equations in six unknowns for Newton steps: LU with row pivoting for exact
 * steps, Cholesky for damped ones. Flat arrays that the caller owns; no allocation.
 */

/** A pivot below this is zero: the matrix is singular to working precision. */
const SMALLEST_PIVOT = 1e-14;

/** A factorised 6 x 6 matrix: fill `a` (row-major), then `factorise`. */
export interface Factors {
  readonly a: Float64Array;
  /** Row permutation. */
  readonly rows: Int32Array;
  /** Determinant of what was factorised, 0 when singular; one number. */
  readonly determinant: Float64Array;
  readonly work: Float64Array;
}

export function createFactors(): Factors {
  return {
    a: new Float64Array(36),
    rows: new Int32Array(6),
    determinant: new Float64Array(1),
    work: new Float64Array(6),
  };
}

function exchangeRows(a: Float64Array, rows: Int32Array, i: number, k: number): void {
  for (let j = 0; j < 6; j++) {
    const held = a[6 * i + j]!;
    a[6 * i + j] = a[6 * k + j]!;
    a[6 * k + j] = held;
  }
  const row = rows[i]!;
  rows[i] = rows[k]!;
  rows[k] = row;
}

/** Replaces `factors.a` by its LU factors; false when a pivot vanishes. */
export function factorise(factors: Factors): boolean {
  const { a, rows } = factors;
  let determinant = 1;
  factors.determinant[0] = 0;
  for (let i = 0; i < 6; i++) rows[i] = i;
  for (let k = 0; k < 6; k++) {
    let best = k;
    let size = Math.abs(a[7 * k]!);
    for (let i = k + 1; i < 6; i++) {
      const other = Math.abs(a[6 * i + k]!);
      if (other > size) {
        size = other;
        best = i;
      }
    }
    if (!(size > SMALLEST_PIVOT)) return false;
    if (best !== k) {
      exchangeRows(a, rows, k, best);
      determinant = 0 - determinant;
    }
    const pivot = a[7 * k]!;
    determinant *= pivot;
    const inverse = 1 / pivot;
    for (let i = k + 1; i < 6; i++) {
      const at = 6 * i;
      const factor = a[at + k]! * inverse;
      a[at + k] = factor;
      for (let j = k + 1; j < 6; j++) a[at + j] = a[at + j]! - factor * a[6 * k + j]!;
    }
  }
  factors.determinant[0] = determinant;
  return true;
}

/** Solves for `x` (six numbers) with the right side `b`; `x` may be `b`. */
export function solveFactored(factors: Factors, b: Float64Array, x: Float64Array): void {
  const { a, rows, work } = factors;
  for (let i = 0; i < 6; i++) {
    let sum = b[rows[i]!]!;
    for (let j = 0; j < i; j++) sum -= a[6 * i + j]! * work[j]!;
    work[i] = sum;
  }
  for (let i = 5; i >= 0; i--) {
    let sum = work[i]!;
    for (let j = i + 1; j < 6; j++) sum -= a[6 * i + j]! * work[j]!;
    work[i] = sum / a[7 * i]!;
  }
  for (let i = 0; i < 6; i++) x[i] = work[i]!;
}

/** Writes JᵀJ (lower triangle) and Jᵀe for a row-major 6 x 6 `j`. */
export function normalEquations(
  j: Float64Array,
  e: Float64Array,
  square: Float64Array,
  side: Float64Array,
): void {
  for (let r = 0; r < 6; r++) {
    const j0 = j[r]!;
    const j1 = j[6 + r]!;
    const j2 = j[12 + r]!;
    const j3 = j[18 + r]!;
    const j4 = j[24 + r]!;
    const j5 = j[30 + r]!;
    side[r] = j0 * e[0]! + j1 * e[1]! + j2 * e[2]! + j3 * e[3]! + j4 * e[4]! + j5 * e[5]!;
    for (let c = 0; c <= r; c++) {
      square[6 * r + c] =
        j0 * j[c]! +
        j1 * j[6 + c]! +
        j2 * j[12 + c]! +
        j3 * j[18 + c]! +
        j4 * j[24 + c]! +
        j5 * j[30 + c]!;
    }
  }
}

/**
 * Solves (square + damping[0] · 1) x = side by Cholesky, `work` holding the factor (36 numbers).
 * False when the sum is not positive definite to working precision.
 */
export function solveDamped(
  square: Float64Array,
  damping: Float64Array,
  side: Float64Array,
  x: Float64Array,
  work: Float64Array,
): boolean {
  for (let r = 0; r < 6; r++) {
    for (let c = 0; c < r; c++) {
      let sum = square[6 * r + c]!;
      for (let k = 0; k < c; k++) sum -= work[6 * r + k]! * work[6 * c + k]!;
      work[6 * r + c] = sum * work[7 * c]!;
    }
    let diagonal = square[7 * r]! + damping[0]!;
    for (let k = 0; k < r; k++) diagonal -= work[6 * r + k]! * work[6 * r + k]!;
    if (!(diagonal > 0)) return false;
    work[7 * r] = 1 / Math.sqrt(diagonal);
  }
  for (let r = 0; r < 6; r++) {
    let sum = side[r]!;
    for (let k = 0; k < r; k++) sum -= work[6 * r + k]! * x[k]!;
    x[r] = sum * work[7 * r]!;
  }
  for (let r = 5; r >= 0; r--) {
    let sum = x[r]!;
    for (let k = r + 1; k < 6; k++) sum -= work[6 * k + r]! * x[k]!;
    x[r] = sum * work[7 * r]!;
  }
  return true;
}

/**
 * Levenberg-Marquardt solver from a start close to the solution: double roots and continua near
 * the guess, the polishing of found roots and the exit from singular starts. The damping follows
 * the error, so it converges quadratically even onto continua of solutions, where the Jacobian is
 * singular.
 */

/**
 * Error between two poses, the residual that local solver, tracking and complete search drive to
 * zero; they share one definition of a solved pose (§4.7).
 */

/** Length that weighs positions against rotations: 0.3 m of error count as 1 rad. */
export const POSE_LENGTH_M = 0.3;
const INVERSE_LENGTH = 1 / POSE_LENGTH_M;
/** Index of the squared length in the result of `poseError`. */
export const ERROR_SQUARE = 6;
/** Added to the squared error for rotations beyond a right angle, where the sine is no measure. */
const FAR_TURN = 4;

/** Allocates a result of `poseError`: six components and their squared length. */
export function createPoseError(): Float64Array {
  return new Float64Array(7);
}

/**
 * Writes the twist from `pose` to `goal` to `out`: position over POSE_LENGTH_M, then sine of the
 * rotation times its axis, world axes; `out[6]` is the squared length. No allocation.
 */
export function poseError(pose: Numbers, goal: Numbers, out: Float64Array): void {
  const x = (goal[9]! - pose[9]!) * INVERSE_LENGTH;
  const y = (goal[10]! - pose[10]!) * INVERSE_LENGTH;
  const z = (goal[11]! - pose[11]!) * INVERSE_LENGTH;
  let a = 0;
  let b = 0;
  let c = 0;
  let trace = 0;
  for (let i = 0; i < 3; i++) {
    const px = pose[i]!;
    const py = pose[i + 3]!;
    const pz = pose[i + 6]!;
    const gx = goal[i]!;
    const gy = goal[i + 3]!;
    const gz = goal[i + 6]!;
    a += py * gz - pz * gy;
    b += pz * gx - px * gz;
    c += px * gy - py * gx;
    trace += px * gx + py * gy + pz * gz;
  }
  a *= 0.5;
  b *= 0.5;
  c *= 0.5;
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = a;
  out[4] = b;
  out[5] = c;
  const square = x * x + y * y + z * z + a * a + b * b + c * c;
  out[ERROR_SQUARE] = trace < 1 ? square + FAR_TURN : square;
}

/** Scales the position rows of a Jacobian to the units of `poseError`. */
export function scaleJacobian(jacobian: Float64Array): void {
  for (let i = 0; i < 18; i++) jacobian[i] = jacobian[i]! * INVERSE_LENGTH;
}

/** Damping as a share of the squared error. */
const DAMPING_SHARE = 0.02;
const DAMPING_GROWTH = 8;
/** Rejected steps in a row that end the search. */
const REJECTIONS_MAX = 10;

const frames = createFrames();
const pose = new Float64Array(POSE_SIZE);
const error = createPoseError();
const tried = new Float64Array(6);
const step = new Float64Array(6);
const rows = new Float64Array(36);
const square = new Float64Array(36);
const side = new Float64Array(6);
const damping = new Float64Array(1);
const work = new Float64Array(36);

/** Goal of a local search. */
export interface SolverGoal {
  /** Squared pose error at which the search stops. */
  readonly target: number;
  /** Squared pose error that still counts as solved. */
  readonly accepted: number;
  readonly iterations: number;
}

/** Measures the error of joints `q` against `goal`; leaves frames and pose for the next step. */
function measure(q: Float64Array, goal: Float64Array, tool: Tool): void {
  forward(q, frames);
  toolPose(frames, tool, pose);
  poseError(pose, goal, error);
}

/**
 * Moves `q` onto a solution of tool pose `goal`; true when the squared error is accepted. `q` ends
 * at the best point found, neither wrapped nor clamped to limits. No allocation.
 */
export function solveLocally(
  q: Float64Array,
  goal: Float64Array,
  tool: Tool,
  want: SolverGoal,
): boolean {
  measure(q, goal, tool);
  let best = error[ERROR_SQUARE]!;
  let factor = DAMPING_SHARE;
  let rejected = 0;
  let moved = true;
  for (let i = 0; i < want.iterations && best > want.target; i++) {
    if (moved) {
      jacobian(frames, pose, 9, rows);
      scaleJacobian(rows);
      normalEquations(rows, error, square, side);
    }
    moved = false;
    damping[0] = factor * best + 1e-18;
    if (solveDamped(square, damping, side, step, work)) {
      for (let j = 0; j < 6; j++) tried[j] = q[j]! + step[j]!;
      measure(tried, goal, tool);
      const now = error[ERROR_SQUARE]!;
      if (now < best) {
        for (let j = 0; j < 6; j++) q[j] = tried[j]!;
        factor = now < 0.1 * best ? Math.max(factor / DAMPING_GROWTH, 1e-4) : factor;
        best = now;
        moved = true;
        rejected = 0;
        continue;
      }
    }
    if (++rejected > REJECTIONS_MAX) break;
    factor *= DAMPING_GROWTH;
  }
  return best <= want.accepted;
}
