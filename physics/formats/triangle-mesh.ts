/** Meshes of capsules, boxes and cylinders. Metres; faces look outward. */

import { CAPSULE_ENDS_M, CAPSULE_RADIUS_M } from '../arm/geometry.ts';
import type { Solid } from '../cell/solids/solids.ts';
import { cos, PI, sin } from '../math/portable.ts';
import { length3 } from '../math/vector.ts';

/** Quarter rings of a capsule's end, and vertices of a ring. */
const END_RINGS = 6;
const RING_VERTICES = 24;

/** Vertices with normals, and the corners of triangles. */
export interface TriangleMesh {
  readonly positions: number[];
  readonly normals: number[];
  readonly indices: number[];
}

type Vector = readonly [number, number, number];

function normalised([x, y, z]: Vector): Vector {
  const length = length3(x, y, z);
  return [x / length, y / length, z / length];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Adds a ring of vertices around `centre`: at a polar angle from the axis `up`. */
function addRing(
  mesh: TriangleMesh,
  centre: Vector,
  radius: number,
  frame: readonly Vector[],
  polar: number,
) {
  const [side, across, up] = frame as [Vector, Vector, Vector];
  const [rise, reach] = [cos(polar), sin(polar)];
  for (let i = 0; i <= RING_VERTICES; i++) {
    const turn = (2 * PI * i) / RING_VERTICES;
    const [c, s] = [reach * cos(turn), reach * sin(turn)];
    for (let k = 0; k < 3; k++) {
      const normal = side[k]! * c + across[k]! * s + up[k]! * rise;
      mesh.normals.push(normal);
      mesh.positions.push(centre[k]! + radius * normal);
    }
  }
}

/**
 * Adds capsule `k` of the arm: half a sphere at each end, joined by the strip between the two
 * equators.
 */
export function addCapsule(mesh: TriangleMesh, k: number): void {
  const [x = 0, y = 0, z = 0, ex = 0, ey = 0, ez = 0] = CAPSULE_ENDS_M.subarray(6 * k, 6 * k + 6);
  const up = normalised([ex - x, ey - y, ez - z]);
  const side = normalised(cross(up, up[0] * up[0] < 0.5 ? [1, 0, 0] : [0, 1, 0]));
  const frame = [side, cross(up, side), up];
  const first = mesh.positions.length / 3;
  for (let ring = 0; ring <= 2 * END_RINGS + 1; ring++) {
    const isUpper = ring <= END_RINGS;
    const polar = (PI * (isUpper ? ring : ring - 1)) / (2 * END_RINGS);
    addRing(mesh, isUpper ? [ex, ey, ez] : [x, y, z], CAPSULE_RADIUS_M[k]!, frame, polar);
  }
  const row = RING_VERTICES + 1;
  for (let ring = 0; ring <= 2 * END_RINGS; ring++) {
    for (let i = 0; i < RING_VERTICES; i++) {
      const a = first + ring * row + i;
      const b = a + row;
      // At the poles one of the two triangles has no area.
      if (ring !== 0) mesh.indices.push(a, b, a + 1);
      if (ring !== 2 * END_RINGS) mesh.indices.push(a + 1, b, b + 1);
    }
  }
}

/** A vertex of a wall: on the unit outline, with the normal there. */
interface Corner {
  readonly at: readonly [number, number];
  readonly normal: readonly [number, number];
}

/** The outline of a box, with two vertices at each corner, or of a cylinder. */
function outlineOf(isRound: boolean): Corner[] {
  if (isRound) {
    return Array.from({ length: RING_VERTICES + 1 }, (_, i) => {
      const turn = (2 * PI * i) / RING_VERTICES;
      return { at: [cos(turn), sin(turn)], normal: [cos(turn), sin(turn)] };
    });
  }
  const sides = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ] as const;
  return sides.flatMap(([x, y]): Corner[] => [
    { at: [x + y, y - x], normal: [x, y] },
    { at: [x - y, y + x], normal: [x, y] },
  ]);
}

/** The mesh of a box, or of a cylinder along z, about its centre. */
export function solidMesh({ isRound, half }: Solid): TriangleMesh {
  const mesh: TriangleMesh = { positions: [], normals: [], indices: [] };
  const [a = 0, b = 0, c = 0] = [half[0], half[1], half[2]];
  const outline = outlineOf(isRound);
  const add = ({ at }: Corner, z: number, normal: readonly number[]) => {
    mesh.positions.push(a * at[0], b * at[1], z);
    mesh.normals.push(...normal);
    return mesh.positions.length / 3 - 1;
  };
  const walls = outline.map((corner) => [-c, c].map((z) => add(corner, z, [...corner.normal, 0])));
  walls.slice(1).forEach(([low, high], i) => {
    // Two vertices of a box's corner make a wall without area.
    if (!isRound && i % 2 === 1) return;
    const [lowBefore, highBefore] = walls[i]!;
    mesh.indices.push(lowBefore!, low!, high!, lowBefore!, high!, highBefore!);
  });
  for (const up of [-1, 1]) {
    const ring = outline
      .filter((_, i) => (isRound ? i > 0 : i % 2 === 0))
      .map((corner) => add(corner, up * c, [0, 0, up]));
    for (let i = 2; i < ring.length; i++) {
      const [first, last] = up > 0 ? [ring[i - 1]!, ring[i]!] : [ring[i]!, ring[i - 1]!];
      mesh.indices.push(ring[0]!, first, last);
    }
  }
  return mesh;
}
