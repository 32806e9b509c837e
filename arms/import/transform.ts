/** Vectors and frames of robot descriptions. Metres, radians; rotations by rows. */
import { fixedAxisRotation } from '../../physics/math/rotation.ts';

export type Vector = readonly [number, number, number];

/** Maps coordinates of an inner frame to those of the outer one. */
export interface Transform {
  readonly rotation: readonly number[];
  readonly shift_m: Vector;
}

export const ZERO: Vector = [0, 0, 0];
export const IDENTITY: Transform = { rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], shift_m: ZERO };

export const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaled = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by];
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vector): number => Math.sqrt(dot(a, a));
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The vector at length 1; that of a zero vector is not a number. */
export const normalised = (a: Vector): Vector => scaled(a, 1 / length(a));

/** The part of `a` that is at a right angle to the unit vector `along`. */
export const across = (a: Vector, along: Vector): Vector => minus(a, scaled(along, dot(a, along)));

/** A unit vector at a right angle to a unit vector. */
export const anyAcross = (along: Vector): Vector =>
  normalised(cross(along, Math.abs(along[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]));

export function rotated({ rotation: r }: Transform, [x, y, z]: Vector): Vector {
  return [
    r[0]! * x + r[1]! * y + r[2]! * z,
    r[3]! * x + r[4]! * y + r[5]! * z,
    r[6]! * x + r[7]! * y + r[8]! * z,
  ];
}

export const moved = (by: Transform, point: Vector): Vector => plus(rotated(by, point), by.shift_m);

/** The axes of a frame as its columns: the rotation whose columns they are. */
export const frameOf = (x: Vector, y: Vector, z: Vector): number[] => [
  ...[x[0], y[0], z[0]],
  ...[x[1], y[1], z[1]],
  ...[x[2], y[2], z[2]],
];

/** An axis of the inner frame in the outer one: 0 is x. */
export const columnOf = ({ rotation }: Transform, axis: number): Vector => [
  rotation[axis]!,
  rotation[3 + axis]!,
  rotation[6 + axis]!,
];

/** First `inner`, then `outer`. */
export function compose(outer: Transform, inner: Transform): Transform {
  const columns = [0, 1, 2].map((axis) => rotated(outer, columnOf(inner, axis)));
  return {
    rotation: frameOf(columns[0]!, columns[1]!, columns[2]!),
    shift_m: moved(outer, inner.shift_m),
  };
}

export function inverse({ rotation: r, shift_m }: Transform): Transform {
  const back = [r[0]!, r[3]!, r[6]!, r[1]!, r[4]!, r[7]!, r[2]!, r[5]!, r[8]!];
  return {
    rotation: back,
    shift_m: scaled(rotated({ rotation: back, shift_m: ZERO }, shift_m), -1),
  };
}

/** A frame at `shift_m` that is turned about fixed x, then y, then z. */
export function placed(shift_m: Vector, [x, y, z]: Vector): Transform {
  const rotation = new Float64Array(9);
  fixedAxisRotation(x, y, z, rotation);
  return { rotation: Array.from(rotation), shift_m };
}

/** A turn about a unit axis through the origin. */
export function turned(axis: Vector, angle_rad: number): Transform {
  const [sine, cosine] = [Math.sin(angle_rad), Math.cos(angle_rad)];
  const column = (unit: Vector): Vector =>
    plus(
      plus(scaled(unit, cosine), scaled(cross(axis, unit), sine)),
      scaled(axis, dot(axis, unit) * (1 - cosine)),
    );
  return {
    rotation: frameOf(column([1, 0, 0]), column([0, 1, 0]), column([0, 0, 1])),
    shift_m: ZERO,
  };
}
