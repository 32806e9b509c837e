/**
 * Turned and plain parts of the arm: base, caps, rings, gap fillers, flange, tool. Each is placed
 * in its link's joint frame (metres); arm-parts.ts says where they sit.
 */
import {
  BoxGeometry,
  type BufferGeometry,
  CylinderGeometry,
  LatheGeometry,
  Matrix4,
  Vector2,
  Vector3,
} from 'three';

const MM = 0.001;
const SEGMENTS = 64;

/** A corner of a lathe's outline: radius and height (mm), with the radius of its rounding. */
export type Corner = readonly [radius: number, height: number, round?: number];

/** Points of the arc that rounds `corner` between its neighbours. */
function arc(before: Vector2, corner: Vector2, after: Vector2, round: number): Vector2[] {
  const inward = before.clone().sub(corner).normalize();
  const outward = after.clone().sub(corner).normalize();
  const half = Math.acos(Math.min(Math.max(inward.dot(outward), -1), 1)) / 2;
  const reach = round / Math.tan(half);
  const points: Vector2[] = [];
  for (let i = 0; i <= 5; i++) {
    const t = i / 5;
    // A quadratic curve between the two tangent points is within 1 % of the arc at these sizes.
    const p = corner.clone().addScaledVector(inward, reach * (1 - t) ** 2);
    points.push(p.addScaledVector(outward, reach * t ** 2));
  }
  return points;
}

/** A solid of revolution about z; corners without a rounding get a hair-thin bevel. */
export function lathe(corners: readonly Corner[], segments = SEGMENTS): BufferGeometry {
  const outline = corners.map(([radius, height]) => new Vector2(radius, height));
  const points: Vector2[] = [];
  outline.forEach((point, i) => {
    const before = outline[i - 1];
    const after = outline[i + 1];
    if (!before || !after) points.push(point);
    else points.push(...arc(before, point, after, corners[i]![2] ?? 0.15));
  });
  for (const point of points) point.multiplyScalar(MM);
  return new LatheGeometry(points, segments).rotateX(Math.PI / 2);
}

/** Moves a part that was made about z so that it looks along `axis` from `centre` (mm). */
export function place(
  part: BufferGeometry,
  axis: '+z' | '-z' | '+y' | '-y' | '-x' | '+x',
  centre: readonly [number, number, number],
): BufferGeometry {
  const sign = axis[0] === '-' ? -1 : 1;
  const matrix = new Matrix4();
  if (axis[1] === 'y') matrix.makeRotationX((-sign * Math.PI) / 2);
  else if (axis[1] === 'x') matrix.makeRotationY((sign * Math.PI) / 2);
  else if (sign < 0) matrix.makeRotationX(Math.PI);
  matrix.setPosition(new Vector3(...centre).multiplyScalar(MM));
  return part.applyMatrix4(matrix);
}

/** A flat disc with a rounded rim that stands `height` proud of z = 0 (mm). */
export function disc(radius: number, height: number, round = 0.8): BufferGeometry {
  return lathe([
    [radius, -3],
    [radius, height, round],
    [0, height],
  ]);
}

/** A ring between two radii, `height` proud of z = 0 (mm). */
export function band(inner: number, outer: number, from: number, to: number): BufferGeometry {
  return lathe([
    [inner, from],
    [outer, from, 0.4],
    [outer, to, 0.4],
    [inner, to],
  ]);
}

/** A box about the origin (mm). */
export function box(x: number, y: number, z: number): BufferGeometry {
  return new BoxGeometry(x * MM, y * MM, z * MM);
}

/** A closed cylinder about z, centred (mm). */
export function plug(radius: number, height: number, segments = 24): BufferGeometry {
  const geometry = new CylinderGeometry(radius * MM, radius * MM, height * MM, segments);
  return geometry.rotateX(Math.PI / 2);
}
