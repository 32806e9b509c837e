/**
 * Symmetric pentadiagonal systems, assembled from squares of short rows and solved by Cholesky: the
 * linear system of each Newton step of the timing reference.
 */

/** Of each row the main diagonal and the two after it; the right side, later the solution. */
export interface Banded {
  readonly diagonals: Float64Array;
  readonly side: Float64Array;
}

export function createBanded(size: number): Banded {
  return { diagonals: new Float64Array(3 * size), side: new Float64Array(size) };
}

/** Adds scale² k kᵀ to the matrix and takes scale k from the right side, from row `first` on. */
export function addSquare(system: Banded, first: number, k: Float64Array, scale: number): void {
  const { diagonals, side } = system;
  for (let m = 0; m < k.length; m++) {
    const part = k[m]! * scale;
    side[first + m] = side[first + m]! - part;
    for (let n = m; n < k.length; n++) {
      const at = 3 * (first + m) + n - m;
      diagonals[at] = diagonals[at]! + part * k[n]! * scale;
    }
  }
}

/** Turns the right side into the solution; false where the matrix is not positive. */
export function solveBanded({ diagonals: d, side: x }: Banded): boolean {
  const size = x.length;
  for (let i = 0; i < size; i++) {
    const pivot = d[3 * i]!;
    if (!(pivot > 0)) return false;
    for (let m = 1; m <= 2 && i + m < size; m++) {
      const factor = d[3 * i + m]! / pivot;
      for (let n = m; n <= 2 && i + n < size; n++) {
        const at = 3 * (i + m) + n - m;
        d[at] = d[at]! - factor * d[3 * i + n]!;
      }
      x[i + m] = x[i + m]! - factor * x[i]!;
    }
  }
  for (let i = size - 1; i >= 0; i--) {
    let value = x[i]!;
    for (let m = 1; m <= 2 && i + m < size; m++) value -= d[3 * i + m]! * x[i + m]!;
    x[i] = value / d[3 * i]!;
  }
  return true;
}
