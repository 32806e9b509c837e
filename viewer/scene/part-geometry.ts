/**
 * Geometry builders for the turned and plain parts of the arm (base, caps, rings, gap fillers,
 * flange, tool). Input is in millimetres, output in metres in the joint frame of the link.
 * arm-parts.ts places the parts.
 */
import {
  BoxGeometry,
  BufferGeometry,
  Float32BufferAttribute,
  Matrix4,
  Vector2,
  Vector3,
} from 'three';

const MM = 0.001;
/** Maximum distance between a chord and its circle (mm); less than a pixel from nearby. */
const SAGITTA_MM = 0.085;

/** A corner of a lathe outline: radius and height (mm), and the radius of its rounding. */
export type Corner = readonly [radius: number, height: number, round?: number];

/** A point of an outline and its surface normal. */
interface OutlinePoint {
  readonly at: Vector2;
  readonly facing: Vector2;
}

function facingOf(direction: Vector2): Vector2 {
  return new Vector2(direction.y, -direction.x).normalize();
}

/** Number of segments that makes a rounding look round. */
function partsOf(round: number): number {
  return round === 0 ? 0 : round <= 1 ? 1 : round < 3 ? 2 : 3;
}

/** The arc that rounds `corner`; without a rounding, two points in one place make a sharp edge. */
function arc(before: Vector2, corner: Vector2, after: Vector2, round: number): OutlinePoint[] {
  const inward = before.clone().sub(corner).normalize();
  const outward = after.clone().sub(corner).normalize();
  const reach = round / Math.tan(Math.acos(Math.min(Math.max(inward.dot(outward), -1), 1)) / 2);
  const parts = partsOf(round);
  return Array.from({ length: Math.max(parts, 1) + 1 }, (_, i) => {
    const t = i / Math.max(parts, 1);
    // A quadratic curve between the two tangent points is within 1 % of the arc at these sizes.
    const at = corner.clone().addScaledVector(inward, reach * (1 - t) ** 2);
    const direction = inward
      .clone()
      .multiplyScalar(t - 1)
      .addScaledVector(outward, t);
    return { at: at.addScaledVector(outward, reach * t ** 2), facing: facingOf(direction) };
  });
}

function outlineOf(corners: readonly Corner[]): OutlinePoint[] {
  const at = corners.map(([radius, height]) => new Vector2(radius, height));
  return at.flatMap((corner, i) => {
    const [before, after] = [at[i - 1], at[i + 1]];
    if (before && after) return arc(before, corner, after, corners[i]![2] ?? 0);
    const direction = before ? corner.clone().sub(before) : after!.clone().sub(corner);
    return [{ at: corner, facing: facingOf(direction) }];
  });
}

/** How many chords make a circle of `radius` (mm). */
function chordsAround(radius: number): number {
  return 4 * Math.max(Math.round((Math.PI * Math.sqrt(radius / (2 * SAGITTA_MM))) / 4), 3);
}

/** Connects the rings of an outline; skips degenerate rings and the axis. */
function ringIndices(outline: readonly OutlinePoint[], segments: number): number[] {
  const indices: number[] = [];
  for (let row = 0; row + 1 < outline.length; row++) {
    const [low, high] = [outline[row]!.at, outline[row + 1]!.at];
    if (low.distanceTo(high) < 1e-9) continue;
    for (let i = 0; i < segments; i++) {
      const next = (i + 1) % segments;
      const [a, b] = [row * segments + i, row * segments + next];
      const [c, d] = [a + segments, b + segments];
      if (low.x > 0) indices.push(a, b, c);
      if (high.x > 0) indices.push(b, d, c);
    }
  }
  return indices;
}

/** A solid of revolution about z; corners without a rounding are sharp. */
export function lathe(corners: readonly Corner[], segments?: number): BufferGeometry {
  const outline = outlineOf(corners);
  const around = segments ?? chordsAround(Math.max(...outline.map(({ at }) => at.x)));
  const positions: number[] = [];
  const normals: number[] = [];
  for (const { at, facing } of outline) {
    for (let i = 0; i < around; i++) {
      const c = Math.cos((2 * Math.PI * i) / around);
      const s = Math.sin((2 * Math.PI * i) / around);
      positions.push(at.x * c * MM, at.x * s * MM, at.y * MM);
      normals.push(facing.x * c, facing.x * s, facing.y);
    }
  }
  return new BufferGeometry()
    .setAttribute('position', new Float32BufferAttribute(positions, 3))
    .setAttribute('normal', new Float32BufferAttribute(normals, 3))
    .setIndex(ringIndices(outline, around));
}

/** Moves a part made about z so that it faces along `axis` from `centre` (mm). */
export function placePart(
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

/** A flat disc with a rounded rim, `height` above z = 0 (mm). */
export function disc(radius: number, height: number, round = 0.8): BufferGeometry {
  return lathe([
    [radius, -3],
    [radius, height, round],
    [0, height],
  ]);
}

/** A ring between two radii, from height `from` to height `to` (mm). */
export function band(inner: number, outer: number, from: number, to: number): BufferGeometry {
  return lathe([
    [inner, from],
    [outer, from, 0.4],
    [outer, to, 0.4],
    [inner, to],
  ]);
}

/** A box centred at the origin (mm). */
export function box(x: number, y: number, z: number): BufferGeometry {
  return new BoxGeometry(x * MM, y * MM, z * MM);
}

/** A closed cylinder about z, centred (mm); `segments` makes it a prism. */
export function plug(radius: number, height: number, segments?: number): BufferGeometry {
  const corners: Corner[] = [
    [0, -height / 2],
    [radius, -height / 2],
    [radius, height / 2],
    [0, height / 2],
  ];
  return lathe(corners, segments);
}
