/**
 * Distance to each singularity: the three factors of the determinant, their margins and the error
 * codes of §2.4. The margins are the twin's own. Tracking decides whether a move is possible; this
 * file names the cause where it ends, and motion/singularity-margins.ts issues warnings.
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import type { Numbers } from '../math/vector.ts';
import { createFrames, forward } from './forward.ts';
import { createDeterminantFactors, determinantFactors } from './jacobian.ts';

/** Margins and codes of one factor of the Jacobian's determinant. */
export interface SingularityMargin {
  readonly code: MotionError;
  readonly warning_code: MotionError;
  /** Below `error` a Cartesian move through the pose fails, below `warning` it gets a warning. */
  readonly error: number;
  readonly warning: number;
}

/** In the order of the distances that `singularDistances` writes. */
export const SINGULARITY_MARGINS = [
  /** Distance of the wrist centre from axis 1 (m). */
  {
    code: 'shoulder_singularity',
    warning_code: 'shoulder_singularity_warning',
    error: 0.005,
    warning: 0.02,
  },
  /** Sine of the elbow's angle from stretched. */
  {
    code: 'elbow_singularity',
    warning_code: 'elbow_singularity_warning',
    error: 0.02,
    warning: 0.08,
  },
  /** Derivative of the wrist's closing condition. */
  {
    code: 'wrist_singularity',
    warning_code: 'wrist_singularity_warning',
    error: 0.01,
    warning: 0.05,
  },
] as const satisfies readonly SingularityMargin[];

const distanceFrames = createFrames();
const distanceFactors = createDeterminantFactors();
const distances = new Float64Array(SINGULARITY_MARGINS.length);

/**
 * Writes the distance of joints `q` (rad) from each singularity to `out`. A vanishing shoulder or
 * elbow factor is singular only if its remainder vanishes too. No allocation.
 */
export function singularDistances(q: Numbers, out: Float64Array): void {
  forward(q, distanceFrames);
  determinantFactors(distanceFrames, distanceFactors);
  out[0] = Math.max(
    Math.abs(distanceFactors.shoulder_m),
    Math.abs(distanceFactors.shoulder_rest_m),
  );
  out[1] = Math.max(Math.abs(distanceFactors.elbow), Math.abs(distanceFactors.elbow_rest));
  const wrist = Math.abs(distanceFactors.wrist);
  out[2] = Number.isFinite(wrist) ? wrist : Number.POSITIVE_INFINITY;
}

/**
 * Names the singularity that ended a tracked branch at `q`: the one with the smallest share of its
 * margin, `singularity` when none is near.
 */
export function singularityCause(q: Numbers): MotionError {
  singularDistances(q, distances);
  let least = 1;
  let cause: MotionError = 'singularity';
  SINGULARITY_MARGINS.forEach(({ code, warning }, k) => {
    const share = distances[k]! / warning;
    if (share >= least) return;
    least = share;
    cause = code;
  });
  return cause;
}
