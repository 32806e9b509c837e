/** The surface of what each joint moves, as triangles in the frames of the twin (m). */
import { type Chain, calledJoint, type Member } from './chain.ts';
import { isReadableMesh, meshTriangles, type Triangle } from './mesh-file.ts';
import { compose, inverse, length, moved, type Transform, type Vector } from './transform.ts';
import type { UrdfLink, UrdfShape, UrdfSolid } from './urdf.ts';
import { UrdfError } from './urdf-error.ts';

/** Reads a mesh by its name in the file; null where there is none. */
export type ReadMesh = (file: string) => Uint8Array | null;

/** Longer links are given in another unit than metres; */
const LONGEST_M = 5;
/** so are links that move, where one is longer than all of the arm by this factor. */
const LONGEST_SHARE = 2;
/** An arm whose longest link is shorter has meshes that are scaled twice. */
const SHORTEST_M = 0.01;
/** Walls around what is round. */
const SIDES = 16;

/** Corners around a circle at a height. */
function ring(radius_m: number, z_m: number): Vector[] {
  // Around the circle, not inside of it.
  const out_m = radius_m / Math.cos(Math.PI / SIDES);
  return Array.from({ length: SIDES }, (_, i): Vector => {
    const turn = (2 * Math.PI * i) / SIDES;
    return [out_m * Math.cos(turn), out_m * Math.sin(turn), z_m];
  });
}

/** Triangles between rings of equal counts, and over the first and the last. */
function skin(rings: readonly (readonly Vector[])[]): Triangle[] {
  const walls = rings.slice(1).flatMap((upper, k) =>
    upper.flatMap((corner, i): Triangle[] => {
      const lower = rings[k]!;
      const next = (i + 1) % upper.length;
      return [
        [lower[i]!, lower[next]!, corner],
        [corner, lower[next]!, upper[next]!],
      ];
    }),
  );
  const lid = (points: readonly Vector[]) =>
    points.slice(2).map((point, i): Triangle => [points[0]!, points[i + 1]!, point]);
  return [...walls, ...lid(rings[0]!), ...lid(rings.at(-1)!)];
}

function ballSkin(radius_m: number): Triangle[] {
  const heights = Array.from({ length: SIDES / 2 + 1 }, (_, i) => (2 * Math.PI * i) / SIDES);
  return skin(
    heights.map((polar) => ring(radius_m * Math.sin(polar), -radius_m * Math.cos(polar))),
  );
}

function boxSkin([x, y, z]: Vector): Triangle[] {
  const square = (height: number): Vector[] => [
    [x / 2, y / 2, height],
    [-x / 2, y / 2, height],
    [-x / 2, -y / 2, height],
    [x / 2, -y / 2, height],
  ];
  return skin([square(-z / 2), square(z / 2)]);
}

function meshSkin(file: string, scale: Vector, read: ReadMesh): Triangle[] {
  const content = read(file);
  if (content === null) {
    const where = /^(?:package|model):/.test(file)
      ? '--meshes gives the folder of its package'
      : 'its path is from the folder of the description';
    throw new UrdfError(`the mesh ${file} is not found; ${where}.`);
  }
  const scaled = ([x, y, z]: Vector): Vector => [scale[0] * x, scale[1] * y, scale[2] * z];
  return meshTriangles(file, content).map(([a, b, c]) => [scaled(a), scaled(b), scaled(c)]);
}

function solidSkin(solid: UrdfSolid, read: ReadMesh): Triangle[] {
  switch (solid.kind) {
    case 'mesh':
      return meshSkin(solid.file, solid.scale, read);
    case 'box':
      return boxSkin(solid.size_m);
    case 'cylinder':
      return skin([-0.5, 0.5].map((end) => ring(solid.radius_m, end * solid.length_m)));
    case 'sphere':
      return ballSkin(solid.radius_m);
  }
}

/** The shapes that a link is fitted by: what it collides with, or what is seen of it. */
function shapesOf({ collision, visual }: UrdfLink): readonly UrdfShape[] {
  const isReadable = ({ solid }: UrdfShape) => solid.kind !== 'mesh' || isReadableMesh(solid.file);
  if (collision.length > 0 && (collision.every(isReadable) || !visual.some(isReadable))) {
    return collision;
  }
  return visual;
}

interface Skinned {
  /** The frame of the link in the twin, in that of the file. */
  readonly frame: Transform;
  /** Longer shapes are refused. */
  readonly longest_m: number;
  readonly read: ReadMesh;
}

function memberSkin({ link, place }: Member, { frame, longest_m, read }: Skinned): Triangle[] {
  return shapesOf(link).flatMap(({ origin, solid }) => {
    const at = compose(compose(inverse(frame), place), origin);
    const triangles = solidSkin(solid, read).map(
      ([a, b, c]): Triangle => [moved(at, a), moved(at, b), moved(at, c)],
    );
    const corners = triangles.flat();
    const most = Math.max(...[0, 1, 2].map((k) => spread(corners, k)));
    if (most <= longest_m) return triangles;
    const what = solid.kind === 'mesh' ? solid.file : `a ${solid.kind}`;
    throw new UrdfError(
      `${what} is ${most.toPrecision(3)} m long: it seems to be in millimetres; ` +
        'give its mesh scale="0.001 0.001 0.001".',
    );
  });
}

/** The extent of points along an axis. */
function spread(points: readonly Vector[], axis: number): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const point of points) {
    low = Math.min(low, point[axis]!);
    high = Math.max(high, point[axis]!);
  }
  return high - low;
}

/**
 * The triangles of base and links 1 to 6; none where the file has no shape. Throws a `UrdfError` that
 * names link and joint.
 */
export function linkSurfaces(
  chain: Chain,
  frames: readonly Transform[],
  read: ReadMesh,
): Triangle[][] {
  const problems: string[] = [];
  const places = [...chain.joints.map(({ before }) => before), chain.tip_place];
  const arm_m = places.reduce((sum, { shift_m }) => sum + length(shift_m), 0);
  const longest_m = Math.min(LONGEST_M, LONGEST_SHARE * arm_m);
  const surfaces = chain.members.map((members, i) =>
    members.flatMap((member) => {
      const frame = frames[i]!;
      try {
        // A base may be a table.
        return memberSkin(member, { frame, longest_m: i === 0 ? LONGEST_M : longest_m, read });
      } catch (error) {
        if (!(error instanceof UrdfError)) throw error;
        const mover = i === 0 ? 'the base' : calledJoint(i - 1, chain.joints[i - 1]!);
        problems.push(`Link ${member.link.name} (${mover}): ${error.message}`);
        return [];
      }
    }),
  );
  if (problems.length > 0) throw new UrdfError(...problems);
  const corners = surfaces.map((surface) => surface.flat()).filter((points) => points.length > 0);
  const longest = Math.max(...corners.flatMap((points) => [0, 1, 2].map((k) => spread(points, k))));
  if (corners.length > 0 && longest < SHORTEST_M) {
    const length_mm = `${(1000 * longest).toPrecision(2)} mm`;
    throw new UrdfError(
      `The longest link is ${length_mm} long: the scale of its meshes is too small.`,
    );
  }
  return surfaces;
}
