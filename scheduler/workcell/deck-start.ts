/**
 * The start of a run on a deck. What differs from its definition is refused unless the caller says
 * which of the two is right (docs/decisions).
 */
import type { StartRunBody, WorkflowDefinition } from '../../contract/types.generated.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import type { SlotLocation } from '../plan/slot-location.ts';
import { type DeckContents, type DeckPlace, placeKey, placeText } from './deck.ts';

/** Which of deck and definition is right where they differ. */
export type DeckMode = NonNullable<StartRunBody['deck']>;

/** The start of a run on a deck. */
export interface DeckStart {
  /** The definition with the starting locations of the run. */
  readonly definition: WorkflowDefinition;
  /** The piece of the definition that is in the gripper; null for none. */
  readonly held: string | null;
  /** Pieces on the deck that the definition does not use. */
  readonly others: readonly (readonly [string, NonNullable<DeckPlace>])[];
  /** How deck and definition differ, if that is not allowed. */
  readonly differences: readonly string[];
}

function differenceText(id: string, found: DeckPlace, defined: DeckPlace): string {
  return `${id} is in ${placeText(found)}, not in ${placeText(defined)}`;
}

/** Compares a definition with the deck and returns the start of its run. */
export function deckStart(
  deck: DeckContents,
  definition: WorkflowDefinition,
  mode: DeckMode,
): DeckStart {
  const { labware } = definition.workflow;
  const own = new Set(labware.map(({ id }) => id));
  const differences: string[] = [];
  const holders = new Map<string, string>();
  const others: [string, NonNullable<DeckPlace>][] = [];
  for (const [id, place] of deck) {
    if (place === null && (!own.has(id) || mode === 'as_defined')) {
      differences.push(`the gripper holds ${id}, which must be put down first`);
    }
    if (own.has(id) || place === null) continue;
    others.push([id, place]);
    holders.set(placeKey(place), id);
  }
  let held: string | null = null;
  const placed = labware.map((piece) => {
    const { instrument: instrument_id, slot } = piece.starting_location;
    const defined = { instrument_id, slot };
    const found = deck.has(piece.id) && mode !== 'as_defined' ? deck.get(piece.id)! : defined;
    const isSame = placeKey(found) === placeKey(defined);
    if (mode === 'check' && !isSame) differences.push(differenceText(piece.id, found, defined));
    if (found === null) {
      held = piece.id;
      return piece;
    }
    const isSlotless = definition.workcell.instruments?.some(
      ({ id, is_slotless_container }) => id === found.instrument_id && is_slotless_container,
    );
    const holder = isSlotless ? undefined : holders.get(placeKey(found));
    if (holder) differences.push(`${placeText(found)} holds ${holder}, not ${piece.id}`);
    const { instrument_id: instrument, slot: at } = found;
    return { ...piece, starting_location: { instrument, slot: at } };
  });
  const workflow = { ...definition.workflow, labware: placed };
  return { definition: { ...definition, workflow }, held, others, differences };
}

/** Returns the locations of pieces that the definition does not use. */
export function otherLocations(
  { instruments }: Pick<WorkflowModel, 'instruments'>,
  others: DeckStart['others'],
): Map<string, SlotLocation> {
  const statics = new Map<string, SlotLocation>();
  for (const [id, { instrument_id, slot }] of others) {
    const instrument = instruments.findIndex((one) => one.id === instrument_id);
    if (instrument >= 0) statics.set(id, { instrument, slot });
  }
  return statics;
}
