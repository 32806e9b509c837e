/**
 * The five cast shells of the arm as signed-distance solids, in joint frames and millimetres, and
 * the solids and joins they are built from. Distances are negative inside; smooth joins give the
 * fillets of a casting. For display only: collision uses the capsules of physics/arm. Pure; runs in
 * the mesh worker.
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
function bowedBar({ length, radii, y: middle, half, edge, bow }: BowedBar): DistanceField {
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
function smoothUnion(k: number, ...solids: readonly DistanceField[]): DistanceField {
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
function intersect(a: DistanceField, b: DistanceField): DistanceField {
  return (x, y, z) => Math.max(a(x, y, z), b(x, y, z));
}

/** Half-space beyond `limit` along an axis; with `direction` -1, the half-space before it. */
function halfSpace(axis: 'x' | 'y' | 'z', limit: number, direction: 1 | -1): DistanceField {
  return (x, y, z) => direction * (limit - (axis === 'x' ? x : axis === 'y' ? y : z));
}

export interface ArmShell {
  /** Index of the link's frame: 1 to 5. */
  readonly link: number;
  readonly solid: DistanceField;
  readonly low: MillimetrePoint;
  readonly high: MillimetrePoint;
}

const EDGE = 5;

function linkOne(): DistanceField {
  const joined = smoothUnion(
    45,
    cylinder({ axis: 'z', centre: [0, 0, 22], radius: 66, half: 20, edge: 6 }),
    cylinder({ axis: 'y', centre: [56, -38, 132], radius: 60, half: 35.5, edge: 12 }),
    roundCone([4, 0, 35], 56, [50, -34, 120], 50),
  );
  const gap = intersect(halfSpace('y', -1.8, 1), halfSpace('z', 66, 1));
  return subtract(EDGE, joined, gap, halfSpace('y', -73.5, -1), halfSpace('z', 2.4, -1));
}

function linkTwo(): DistanceField {
  const joined = smoothUnion(
    30,
    cylinder({ axis: 'y', centre: [0, 37.5, 0], radius: 60, half: 36.5, edge: 14 }),
    cylinder({ axis: 'y', centre: [0, 37.5, 205], radius: 51, half: 36.5, edge: 14 }),
    bowedBar({ length: 205, radii: [43, 38], y: 39, half: 31, edge: 16, bow: 24 }),
  );
  return subtract(EDGE, joined, halfSpace('y', 1.8, -1));
}

function linkThree(): DistanceField {
  const joined = smoothUnion(
    40,
    cylinder({ axis: 'y', centre: [0, -34, 0], radius: 50, half: 32.5, edge: 12 }),
    cylinder({ axis: 'z', centre: [-56, 0, 76], radius: 46, half: 16.5, edge: 5 }),
    roundCone([0, -33, 2], 43, [-54, -3, 66], 41),
  );
  const hub = cylinder({ axis: 'y', centre: [0, 98.2, 0], radius: 58, half: 100, edge: 0 });
  return subtract(EDGE, joined, hub, halfSpace('y', -66.5, -1), halfSpace('z', 92.3, 1));
}

function linkFour(): DistanceField {
  const joined = smoothUnion(
    30,
    cylinder({ axis: 'z', centre: [0, 0, 18], radius: 46, half: 15.8, edge: 5 }),
    roundCone([0, 0, 30], 41, [0, 0, 135], 31),
    roundCone([0, 0, 135], 31, [0, -22, 192], 27),
    cylinder({ axis: 'y', centre: [0, -24.5, 197], radius: 30.5, half: 22.5, edge: 8 }),
  );
  const hub = cylinder({ axis: 'y', centre: [0, 98.4, 197], radius: 46, half: 100, edge: 0 });
  return subtract(EDGE, joined, hub, halfSpace('z', 2.2, -1), halfSpace('y', -47.2, -1));
}

function linkFive(): DistanceField {
  const joined = smoothUnion(
    28,
    cylinder({ axis: 'y', centre: [0, 25.5, 0], radius: 37.5, half: 23.7, edge: 10 }),
    cylinder({ axis: 'z', centre: [-65, 0, 19], radius: 33.5, half: 50, edge: 8 }),
    roundCone([-4, 22, 0], 31, [-62, 2, 0], 30),
  );
  const hub = cylinder({ axis: 'y', centre: [0, -98.2, 0], radius: 31.5, half: 100, edge: 0 });
  return subtract(EDGE, joined, hub, halfSpace('z', 69, 1));
}

/** The shells with their bounding boxes. */
export const SHELLS: readonly ArmShell[] = [
  { link: 1, solid: linkOne(), low: [-88, -92, -14], high: [138, 84, 212] },
  { link: 2, solid: linkTwo(), low: [-92, -16, -80], high: [80, 94, 276] },
  { link: 3, solid: linkThree(), low: [-124, -86, -74], high: [74, 66, 112] },
  { link: 4, solid: linkFour(), low: [-68, -68, -16], high: [68, 66, 248] },
  { link: 5, solid: linkFive(), low: [-120, -54, -58], high: [58, 70, 90] },
];
