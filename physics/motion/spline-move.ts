/**
 * Spline moves: one smooth curve of the tool through all pass-through waypoints (§2.2, D21). A
 * natural cubic spline in position and rotation vector with centripetal knots, which overshoots
 * least on uneven distances. The natural spline is twice continuously differentiable with zero
 * curvature at its ends.
 */
import type { MotionError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { TWO_PI } from '../math/portable.ts';
import { length3, rotateByVector, rotationBetween, rotationRates } from '../math/rotation.ts';
import {
  type LinearMoveRequest,
  planAlong,
  type SmoothCurve,
  toolOf,
  toolPoseAt,
} from './linear-move.ts';
import type { SegmentPlan } from './segment.ts';

/** Knots, values and second derivatives, `size` components a knot. */
export interface NaturalSpline {
  readonly size: number;
  readonly knots: readonly number[];
  readonly values: Float64Array;
  readonly seconds: Float64Array;
}

/** The spline through `values` (`size` components for each of the rising `knots`). */
export function createNaturalSpline(
  knots: readonly number[],
  values: Float64Array,
  size: number,
): NaturalSpline {
  const seconds = new Float64Array(values.length);
  for (let k = 0; k < size; k++) solveSeconds(knots, values, seconds, { size, k });
  return { size, knots, values, seconds };
}

/** Tridiagonal equations of continuity, for component `k`. */
function solveSeconds(
  knots: readonly number[],
  values: Float64Array,
  seconds: Float64Array,
  { size, k }: { readonly size: number; readonly k: number },
): void {
  const last = knots.length - 1;
  const ratio = new Float64Array(last + 1);
  const side = new Float64Array(last + 1);
  const slope = (i: number) =>
    (values[(i + 1) * size + k]! - values[i * size + k]!) / (knots[i + 1]! - knots[i]!);
  for (let i = 1; i < last; i++) {
    const before = knots[i]! - knots[i - 1]!;
    const after = knots[i + 1]! - knots[i]!;
    const pivot = 2 * (before + after) - before * ratio[i - 1]!;
    ratio[i] = after / pivot;
    side[i] = (6 * (slope(i) - slope(i - 1)) - before * side[i - 1]!) / pivot;
  }
  for (let i = last - 1; i > 0; i--) {
    seconds[i * size + k] = side[i]! - ratio[i]! * seconds[(i + 1) * size + k]!;
  }
}

/** Writes value, first and second derivative at `at[0]` (`size` numbers each). No allocation. */
export function sampleSpline(spline: NaturalSpline, at: Float64Array, out: SplineSample): void {
  const { knots, values, seconds, size } = spline;
  const u = at[0]!;
  let i = 0;
  while (i < knots.length - 2 && knots[i + 1]! <= u) i++;
  const h = knots[i + 1]! - knots[i]!;
  const b = (u - knots[i]!) / h;
  const a = 1 - b;
  for (let k = 0; k < size; k++) {
    const y0 = values[i * size + k]!;
    const y1 = values[(i + 1) * size + k]!;
    const m0 = seconds[i * size + k]!;
    const m1 = seconds[(i + 1) * size + k]!;
    out.value[k] = a * y0 + b * y1 + (((a * a - 1) * a * m0 + (b * b - 1) * b * m1) * h * h) / 6;
    out.first[k] = (y1 - y0) / h + (((1 - 3 * a * a) * m0 + (3 * b * b - 1) * m1) * h) / 6;
    out.second[k] = a * m0 + b * m1;
  }
}

/** Value and derivatives of a spline at one parameter. */
export interface SplineSample {
  readonly value: Float64Array;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

/** Scratch space for one sample: value and the first two derivatives, `size` numbers each. */
export function createSplineSample(size: number): SplineSample {
  return {
    value: new Float64Array(size),
    first: new Float64Array(size),
    second: new Float64Array(size),
  };
}

/** A spline from rest at `start` through the tool poses of `through` to rest at `end`. */
export interface SplineMoveRequest extends LinearMoveRequest {
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
