/**
 * The deck of a simulated cell: a piece is the object of its id, and slot n of an instrument is the
 * n-th nest of the fixture with the instrument's id. A workflow uses the cell when all of its
 * labware are objects there; where a piece is, is then asked of the cell.
 */

import type { WorkcellBody, WorkflowDefinition } from '../../contract/types.generated.ts';
import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import { objectState } from '../../physics/cell/cell-state.ts';
import { type DeckContents, type DeckPlace, homelessLabware, placeText } from './deck.ts';

/** The call with which a caller moves an object. */
export const OBJECT_CALL = 'PUT /sim/v1/cell/objects/{name}';

/** The present cell; null without one. */
export type CurrentCell = () => CellPlant | null;

/** The deck as the cell has it. */
interface CellDeck {
  readonly deck: DeckContents;
  /** Labware that stands in no slot of an instrument, each as a sentence. */
  readonly strays: readonly string[];
}

/** Instrument and slot of a nest; null for a surface, or a nest that is not there. */
export function slotOfNest({ model }: CellPlant, name: string | null): DeckPlace {
  const nest = model.nests.find((one) => one.name === name);
  if (!nest || nest.owner >= 0) return null;
  const own = model.nests.filter(({ on }) => on === nest.on);
  return { instrument_id: nest.on, slot: own.indexOf(nest) + 1 };
}

/**
 * Returns where a cell has a piece, with a sentence: null in a gripper, undefined in no slot; null
 * for a piece that is no object of the cell.
 */
export function pieceIn(
  cell: CellPlant,
  id: string,
): { readonly place: DeckPlace | undefined; readonly text: string } | null {
  if (!cell.model.bodies.some(({ name }) => name === id)) return null;
  const { deck, strays } = labwareIn(cell);
  return { place: deck.get(id), text: strays.get(id) ?? '' };
}

/** Returns where a cell has the labware of a workflow; null when the workflow does not use it. */
export function deckOfCell(
  cell: CellPlant | null,
  { workflow }: Pick<WorkflowDefinition, 'workflow'>,
): CellDeck | null {
  if (!cell) return null;
  const names = cell.model.bodies.map(({ name }) => name);
  // What is counted and not carried need not be an object.
  const solid = workflow.labware.filter(({ units }) => units === undefined);
  const ids = new Set(solid.map(({ id }) => id));
  if (![...ids].every((id) => names.includes(id))) return null;
  const { deck, strays } = labwareIn(cell);
  return { deck, strays: [...strays].flatMap(([id, text]) => (ids.has(id) ? [text] : [])) };
}

/** Where the objects of a cell are that a deck can have, and sentences about the others. */
function labwareIn(cell: CellPlant) {
  const deck = new Map<string, DeckPlace>();
  const strays = new Map<string, string>();
  cell.model.bodies.forEach(({ name }, i) => {
    const { at, held_by, status } = objectState(cell, i);
    const place = slotOfNest(cell, at);
    if (held_by !== null) deck.set(name, null);
    else if (place !== null) deck.set(name, place);
    else strays.set(name, `${name} is ${status}${at === null ? '' : ` at ${at}`}`);
  });
  return { deck, strays };
}

/**
 * Returns the deck of a workcell as the cell has it; null when the cell does not have its
 * instruments, or not all of the labware on its deck.
 */
export function workcellInCell(
  cell: CellPlant | null,
  { instruments, deck }: Pick<WorkcellBody, 'instruments'> & { readonly deck: DeckContents },
): DeckContents | null {
  if (!cell) return null;
  const { nests, bodies } = cell.model;
  const hasInstrument = nests.some(
    (nest) => nest.owner < 0 && instruments.some(({ id }) => id === nest.on),
  );
  const names = new Set(bodies.map(({ name }) => name));
  if (!hasInstrument || ![...deck.keys()].every((id) => names.has(id))) return null;
  const isHere = ([id, place]: [string, DeckPlace]) =>
    homelessLabware(new Map([[id, place]]), instruments).length === 0;
  return new Map([...labwareIn(cell).deck].filter(isHere));
}

/** A piece that a deck has elsewhere than the cell, as a sentence; null for none. */
export function contradictionOf(
  cell: CellPlant | null,
  { instruments }: Pick<WorkcellBody, 'instruments'>,
  deck: DeckContents,
): string | null {
  const real = workcellInCell(cell, { instruments, deck });
  if (!real) return null;
  for (const [id, place] of deck) {
    const there = real.get(id);
    if (there !== undefined && placeText(there) === placeText(place)) continue;
    const where = there === undefined ? 'in no slot' : `in ${placeText(there)}`;
    return `The cell has ${id} ${where}; move the object (${OBJECT_CALL}), not the deck`;
  }
  return null;
}
