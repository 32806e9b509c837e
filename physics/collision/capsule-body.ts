/**
 * Bodies of capsules for the contact forces of the plants: links, tool and carried load. Unlike
 * the collision checks, which take a tool as an exact flat-ended cylinder, contact needs the depth
 * of a penetration: a cylinder is a core and two rings of thinner capsules inside it, at most a
 * thirteenth of its radius short at the sides and ends, a seventh at the rims.
 */

import { CAPSULE_ENDS_M, CAPSULE_RADIUS_M, FIRST_CAPSULE } from '../arm/geometry.ts';
import { FLANGE_FRAME, FRAME_SIZE } from '../kinematics/forward.ts';
import { PI, sincos, trig } from '../math/portable.ts';
import { length3, type Numbers } from '../math/vector.ts';
import { BOX_CENTRE, BOX_HALF } from './boxes.ts';

export interface CapsuleBody {
  /** Frame that the body is given in. */
  readonly frame: number;
  /** Both ends of each capsule's axis in that frame (m), six numbers a capsule. */
  readonly ends_m: Float64Array;
  readonly radius_m: Float64Array;
  /** Boxes that some of the capsules fill, in that frame (as of `compileBox`). */
  readonly boxes: readonly Float64Array[];
  /** Number of capsules, the first ones, that fill no box. */
  readonly loose: number;
  /** Bounding ball: centre in that frame (m), and squared radius (m²). */
  readonly centre_m: Float64Array;
  readonly reachSquared_m2: number;
}

function createBody(
  frame: number,
  ends_m: Float64Array,
  radius_m: Float64Array,
  centre_m = new Float64Array(3),
): CapsuleBody {
  let reach = 0;
  for (let at = 0; at < ends_m.length; at += 3) {
    const [x, y, z] = [0, 1, 2].map((k) => ends_m[at + k]! - centre_m[k]!) as Triple;
    reach = Math.max(reach, length3(x, y, z) + radius_m[Math.floor(at / 6)]!);
  }
  const loose = radius_m.length;
  return { frame, ends_m, radius_m, boxes: [], loose, centre_m, reachSquared_m2: reach * reach };
}

type Triple = [number, number, number];

/**
 * A body of capsules in the flange frame (m): six numbers for the ends of each, and its radius. The
 * first `loose` of them fill no box of `boxes`.
 */
export function flangeBody(
  ends_m: readonly number[],
  radius_m: readonly number[],
  boxes: readonly Float64Array[] = [],
  loose = radius_m.length,
): CapsuleBody {
  const centre = [0, 1, 2].map((k) => {
    let sum = 0;
    for (let at = k; at < ends_m.length; at += 3) sum += ends_m[at]!;
    return (3 * sum) / ends_m.length;
  });
  const [ends, radii] = [Float64Array.from(ends_m), Float64Array.from(radius_m)];
  const body = createBody(FLANGE_FRAME, ends, radii, Float64Array.from(centre));
  // The corners of a box are outside of its capsules.
  let reach = Math.sqrt(body.reachSquared_m2);
  for (const box of boxes) {
    const [x, y, z] = [0, 1, 2].map((k) => box[BOX_CENTRE + k]! - centre[k]!) as Triple;
    const [a, b, c] = [box[BOX_HALF]!, box[BOX_HALF + 1]!, box[BOX_HALF + 2]!];
    reach = Math.max(reach, length3(x, y, z) + length3(a, b, c));
  }
  return { ...body, boxes, loose, reachSquared_m2: reach * reach };
}

/** The base and links 1 to 6. */
export const LINK_BODIES: readonly CapsuleBody[] = Array.from({ length: 7 }, (_, link) => {
  const [first, end] = [FIRST_CAPSULE[link]!, FIRST_CAPSULE[link + 1]!];
  return createBody(
    link,
    CAPSULE_ENDS_M.subarray(6 * first, 6 * end),
    CAPSULE_RADIUS_M.subarray(first, end),
  );
});

/** A ball in the flange frame (m). */
export function ballBody(centre_m: Numbers, radius_m: number): CapsuleBody {
  const [x, y, z] = [centre_m[0]!, centre_m[1]!, centre_m[2]!];
  return createBody(FLANGE_FRAME, Float64Array.of(x, y, z, x, y, z), Float64Array.of(radius_m));
}

/** Thinner than this a cylinder is a line of this radius (m). */
const RADIUS_MIN_M = 1e-3;
/** Rings of capsules: number, and distance of their axes from the cylinder's in its radius. */
const RINGS = [
  { count: 16, share: 0.75 },
  { count: 8, share: 0.5 },
];
const RING_RADIUS_SHARE = 0.25;

/** Two unit vectors across a unit vector. */
function across(axis: Numbers): readonly [number[], number[]] {
  const [x, y, z] = [axis[0]!, axis[1]!, axis[2]!];
  const flat = Math.abs(z) < 0.9 ? [-y, x, 0] : [0, -z, y];
  const size = length3(flat[0]!, flat[1]!, flat[2]!);
  const u = flat.map((part) => part / size);
  const v = [y * u[2]! - z * u[1]!, z * u[0]! - x * u[2]!, x * u[1]! - y * u[0]!];
  return [u, v];
}

/** A flat-ended cylinder from the flange centre to `tip_m` (flange frame, m), inside its bounds. */
export function cylinderBody(tip_m: Numbers, radius_m: number): CapsuleBody {
  const length = length3(tip_m[0]!, tip_m[1]!, tip_m[2]!);
  const radius = Math.max(radius_m, RADIUS_MIN_M);
  const axis = [0, 1, 2].map((k) => tip_m[k]! / length);
  const [u, v] = across(axis);
  const ends: number[] = [];
  const radii: number[] = [];
  const add = (x: number, y: number, ownRadius: number): void => {
    for (const along of [ownRadius, length - ownRadius]) {
      for (let k = 0; k < 3; k++) ends.push(along * axis[k]! + x * u[k]! + y * v[k]!);
    }
    radii.push(ownRadius);
  };
  add(0, 0, Math.min(radius, 0.5 * length));
  const own = Math.min(RING_RADIUS_SHARE * radius, 0.5 * length);
  for (const { count, share } of RINGS) {
    for (let i = 0; i < count; i++) {
      sincos((2 * PI * i) / count);
      const away = share === RINGS[0]!.share ? radius - own : share * radius;
      add(away * trig.cos, away * trig.sin, own);
    }
  }
  return createBody(FLANGE_FRAME, Float64Array.from(ends), Float64Array.from(radii));
}

/** Writes the ends of capsule `i` of a body at the pose of `frames` (world, m). No allocation. */
export function placeBodyCapsule(
  frames: Numbers,
  body: CapsuleBody,
  i: number,
  out: Float64Array,
): void {
  const at = body.frame * FRAME_SIZE;
  for (let end = 0; end < 6; end += 3) {
    const x = body.ends_m[6 * i + end]!;
    const y = body.ends_m[6 * i + end + 1]!;
    const z = body.ends_m[6 * i + end + 2]!;
    for (let row = 0; row < 3; row++) {
      const r = at + 3 * row;
      out[end + row] =
        frames[r]! * x + frames[r + 1]! * y + frames[r + 2]! * z + frames[at + 9 + row]!;
    }
  }
}
