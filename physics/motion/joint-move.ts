/**
 * joint_space moves: a straight line in joint space, all joints starting and ending together
 * (§2.2). The path does not depend on the timing, so pause, collision checks and speed caps never
 * leave it.
 */

import { type ArmRange, MODEL_RANGE } from '../arm/arm-range.ts';
import type { JointLine } from './joint-path.ts';
import type { MotionLimits } from './limits.ts';
import type { MotionCaps } from './motion-caps.ts';
import { boundaryProblem } from './motion-problem.ts';
import { hasTravel, restSegment, type Segment, timedSegment } from './segment.ts';
import { timePath } from './time-path.ts';

/** A move from rest at `start` to rest at `end` (rad, six each). */
export interface JointMoveRequest {
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly caps: MotionCaps;
  /** Indexes of the start and end waypoints, as the reply names them. */
  readonly waypoints: readonly number[];
  /** Planning limits; those of the arm by default. */
  readonly limits?: MotionLimits;
  /** Range of the joints; that of the model by default. */
  readonly range?: ArmRange;
}

/**
 * Plans a straight joint line within the limits of joints and tool. A requested `time_s` at or
 * above the minimum dilates the motion; below it the timing is still the requested one and the
 * problem is `time_too_short` (D23). An end outside the joint limits gives the problem
 * `jN_boundary_limit`; a start outside does not, so that the arm can move back in.
 */
export function planJointMove(request: JointMoveRequest): Segment {
  const path: JointLine = { kind: 'line', start: request.start, end: request.end };
  const boundary = boundaryProblem(request.end, request.range ?? MODEL_RANGE);
  if (!hasTravel(request.start, request.end)) return restSegment(path, request, boundary);
  const timing = timePath({
    path,
    caps: request.caps,
    ...(request.limits ? { limits: request.limits } : {}),
  });
  return timedSegment(path, timing, request, boundary);
}
