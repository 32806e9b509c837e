/**
 * Spline moves: one smooth curve of the tool through all pass-through waypoints (§2.2, D21). A
 * natural cubic spline in position and rotation vector with centripetal knots, which overshoots
 * least on uneven distances.
 */

import { limits } from '../../contract/limits.ts';
import type { MotionError } from '../../contract/motion-errors.ts';
import { toolPoseAt } from '../kinematics/tool.ts';
import { TWO_PI } from '../math/portable.ts';
import { rotationRates } from '../math/rotation-rates.ts';
import { rotateByVector, rotationBetween } from '../math/rotation-vector.ts';
import { length3 } from '../math/vector.ts';
import { type CurveMoveRequest, planAlong } from './curve-move.ts';
import { toolOf } from './motion-caps.ts';
import { createNaturalSpline, createSplineSample, sampleSpline } from './natural-spline.ts';
import type { SmoothCurve } from './path-table-builder.ts';
import type { SegmentPlan } from './segment.ts';

/** A spline from rest at `start` through the tool poses of `through` to rest at `end`. */
export interface SplineMoveRequest extends CurveMoveRequest {
  /** Joints of the pass-through waypoints in order (rad, six each); their poses count. */
  readonly through: readonly Float64Array[];
}

/** Length that weighs rotation against travel (m/rad). */
const TURN_LENGTH_M = 0.3;
/** Poses closer than this are equal (m, 0.3 m a radian). */
const SAME_POSE_M = 1e-6;
/** Largest rotation from the first waypoint for which rotation vectors are a chart (rad). */
const TURN_MAX_RAD = 5;

/**
 * Plans the spline. Impossible without a pass-through waypoint (`too_few_waypoints`), with more
 * than the limit (`too_many_waypoints`), with two equal consecutive poses
 * (`cubic_path_calculation_error`), and where the curve cannot be followed, as for linear moves.
 */
export function planSplineMove(request: SplineMoveRequest): SegmentPlan {
  const count = request.through.length;
  if (count === 0) {
    return impossible(
      'too_few_waypoints',
      'A spline needs a pass-through waypoint before it. Add one, or use a linear move.',
    );
  }
  const most = limits.pass_through_waypoints;
  if (count > most) {
    return impossible(
      'too_many_waypoints',
      `A spline passes through at most ${most} waypoints, this one through ${count}. Split it.`,
    );
  }
  const curve = splineThrough(request);
  if (typeof curve === 'string') return impossible('cubic_path_calculation_error', curve);
  return planAlong(curve, request, 'cubic_path_calculation_error');
}

function impossible(code: MotionError, message: string): SegmentPlan {
  return { kind: 'impossible', problem: { code, s: 0, message } };
}

/** The curve, or the message of the reason why there is none. */
function splineThrough(request: SplineMoveRequest): SmoothCurve | string {
  const tool = toolOf(request.caps);
  const joints = [request.start, ...request.through, request.end];
  const poses = joints.map((q) => toolPoseAt(q, tool));
  const lengths = poses.slice(1).map((pose, i) => distanceBetween(poses[i]!, pose));
  const near = lengths.findIndex((length) => !(length > SAME_POSE_M));
  if (near >= 0)
    return `Waypoints ${near + 1} and ${near + 2} of the spline have the same pose. Remove one.`;
  const turns = turnsFromFirst(poses);
  if (turns.some((turn) => length3(turn[0]!, turn[1]!, turn[2]!) > TURN_MAX_RAD)) {
    return `The tool rotates by more than ${TURN_MAX_RAD} rad from the first waypoint. Split the spline.`;
  }
  const values = new Float64Array(6 * poses.length);
  poses.forEach((pose, i) => {
    values.set(pose.subarray(9, 12), 6 * i);
    values.set(turns[i]!, 6 * i + 3);
  });
  return curveThrough(poses[0]!, values, centripetal(lengths));
}

function distanceBetween(a: Float64Array, b: Float64Array): number {
  const turn = new Float64Array(3);
  rotationBetween(a, b, turn);
  const travel = length3(b[9]! - a[9]!, b[10]! - a[10]!, b[11]! - a[11]!);
  const angle = TURN_LENGTH_M * length3(turn[0]!, turn[1]!, turn[2]!);
  return Math.sqrt(travel * travel + angle * angle);
}

/** Rotation vectors from the first pose to each, without jumps by full turns. */
function turnsFromFirst(poses: readonly Float64Array[]): Float64Array[] {
  const turns: Float64Array[] = [];
  for (const pose of poses) {
    const turn = new Float64Array(3);
    rotationBetween(poses[0]!, pose, turn);
    turns.push(closestTurn(turn, turns[turns.length - 1] ?? turn));
  }
  return turns;
}

/** The rotation vector of the same rotation as `turn` that lies closest to `before`. */
function closestTurn(turn: Float64Array, before: Float64Array): Float64Array {
  const angle = length3(turn[0]!, turn[1]!, turn[2]!);
  const [x, y, z] = angle > 1e-9 ? turn : before;
  const size = length3(x!, y!, z!);
  if (!(size > 1e-9)) return turn;
  const along = (before[0]! * x! + before[1]! * y! + before[2]! * z!) / size;
  const whole = TWO_PI * Math.round((along - angle) / TWO_PI);
  const scale = (angle + whole) / size;
  return Float64Array.of(x! * scale, y! * scale, z! * scale);
}

/** Knots on [0, 1] at distances proportional to the square roots of the lengths. */
function centripetal(lengths: readonly number[]): number[] {
  const knots = [0];
  for (const length of lengths) knots.push(knots[knots.length - 1]! + Math.sqrt(length));
  const total = knots[knots.length - 1]!;
  return knots.map((knot, i) => (i === lengths.length ? 1 : knot / total));
}

function curveThrough(
  first: Float64Array,
  values: Float64Array,
  knots: readonly number[],
): SmoothCurve {
  const spline = createNaturalSpline(knots, values, 6);
  const sample = createSplineSample(6);
  const turn = new Float64Array(3);
  const unused = new Float64Array(6);
  return {
    knots,
    evaluate(at, pose, twist) {
      sampleSpline(spline, at, sample);
      for (let k = 0; k < 3; k++) turn[k] = sample.value[3 + k]!;
      rotateByVector(turn, first, pose);
      for (let k = 0; k < 3; k++) {
        pose[9 + k] = sample.value[k]!;
        twist[k] = sample.first[k]!;
      }
      rotationRates(sample, 3, twist, unused);
    },
    accelerate(at, out) {
      sampleSpline(spline, at, sample);
      for (let k = 0; k < 3; k++) out[k] = sample.second[k]!;
      rotationRates(sample, 3, unused, out);
    },
  };
}
