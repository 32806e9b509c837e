import type { TimingGrid } from './timing-grid.ts';

/** Largest derivatives over the grid: per joint, and of the tool point. */
export interface PathBounds {
  readonly q1: Float64Array;
  readonly q2: Float64Array;
  readonly q3: Float64Array;
  readonly p1: number;
  readonly p2: number;
}

export function boundsOf(grid: TimingGrid): PathBounds {
  return {
    q1: largestPerJoint(grid.q1),
    q2: largestPerJoint(grid.q2),
    q3: largestPerJoint(grid.q3),
    p1: largestLength(grid.p1),
    p2: largestLength(grid.p2),
  };
}

function largestPerJoint(values: Float64Array): Float64Array {
  const out = new Float64Array(6);
  for (let i = 0; i < values.length; i += 6) {
    for (let j = 0; j < 6; j++) out[j] = Math.max(out[j]!, Math.abs(values[i + j]!));
  }
  return out;
}

function largestLength(vectors: Float64Array): number {
  let worst = 0;
  for (let i = 0; i < vectors.length; i += 3) {
    const x = vectors[i]!;
    const y = vectors[i + 1]!;
    const z = vectors[i + 2]!;
    worst = Math.max(worst, x * x + y * y + z * z);
  }
  return Math.sqrt(worst);
}
