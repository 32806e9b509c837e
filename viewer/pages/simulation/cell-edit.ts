/**
 * Edits of a cell: its description with the objects where they are now, and parts that move, come,
 * go and get other names. Metres and radians, robot frame. Pure.
 */

import type {
  Cell,
  CellObject,
  CellShape,
  Quaternion,
  Vector,
} from '../../../contract/types.generated.ts';
import type { CellView } from '../../link/cell-view.ts';
import type { BeamEnd } from './beam-end.ts';
import { type PartPlace, turnOf, UPRIGHT } from './part-place.ts';

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

/** A list of parts in a cell. */
export type PartList = (typeof LISTS)[number];
export type AnyPart = NonNullable<Cell[(typeof LISTS)[number]]>[number];

/** The cell with a part of any kind replaced; the parts keep their order. */
export function withPart(cell: Cell, name: string, edit: (part: AnyPart) => object): Cell {
  const lists = LISTS.filter((list) => cell[list]);
  const change = (part: AnyPart) => (part.name === name ? { ...part, ...edit(part) } : part);
  const changed = lists.map((list) => [list, cell[list]!.map(change)]);
  return { ...cell, ...Object.fromEntries(changed) };
}

/** A cell with a new part at the end of its list. */
export function withAdded(cell: Cell, list: PartList, part: object): Cell {
  return { ...cell, [list]: [...(cell[list] ?? []), part as AnyPart] };
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

/** The list that a part is in. */
export function listOf(cell: Cell, name: string): PartList | undefined {
  return LISTS.find((list) => cell[list]?.some((part) => part.name === name));
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
