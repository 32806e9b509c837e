/**
 * linear moves: the tool point on a straight line, its orientation along the geodesic between the
 * two ends, which is to keep it where both agree (spec §2.2). The arm has to get from the start
 * joints to the end joints without changing branch.
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { createLine } from '../kinematics/cartesian-line.ts';
import { createFrames, forward } from '../kinematics/forward.ts';
import { createTool, POSE_SIZE, type Tool, toolPose } from '../kinematics/tool.ts';
import { largestDifference } from '../math/vector.ts';
import { findMargins } from './cartesian-problem.ts';
import type { MotionLimits } from './limits.ts';
import type { PathTable } from './path.ts';
import { buildPathTable, type SmoothCurve } from './path-table.ts';
import {
  boundaryProblem,
  hasTravel,
  type MotionCaps,
  type MotionProblem,
  restSegment,
  type Segment,
  segmentOf,
} from './segment.ts';
import { timePath } from './time-path.ts';

/** A move of the tool from rest at joints `start` to rest at joints `end` (rad). */
export interface LinearMoveRequest {
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly caps: MotionCaps;
  readonly waypoints: readonly number[];
  readonly limits?: MotionLimits;
}

/** A motion with a path, or why none could be laid. */
export type CartesianPlan =
  | { readonly kind: 'planned'; readonly segment: Segment }
  | { readonly kind: 'impossible'; readonly problem: MotionProblem };

/** End joints farther than this from the waypoint's are another branch (rad). */
const SAME_BRANCH_RAD = 1e-5;

/**
 * Plans a straight line of the tool point. Impossible where the line can not be followed
 * (`jN_boundary_limit`, a singularity) or ends in other joints than the waypoint's
 * (`linear_path_calculation_error`); requested times as for joint moves.
 */
export function planLinearMove(request: LinearMoveRequest): CartesianPlan {
  const { start, end } = request;
  if (!hasTravel(start, end)) return resting(request);
  const curve = lineBetween(start, end, toolOf(request.caps));
  return planAlong(curve, request, 'linear_path_calculation_error');
}

/** The tool point of the caps; its own turn is left out, as no geodesic depends on it. */
export function toolOf(caps: MotionCaps): Tool {
  const [x, y, z] = caps.tool_offset_m;
  return createTool({ offsets: { x, y, z } });
}

/** Pose of the tool at joints `q`. */
export function toolPoseAt(q: Float64Array, tool: Tool): Float64Array {
  const frames = createFrames();
  const pose = new Float64Array(POSE_SIZE);
  forward(q, frames);
  toolPose(frames, tool, pose);
  return pose;
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

function resting({ start, end, waypoints }: LinearMoveRequest): CartesianPlan {
  const path = { kind: 'line', start, end } as const;
  return { kind: 'planned', segment: restSegment(path, waypoints, boundaryProblem(end)) };
}

/** Tracks and times a curve from the start joints to the end joints of a request. */
export function planAlong(
  curve: SmoothCurve,
  request: LinearMoveRequest,
  otherwise: MotionError,
): CartesianPlan {
  const { start, end, caps } = request;
  const built = buildPathTable(curve, toolOf(caps), start);
  if (built.kind === 'ended') return { kind: 'impossible', problem: built.problem };
  const path = closed(built.path, start, end);
  if (!path) return { kind: 'impossible', problem: otherJoints(otherwise) };
  const timing = timePath({ path, caps, ...(request.limits ? { limits: request.limits } : {}) });
  const { problem, warnings } = findMargins(path);
  return { kind: 'planned', segment: { ...segmentOf(path, timing, request, problem), warnings } };
}

/** The path with the very joints of the waypoints at its ends, or null when it misses them. */
function closed(path: PathTable, start: Float64Array, end: Float64Array): PathTable | null {
  const last = path.q.length - 6;
  if (largestDifference(path.q.subarray(last), end) > SAME_BRANCH_RAD) return null;
  const q = Float64Array.from(path.q);
  q.set(start, 0);
  q.set(end, last);
  // Written out: everything that samples the path reads this record, and a spread reads slowly.
  const { kind, s, q1, q2, q3_left, q3_right } = path;
  return { kind, s, q, q1, q2, q3_left, q3_right };
}

function otherJoints(code: MotionError): MotionProblem {
  return {
    code,
    s: 1,
    message:
      'The tool can follow the path, but the arm then stands in other joints than those of the ' +
      'waypoint. Take the waypoint again with the arm coming from there, or use joint_space.',
  };
}
