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
