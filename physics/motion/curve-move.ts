/**
 * Moves of the tool point along a smooth curve, from the start joints to the end joints without
 * changing branch: what linear and spline moves share (§2.2).
 */

import type { MotionError } from '../../contract/motion-errors.ts';
import { type ArmRange, MODEL_RANGE } from '../arm/arm-range.ts';
import { largestDifference } from '../math/vector.ts';
import type { PathTable } from './joint-path.ts';
import type { MotionLimits } from './limits.ts';
import { type MotionCaps, toolOf } from './motion-caps.ts';
import type { MotionProblem } from './motion-problem.ts';
import { buildPathTable, type SmoothCurve } from './path-table-builder.ts';
import { type SegmentPlan, timedSegment } from './segment.ts';
import { findSingularityMargins } from './singularity-margins.ts';
import { timePath } from './time-path.ts';

export interface CurveMoveRequest {
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly caps: MotionCaps;
  readonly waypoints: readonly number[];
  readonly limits?: MotionLimits;
  /** Range of the joints; that of the model by default. */
  readonly range?: ArmRange;
}

/** Largest distance of the end joints from the waypoint on the same branch (rad). */
const SAME_BRANCH_RAD = 1e-5;

/** Tracks and times a curve from the start joints to the end joints of a request. */
export function planAlong(
  curve: SmoothCurve,
  request: CurveMoveRequest,
  mismatchCode: MotionError,
): SegmentPlan {
  const { start, end, caps, range = MODEL_RANGE } = request;
  const built = buildPathTable(curve, { tool: toolOf(caps), range }, start);
  if (built.kind === 'ended') return { kind: 'impossible', problem: built.problem };
  const path = closed(built.path, start, end);
  if (!path) return { kind: 'impossible', problem: otherJoints(mismatchCode) };
  const timing = timePath({ path, caps, ...(request.limits ? { limits: request.limits } : {}) });
  const { problem, warnings } = findSingularityMargins(path);
  return {
    kind: 'planned',
    segment: { ...timedSegment(path, timing, request, problem), warnings },
  };
}

/** The path with exactly the joints of the waypoints at its ends, or null when it misses them. */
function closed(path: PathTable, start: Float64Array, end: Float64Array): PathTable | null {
  const last = path.q.length - 6;
  if (largestDifference(path.q.subarray(last), end) > SAME_BRANCH_RAD) return null;
  const q = Float64Array.from(path.q);
  q.set(start, 0);
  q.set(end, last);
  // Explicit fields: hot code samples this record, and a spread object is slower to read.
  const { kind, s, q1, q2, q3_left, q3_right } = path;
  return { kind, s, q, q1, q2, q3_left, q3_right };
}

function otherJoints(code: MotionError): MotionProblem {
  return {
    code,
    s: 1,
    message:
      'The tool can follow the path, but the arm ends in other joint angles than those of the ' +
      'waypoint. Record the waypoint again from there, or use joint_space.',
  };
}
