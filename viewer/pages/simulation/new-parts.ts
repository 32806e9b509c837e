/** The kinds of parts that can be added to a cell. Pure. */
import type { CellFixture, CellObject } from '../../../contract/types.generated.ts';
import type { CellView } from '../../link/cell-view.ts';
import { NEW_SHAPES, type PartList } from './cell-edit.ts';
import { kindOf, NEW_DEVICES } from './device-fields.tsx';
import { freePlace } from './part-place.ts';
import { sentValues, type Values } from './schema-fields.tsx';

const NEW_MASS_KG = 0.1;
const NEW_FIXTURE = { boxes: [{ size_m: { x: 0.15, y: 0.15, z: 0.05 } }] };

/** The list of a new part, and what it begins with. */
export interface NewPart {
  readonly list: PartList;
  readonly part: Values;
}

/** The kinds in the order in which they are offered. */
export const NEW_PARTS: ReadonlyMap<string, NewPart> = new Map<string, NewPart>([
  ['fixture', { list: 'fixtures', part: NEW_FIXTURE }],
  ...Object.values(NEW_SHAPES).map(
    (shape) => [shape.kind, { list: 'objects', part: { shape, mass_kg: NEW_MASS_KG } }] as const,
  ),
  ...NEW_DEVICES.map(([list, part]) => [kindOf(list, part), { list, part }] as const),
]);

/** A new part with a free place where it needs one. */
export function placedPart(cell: CellView, { list, part }: NewPart): Values {
  if (list === 'objects') {
    return { ...part, position: freePlace(cell, (part as object as CellObject).shape) };
  }
  if (list !== 'fixtures') return sentValues(part);
  const { size_m } = (part as object as CellFixture).boxes[0]!;
  return { ...part, position: freePlace(cell, { kind: 'box', size_m }) };
}
