/**
 * Motion error code and message of a tracking that did not arrive. Linear and spline moves, nudge
 * and rotate share it, so they report the same cause (§2.4).
 */
import type { MotionError } from '../../contract/errors.ts';
import { jointName } from '../arm/arm-model.ts';
import { type Numbers, rotateByVector, rotationBetween } from '../math/rotation.ts';
import { BOUNDARY_CODES, createFrames, forward, POSE_SIZE } from './forward.ts';
import { createDeterminantFactors, determinantFactors } from './jacobian.ts';
import { isWithinReach } from './solution-search.ts';
import type { PoseCurve, Tracker, TrackOutcome } from './tracking.ts';

/**
 * Straight line between two tool poses: position along the segment, orientation along the geodesic,
 * both proportional to s. Linear moves, nudge and rotate track this curve (§2.2, §4.7).
 */

/**
 * Line of poses from `start` (12 numbers) along `travel` (m), rotating by `turn` (rotation vector,
 * rad).
 */
export function createLineBy(start: Numbers, travel: Numbers, turn: Numbers): PoseCurve {
  const from = Float64Array.from({ length: 12 }, (_, i) => start[i]!);
  const rates = Float64Array.of(travel[0]!, travel[1]!, travel[2]!, turn[0]!, turn[1]!, turn[2]!);
  const turned = new Float64Array(3);
  return {
    evaluate(at, pose, twist) {
      const s = at[0]!;
      for (let i = 0; i < 3; i++) turned[i] = s * rates[3 + i]!;
      rotateByVector(turned, from, pose);
      for (let i = 0; i < 3; i++) pose[9 + i] = from[9 + i]! + s * rates[i]!;
      for (let i = 0; i < 6; i++) twist[i] = rates[i]!;
    },
  };
}

/** Line of poses from `start` to `end` (12 numbers each) with the shortest rotation. */
export function createLine(start: Numbers, end: Numbers): PoseCurve {
  const turn = new Float64Array(3);
  rotationBetween(start, end, turn);
  const travel = [end[9]! - start[9]!, end[10]! - start[10]!, end[11]! - start[11]!];
  return createLineBy(start, travel, turn);
}

/**
 * Distance to each singularity: the three factors of the determinant, their margins and the error
 * codes of §2.4. The margins are the twin's own. Tracking decides whether a move is possible; this
 * file names the cause where it ends, and motion/linear-move.ts issues warnings.
 */

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

const frames = createFrames();
const factors = createDeterminantFactors();
const distances = new Float64Array(SINGULARITY_MARGINS.length);

/**
 * Writes the distance of joints `q` (rad) from each singularity to `out`. A vanishing shoulder or
 * elbow factor is singular only if its remainder vanishes too. No allocation.
 */
export function singularDistances(q: Numbers, out: Float64Array): void {
  forward(q, frames);
  determinantFactors(frames, factors);
  out[0] = Math.max(Math.abs(factors.shoulder_m), Math.abs(factors.shoulder_rest_m));
  out[1] = Math.max(Math.abs(factors.elbow), Math.abs(factors.elbow_rest));
  const wrist = Math.abs(factors.wrist);
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

/** Distance ahead of a branch end at which the curve is probed for reach, in s. */
const AHEAD = 1e-4;

export interface TrackingProblem {
  readonly code: MotionError;
  readonly message: string;
}

/** True when the curve just beyond the tracker's position is out of reach. */
function leavesReach(tracker: Tracker): boolean {
  const pose = new Float64Array(POSE_SIZE);
  tracker.curve.evaluate(Float64Array.of(tracker.s + AHEAD), pose, new Float64Array(6));
  return !isWithinReach(pose, tracker.tool);
}

/** The problem of a tracker that returned `outcome`; null when it arrived. */
export function trackingProblem(tracker: Tracker, outcome: TrackOutcome): TrackingProblem | null {
  switch (outcome) {
    case 'arrived':
      return null;
    case 'limit':
      return {
        code: BOUNDARY_CODES[tracker.joint]!,
        message: `${jointName(tracker.joint)} reaches the end of its range on the path.`,
      };
    case 'not_on_curve':
      return {
        code: 'linear_path_calculation_error',
        message: 'The start joints do not lie on the path.',
      };
    case 'branch_end':
      if (leavesReach(tracker)) {
        return { code: 'reach_limit', message: 'The path leaves the reach of the arm.' };
      }
      return {
        code: singularityCause(tracker.q),
        message: 'The path runs into a singular pose; go around it or move in joint space.',
      };
  }
}
