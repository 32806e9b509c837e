/**
 * Distance to each singularity: the three factors of the determinant, their margins and the error
 * codes of §2.4. The margins are the twin's own. Tracking decides whether a move is possible; this
 * file names the cause where it ends, and motion/singularity-margins.ts issues warnings.
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { Layout } from '../math/layout.ts';
import type { Numbers } from '../math/vector.ts';
import { createFrames, forward } from './forward.ts';
import { createDeterminantFactors, determinantFactors } from './jacobian.ts';

/** Margins and codes of one factor of the Jacobian's determinant. */
export interface SingularityMargin {
  /** Where `singularDistances` writes the distance from it. */
  readonly at: number;
  readonly code: MotionError;
  readonly warning_code: MotionError;
  /** Below `error` a Cartesian move through the pose fails, below `warning` it gets a warning. */
  readonly error: number;
  readonly warning: number;
}

/** The distances that `singularDistances` writes. */
export const SINGULAR_DISTANCES = new Layout({ shoulder: 1, elbow: 1, wrist: 1 });
const { at: AT } = SINGULAR_DISTANCES;

export const SINGULARITY_MARGINS = [
  /** Distance of the wrist centre from axis 1 (m). */
  {
    at: AT.shoulder,
    code: 'shoulder_singularity',
    warning_code: 'shoulder_singularity_warning',
    error: 0.005,
    warning: 0.02,
  },
  /** Sine of the elbow's angle from stretched. */
  {
    at: AT.elbow,
    code: 'elbow_singularity',
    warning_code: 'elbow_singularity_warning',
    error: 0.02,
    warning: 0.08,
  },
  /** Derivative of the wrist's closing condition. */
  {
    at: AT.wrist,
    code: 'wrist_singularity',
    warning_code: 'wrist_singularity_warning',
    error: 0.01,
    warning: 0.05,
  },
] as const satisfies readonly SingularityMargin[];

const distanceFrames = createFrames();
const distanceFactors = createDeterminantFactors();
const distances = SINGULAR_DISTANCES.create();

/**
 * Writes the distance of joints `q` (rad) from each singularity to `out`. A vanishing shoulder or
 * elbow factor is singular only if its remainder vanishes too. No allocation.
 */
export function singularDistances(q: Numbers, out: Float64Array): void {
  forward(q, distanceFrames);
  determinantFactors(distanceFrames, distanceFactors);
  out[AT.shoulder] = Math.max(
    Math.abs(distanceFactors.shoulder_m),
    Math.abs(distanceFactors.shoulder_rest_m),
  );
  out[AT.elbow] = Math.max(Math.abs(distanceFactors.elbow), Math.abs(distanceFactors.elbow_rest));
  const wrist = Math.abs(distanceFactors.wrist);
  out[AT.wrist] = Number.isFinite(wrist) ? wrist : Number.POSITIVE_INFINITY;
}

/**
 * Names the singularity that ended a tracked branch at `q`: the one with the smallest share of its
 * margin, `singularity` when none is near.
 */
export function singularityCause(q: Numbers): MotionError {
  singularDistances(q, distances);
  let least = 1;
  let cause: MotionError = 'singularity';
  SINGULARITY_MARGINS.forEach(({ at, code, warning }) => {
    const share = distances[at]! / warning;
    if (share >= least) return;
    least = share;
    cause = code;
  });
  return cause;
}
