/**
 * Which singularity is near and how near: margins on the three factors of the determinant, one
 * table, and the names of spec §2.4. The margins are the twin's own. Whether a move can be made is
 * decided by tracking; this names the cause of its end and warns on the way.
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import type { Numbers } from '../math/vector.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from './forward.ts';
import { createDeterminantFactors, determinantFactors, jacobian } from './jacobian.ts';
import { createFactors, factorise, solveFactored } from './linear-solve.ts';
import { scaleJacobian } from './pose-error.ts';

/** Below `error` a Cartesian move through the place fails, below `warning` it is warned of. */
export const SINGULARITY_MARGINS = {
  /** Distance of the wrist centre from axis 1 (m). */
  shoulder: { error: 0.005, warning: 0.02 },
  /** Sine of the elbow's angle from stretched. */
  elbow: { error: 0.02, warning: 0.08 },
  /** Derivative of the wrist's closing condition. */
  wrist: { error: 0.01, warning: 0.05 },
  /** Smallest singular value of the Jacobian, position rows over 0.3 m. */
  other: { error: 0.001 },
} as const;

type Cause = 'shoulder' | 'elbow' | 'wrist';

const ERRORS = {
  shoulder: 'shoulder_singularity',
  elbow: 'elbow_singularity',
  wrist: 'wrist_singularity',
} as const;
const WARNINGS = {
  shoulder: 'shoulder_singularity_warning',
  elbow: 'elbow_singularity_warning',
  wrist: 'wrist_singularity_warning',
} as const;
const CAUSES: readonly Cause[] = ['shoulder', 'elbow', 'wrist'];

const frames = createFrames();
const factors = createDeterminantFactors();
const system = createFactors();
const columns = new Float64Array(36);
const column = new Float64Array(6);
const vector = new Float64Array(6);
const image = new Float64Array(6);

/** Factor of a cause at the measured pose; NaN of the wrist means another factor is zero. */
function sizeOf(cause: Cause): number {
  if (cause === 'shoulder') return Math.abs(factors.shoulder_m);
  if (cause === 'elbow') return Math.abs(factors.elbow);
  return Number.isFinite(factors.wrist) ? Math.abs(factors.wrist) : Number.POSITIVE_INFINITY;
}

/** Cause with the smallest share of its margin below 1, or null when all are above. */
function smallestMargin(level: 'error' | 'warning'): Cause | null {
  let least = 1;
  let named: Cause | null = null;
  for (const cause of CAUSES) {
    const ratio = sizeOf(cause) / SINGULARITY_MARGINS[cause][level];
    if (ratio >= least) continue;
    least = ratio;
    named = cause;
  }
  return named;
}

function measure(q: Numbers): void {
  forward(q, frames);
  determinantFactors(frames, factors);
}

/** Inverse of the Jacobian about the flange into `columns`, column by column; false if singular. */
function invertJacobian(): boolean {
  jacobian(frames, frames, FLANGE_FRAME * FRAME_SIZE + 9, system.a);
  scaleJacobian(system.a);
  if (!factorise(system)) return false;
  for (let k = 0; k < 6; k++) {
    column.fill(0);
    column[k] = 1;
    solveFactored(system, column, column);
    columns.set(column, 6 * k);
  }
  return true;
}

/**
 * Smallest singular value of the Jacobian at `q` about the flange, position rows over 0.3 m: by
 * power iteration on the inverse, to about 1 %.
 */
export function smallestSingularValue(q: Numbers): number {
  measure(q);
  if (!invertJacobian()) return 0;
  vector.fill(1);
  let largest = 0;
  for (let i = 0; i < 24; i++) {
    let square = 0;
    image.fill(0);
    for (let k = 0; k < 6; k++) {
      for (let j = 0; j < 6; j++) image[j] = image[j]! + columns[6 * k + j]! * vector[k]!;
    }
    for (let k = 0; k < 6; k++) {
      let sum = 0;
      for (let j = 0; j < 6; j++) sum += columns[6 * k + j]! * image[j]!;
      vector[k] = sum;
      square += sum * sum;
    }
    largest = Math.sqrt(square);
    for (let k = 0; k < 6; k++) vector[k] = vector[k]! / largest;
  }
  return 1 / Math.sqrt(largest);
}

/**
 * The singularity error that joints `q` (rad) are in, or null. For places on Cartesian moves only:
 * a static singular pose, and leaving one, is allowed.
 */
export function singularityError(q: Numbers): MotionError | null {
  measure(q);
  const cause = smallestMargin('error');
  if (cause) return ERRORS[cause];
  return smallestSingularValue(q) < SINGULARITY_MARGINS.other.error ? 'singularity' : null;
}

/** The warning that joints `q` (rad) on a Cartesian move deserve, or null. */
export function singularityWarning(q: Numbers): MotionError | null {
  measure(q);
  const cause = smallestMargin('warning');
  return cause ? WARNINGS[cause] : null;
}

/**
 * Names the singularity that ended a tracked branch at `q`; `singularity` when no factor is small.
 * A vanishing shoulder or elbow factor is the cause only if nothing is left beside it.
 */
export function singularityCause(q: Numbers): MotionError {
  measure(q);
  factors.shoulder_m = Math.max(Math.abs(factors.shoulder_m), Math.abs(factors.shoulder_rest_m));
  factors.elbow = Math.max(Math.abs(factors.elbow), Math.abs(factors.elbow_rest));
  const cause = smallestMargin('warning');
  return cause ? ERRORS[cause] : 'singularity';
}
