/**
 * Capsules around surfaces: every triangle lies inside of one. A surface that one capsule encloses
 * badly is cut by a plane, and each part gets its own. How far capsules stand out is measured.
 */
import type { ArmCapsule } from '../arm.ts';
import type { Triangle } from './mesh-file.ts';
import {
  anyAcross,
  cross,
  dot,
  length,
  minus,
  normalised,
  plus,
  scaled,
  type Vector,
} from './transform.ts';

export interface Capsule {
  readonly from_m: Vector;
  readonly to_m: Vector;
  readonly radius_m: number;
}

/** Capsules of one surface at most. */
const MOST_CAPSULES = 3;
/** A cut must leave less than this share of the volume of one capsule. */
const WORTH_A_CUT = 0.92;
/** Where parts are tried to be cut, as shares of their length. */
const CUTS = [0.2, 0.35, 0.5, 0.65, 0.8];
/** How hard the smallest capsule is sought. */
interface Effort {
  /** In which the outermost corners are kept: the hull, nearly. */
  readonly hull: readonly Vector[];
  /** Axes that are tried, and how often the best of them is improved. */
  readonly axes: readonly Vector[];
  readonly improvements: number;
}

/** Steps to the centre of a circle. */
const CIRCLE_STEPS = 40;
/** Cuts are tried on points this far apart (m). */
const THINNED_M = 0.008;
/** Corners this close count as one where a capsule is sought (m). */
const CORNER_M = 0.0005;
/** Coordinates are rounded to this, and the radius up (m). */
const GRID_M = 1e-4;

/** Directions that cover a sphere evenly. */
function directions(count: number): Vector[] {
  const golden = Math.PI * (3 - Math.sqrt(5));
  return Array.from({ length: count }, (_, i): Vector => {
    const z = 1 - (2 * i + 1) / count;
    const out = Math.sqrt(1 - z * z);
    return [out * Math.cos(golden * i), out * Math.sin(golden * i), z];
  });
}

const UNITS: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
/** For capsules that stay, and to compare where a surface may be cut. */
const THOROUGH: Effort = {
  hull: directions(400),
  axes: [...UNITS, ...directions(60)],
  improvements: 8,
};
const ROUGH: Effort = {
  hull: directions(80),
  axes: [...UNITS, ...directions(10)],
  improvements: 2,
};

/** The corners that are outermost in some direction. */
function outermost(points: readonly Vector[], hull: readonly Vector[]): Vector[] {
  const found = new Set<Vector>();
  for (const direction of hull) {
    let best = points[0]!;
    let most = Number.NEGATIVE_INFINITY;
    for (const point of points) {
      const reach = dot(point, direction);
      if (reach <= most) continue;
      most = reach;
      best = point;
    }
    found.add(best);
  }
  return [...found];
}

/** The centre of a circle around points of a plane: steps to the farthest, ever shorter. */
function circleCentre(points: readonly (readonly [number, number])[]): [number, number] {
  let [x, y] = [0, 0];
  for (const [px, py] of points) {
    x += px / points.length;
    y += py / points.length;
  }
  for (let step = 1; step <= CIRCLE_STEPS; step++) {
    let farthest = points[0]!;
    let most = -1;
    for (const point of points) {
      const away = (point[0] - x) ** 2 + (point[1] - y) ** 2;
      if (away > most) [most, farthest] = [away, point];
    }
    x += (farthest[0] - x) / (step + 1);
    y += (farthest[1] - y) / (step + 1);
  }
  return [x, y];
}

const volume = ({ from_m, to_m, radius_m: r }: Capsule) =>
  Math.PI * r * r * (length(minus(to_m, from_m)) + (4 / 3) * r);

/** The smallest capsule about an axis direction that holds the points. */
function aboutAxis(points: readonly Vector[], axis: Vector): Capsule {
  const side = anyAcross(axis);
  const other = cross(axis, side);
  const flat = points.map((point) => [dot(point, side), dot(point, other)] as const);
  const [x, y] = circleCentre(flat);
  const away = flat.map(([px, py]) => Math.hypot(px - x, py - y));
  const radius_m = Math.max(...away);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  points.forEach((point, i) => {
    const along = dot(point, axis);
    const bulge = Math.sqrt(Math.max(0, radius_m * radius_m - away[i]! * away[i]!));
    low = Math.min(low, along + bulge);
    high = Math.max(high, along - bulge);
  });
  // The ends of a short part would pass each other: a ball about their middle.
  if (high < low) low = high = (low + high) / 2;
  const centre = plus(scaled(side, x), scaled(other, y));
  return {
    from_m: plus(centre, scaled(axis, low)),
    to_m: plus(centre, scaled(axis, high)),
    radius_m,
  };
}

