/**
 * Distances of the tool's flat-ended cylinder to a segment and to a box. To a box it is found with
 * the Gilbert-Johnson-Keerthi (GJK) algorithm on their Minkowski difference, in the frame of the
 * box, and the simplex that GJK reduces in each iteration. It is the only pair without a closed
 * form; culling by the enclosing capsule keeps it rare. One shared simplex without allocation:
 * planning is single-threaded in each worker. §2.6.
 */
import type { Numbers } from '../math/rotation.ts';

const points = new Float64Array(12);
const kept = new Float64Array(12);
const nearest = new Float64Array(3);
/** Closest face so far: squared distance, point indexes and nearest point. */
const best = { squared: 0, count: 0, indexes: new Int32Array(3), at: new Float64Array(3) };
const candidate = new Float64Array(3);

function dot(i: number, j: number): number {
  return (
    points[i]! * points[j]! + points[i + 1]! * points[j + 1]! + points[i + 2]! * points[j + 2]!
  );
}

function offer(count: number, a: number, b: number, c: number): void {
  const squared =
    candidate[0]! * candidate[0]! + candidate[1]! * candidate[1]! + candidate[2]! * candidate[2]!;
  if (squared >= best.squared) return;
  best.squared = squared;
  best.count = count;
  best.indexes[0] = a;
  best.indexes[1] = b;
  best.indexes[2] = c;
  best.at.set(candidate);
}

function offerPoint(a: number): void {
  for (let k = 0; k < 3; k++) candidate[k] = points[3 * a + k]!;
  offer(1, a, 0, 0);
}

function offerEdge(a: number, b: number): void {
  const aa = dot(3 * a, 3 * a);
  const ab = dot(3 * a, 3 * b);
  const bb = dot(3 * b, 3 * b);
  const length = aa - 2 * ab + bb;
  const t = (aa - ab) / length;
  if (!(t > 0 && t < 1)) return;
  for (let k = 0; k < 3; k++) candidate[k] = (1 - t) * points[3 * a + k]! + t * points[3 * b + k]!;
  offer(2, a, b, 0);
}

/**
 * Offers the projection of the origin on the plane of three points if it lies inside the triangle.
 */
function offerTriangle(a: number, b: number, c: number): void {
  const aa = dot(3 * a, 3 * a);
  const ab = dot(3 * a, 3 * b);
  const ac = dot(3 * a, 3 * c);
  const uu = aa - 2 * ab + dot(3 * b, 3 * b);
  const vv = aa - 2 * ac + dot(3 * c, 3 * c);
  const uv = dot(3 * b, 3 * c) - ab - ac + aa;
  const ua = ab - aa;
  const va = ac - aa;
  const determinant = uu * vv - uv * uv;
  if (!(determinant > 1e-18 * uu * vv)) return;
  const s = (uv * va - vv * ua) / determinant;
  const t = (uv * ua - uu * va) / determinant;
  if (!(s > 0 && t > 0 && s + t < 1)) return;
  for (let k = 0; k < 3; k++) {
    candidate[k] =
      (1 - s - t) * points[3 * a + k]! + s * points[3 * b + k]! + t * points[3 * c + k]!;
  }
  offer(3, a, b, c);
}

/** Signed volume of the tetrahedron (x, y, z), b, c, d (offsets). */
function volume(x: number, y: number, z: number, b: number, c: number, d: number): number {
  const bx = points[b]! - x;
  const by = points[b + 1]! - y;
  const bz = points[b + 2]! - z;
  const cx = points[c]! - x;
  const cy = points[c + 1]! - y;
  const cz = points[c + 2]! - z;
  const dx = points[d]! - x;
  const dy = points[d + 1]! - y;
  const dz = points[d + 2]! - z;
  return bx * (cy * dz - cz * dy) + by * (cz * dx - cx * dz) + bz * (cx * dy - cy * dx);
}

/** True when the origin lies on the inner side of the face opposite point `a`. */
function innerSide(a: number, b: number, c: number, d: number): boolean {
  const ofPoint = volume(points[a]!, points[a + 1]!, points[a + 2]!, b, c, d);
  return volume(0, 0, 0, b, c, d) * ofPoint > 0;
}

function originInside(): boolean {
  return (
    innerSide(0, 3, 6, 9) && innerSide(3, 0, 6, 9) && innerSide(6, 0, 3, 9) && innerSide(9, 0, 3, 6)
  );
}

function offerFaces(count: number): void {
  for (let a = 0; a < count; a++) {
    offerPoint(a);
    for (let b = a + 1; b < count; b++) {
      offerEdge(a, b);
      for (let c = b + 1; c < count; c++) offerTriangle(a, b, c);
    }
  }
}

/** Keeps only the points of the best face. */
function reduce(): void {
  for (let i = 0; i < best.count; i++) {
    for (let k = 0; k < 3; k++) kept[3 * i + k] = points[3 * best.indexes[i]! + k]!;
  }
  points.set(kept);
  simplex.count = best.count;
  nearest.set(best.at);
}

const simplex = {
  /** Number of points; set to 0 to start. */
  count: 0,
  /** The point nearest to the origin. */
  nearest,
  /** Adds a point and moves `nearest`; false when the origin lies inside. */
  add(point: Float64Array): boolean {
    points.set(point, 3 * simplex.count);
    simplex.count++;
    if (simplex.count === 4 && originInside()) return false;
    best.squared = Number.POSITIVE_INFINITY;
    offerFaces(simplex.count);
    reduce();
    return true;
  },
};

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
