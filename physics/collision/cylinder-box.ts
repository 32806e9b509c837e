/**
 * Distance of the tool's flat-ended cylinder to a box, found with the Gilbert-Johnson-Keerthi
 * (GJK) algorithm on their Minkowski difference, in the frame of the box. It is the only pair
 * without a closed form; culling by the enclosing capsule keeps it rare. §2.6.
 */
import type { Numbers } from '../math/vector.ts';
import { simplex } from './simplex.ts';

const ITERATIONS = 100;
/** Largest error of the distance (m). */
const TOLERANCE_M = 1e-9;

/** Below this share across the axis, the direction is parallel to it up to rounding. */
const ALIGNED = 1e-9;

const support = new Float64Array(3);

/** Support function: writes the point of cylinder minus box farthest in direction -nearest. */
function writeSupport(axis: Numbers, radius: number, half: Numbers, h: number): void {
  const x = -simplex.nearest[0]!;
  const y = -simplex.nearest[1]!;
  const z = -simplex.nearest[2]!;
  const ux = axis[3]! - axis[0]!;
  const uy = axis[4]! - axis[1]!;
  const uz = axis[5]! - axis[2]!;
  const uu = ux * ux + uy * uy + uz * uz;
  const along = x * ux + y * uy + z * uz;
  const end = along > 0 ? 3 : 0;
  const px = x - (along / uu) * ux;
  const py = y - (along / uu) * uy;
  const pz = z - (along / uu) * uz;
  const p = Math.sqrt(px * px + py * py + pz * pz);
  const size = Math.sqrt(x * x + y * y + z * z);
  const scale = p > ALIGNED * size ? radius / p : 0;
  support[0] = axis[end]! + scale * px + (x > 0 ? half[h]! : -half[h]!);
  support[1] = axis[end + 1]! + scale * py + (y > 0 ? half[h + 1]! : -half[h + 1]!);
  support[2] = axis[end + 2]! + scale * pz + (z > 0 ? half[h + 2]! : -half[h + 2]!);
}

/**
 * Distance (m) of a solid cylinder to a box, 0 when they meet. `axis` holds the two ends of the
 * cylinder's axis in the frame of the box, `half` the half sizes of the box from `h`.
 */
export function cylinderBoxDistance(
  axis: Numbers,
  radius: number,
  half: Numbers,
  h: number,
): number {
  simplex.nearest[0] = 0.5 * (axis[0]! + axis[3]!);
  simplex.nearest[1] = 0.5 * (axis[1]! + axis[4]!);
  simplex.nearest[2] = 0.5 * (axis[2]! + axis[5]!);
  simplex.count = 0;
  const v = simplex.nearest;
  let distance = Math.sqrt(v[0]! * v[0]! + v[1]! * v[1]! + v[2]! * v[2]!);
  if (distance === 0) return 0;
  for (let i = 0; i < ITERATIONS; i++) {
    writeSupport(axis, radius, half, h);
    const lower = (v[0]! * support[0]! + v[1]! * support[1]! + v[2]! * support[2]!) / distance;
    if (i > 0 && distance - lower <= TOLERANCE_M) return distance;
    if (!simplex.add(support)) return 0;
    distance = Math.sqrt(v[0]! * v[0]! + v[1]! * v[1]! + v[2]! * v[2]!);
    if (distance <= TOLERANCE_M) return 0;
  }
  return distance;
}
