/**
 * Where a part of the cell can stand: the surface under it, the place where it drops, and a free
 * place. Pure.
 */
import type {
  CellObject,
  CellShape,
  MoveObjectBody,
  Quaternion,
  Vector,
} from '../../../contract/types.generated.ts';
import type { CellView } from '../../link/cell-view.ts';
import { footprint, heightOf } from '../../scene/object-shapes.ts';

/** Where a part is, as the form shows it. */
export interface PartPlace {
  readonly position: Vector;
  /** Angle about the vertical (rad). */
  readonly turn_rad: number;
}

/** The orientation of a part that stands upright. */
export function uprightTurn(turn_rad: number): Quaternion {
  return { w: Math.cos(turn_rad / 2), x: 0, y: 0, z: Math.sin(turn_rad / 2) };
}

/** Angle of an orientation about the vertical (rad). */
export function turnOf({ w, x, y, z }: Quaternion = { w: 1, x: 0, y: 0, z: 0 }): number {
  return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

/** A rectangle that is turned about the vertical. */
interface Face extends PartPlace {
  readonly size: readonly [number, number];
}

function isOver(at: Vector, { position, turn_rad, size: [x, y] }: Face): boolean {
  const [dx, dy] = [at.x - position.x, at.y - position.y];
  const [c, s] = [Math.cos(turn_rad), Math.sin(turn_rad)];
  return Math.abs(c * dx + s * dy) <= x / 2 && Math.abs(c * dy - s * dx) <= y / 2;
}

/** A point of a part's frame in the world. */
function inWorld(part: { position: Vector; orientation?: Quaternion }, own: Vector): Vector {
  const turn = turnOf(part.orientation);
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const { x, y, z } = part.position;
  return { x: x + c * own.x - s * own.y, y: y + s * own.x + c * own.y, z: z + own.z };
}

const ORIGIN = { x: 0, y: 0, z: 0 } as const;
export const UPRIGHT: Quaternion = { w: 1, x: 0, y: 0, z: 0 };

/** Height of the highest surface under a point (m): fixtures, conveyors, other objects, ground. */
export function surfaceUnder(cell: CellView, at: Vector, without: string): number {
  const { fixtures = [], conveyors = [], objects = [] } = cell.description;
  const tops = fixtures.flatMap((fixture) =>
    fixture.boxes.map((box) => {
      const position = inWorld(fixture, box.position ?? ORIGIN);
      const turn_rad = turnOf(fixture.orientation) + turnOf(box.orientation);
      const { x, y, z } = box.size_m;
      return isOver(at, { position, turn_rad, size: [x, y] }) ? position.z + z : 0;
    }),
  );
  const belts = conveyors.map(({ position, orientation, size_m: { x, y, z } }) =>
    isOver(at, { position, turn_rad: turnOf(orientation), size: [x, y] }) ? position.z + z : 0,
  );
  const bodies = cell.state.objects.map(({ name, position, orientation }) => {
    const shape = objects.find((object) => object.name === name)?.shape;
    if (!shape || name === without) return 0;
    const face = { position, turn_rad: turnOf(orientation), size: footprint(shape) };
    return isOver(at, face) ? position.z + heightOf(shape) : 0;
  });
  return Math.max(0, ...tops, ...belts, ...bodies);
}

/** Heights of what lies under the middle and the corners of an object at a point (m). */
function surfacesUnder(cell: CellView, at: Vector, object: Pick<CellObject, 'name' | 'shape'>) {
  const [x, y] = footprint(object.shape);
  const corners = [1, -1].flatMap((i) =>
    [1, -1].map((k) => ({ ...at, x: at.x + (i * x) / 2, y: at.y + (k * y) / 2 })),
  );
  return [at, ...corners].map((point) => surfaceUnder(cell, point, object.name));
}

/** An object that is dropped nearer than this to a free nest goes into it (m). */
const NEST_NEAR_M = 0.025;

/** Where a dropped object goes: into a near nest, else onto what is there, upright if it lay. */
export function dropPlace(cell: CellView, name: string, at: Vector): MoveObjectBody {
  const taken = new Set(cell.state.objects.map((object) => object.at));
  for (const fixture of cell.description.fixtures ?? []) {
    for (const nest of fixture.nests ?? []) {
      const { x, y } = inWorld(fixture, nest.position);
      const isNear = Math.hypot(at.x - x, at.y - y) < NEST_NEAR_M;
      if (isNear && !taken.has(nest.name)) return { nest: nest.name };
    }
  }
  const { x, y } = at;
  const object = cell.description.objects?.find((each) => each.name === name);
  const z = object ? Math.max(...surfacesUnder(cell, at, object)) : 0;
  const now = cell.state.objects.find((one) => one.name === name);
  if (!now) return { position: { x, y, z } };
  const isUpright = now.status !== 'tipped';
  const orientation = isUpright ? now.orientation : uprightTurn(turnOf(now.orientation));
  return { position: { x, y, z }, orientation };
}

/** Distance that a new object keeps (m), and where it looks for a place. */
const APART_M = 0.09;
const REACH_M = { from: 0.24, to: 0.56, step: 0.04 } as const;

/** A free and level place for a new object, near the arm. */
export function freePlace(cell: CellView, shape: CellShape): Vector {
  const others = cell.state.objects.map(({ position }) => position);
  for (let r = REACH_M.from; r <= REACH_M.to; r += REACH_M.step) {
    for (let turn = -1.2; turn <= 1.2; turn += 0.3) {
      const at = { x: r * Math.cos(turn), y: r * Math.sin(turn), z: 0 };
      const isFree = others.every(({ x, y }) => Math.hypot(x - at.x, y - at.y) > APART_M);
      const [z, ...corners] = surfacesUnder(cell, at, { name: '', shape });
      if (isFree && corners.every((each) => each === z)) return { ...at, z: z! };
    }
  }
  return { x: REACH_M.from, y: 0, z: 0 };
}
