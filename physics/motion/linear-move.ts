/**
 * Linear moves: the tool point on a straight line, its orientation along the geodesic between the
 * two ends (§2.2), from the start joints to the end joints without changing branch.
 */

import { MODEL_RANGE } from '../arm/arm-range.ts';
import { createLine } from '../kinematics/cartesian-line.ts';
import { type Tool, toolPoseAt } from '../kinematics/tool.ts';
import { type CurveMoveRequest, planAlong } from './curve-move.ts';
import { toolOf } from './motion-caps.ts';
import { boundaryProblem } from './motion-problem.ts';
import type { SmoothCurve } from './path-table-builder.ts';
import { hasTravel, restSegment, type SegmentPlan } from './segment.ts';

/**
 * Plans a straight line of the tool point. Impossible where the line cannot be followed
 * (`jN_boundary_limit`, a singularity) or ends in other joints than the waypoint's
 * (`linear_path_calculation_error`); requested times as for joint moves.
 */
export function planLinearMove(request: CurveMoveRequest): SegmentPlan {
  const { start, end } = request;
  if (!hasTravel(start, end)) return resting(request);
  const curve = lineBetween(start, end, toolOf(request.caps));
  return planAlong(curve, request, 'linear_path_calculation_error');
}

function lineBetween(start: Float64Array, end: Float64Array, tool: Tool): SmoothCurve {
  const line = createLine(toolPoseAt(start, tool), toolPoseAt(end, tool));
  return {
    knots: [0, 1],
    evaluate: line.evaluate,
    accelerate(_at, out) {
      out.fill(0);
    },
  };
}

function resting(request: CurveMoveRequest): SegmentPlan {
  const { start, end, range = MODEL_RANGE } = request;
  const path = { kind: 'line', start, end } as const;
  return { kind: 'planned', segment: restSegment(path, request, boundaryProblem(end, range)) };
}
