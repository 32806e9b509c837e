/** Bodies that are tilted: whether they have fallen over, and how they turn onto a face. */
import type { Numbers } from '../math/vector.ts';
import { compose, SOLID_POSE, turn } from './pose.ts';
import type { Solid } from './solids/solids.ts';

/** A body stands on a face that is level within an angle of this cosine: 1°. */
const LEVEL_COSINE = 0.99985;
/** A body whose own z axis points less upwards than it did by this has fallen over. */
const TIPPED_COSINE = 0.9;
/** Corners within this height of the lowest one touch the ground together (m). */
const TOUCHING_M = 1e-4;

/** Whether a body that was upright by the cosine `before` and is by `now` has fallen over. */
export function hasTipped(before: number, now: number): boolean {
  return now < before * TIPPED_COSINE - (1 - TIPPED_COSINE);
}

/** The axes of a solid in the world. */
function axesOf(pose: Numbers, at: number): Float64Array[] {
  return [0, 1, 2].map((k) => {
    const axis = new Float64Array(3);
    turn(pose, at + 3, [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0], axis);
    return axis;
  });
}

const scaled = (axis: Numbers, by: number) => [0, 1, 2].map((k) => axis[k]! * by);

/** Outward normals of the faces; of the side of a cylinder its most downward one. */
function facesOf({ isRound }: Solid, [x, y, z]: Float64Array[]): number[][] {
  const ends = [scaled(z!, 1), scaled(z!, -1)];
  if (!isRound)
    return [...ends, ...[x!, y!].flatMap((axis) => [scaled(axis, 1), scaled(axis, -1)])];
  const down = [z![0]! * z![2]!, z![1]! * z![2]!, z![2]! * z![2]! - 1];
  const length = Math.sqrt(down[0]! * down[0]! + down[1]! * down[1]! + down[2]! * down[2]!);
  return length < 1e-6 ? ends : [...ends, scaled(down, 1 / length)];
}

/** The middle of the lowest points of a tilted solid, from its centre (m). */
function footOf({ half, isRound }: Solid, axes: Float64Array[], side: Numbers): number[] {
  if (isRound) {
    const end = axes[2]![2]! > 0 ? -half[2]! : half[2]!;
    return [0, 1, 2].map((k) => side[k]! * half[0]! + axes[2]![k]! * end);
  }
  const foot = [0, 0, 0];
  for (const axis of [0, 1, 2]) {
    const rise = axes[axis]![2]!;
    // An axis that is level adds nothing: both of its ends touch the ground.
    if (Math.abs(rise) * 2 * half[axis]! < TOUCHING_M) continue;
    for (let k = 0; k < 3; k++) foot[k]! -= Math.sign(rise) * axes[axis]![k]! * half[axis]!;
  }
  return foot;
}

/** How much of the own z axis of body `i` points upwards. */
export function uprightOf(poses: Numbers, i: number): number {
  return axesOf(poses, SOLID_POSE * i)[2]![2]!;
}

/**
 * Turns body `i`, at rest on an edge or corner, about that onto the face to which gravity turns it;
 * false where it stands on a face already.
 */
export function layOnFace(solid: Solid, poses: Float64Array, i: number): boolean {
  const axes = axesOf(poses, SOLID_POSE * i);
  const faces = facesOf(solid, axes);
  if (faces.some((normal) => -normal[2]! > LEVEL_COSINE)) return false;
  const foot = footOf(solid, axes, faces[2]!);
  // Gravity turns it about its foot: the horizontal way of its centre from there.
  const [x, y] = [-foot[0]!, -foot[1]!];
  const [a, b, c] = faces
    .filter((normal) => normal[2]! < 0)
    .reduce((best, one) => (x * one[0]! + y * one[1]! > x * best[0]! + y * best[1]! ? one : best));
  const at = SOLID_POSE * i;
  const pivot = [0, 1, 2].map((k) => poses[at + k]! + foot[k]!);
  // The shortest turn of the normal of that face, (a, b, c), to straight down.
  const w = Math.sqrt((1 - c!) / 2);
  turnAbout(poses, i, pivot, [w, -b! / (2 * w), a! / (2 * w), 0]);
  return true;
}

const turned = new Float64Array(SOLID_POSE);
const arm = new Float64Array(3);

/** Turns body `i` about a point by a unit quaternion w, x, y, z. */
export function turnAbout(
  poses: Float64Array,
  i: number,
  point: Numbers,
  [w, x, y, z]: readonly [number, number, number, number],
): void {
  const at = SOLID_POSE * i;
  for (let k = 0; k < 3; k++) arm[k] = poses[at + k]! - point[k]!;
  turned.set([0, 0, 0, w, x, y, z]);
  turn(turned, 3, arm, arm);
  compose(turned, 0, poses, at, poses, at);
  for (let k = 0; k < 3; k++) poses[at + k] = point[k]! + arm[k]!;
}
