/**
 * What a body of the cell rests on: the highest surface beneath it, and whether it stands there.
 * Supports count as level: of a tilted one its highest point decides. Where nothing level carries a
 * body, what touches it from beneath does, however it is tilted.
 */

import { length3 } from '../math/vector.ts';
import { type BodyModel, type CellModel, GROUND, type StaticSolid } from './cell-model.ts';
import { SOLID_POSE } from './pose.ts';
import { clip, convexHull, isInside, nearestPoint, type Point } from './solids/convex-polygon.ts';
import { type Footprint, footprintOf } from './solids/footprint.ts';
import { overlapDepth, type Posed } from './solids/overlap.ts';
import type { Solid } from './solids/solids.ts';

/** A surface this far above the lowest point of a body may support it, however thin it is (m). */
const STEP_M = 3e-3;
/** Surfaces within this height of the highest one carry the body together (m). */
const LEVEL_M = 3e-4;
/** Distance by which the centre of mass may lie outside of the support (m). */
const EDGE_M = 1e-4;

/** Bodies this close touch (m). */
const TOUCHING_M = 1e-3;
/** A body is raised by this to see in which direction it leaves what it touches (m). */
const RAISE_M = 1e-6;
/** A surface whose normal has a smaller upward part is a wall: a slope of 78°. */
const WALL_COSINE = 0.2;

export interface Support {
  /** Height of the surface (m). */
  readonly height_m: number;
  /** Name of the fixture, conveyor or object, or the floor. */
  readonly name: string;
  /** Number of the conveyor whose belt is the surface, or -1. */
  readonly belt: number;
  /** Number of the supporting body, or -1. */
  readonly body: number;
  /** The bodies that it lies across, none of which is beneath its centre. */
  readonly spans: readonly number[];
  /** False where the body would fall over: its weight acts beyond the edge. */
  readonly isStable: boolean;
  /** Where the edge is then: the nearest point of what carries it (x, y; m). */
  readonly edge?: Point;
  /** Whether it is a level surface; else something tilted that touches the body from beneath. */
  readonly isLevel: boolean;
}

/** The bodies as the search needs them. */
export interface Bodies {
  readonly model: Pick<CellModel, 'statics'> & { readonly bodies: readonly Solid[] };
  readonly poses: Float64Array;
  /** Whether a body is there for others to rest on. */
  readonly isSolid: (i: number) => boolean;
}

interface Surface {
  readonly name: string;
  readonly height_m: number;
  readonly belt: number;
  readonly body: number;
  readonly area: readonly (readonly [number, number])[];
}

const NONE: readonly number[] = [];
const outlines = new WeakMap<StaticSolid, Footprint>();

function staticFootprint(solid: StaticSolid): Footprint {
  const known = outlines.get(solid) ?? footprintOf(solid, solid.pose, 0);
  outlines.set(solid, known);
  return known;
}

/** Whether two bodies lie so far beside each other that neither can carry the other. */
function isFar({ model, poses }: Pick<Bodies, 'model' | 'poses'>, i: number, j: number): boolean {
  const [h, g] = [model.bodies[i]!.half, model.bodies[j]!.half];
  const reach = length3(h[0]!, h[1]!, h[2]!) + length3(g[0]!, g[1]!, g[2]!);
  const x = poses[SOLID_POSE * i]! - poses[SOLID_POSE * j]!;
  const y = poses[SOLID_POSE * i + 1]! - poses[SOLID_POSE * j + 1]!;
  return x * x + y * y > reach * reach;
}

/** Whether the bounding rectangles of two footprints do not meet. */
function isBeside(a: Footprint, b: Footprint): boolean {
  return (
    a.bounds[0] > b.bounds[1] ||
    b.bounds[0] > a.bounds[1] ||
    a.bounds[2] > b.bounds[3] ||
    b.bounds[2] > a.bounds[3]
  );
}

/** The lesser side of the rectangle along x and y around an area (m). */
function leastExtent(area: readonly Point[]): number {
  const sides = [0, 1].map((k) => {
    const values = area.map((point) => point[k]!);
    return Math.max(...values) - Math.min(...values);
  });
  return Math.min(...sides);
}

/**
 * The surfaces that may carry body `i`. It may have been pressed into one: to leave that upwards is
 * then the shortest way. Out of a wall that it touches the shortest way is aside.
 */
