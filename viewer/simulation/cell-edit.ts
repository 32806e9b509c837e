/**
 * Edits of a cell: its description with the objects where they are now, and parts that move, come,
 * go and get other names. Metres and radians, robot frame. Pure.
 */
import type {
  Cell,
  CellObject,
  CellShape,
  MoveObjectBody,
  Quaternion,
  Vector,
} from '../../contract/types.ts';
import type { CellView } from '../link/arm-store.ts';
import { footprint, heightOf } from '../scene/cell-shapes.ts';

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

/** The description with its objects where they are now; held and lost ones keep their start. */
export function describedNow({ description, state }: CellView): Cell {
  const nests = new Set(
    [...(description.fixtures ?? []), ...(description.objects ?? [])].flatMap(({ nests = [] }) =>
      nests.map(({ name }) => name),
    ),
  );
  const objects = (description.objects ?? []).map((object): CellObject => {
    const now = state.objects.find(({ name }) => name === object.name);
    if (!now || (now.status !== 'resting' && now.status !== 'tipped')) return object;
    const { nest: _nest, position: _position, orientation: _orientation, ...rest } = object;
    if (now.at !== null && nests.has(now.at)) return { ...rest, nest: now.at };
    return { ...rest, position: now.position, orientation: now.orientation };
  });
  return { ...description, objects };
}

const LISTS = [
  'fixtures',
  'objects',
  'grippers',
  'sensors',
  'conveyors',
  'controls',
] as const satisfies readonly (keyof Cell)[];

export type AnyPart = NonNullable<Cell[(typeof LISTS)[number]]>[number];

/** The cell with a part of any kind replaced; the parts keep their order. */
export function withPart(cell: Cell, name: string, edit: (part: AnyPart) => object): Cell {
  const lists = LISTS.filter((list) => cell[list]);
  const change = (part: AnyPart) => (part.name === name ? { ...part, ...edit(part) } : part);
  const changed = lists.map((list) => [list, cell[list]!.map(change)]);
  return { ...cell, ...Object.fromEntries(changed) };
}

/** The cell without a part of any kind. */
export function withoutPart(cell: Cell, name: string): Cell {
  const lists = LISTS.filter((list) => cell[list]);
  const kept = lists.map((list) => [list, cell[list]!.filter((part) => part.name !== name)]);
  return { ...cell, ...Object.fromEntries(kept) };
}

/** All parts in the order of the description, with their kind in words. */
export function cellParts(cell: Cell): { readonly name: string; readonly kind: string }[] {
  return LISTS.flatMap((list) =>
    (cell[list] ?? []).map((part) => {
      const kind = 'kind' in part ? part.kind : list.slice(0, -1);
      return { name: part.name, kind: 'shape' in part ? part.shape.kind : kind };
    }),
  );
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
const UPRIGHT: Quaternion = { w: 1, x: 0, y: 0, z: 0 };

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

/** Shapes of new objects (m). */
export const NEW_SHAPES: Readonly<Record<CellShape['kind'], CellShape>> = {
  box: { kind: 'box', size_m: { x: 0.04, y: 0.04, z: 0.04 } },
  cylinder: { kind: 'cylinder', diameter_m: 0.04, height_m: 0.05 },
  tube: { kind: 'tube', diameter_m: 0.016, height_m: 0.06 },
  microplate: { kind: 'microplate' },
};

/** A name that no part has: the kind with the next number. */
export function newName(cell: Cell, kind: string): string {
  const names = new Set(cellParts(cell).map(({ name }) => name));
  let number = 1;
  while (names.has(`${kind} ${number}`)) number++;
  return `${kind} ${number}`;
}

/** Which end of a beam is meant; both without one. */
export type BeamEnd = 'from' | 'to';

/** A press nearer than this to an end of a beam moves that end alone (m), at most so much of it. */
const END_M = 0.04;
const END_SHARE = 1 / 3;

/** The end of a beam that a point is near; null in its middle, and for other parts. */
export function beamEnd(cell: Cell, name: string, at: Vector): BeamEnd | null {
  const beam = cell.sensors?.find((sensor) => sensor.name === name);
  if (beam?.kind !== 'beam') return null;
  const far = (a: Vector, b: Vector) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);
  const near = Math.min(END_M, END_SHARE * far(beam.from, beam.to));
  if (far(beam.from, at) < near) return 'from';
  return far(beam.to, at) < near ? 'to' : null;
}

