/**
 * spline moves: one smooth curve of the tool through all pass-through waypoints (spec §2.2,
 * decision D21). A natural cubic in position and rotation vector with centripetal knots, which
 * overshoots least on uneven distances.
 */
import { limits } from '../../contract/limits.ts';
import type { MotionError } from '../../contract/motion-errors.ts';
import { TWO_PI } from '../math/portable.ts';
import { turnBetween, turnBy } from '../math/rotation-vector.ts';
import { length3 } from '../math/vector.ts';
import {
  type CartesianPlan,
  type LinearMoveRequest,
  planAlong,
  toolOf,
  toolPoseAt,
} from './linear-move.ts';
import { createNaturalSpline, createSplineSample, sampleSpline } from './natural-spline.ts';
import type { SmoothCurve } from './path-table.ts';
import { rotationRates } from './rotation-rates.ts';

/** A spline from rest at `start` through the tool poses of `through` to rest at `end`. */
export interface SplineMoveRequest extends LinearMoveRequest {
  /** Joints of the pass-through waypoints in order (rad, six each); their poses count. */
  readonly through: readonly Float64Array[];
}

/** Turn that counts as much as a metre of travel is 1 / this (m/rad). */
const TURN_LENGTH_M = 0.3;
/** Poses closer together than this are one pose (m, 0.3 m a radian). */
const SAME_POSE_M = 1e-6;
/** Turn from the first waypoint beyond which rotation vectors are no longer a chart (rad). */
const TURN_MAX_RAD = 5;

/**
 * Plans the spline. Impossible without a pass-through waypoint (`too_few_waypoints`), with more
 * than are allowed (`too_many_waypoints`), with two poses in a row that are the same
 * (`cubic_path_calculation_error`), and where the curve can not be followed, as linear moves.
 */
export function planSplineMove(request: SplineMoveRequest): CartesianPlan {
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
      `A spline passes through at most ${most} waypoints, here are ${count}. Split it.`,
    );
  }
  const curve = splineThrough(request);
  if (typeof curve === 'string') return impossible('cubic_path_calculation_error', curve);
  return planAlong(curve, request, 'cubic_path_calculation_error');
}

function impossible(code: MotionError, message: string): CartesianPlan {
  return { kind: 'impossible', problem: { code, s: 0, message } };
}

/** The curve, or a sentence that says why there is none. */
function splineThrough(request: SplineMoveRequest): SmoothCurve | string {
  const tool = toolOf(request.caps);
  const joints = [request.start, ...request.through, request.end];
  const poses = joints.map((q) => toolPoseAt(q, tool));
  const lengths = poses.slice(1).map((pose, i) => distanceBetween(poses[i]!, pose));
  const near = lengths.findIndex((length) => !(length > SAME_POSE_M));
  if (near >= 0) return `Waypoints ${near + 1} and ${near + 2} of the spline are the same pose.`;
  const turns = turnsFromFirst(poses);
  if (turns.some((turn) => length3(turn[0]!, turn[1]!, turn[2]!) > TURN_MAX_RAD)) {
    return `The tool turns by more than ${TURN_MAX_RAD} rad from the first waypoint. Split the spline.`;
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
  turnBetween(a, b, turn);
  const travel = length3(b[9]! - a[9]!, b[10]! - a[10]!, b[11]! - a[11]!);
  const angle = TURN_LENGTH_M * length3(turn[0]!, turn[1]!, turn[2]!);
  return Math.sqrt(travel * travel + angle * angle);
}

/** Rotation vectors from the first pose to each, without jumps by whole turns. */
function turnsFromFirst(poses: readonly Float64Array[]): Float64Array[] {
  const turns: Float64Array[] = [];
  for (const pose of poses) {
    const turn = new Float64Array(3);
    turnBetween(poses[0]!, pose, turn);
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

/** Knots on [0, 1]: distances in proportion to the roots of the lengths. */
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
      turnBy(turn, first, pose);
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
