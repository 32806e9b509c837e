/** Distance of a segment, the axis of a capsule, to the tool's flat-ended cylinder. §2.6. */
import type { Numbers } from '../math/vector.ts';

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
