/**
 * Motion error code and message of a tracking that did not arrive. Linear and spline moves, nudge
 * and rotate share it, so they report the same cause (§2.4).
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { jointName } from '../arm/arm-model.ts';
import { jointCode } from '../arm/joint-error-codes.ts';
import { singularityCause } from './singularity.ts';
import { isWithinReach } from './solution-search.ts';
import { POSE_SIZE } from './tool.ts';
import type { Tracker, TrackOutcome } from './tracking.ts';

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
        code: jointCode(tracker.joint, 'boundary_limit'),
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
