/** The normal equations of a step of least squares. */

/** Solves a symmetric positive definite system by Cholesky; a vanishing pivot gives zero. */
export function solvePositive(matrix: readonly number[][], right: readonly number[]): number[] {
  const count = right.length;
  const l = matrix.map((row) => [...row]);
  const out = [...right];
  for (let i = 0; i < count; i++) {
    for (let k = 0; k <= i; k++) {
      let sum = l[i]![k]!;
      for (let n = 0; n < k; n++) sum -= l[i]![n]! * l[k]![n]!;
      if (k < i) l[i]![k] = l[k]![k]! > 0 ? sum / l[k]![k]! : 0;
      else l[i]![i] = sum > 0 ? Math.sqrt(sum) : 0;
    }
  }
  for (let i = 0; i < count; i++) {
    for (let n = 0; n < i; n++) out[i]! -= l[i]![n]! * out[n]!;
    out[i] = l[i]![i]! > 0 ? out[i]! / l[i]![i]! : 0;
  }
  for (let i = count - 1; i >= 0; i--) {
    for (let n = i + 1; n < count; n++) out[i]! -= l[n]![i]! * out[n]!;
    out[i] = l[i]![i]! > 0 ? out[i]! / l[i]![i]! : 0;
  }
  return out;
}

/** The equations of one step. */
export interface NormalEquations {
  readonly matrix: number[][];
  readonly right: number[];
  /** The gradient of each group of data. */
  readonly gradients: readonly number[][];
}

/** A parameter of smaller slope has no effect. */
const NO_SLOPE = 1e-10;

/** The matrix with a larger diagonal. */
export function damped(matrix: readonly number[][], damping: number): number[][] {
  return matrix.map((row, i) =>
    row.map((value, k) => (i === k ? value * (1 + damping) + 1e-12 : value)),
  );
}

/** Standard errors from the disagreement of the groups; infinite where nothing depends on it. */
export function standardErrors({ matrix, gradients }: NormalEquations): number[] {
  const base = damped(matrix, 1e-9);
  return matrix.map((_, i) => {
    if (matrix[i]![i]! < NO_SLOPE) return Number.POSITIVE_INFINITY;
    const unit = matrix.map((__, k) => (k === i ? 1 : 0));
    const row = solvePositive(base, unit);
    const square = gradients.reduce((sum, gradient) => {
      const share = gradient.reduce((part, value, k) => part + value * row[k]!, 0);
      return sum + share * share;
    }, 0);
    return Math.sqrt(square);
  });
}