function surfacesUnder({ model, poses, isSolid }: Bodies, i: number, own: Footprint): Surface[] {
  const found: Surface[] = [];
  const deepest = Math.max(STEP_M, (own.high - own.low) / 2);
  const add = (top: Footprint, name: string, belt: number, body: number) => {
    const depth = top.high - own.low;
    if (depth > deepest || isBeside(top, own)) return;
    const area = clip(own.corners, top.corners);
    if (area.length < 3 || depth > leastExtent(area)) return;
    found.push({ name, height_m: top.high, belt, body, area });
  };
  for (const solid of model.statics) add(staticFootprint(solid), solid.name, solid.belt, -1);
  model.bodies.forEach((body, j) => {
    if (j === i || !isSolid(j) || isFar({ model, poses }, i, j)) return;
    const name = (body as Partial<BodyModel>).name ?? '';
    add(footprintOf(body, poses, SOLID_POSE * j), name, -1, j);
  });
  if (own.low > -deepest)
    found.push({ name: GROUND, height_m: 0, belt: -1, body: -1, area: own.corners });
  return found;
}

/** How much of the normal of a touching surface points upwards; 0 where they do not touch. */
function upwardsOf(pressed: Posed, raised: Posed, other: Posed): number {
  const depth = overlapDepth(pressed, other, 0);
  return depth <= 0 ? 0 : (depth - overlapDepth(raised, other)) / RAISE_M;
}

/** What touches body `i`, whose lowest point is at `low`, from beneath with its most level face. */
function touchedBeneath({ model, poses, isSolid }: Bodies, i: number, low: number): Support | null {
  // Pressed down, it would overlap what carries it; what it passes beside it would not.
  const pressedBy = (depth_m: number): Posed => {
    const pose = poses.slice(SOLID_POSE * i, SOLID_POSE * (i + 1));
    pose[2]! -= depth_m;
    return { solid: model.bodies[i]!, pose, at: 0 };
  };
  const pressed = pressedBy(TOUCHING_M);
  const raised = pressedBy(TOUCHING_M - RAISE_M);
  let found: Support | null = null;
  let most = WALL_COSINE;
  const add = (other: Posed, part: Pick<Support, 'name' | 'belt' | 'body'>) => {
    const upwards = upwardsOf(pressed, raised, other);
    if (upwards <= most) return;
    most = upwards;
    found = { ...part, spans: NONE, height_m: low, isStable: true, isLevel: false };
  };
  for (const solid of model.statics) {
    add({ solid, pose: solid.pose, at: 0 }, { name: solid.name, belt: solid.belt, body: -1 });
  }
  model.bodies.forEach((solid, j) => {
    if (j === i || !isSolid(j)) return;
    const { name = '' } = solid as Partial<BodyModel>;
    add({ solid, pose: poses, at: SOLID_POSE * j }, { name, belt: -1, body: j });
  });
  return found;
}

/**
 * What carries body `i`, or is the highest beneath it; null where nothing is, below the floor. It
 * must carry what stands on the body too: `centre` is where their weight acts, that of the body
 * alone unless given (m).
 */
export function supportBeneath(bodies: Bodies, i: number, centre?: Point): Support | null {
  const own = footprintOf(bodies.model.bodies[i]!, bodies.poses, SOLID_POSE * i);
  const at = SOLID_POSE * i;
  const level = levelBeneath(bodies, own, {
    i,
    centre: centre ?? [bodies.poses[at]!, bodies.poses[at + 1]!],
  });
  if (level && own.low - level.height_m <= TOUCHING_M) return level;
  return touchedBeneath(bodies, i, own.low) ?? level;
}

/** The highest level support beneath body `i`, whose weight acts at `centre`. */
function levelBeneath(
  bodies: Bodies,
  own: Footprint,
  { i, centre: [x, y] }: { readonly i: number; readonly centre: Point },
): Support | null {
  const surfaces = surfacesUnder(bodies, i, own);
  if (surfaces.length === 0) return null;
  const height_m = Math.max(...surfaces.map((surface) => surface.height_m));
  const level = surfaces.filter((surface) => surface.height_m >= height_m - LEVEL_M);
  const area = convexHull(level.flatMap((surface) => [...surface.area]));
  const beneath = level.find((surface) => isInside(surface.area, x, y, EDGE_M));
  const { name, belt, body } = beneath ?? level[0]!;
  const spans = beneath ? NONE : level.flatMap((surface) => (surface.body < 0 ? [] : surface.body));
  const isStable = isInside(area, x, y, EDGE_M);
  const edge = isStable ? {} : { edge: nearestPoint(area, x, y) };
  return { height_m, name, belt, body, spans, isStable, isLevel: true, ...edge };
}
