/**
 * Edits of a cell: its description with the objects where they are now, parts that move, come and
 * go, and the drag of a part in the scene. Metres and radians, robot frame.
 */
import { Plane, Vector3 } from 'three';
import type {
  Cell,
  CellObject,
  CellShape,
  MoveObjectBody,
  Quaternion,
  Vector,
} from '../../contract/types.ts';
import type { CellView } from '../link/arm-store.ts';
import type { CellLayer, CellPick } from '../scene/cell-layer.ts';
import { footprint, heightOf } from '../scene/cell-shapes.ts';
import type { Stage } from '../scene/renderer.ts';

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

/** Distance between two parts that a new object keeps (m), and where it looks for a place. */
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

/** The cell with a fixture moved over the ground, and what stands in its nests with it. */
export function withFixtureMoved(cell: Cell, name: string, by: { x: number; y: number }): Cell {
  const { fixtures = [] } = cell;
  const moved = fixtures.map((fixture) => {
    const { x, y, z } = fixture.position;
    return fixture.name === name
      ? { ...fixture, position: { x: x + by.x, y: y + by.y, z } }
      : fixture;
  });
  return { ...cell, fixtures: moved };
}

const SNAP_M = 0.001;
const COARSE_SNAP_M = 0.01;
/** A press that moves a part less than this selects it only (m). */
const MOVED_M = 0.002;

interface DragParts {
  readonly stage: Stage;
  readonly layer: () => CellLayer | null;
  readonly isShown: () => boolean;
  onSelect(name: string): void;
  /** Puts a part to where it was dragged, by a horizontal way (m). */
  onDrop(pick: CellPick, by: Vector3): void;
}

/** Lets the user drag objects and fixtures over the ground; Shift snaps to 10 mm. */
export function dragCellParts({ stage, layer, isShown, onSelect, onDrop }: DragParts): void {
  const { canvas } = stage;
  let pick: CellPick | null = null;
  const by = new Vector3();
  const plane = new Plane(new Vector3(0, 0, 1));
  function follow(event: PointerEvent): void {
    if (!pick) return;
    const at = stage.ray(event).ray.intersectPlane(plane, new Vector3());
    if (!at) return;
    const snap = event.shiftKey ? COARSE_SNAP_M : SNAP_M;
    const rounded = (metres: number) => Math.round(metres / snap) * snap;
    by.set(rounded(at.x - pick.at.x), rounded(at.y - pick.at.y), 0);
    layer()?.drag(pick.name, by);
  }
  function finish(dropped: boolean): void {
    if (!pick) return;
    const done = pick;
    pick = null;
    if (dropped && by.length() > MOVED_M) onDrop(done, by.clone());
    layer()?.drag(done.name, null);
  }
  // Before the camera's own listener on the canvas.
  stage.element.addEventListener(
    'pointerdown',
    (event) => {
      if (!isShown() || event.button !== 0 || event.target !== canvas) return;
      pick = layer()?.pick(stage.ray(event)) ?? null;
      if (!pick) return;
      event.stopPropagation();
      canvas.setPointerCapture(event.pointerId);
      plane.constant = -pick.at.z;
      by.set(0, 0, 0);
      onSelect(pick.name);
    },
    { capture: true },
  );
  canvas.addEventListener('pointermove', follow);
  canvas.addEventListener('pointerup', () => finish(true));
  canvas.addEventListener('pointercancel', () => finish(false));
}
