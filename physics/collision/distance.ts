/**
 * Exact distances between the shapes of the collision model: axis segments of capsules, oriented
 * boxes and the flat-ended cylinder of the tool. Closed forms or roots of monotone functions over
 * flat arrays, without allocation; gjk.ts handles cylinder against box. §2.6, §2.7.
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

/** The coefficients of the distance from a segment to the cylinder. */
const view = { along: 0, alongSlope: 0, length: 0, pp: 0, pd: 0, dd: 0, radius: 0 };

/**
 * Half the slope of the squared distance to the cylinder at share t, its curvature, and the squared
 * distance.
 */
const bend = { slope: 0, curvature: 0, squared: 0 };

function viewAt(t: number): void {
  const a = view.along + t * view.alongSlope;
  const axial = a < 0 ? a : Math.max(a - view.length, 0);
  bend.slope = axial * view.alongSlope;
  bend.curvature = axial === 0 ? 0 : view.alongSlope * view.alongSlope;
  bend.squared = axial * axial;
  const squared = view.pp + t * (2 * view.pd + t * view.dd);
  if (squared <= view.radius * view.radius) return;
  const distance = Math.sqrt(squared);
  const excess = distance - view.radius;
  const slope = (view.pd + t * view.dd) / distance;
  bend.slope += excess * slope;
  bend.curvature += slope * slope + (excess * (view.dd - slope * slope)) / distance;
  bend.squared += excess * excess;
}

/** Fills `view` for the segment at p[i] and the cylinder about the segment at axis[j]. */
function viewCylinder(p: Numbers, i: number, axis: Numbers, j: number, radius: number): void {
  const ux = axis[j + 3]! - axis[j]!;
  const uy = axis[j + 4]! - axis[j + 1]!;
  const uz = axis[j + 5]! - axis[j + 2]!;
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const x = p[i]! - axis[j]!;
  const y = p[i + 1]! - axis[j + 1]!;
  const z = p[i + 2]! - axis[j + 2]!;
  const dx = p[i + 3]! - p[i]!;
  const dy = p[i + 4]! - p[i + 1]!;
  const dz = p[i + 5]! - p[i + 2]!;
  const along = (x * ux + y * uy + z * uz) / length;
  const alongSlope = (dx * ux + dy * uy + dz * uz) / length;
  view.length = length;
  view.radius = radius;
  view.along = along;
  view.alongSlope = alongSlope;
  view.pp = Math.max(x * x + y * y + z * z - along * along, 0);
  view.pd = x * dx + y * dy + z * dz - along * alongSlope;
  view.dd = Math.max(dx * dx + dy * dy + dz * dz - alongSlope * alongSlope, 0);
}

const NEWTON_STEPS = 60;

/**
 * Distance (m) of a segment to a solid flat-ended cylinder around another segment, 0 when they
 * intersect. The squared distance is convex along the segment: safeguarded Newton finds the root of
 * its slope.
 */
export function segmentCylinder(
  p: Numbers,
  i: number,
  axis: Numbers,
  j: number,
  radius: number,
): number {
  viewCylinder(p, i, axis, j, radius);
  viewAt(0);
  if (bend.slope >= 0) return Math.sqrt(bend.squared);
  viewAt(1);
  if (bend.slope <= 0) return Math.sqrt(bend.squared);
  let low = 0;
  let high = 1;
  let t = 0.5;
  for (let step = 0; step < NEWTON_STEPS && high - low > 1e-13; step++) {
    viewAt(t);
    if (bend.slope === 0) break;
    if (bend.slope < 0) low = t;
    else high = t;
    const next = bend.curvature > 0 ? t - bend.slope / bend.curvature : -1;
    const moved = next > low && next < high ? next : 0.5 * (low + high);
    if (moved === t) break;
    t = moved;
  }
  viewAt(t);
  return Math.sqrt(bend.squared);
}