/** What changes of a part that is moved (m); empty for one that has no place of its own. */
export function movedPart(part: AnyPart, by: Vector, end: BeamEnd | null = null) {
  const shifted = ({ x, y, z }: Vector): Vector => ({ x: x + by.x, y: y + by.y, z: z + by.z });
  if ('from' in part) {
    if (end) return { [end]: shifted(part[end]) };
    return { from: shifted(part.from), to: shifted(part.to) };
  }
  return 'position' in part && part.position ? { position: shifted(part.position) } : {};
}

/** The part of a name. */
export function partOf(cell: Cell, name: string): AnyPart | undefined {
  const parts = LISTS.flatMap((list): readonly AnyPart[] => cell[list] ?? []);
  return parts.find((part) => part.name === name);
}

/** The objects that stand on a part or in its nests, and what stands on those. */
export function carriedBy({ description, state }: CellView, name: string): ReadonlySet<string> {
  const carried = new Set<string>();
  const nestsOf = (of: string) => {
    const part = partOf(description, of);
    return part && 'nests' in part ? (part.nests ?? []).map((nest) => nest.name) : [];
  };
  const places = [name, ...nestsOf(name)];
  for (const place of places) {
    for (const object of state.objects) {
      if (object.at !== place || carried.has(object.name)) continue;
      carried.add(object.name);
      places.push(object.name, ...nestsOf(object.name));
    }
  }
  return carried;
}

/** Turns an orientation about the vertical. */
function turnedBy({ w, x, y, z }: Quaternion, turn_rad: number): Quaternion {
  const [c, s] = [Math.cos(turn_rad / 2), Math.sin(turn_rad / 2)];
  return { w: c * w - s * z, x: c * x - s * y, y: c * y + s * x, z: c * z + s * w };
}

function placeOf(cell: Cell, name: string): PartPlace | null {
  const part = partOf(cell, name);
  if (!part || !('position' in part) || !part.position) return null;
  const orientation = 'orientation' in part ? part.orientation : undefined;
  return { position: part.position, turn_rad: turnOf(orientation) };
}

/** A part that is edited, and the objects that keep their place on it when it moves or turns. */
interface PartEdit {
  readonly name: string;
  readonly carried: ReadonlySet<string>;
}

/** The cell with a part edited and the objects on it moved along. */
export function withPlaced(
  cell: Cell,
  { name, carried }: PartEdit,
  edit: Parameters<typeof withPart>[2],
): Cell {
  const changed = withPart(cell, name, edit);
  const [from, to] = [placeOf(cell, name), placeOf(changed, name)];
  if (!from || !to) return changed;
  const turn_rad = to.turn_rad - from.turn_rad;
  const [c, s] = [Math.cos(turn_rad), Math.sin(turn_rad)];
  const objects = (changed.objects ?? []).map((object): CellObject => {
    if (!carried.has(object.name) || !object.position) return object;
    const { x, y, z } = object.position;
    const [dx, dy] = [x - from.position.x, y - from.position.y];
    const position = {
      x: to.position.x + c * dx - s * dy,
      y: to.position.y + s * dx + c * dy,
      z: z + to.position.z - from.position.z,
    };
    if (turn_rad === 0) return { ...object, position };
    return { ...object, position, orientation: turnedBy(object.orientation ?? UPRIGHT, turn_rad) };
  });
  return cell.objects ? { ...changed, objects } : changed;
}

/** The cell with a part renamed, and what refers to it. */
export function withRenamed(cell: Cell, name: string, to: string): Cell {
  const renamed = withPart(cell, name, () => ({ name: to }));
  const sensors = renamed.sensors?.map((sensor) =>
    sensor.kind === 'weight' && sensor.of === name ? { ...sensor, of: to } : sensor,
  );
  return sensors ? { ...renamed, sensors } : renamed;
}
