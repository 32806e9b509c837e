/**
 * Solids as signed distances, and how they are joined. Distances are negative inside; smooth joins
 * give the fillets of a casting. Pure.
 */

/** Distance from a point to the surface of a solid; at most about 1-Lipschitz. */
export type DistanceField = (x: number, y: number, z: number) => number;

export type MillimetrePoint = readonly [x: number, y: number, z: number];

export interface Cylinder {
  readonly axis: 'y' | 'z';
  readonly centre: MillimetrePoint;
  readonly radius: number;
  /** Half the length. */
  readonly half: number;
  /** Radius of the rounded rim. */
  readonly edge: number;
}

/** A cylinder with rounded rims. */
export function cylinder({ axis, centre, radius, half, edge }: Cylinder): DistanceField {
  const [cx, cy, cz] = centre;
  const inner = radius - edge;
  const innerHalf = half - edge;
  return (x, y, z) => {
    const px = x - cx;
    const py = y - cy;
    const pz = z - cz;
    const across = axis === 'z' ? Math.sqrt(px * px + py * py) : Math.sqrt(px * px + pz * pz);
    const along = axis === 'z' ? Math.abs(pz) : Math.abs(py);
    const dr = across - inner;
    const da = along - innerHalf;
    const outside = Math.sqrt(Math.max(dr, 0) ** 2 + Math.max(da, 0) ** 2);
    return Math.min(Math.max(dr, da), 0) + outside - edge;
  };
}

/** The hull of two balls: a cone with round ends. */
export function roundCone(
  from: MillimetrePoint,
  r1: number,
  to: MillimetrePoint,
  r2: number,
): DistanceField {
  const bx = to[0] - from[0];
  const by = to[1] - from[1];
  const bz = to[2] - from[2];
  const l2 = bx * bx + by * by + bz * bz;
  const rr = r1 - r2;
  const a2 = l2 - rr * rr;
  return (x, y, z) => {
    const px = x - from[0];
    const py = y - from[1];
    const pz = z - from[2];
    const t = px * bx + py * by + pz * bz;
    const u = t - l2;
    const qx = px * l2 - bx * t;
    const qy = py * l2 - by * t;
    const qz = pz * l2 - bz * t;
    const x2 = qx * qx + qy * qy + qz * qz;
    const t2 = t * t * l2;
    const u2 = u * u * l2;
    const k = Math.sign(rr) * rr * rr * x2;
    if (Math.sign(u) * a2 * u2 > k) return Math.sqrt(x2 + u2) / l2 - r2;
    if (Math.sign(t) * a2 * t2 < k) return Math.sqrt(x2 + t2) / l2 - r1;
    return (Math.sqrt((x2 * a2) / l2) + t * rr) / l2 - r1;
  };
}

interface BowedBar {
  readonly length: number;
  /** Radii of the outline in the x-z plane at z = 0 and z = length. */
  readonly radii: readonly [number, number];
  readonly y: number;
  /** Half of the thickness along y. */
  readonly half: number;
  readonly edge: number;
  /** How far the middle bows backwards, along -x. */
  readonly bow: number;
}

/** A flat bar along z whose middle bows backwards in a parabola. */
export function bowedBar({ length, radii, y: middle, half, edge, bow }: BowedBar): DistanceField {
  const outline = roundCone([0, 0, 0], radii[0] - edge, [0, 0, length], radii[1] - edge);
  return (x, y, z) => {
    const t = Math.min(Math.max(z / length, 0), 1);
    const flat = outline(x + 4 * bow * t * (1 - t), 0, z);
    const thick = Math.abs(y - middle) - (half - edge);
    const outside = Math.sqrt(Math.max(flat, 0) ** 2 + Math.max(thick, 0) ** 2);
    return Math.min(Math.max(flat, thick), 0) + outside - edge;
  };
}

function smoothMinimum(a: number, b: number, k: number): number {
  const h = Math.max(k - Math.abs(a - b), 0) / k;
  return Math.min(a, b) - (h * h * k) / 4;
}

/** Union of the solids, joined by fillets about `k` wide. */
export function smoothUnion(k: number, ...solids: readonly DistanceField[]): DistanceField {
  return (x, y, z) => {
    let distance = Number.POSITIVE_INFINITY;
    for (const solid of solids) {
      const next = solid(x, y, z);
      distance = distance === Number.POSITIVE_INFINITY ? next : smoothMinimum(distance, next, k);
    }
    return distance;
  };
}

/** `solid` minus all of `removed`, with edges rounded about `k` wide. */
export function subtract(
  k: number,
  solid: DistanceField,
  ...removed: readonly DistanceField[]
): DistanceField {
  return (x, y, z) => {
    let distance = solid(x, y, z);
    for (const cut of removed) distance = -smoothMinimum(-distance, cut(x, y, z), k);
    return distance;
  };
}

/** Intersection of two solids. */
export function intersect(a: DistanceField, b: DistanceField): DistanceField {
  return (x, y, z) => Math.max(a(x, y, z), b(x, y, z));
}

/** Half-space beyond `limit` along an axis; with `direction` -1, the half-space before it. */
export function halfSpace(axis: 'x' | 'y' | 'z', limit: number, direction: 1 | -1): DistanceField {
  return (x, y, z) => direction * (limit - (axis === 'x' ? x : axis === 'y' ? y : z));
}
