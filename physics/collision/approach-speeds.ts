/**
 * Bounds of the speeds at which the bodies of a scene approach each other, from joint speeds and
 * the reach of each link about each axis. §2.6, §2.7.
 */

import { AXIS_REACH_M, FLANGE_REACH, TOOL_LINK } from '../arm/geometry.ts';
import type { Numbers } from '../math/vector.ts';

/**
 * Largest distance (m) of each link's axis ends (column, 1 to 7) from each joint's axis (row), for
 * a tool with its tip at `tip` in the flange frame, or for no tool.
 */
export function createReachTable(tip: Numbers | null, radius_m: number): Float64Array {
  const table = new Float64Array(6 * 8);
  for (let axis = 1; axis <= 6; axis++) {
    const reach_m = AXIS_REACH_M[axis - 1]!;
    for (let link = axis; link <= 6; link++) table[8 * (axis - 1) + link] = reach_m[link]!;
    table[8 * (axis - 1) + TOOL_LINK] = tip ? toolReach(tip, radius_m, axis) : 0;
  }
  return table;
}

/** Points of a cylinder move about its own axis, so its radius counts. */
function toolReach(tip: Numbers, radius: number, axis: number): number {
  const length = tipLength(tip);
  const flange_m = AXIS_REACH_M[axis - 1]![FLANGE_REACH]!;
  if (axis < 6) return flange_m + Math.sqrt(length * length + radius * radius);
  return Math.sqrt(tip[0]! * tip[0]! + tip[1]! * tip[1]!) + radius;
}

/** Length of a tool (m). */
export function tipLength(tip: Numbers): number {
  return Math.sqrt(tip[0]! * tip[0]! + tip[1]! * tip[1]! + tip[2]! * tip[2]!);
}

/**
 * Writes the speed (m per unit of the joint speeds) at which links a < b can approach each other to
 * `out` at 8 a + b; row 0 is the speed against the world.
 */
export function approachSpeeds(table: Float64Array, speeds: Float64Array, out: Float64Array): void {
  for (let b = 1; b <= TOOL_LINK; b++) {
    let sum = 0;
    const last = b < 6 ? b : 6;
    for (let a = last - 1; a >= 0; a--) {
      sum += speeds[a]! * table[8 * a + b]!;
      out[8 * a + b] = sum;
    }
  }
}