/** The distance of a point from the axis of a capsule. */
function fromAxis({ from_m, to_m }: Capsule, point: Vector): number {
  const along = minus(to_m, from_m);
  const long = dot(along, along);
  const share = long === 0 ? 0 : Math.min(1, Math.max(0, dot(minus(point, from_m), along) / long));
  return length(minus(point, plus(from_m, scaled(along, share))));
}

/** The capsule on the grid, grown until it holds every point. */
function rounded(capsule: Capsule, points: readonly Vector[]): Capsule {
  const grid = ([x, y, z]: Vector): Vector => {
    const onGrid = (value: number) => Math.round(value / GRID_M) / Math.round(1 / GRID_M);
    return [onGrid(x), onGrid(y), onGrid(z)];
  };
  const axis = { from_m: grid(capsule.from_m), to_m: grid(capsule.to_m), radius_m: 0 };
  let most = 0;
  for (const point of points) most = Math.max(most, fromAxis(axis, point));
  return { ...axis, radius_m: Math.ceil(most / GRID_M + 1e-6) / Math.round(1 / GRID_M) };
}

/** The smallest capsule around points, nearly: corners inside of their hull may stand out. */
function smallest(points: readonly Vector[], { hull, axes, improvements }: Effort): Capsule {
  const outer = outermost(points, hull);
  let axis = axes[0]!;
  let best = aboutAxis(outer, axis);
  const improve = (candidate: Vector) => {
    const capsule = aboutAxis(outer, candidate);
    if (volume(capsule) >= volume(best)) return;
    [best, axis] = [capsule, candidate];
  };
  for (const candidate of axes) improve(candidate);
  for (let turn = 0.2, i = 0; i < improvements; i++, turn /= 2) {
    const [side, from] = [anyAcross(axis), axis];
    for (const step of [side, cross(from, side)]) {
      for (const sign of [1, -1]) improve(normalised(plus(from, scaled(step, sign * turn))));
    }
  }
  return best;
}

/** The parts of a convex outline on one side of the plane at `height` along `axis`. */
function clipped(outline: readonly Vector[], axis: Vector, height: number): Vector[] {
  return outline.flatMap((corner, i) => {
    const next = outline[(i + 1) % outline.length]!;
    const [here, there] = [dot(corner, axis) - height, dot(next, axis) - height];
    const kept = here >= 0 ? [corner] : [];
    if (here * there >= 0) return kept;
    return [...kept, plus(corner, scaled(minus(next, corner), here / (here - there)))];
  });
}

type Outline = readonly Vector[];

interface Part {
  readonly outlines: readonly Outline[];
  /** A few points of its surface, by which cuts are tried. */
  readonly points: readonly Vector[];
  readonly capsule: Capsule;
}

/** Cells of a grid on either side of its origin, in each direction. */
const CELLS = 2 ** 16;

/** Points with no two of them in one cell of a grid. */
function thinned(points: readonly Vector[], cell_m: number): Vector[] {
  const cells = new Map<number, Vector>();
  for (const point of points) {
    const [x, y, z] = point.map((value) => Math.round(value / cell_m) + CELLS / 2);
    cells.set((x! * CELLS + y!) * CELLS + z!, point);
  }
  return [...cells.values()];
}

function partOf(outlines: readonly Outline[]): Part | null {
  const solid = outlines.filter((outline) => outline.length > 2);
  if (solid.length === 0) return null;
  const corners = solid.flat();
  const triangles = solid.flatMap((outline) =>
    outline.slice(2).map((corner, i): Triangle => [outline[0]!, outline[i + 1]!, corner]),
  );
  return {
    outlines: solid,
    points: thinned(surfaceSamples(triangles, THINNED_M), THINNED_M),
    capsule: rounded(smallest(thinned(corners, CORNER_M), THOROUGH), corners),
  };
}

/** A plane: where along an axis. */
interface Cut {
  readonly along: Vector;
  readonly height: number;
}

/** The best cut of a part; null where none is worth it. */
function cutOf({ points, capsule }: Part): Cut | null {
  const axis = minus(capsule.to_m, capsule.from_m);
  const axes = length(axis) > 0 ? [...UNITS, normalised(axis)] : UNITS;
  let best: Cut | null = null;
  let least = WORTH_A_CUT * volume(smallest(points, ROUGH));
  for (const along of axes) {
    const reach = points.map((point) => dot(point, along));
    const low = reach.reduce((a, b) => Math.min(a, b));
    const high = reach.reduce((a, b) => Math.max(a, b));
    for (const share of CUTS) {
      const height = low + share * (high - low);
      const sides = [1, -1].map((sign) =>
        points.filter((_, i) => sign * (reach[i]! - height) >= 0),
      );
      if (sides.some((side) => side.length === 0)) continue;
      const sum = sides.reduce((all, side) => all + volume(smallest(side, ROUGH)), 0);
      if (sum < least) [least, best] = [sum, { along, height }];
    }
  }
  return best;
}

