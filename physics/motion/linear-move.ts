/**
 * Linear moves: the tool point on a straight line, its orientation along the geodesic between the
 * two ends (§2.2), from the start joints to the end joints without changing branch. Also checks how
 * closely a Cartesian path passes a singularity: tracking reports where a curve cannot be followed
 * at all, the margins judge paths that can (§2.4).
 */
import type { MotionError } from '../../contract/errors.ts';
import {
  createFrames,
  createTool,
  forward,
  POSE_SIZE,
  type Tool,
  toolPose,
} from '../kinematics/forward.ts';
import {
  createLine,
  SINGULARITY_MARGINS,
  type SingularityMargin,
  singularDistances,
} from '../kinematics/tracking.ts';
import { largestDifference } from '../math/rotation.ts';
import type { MotionLimits } from './limits.ts';
import { buildPathTable, type SmoothCurve } from './path-table.ts';
import {
  boundaryProblem,
  hasTravel,
  type MotionCaps,
  type MotionProblem,
  type PathTable,
  restSegment,
  type SegmentPlan,
  timedSegment,
} from './segment.ts';
import { timePath } from './time-path.ts';

interface Margin extends SingularityMargin {
  readonly advice: string;
}

const ADVICE = {
  shoulder_singularity:
    'the wrist comes too close to the axis of joint 1. Move the path away from that axis.',
  elbow_singularity: 'the elbow is almost stretched. Move the path closer to the robot.',
  wrist_singularity:
    'the axes of the wrist are aligned. Rotate the tool, or use a joint_space move.',
} as const;

const MARGINS: readonly Margin[] = SINGULARITY_MARGINS.map((margin) => ({
  ...margin,
  advice: ADVICE[margin.code],
}));

/** Distance from each singularity at the last measured pose. */
const distances = new Float64Array(MARGINS.length);

/** Problem and warnings of the singularity margins on a path. */
export interface MarginFindings {
  readonly problem: MotionProblem | null;
  readonly warnings: readonly MotionProblem[];
}

/**
 * Passing through a margin is a problem or a warning. The part of a path that leaves or reaches a
 * pose within the error margin is neither, so that every pose can be left and reached.
 */
export function findSingularityMargins(path: PathTable): MarginFindings {
  const nodes = path.s.length;
  const table = new Float64Array(MARGINS.length * nodes);
  for (let i = 0; i < nodes; i++) {
    singularDistances(path.q.subarray(6 * i, 6 * i + 6), distances);
    for (let k = 0; k < MARGINS.length; k++) table[k * nodes + i] = distances[k]!;
  }
  let problem: MotionProblem | null = null;
  const warnings: MotionProblem[] = [];
  MARGINS.forEach((margin, k) => {
    const along = table.subarray(k * nodes, (k + 1) * nodes);
    const close = closest(along, 0, nodes - 1);
    if (along[close]! < margin.warning) {
      warnings.push(problemAt(path.s[close]!, margin, margin.warning_code));
    }
    const passed = closestPassage(along, margin.error);
    if (passed < 0 || (problem && problem.s <= path.s[passed]!)) return;
    problem = problemAt(path.s[passed]!, margin, margin.code);
  });
  return { problem, warnings };
}

/** Index of the smallest distance between two nodes, both included. */
function closest(along: Float64Array, from: number, to: number): number {
  let best = from;
  for (let i = from + 1; i <= to; i++) if (along[i]! < along[best]!) best = i;
  return best;
}

/**
 * Closest node within the error margin that belongs neither to the part that leaves the start nor
 * to the part that reaches the end, or -1. At an end that is exactly singular another factor may
 * vanish, so the nodes next to the ends decide.
 */
function closestPassage(along: Float64Array, error: number): number {
  let from = 1;
  let to = along.length - 2;
  while (from <= to && along[from]! < error) from++;
  while (to >= from && along[to]! < error) to--;
  if (from > to) return -1;
  const close = closest(along, from, to);
  return along[close]! < error ? close : -1;
}

function problemAt(s: number, margin: Margin, code: MotionError): MotionProblem {
  return { code, s, message: `At ${(100 * s).toFixed(1)} % of the path ${margin.advice}` };
}

/** A move of the tool from rest at joints `start` to rest at joints `end` (rad). */
export interface LinearMoveRequest {
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly caps: MotionCaps;
  readonly waypoints: readonly number[];
  readonly limits?: MotionLimits;
}

/** Largest distance of the end joints from the waypoint on the same branch (rad). */
const SAME_BRANCH_RAD = 1e-5;

/**
 * Plans a straight line of the tool point. Impossible where the line cannot be followed
 * (`jN_boundary_limit`, a singularity) or ends in other joints than the waypoint's
 * (`linear_path_calculation_error`); requested times as for joint moves.
 */
export function planLinearMove(request: LinearMoveRequest): SegmentPlan {
  const { start, end } = request;
  if (!hasTravel(start, end)) return resting(request);
  const curve = lineBetween(start, end, toolOf(request.caps));
  return planAlong(curve, request, 'linear_path_calculation_error');
}

/** The tool of the caps; its own rotation is left out because no geodesic depends on it. */
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

function resting({ start, end, waypoints }: LinearMoveRequest): SegmentPlan {
  const path = { kind: 'line', start, end } as const;
  return { kind: 'planned', segment: restSegment(path, waypoints, boundaryProblem(end)) };
}

/** Tracks and times a curve from the start joints to the end joints of a request. */
export function planAlong(
  curve: SmoothCurve,
  request: LinearMoveRequest,
  mismatchCode: MotionError,
): SegmentPlan {
  const { start, end, caps } = request;
  const built = buildPathTable(curve, toolOf(caps), start);
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
