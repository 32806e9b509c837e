/** The footprint of a solid: the outline of what it covers of the floor, and its lowest point. */

import { cos, PI, sin } from '../../math/portable.ts';
import type { Numbers } from '../../math/vector.ts';
import { turn } from '../pose.ts';
import { convexHull } from './convex-polygon.ts';
import type { Solid } from './solids.ts';

type Bounds = [number, number, number, number];

const corner = new Float64Array(3);
/** Points of the outline of a cylinder's end. */
const ROUND_POINTS = 24;

function outline(solid: Solid): readonly (readonly [number, number])[] {
  const [x, y] = [solid.half[0]!, solid.half[1]!];
  if (!solid.isRound) {
    return [
      [x, y],
      [-x, y],
      [-x, -y],
      [x, -y],
    ];
  }
  return Array.from({ length: ROUND_POINTS }, (_, i) => {
    const angle = (2 * PI * i) / ROUND_POINTS;
    return [x * cos(angle), x * sin(angle)] as const;
  });
}

/** The convex outline of a solid seen from above, with its lowest and highest point. */
export interface Footprint {
  /** Corners x, y counterclockwise (m). */
  readonly corners: readonly (readonly [number, number])[];
  /** Least and greatest x, least and greatest y (m). */
  readonly bounds: readonly [number, number, number, number];
  readonly low: number;
  readonly high: number;
}

/** The footprint of a solid. */
export function footprintOf(solid: Solid, pose: Numbers, at: number): Footprint {
  const points: [number, number][] = [];
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const [x, y] of outline(solid)) {
    for (const z of [-solid.half[2]!, solid.half[2]!]) {
      corner[0] = x;
      corner[1] = y;
      corner[2] = z;
      turn(pose, at + 3, corner, corner);
      points.push([pose[at]! + corner[0]!, pose[at + 1]! + corner[1]!]);
      low = Math.min(low, pose[at + 2]! + corner[2]!);
      high = Math.max(high, pose[at + 2]! + corner[2]!);
    }
  }
  const bounds = [points[0]![0], points[0]![0], points[0]![1], points[0]![1]] as Bounds;
  for (const [x, y] of points) {
    bounds[0] = Math.min(bounds[0], x);
    bounds[1] = Math.max(bounds[1], x);
    bounds[2] = Math.min(bounds[2], y);
    bounds[3] = Math.max(bounds[3], y);
  }
  return { corners: convexHull(points), bounds, low, high };
}
