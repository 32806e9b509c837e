/** Convex polygons in the plane: hull of points, intersection, and whether a point is inside. */

export type Point = readonly [number, number];

function side(a: Point, b: Point, p: Point): number {
  return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

/** The convex hull of points, counterclockwise (Andrew's monotone chain). */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: readonly Point[]): Point[] => {
    const hull: Point[] = [];
    for (const p of list) {
      while (hull.length > 1 && side(hull.at(-2)!, hull.at(-1)!, p) <= 0) hull.pop();
      hull.push(p);
    }
    return hull.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** The part of a convex polygon inside another (Sutherland and Hodgman). */
export function clip(subject: readonly Point[], window: readonly Point[]): Point[] {
  let left = [...subject];
  window.forEach((a, i) => {
    const b = window[(i + 1) % window.length]!;
    const kept: Point[] = [];
    left.forEach((p, j) => {
      const q = left[(j + 1) % left.length]!;
      const [s, t] = [side(a, b, p), side(a, b, q)];
      if (s >= 0) kept.push(p);
      if (s > 0 !== t > 0 && s !== t) {
        const share = s / (s - t);
        kept.push([p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])]);
      }
    });
    left = kept;
  });
  return left;
}

/** Whether a point lies inside a convex polygon, or within `slack` (m) outside. */
export function isInside(polygon: readonly Point[], x: number, y: number, slack: number): boolean {
  if (polygon.length < 3) return false;
  return polygon.every((a, i) => {
    const b = polygon[(i + 1) % polygon.length]!;
    const [u, v] = [b[0] - a[0], b[1] - a[1]];
    return side(a, b, [x, y]) >= -slack * Math.sqrt(u * u + v * v);
  });
}

/** The point of the outline of a polygon that is nearest to a point. */
export function nearestPoint(polygon: readonly Point[], x: number, y: number): Point {
  let best: Point = [x, y];
  let least = Number.POSITIVE_INFINITY;
  polygon.forEach((a, i) => {
    const b = polygon[(i + 1) % polygon.length]!;
    const [u, v] = [b[0] - a[0], b[1] - a[1]];
    const square = u * u + v * v;
    const along = square > 0 ? ((x - a[0]) * u + (y - a[1]) * v) / square : 0;
    const share = Math.min(1, Math.max(0, along));
    const point: Point = [a[0] + share * u, a[1] + share * v];
    const away = (point[0] - x) * (point[0] - x) + (point[1] - y) * (point[1] - y);
    if (away >= least) return;
    least = away;
    best = point;
  });
  return best;
}
