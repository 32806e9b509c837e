/**
 * The deck of a workcell: where each piece of labware stands and which one the gripper holds. It
 * outlives runs. A run starts from the deck; what differs from its definition is refused unless the
 * caller says which of the two is right (docs/decisions).
 */
import type {
  DeckBody,
  DeckLabware,
  StartRunBody,
  WorkflowDefinition,
  WorkflowInstrument,
} from '../../contract/types.ts';
import type { DefinitionError } from './definition-reader.ts';
import type { WorkflowModel } from './model.ts';
import type { SlotLocation } from './plan/problem.ts';
import { TRANSPORT_TYPE } from './stations.ts';

/** Instrument and slot; null while the piece is in the gripper. */
export type DeckPlace = { readonly instrument_id: string; readonly slot: number } | null;

/** Places by labware id. */
export type DeckContents = ReadonlyMap<string, DeckPlace>;

/** Names a place in messages. */
export function placeText(place: DeckPlace): string {
  return place === null ? 'the gripper' : `${place.instrument_id} slot ${place.slot}`;
}

function placeKey(place: DeckPlace): string {
  return place === null ? '' : `${place.slot} ${place.instrument_id}`;
}

/** Returns the piece in the gripper, or null. */
export function heldLabware(deck: DeckContents): string | null {
  for (const [labware_id, place] of deck) if (place === null) return labware_id;
  return null;
}

/** Returns the wire format of a deck, without the runs. */
export function deckBodyOf(deck: DeckContents): DeckBody {
  const labware: DeckLabware[] = [];
  for (const [labware_id, place] of deck) if (place) labware.push({ labware_id, ...place });
  return { labware, gripper: heldLabware(deck) };
}

/** Returns the deck of a body that `deckFaults` has found no fault in. */
export function deckContentsOf({ labware, gripper }: DeckBody): DeckContents {
  const deck = new Map<string, DeckPlace>();
  for (const { labware_id, instrument_id, slot } of labware) {
    deck.set(labware_id, { instrument_id, slot });
  }
  if (gripper !== null) deck.set(gripper, null);
  return deck;
}

/** Returns why a piece cannot stand in a place of these instruments, or null. */
function placeFault(instruments: readonly WorkflowInstrument[], place: DeckPlace): string | null {
  if (place === null) return null;
  const found = instruments.find(({ id }) => id === place.instrument_id);
  if (!found || found.type === TRANSPORT_TYPE)
    return `there is no instrument ${place.instrument_id}`;
  const { capacity = 1, is_slotless_container = false } = found;
  if (is_slotless_container || place.slot <= capacity) return null;
  return `${found.id} has the slots 0 to ${capacity}`;
}

/** Returns how a deck contradicts itself or the instruments; empty if it does not. */
export function deckFaults(
  instruments: readonly WorkflowInstrument[],
  { labware, gripper }: DeckBody,
): DefinitionError[] {
  const faults: DefinitionError[] = [];
  const known = new Map<string, DeckPlace>();
  const holders = new Map<string, string>();
  labware.forEach(({ labware_id, instrument_id, slot }, i) => {
    const path = `/labware/${i}`;
    const place = { instrument_id, slot };
    const fault = placeFault(instruments, place);
    if (fault !== null) faults.push({ path, message: fault });
    const before = known.get(labware_id);
    if (before) {
      faults.push({ path, message: `${labware_id} is in ${placeText(before)} already` });
    }
    known.set(labware_id, place);
    const isSlotless = instruments.some(
      ({ id, is_slotless_container }) => id === instrument_id && is_slotless_container,
    );
    const holder = isSlotless ? undefined : holders.get(placeKey(place));
    if (holder !== undefined && holder !== labware_id) {
      faults.push({ path, message: `${placeText(place)} holds ${holder} already` });
    }
    holders.set(placeKey(place), labware_id);
  });
  if (gripper !== null && known.has(gripper)) {
    const message = `${gripper} is in ${placeText(known.get(gripper)!)} already`;
    faults.push({ path: '/gripper', message });
  }
  return faults;
}

/** Returns the pieces of a deck whose places do not exist among these instruments. */
export function homelessLabware(
  deck: DeckContents,
  instruments: readonly WorkflowInstrument[],
): string[] {
  return [...deck].flatMap(([labware_id, place]) => {
    const fault = placeFault(instruments, place);
    return fault ? [`${labware_id} stands in ${placeText(place)}, but ${fault}`] : [];
  });
}

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
      differences.push(`the gripper holds ${id}; set the deck once it is put down`);
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
