/**
 * Exact distances between the shapes of the collision model: axis segments of capsules and
 * oriented boxes. Closed forms or roots of monotone functions over flat arrays, without
 * allocation; segment-cylinder.ts and cylinder-box.ts handle the flat-ended cylinder of the tool.
 */
import { clamp, type Numbers } from '../math/vector.ts';

/** Closest points of the last distance function, as shares along the segments. */
export const closest = { s: 0, t: 0 };

/**
 * Squared distance (m²) of the segments whose six end coordinates start at a[i] and b[j]; leaves
 * the shares in `closest`.
 */
export function segmentsSquared(a: Numbers, i: number, b: Numbers, j: number): number {
  const ux = a[i + 3]! - a[i]!;
  const uy = a[i + 4]! - a[i + 1]!;
  const uz = a[i + 5]! - a[i + 2]!;
  const vx = b[j + 3]! - b[j]!;
  const vy = b[j + 4]! - b[j + 1]!;
  const vz = b[j + 5]! - b[j + 2]!;
  const wx = a[i]! - b[j]!;
  const wy = a[i + 1]! - b[j + 1]!;
  const wz = a[i + 2]! - b[j + 2]!;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const uw = ux * wx + uy * wy + uz * wz;
  const vw = vx * wx + vy * wy + vz * wz;
  closestShares(uu, uv, vv, uw, vw);
  const dx = wx + closest.s * ux - closest.t * vx;
  const dy = wy + closest.s * uy - closest.t * vy;
  const dz = wz + closest.s * uz - closest.t * vz;
  return dx * dx + dy * dy + dz * dz;
}

function share(numerator: number, denominator: number): number {
  return denominator > 0 ? clamp(numerator / denominator, 0, 1) : 0;
}

/** Minimises |w + s u - t v|² over the unit square from the dot products. */
function closestShares(uu: number, uv: number, vv: number, uw: number, vw: number): void {
  const determinant = uu * vv - uv * uv;
  let s = determinant > 1e-14 * uu * vv ? clamp((uv * vw - vv * uw) / determinant, 0, 1) : 0;
  let t = vv > 0 ? (uv * s + vw) / vv : 0;
  if (!(vv > 0) || t < 0) {
    t = 0;
    s = share(-uw, uu);
  } else if (t > 1) {
    t = 1;
    s = share(uv - uw, uu);
  }
  closest.s = s;
  closest.t = t;
}

/** Half the slope of the squared distance to the box along the segment, at share t. */
function boxSlope(p: Numbers, i: number, half: Numbers, h: number, t: number): number {
  let slope = 0;
  for (let k = 0; k < 3; k++) {
    const d = p[i + 3 + k]! - p[i + k]!;
    const x = p[i + k]! + t * d;
    const limit = half[h + k]!;
    if (x > limit) slope += d * (x - limit);
    else if (x < -limit) slope += d * (x + limit);
  }
  return slope;
}

function boxSquared(p: Numbers, i: number, half: Numbers, h: number, t: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const x = p[i + k]! + t * (p[i + 3 + k]! - p[i + k]!);
    const excess = (x < 0 ? -x : x) - half[h + k]!;
    if (excess > 0) sum += excess * excess;
  }
  return sum;
}

/**
 * Squared distance (m²) from a segment in the frame of a box to that box, 0 when they intersect;
 * leaves the share in `closest.s`. The slope along the segment is piecewise linear and never
 * decreases: its six breakpoints shrink the bracket until it is a straight line.
 */
export function segmentBoxSquared(p: Numbers, i: number, half: Numbers, h: number): number {
  let low = 0;
  let high = 1;
  let slopeLow = boxSlope(p, i, half, h, 0);
  let slopeHigh = boxSlope(p, i, half, h, 1);
  if (slopeLow >= 0) return boxSquaredAt(p, i, half, h, 0);
  if (slopeHigh <= 0) return boxSquaredAt(p, i, half, h, 1);
  for (let bend = 0; bend < 6; bend++) {
    const k = bend >> 1;
    const d = p[i + 3 + k]! - p[i + k]!;
    if (d === 0) continue;
    const limit = (bend & 1) === 0 ? half[h + k]! : -half[h + k]!;
    const t = (limit - p[i + k]!) / d;
    if (!(t > low && t < high)) continue;
    const slope = boxSlope(p, i, half, h, t);
    if (slope < 0) {
      low = t;
      slopeLow = slope;
    } else {
      high = t;
      slopeHigh = slope;
    }
  }
  const span = slopeHigh - slopeLow;
  const t = span > 0 ? low - (slopeLow * (high - low)) / span : low;
  return boxSquaredAt(p, i, half, h, t);
}

function boxSquaredAt(p: Numbers, i: number, half: Numbers, h: number, t: number): number {
  closest.s = t;
  return boxSquared(p, i, half, h, t);
}
