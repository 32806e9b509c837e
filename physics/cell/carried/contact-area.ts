/** Where one body stands on a face of another: the area that both share, in the carrier's frame. */

import { cos, PI, sin } from '../../math/portable.ts';
import type { Numbers } from '../../math/vector.ts';
import { turn, turnBack } from '../pose.ts';
import { ROLLING_RESISTANCE } from '../rolling.ts';
import { clip, convexHull, isInside, type Point } from '../solids/convex-polygon.ts';
import type { Solid } from '../solids/solids.ts';

/** Points of a body within this height of its lowest one touch together (m). */
const LEVEL_M = 5e-4;
/** Half width of the area beneath an edge (m; own). */
const EDGE_M = 1e-4;
/** A face whose normal has a smaller part upwards carries nothing: a slope of 60°. */
const CARRYING_COSINE = 0.5;
/** The centre of a body may lie outside of its area by this much (m). */
const OUTSIDE_M = 1e-4;
/** A cylinder lies when the sine of its axis to the normal of the face is above this: 30°. */
const LYING_SINE = 0.5;
/** Points of the outline of a round face. */
const ROUND_POINTS = 24;
const UP = [0, 0, 1];

/** A face of a solid: 2 · axis, and one more where it looks against the axis. */
export type Face = 0 | 1 | 2 | 3 | 4 | 5;

export const axisOf = (face: number) => face >> 1;
export const sideOf = (face: number) => (face & 1 ? -1 : 1);
/** The two axes along a face. */
export const alongOf = (face: number) => [(axisOf(face) + 1) % 3, (axisOf(face) + 2) % 3] as const;

/** What a body and the face that carries it share. */
export interface ContactArea {
  /** Corners in the axes along the face (m). */
  readonly corners: readonly Point[];
  readonly centre: Point;
  /**
   * Radius of a ring whose friction resists turning as that of the area does, under a weight that
   * is spread evenly over a disc of its size (m).
   */
  readonly radius_m: number;
  /** Whether it is the area beneath an edge, or the line on which a cylinder lies. */
  readonly isThin: boolean;
  /** Distance of the body from the face (m), negative where it lies in it. */
  readonly gap_m: number;
}

const local = new Float64Array(3);

/** The face of a solid at the pose at `at` that looks upwards; null where that is a round side. */
export function upperFace({ isRound }: Solid, pose: Numbers, at: number): Face | null {
  turnBack(pose, at + 3, UP, local);
  let best = isRound ? 2 : 0;
  for (let k = best + 1; k < 3; k++) if (Math.abs(local[k]!) > Math.abs(local[best]!)) best = k;
  if (Math.abs(local[best]!) < CARRYING_COSINE) return null;
  return (2 * best + (local[best]! < 0 ? 1 : 0)) as Face;
}

/** The outline of a face, in the axes along it. */
function outlineOf({ isRound, half }: Solid, face: Face): Point[] {
  const [u, v] = alongOf(face);
  const [a, b] = [half[u]!, half[v]!];
  if (!isRound) {
    return [
      [a, b],
      [-a, b],
      [-a, -b],
      [a, -b],
    ];
  }
  return Array.from({ length: ROUND_POINTS }, (_, i) => {
    const angle = (2 * PI * i) / ROUND_POINTS;
    return [a * cos(angle), a * sin(angle)] as const;
  });
}

/** The points of a solid that may be its lowest ones along a direction, in its own frame. */
function lowPoints({ isRound, half }: Solid, down: Numbers): number[][] {
  const [a, b, c] = [half[0]!, half[1]!, half[2]!];
  const ends = [-c, c];
  if (!isRound) {
    return ends.flatMap((z) => [-a, a].flatMap((x) => [-b, b].map((y) => [x, y, z])));
  }
  const across = Math.sqrt(down[0]! * down[0]! + down[1]! * down[1]!);
  // A cylinder that lies touches along a line, one that stands with its outline.
  if (across > LYING_SINE) {
    return ends.map((z) => [(a * down[0]!) / across, (a * down[1]!) / across, z]);
  }
  return ends.flatMap((z) => outlineOf({ isRound, half }, 4).map(([x, y]) => [x, y, z]));
}

/** A rectangle about the line between the two points that are farthest apart; none of one point. */
function widened(points: readonly Point[], by_m: number): Point[] {
  const [from, to] = [points[0], points.at(-1)];
  if (!from || !to) return [];
  const [x, y] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.sqrt(x * x + y * y);
  if (length === 0) return [];
  const [u, v] = [(-y / length) * by_m, (x / length) * by_m];
  return [
    [from[0] - u, from[1] - v],
    [to[0] - u, to[1] - v],
    [to[0] + u, to[1] + v],
    [from[0] + u, from[1] + v],
  ];
}

function sizeOf(corners: readonly Point[]): { readonly area_m2: number; readonly centre: Point } {
  let [area, x, y] = [0, 0, 0];
  corners.forEach(([a, b], i) => {
    const [c, d] = corners[(i + 1) % corners.length]!;
    const cross = a * d - c * b;
    area += cross / 2;
    x += ((a + c) * cross) / 6;
    y += ((b + d) * cross) / 6;
  });
  return { area_m2: area, centre: area > 0 ? [x / area, y / area] : [0, 0] };
}

/**
 * Where a body stands on a face, with `pose` at `at` in the frame of the carrier; null where no
 * part of it is above the face. An area beneath an edge is as wide as rolling resistance makes it
 * for a cylinder that lies, else hardly at all.
 */
export function contactArea(
  carrier: Solid,
  face: Face,
  body: Solid,
  pose: Numbers,
  at = 0,
): ContactArea | null {
  const [axis, side] = [axisOf(face), sideOf(face)];
  const [u, v] = alongOf(face);
  local.fill(0);
  local[axis] = -side;
  turnBack(pose, at + 3, local, local);
  const points = lowPoints(body, local).map((point) => {
    turn(pose, at + 3, point, local);
    for (let k = 0; k < 3; k++) local[k]! += pose[at + k]!;
    return [local[u]!, local[v]!, side * local[axis]!] as const;
  });
  const low = Math.min(...points.map(([, , height]) => height));
  const touching = points.filter(([, , height]) => height <= low + LEVEL_M);
  const hull = convexHull(touching.map(([x, y]): Point => [x, y]));
  const isThin = hull.length < 3 || sizeOf(hull).area_m2 < EDGE_M * EDGE_M;
  const half_m = body.isRound ? ROLLING_RESISTANCE * body.half[0]! : EDGE_M;
  const own = isThin ? widened(hull, half_m) : hull;
  const corners = clip(own, outlineOf(carrier, face));
  if (corners.length < 3) return null;
  const { area_m2, centre } = sizeOf(corners);
  if (!(area_m2 > 0)) return null;
  const gap_m = low - carrier.half[axis]!;
  return { corners, centre, radius_m: (2 / 3) * Math.sqrt(area_m2 / PI), isThin, gap_m };
}

/** Whether a point along the face lies in an area. */
export function isCarried({ corners }: ContactArea, u: number, v: number): boolean {
  return isInside(corners, u, v, OUTSIDE_M);
}
