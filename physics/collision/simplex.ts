/**
 * The simplex that GJK reduces in each iteration (cylinder-box.ts): up to four points of a
 * Minkowski difference and the point of their hull nearest to the origin. One shared simplex
 * without allocation: planning is single-threaded in each worker.
 */

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

export const simplex = {
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
