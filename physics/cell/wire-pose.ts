/** Positions and orientations of arrays as the API writes them. */
import type { Numbers } from '../math/vector.ts';

export function wireVector(v: Numbers, at = 0): { x: number; y: number; z: number } {
  return { x: v[at]!, y: v[at + 1]!, z: v[at + 2]! };
}

export function wireQuaternion(
  q: Numbers,
  at: number,
): { w: number; x: number; y: number; z: number } {
  return { w: q[at]!, x: q[at + 1]!, y: q[at + 2]!, z: q[at + 3]! };
}