/** Both parts of a part; null where one of them is empty, or nothing is won. */
function partsOf(part: Part): readonly Part[] | null {
  const cut = cutOf(part);
  if (!cut) return null;
  const parts = [1, -1].map((sign) =>
    partOf(
      part.outlines.map((outline) => clipped(outline, scaled(cut.along, sign), sign * cut.height)),
    ),
  );
  const [lower, upper] = parts;
  if (!lower || !upper) return null;
  const isLess = volume(lower.capsule) + volume(upper.capsule) < volume(part.capsule);
  return isLess ? [lower, upper] : null;
}

/** One to three capsules that hold a surface. */
export function fitCapsules(surface: readonly Triangle[]): Capsule[] {
  const whole = partOf(surface);
  if (!whole) return [];
  const parts = [whole];
  const halves = new Map<Part, readonly Part[] | null>();
  while (parts.length < MOST_CAPSULES) {
    const saved = parts.map((part) => {
      if (!halves.has(part)) halves.set(part, partsOf(part));
      const cut = halves.get(part);
      return cut ? volume(part.capsule) - volume(cut[0]!.capsule) - volume(cut[1]!.capsule) : 0;
    });
    const best = saved.indexOf(Math.max(...saved));
    if (!(saved[best]! > 0)) break;
    parts.splice(best, 1, ...halves.get(parts[best]!)!);
  }
  return parts.map(({ capsule }) => capsule);
}

/** Samples of a surface are at most this far apart where their count allows it (m). */
const SAMPLE_M = 0.004;
const MOST_SAMPLES = 30_000;

/** Points of a surface that are about `apart_m` from each other, and its corners. */
function surfaceSamples(surface: readonly Triangle[], apart_m: number): Vector[] {
  const areaOf = ([a, b, c]: Triangle) => length(cross(minus(b, a), minus(c, a))) / 2;
  const area = surface.reduce((sum, triangle) => sum + areaOf(triangle), 0);
  const each = Math.max(apart_m * apart_m, area / MOST_SAMPLES);
  return surface.flatMap((triangle) => {
    const [a, b, c] = triangle;
    const rows = Math.max(1, Math.ceil(Math.sqrt(areaOf(triangle) / each)));
    return Array.from({ length: rows + 1 }, (_, i) => i).flatMap((i) =>
      Array.from({ length: rows + 1 - i }, (_, k): Vector => {
        const [u, v] = [i / rows, k / rows];
        return plus(a, plus(scaled(minus(b, a), u), scaled(minus(c, a), v)));
      }),
    );
  });
}

/** Points on the outside of capsules, where no other of them is. */
function capsuleSamples(capsules: readonly Capsule[]): Vector[] {
  const around = directions(120);
  return capsules.flatMap((capsule) => {
    const axis = minus(capsule.to_m, capsule.from_m);
    const rings = 1 + Math.ceil(length(axis) / 0.02);
    return Array.from({ length: rings + 1 }, (_, i) => i / rings).flatMap((share) => {
      const centre = plus(capsule.from_m, scaled(axis, share));
      return around
        .map((direction) => plus(centre, scaled(direction, capsule.radius_m)))
        .filter((point) =>
          capsules.every((other) => fromAxis(other, point) > other.radius_m - 1e-9),
        );
    });
  });
}

/** The farthest that capsules stand out from the surface that they enclose (m). */
export function worstGap(capsules: readonly Capsule[], surface: readonly Triangle[]): number {
  const samples = thinned(surfaceSamples(surface, SAMPLE_M), SAMPLE_M / 2);
  const flat = Float64Array.from(samples.flat());
  let worst = 0;
  for (const [x, y, z] of capsuleSamples(capsules)) {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < flat.length && least > worst; i += 3) {
      const away = (flat[i]! - x) ** 2 + (flat[i + 1]! - y) ** 2 + (flat[i + 2]! - z) ** 2;
      if (away < least) least = away;
    }
    if (least > worst) worst = least;
  }
  return Math.sqrt(worst);
}

/** Capsules with the name and the link that a file of an arm gives them. */
export function namedCapsules(link: number, capsules: readonly Capsule[]): ArmCapsule[] {
  const letter = link === 0 ? 'B' : 'L';
  return capsules.map((capsule, i) => ({
    name: `${letter}${link}${'abc'[i]}`,
    link,
    from_m: capsule.from_m,
    to_m: capsule.to_m,
    radius_m: capsule.radius_m,
  }));
}
