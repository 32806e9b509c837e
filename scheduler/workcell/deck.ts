/**
 * The deck of a workcell: where each piece of labware stands and which one the gripper holds. It
 * outlives runs.
 */
import type { DeckBody, DeckLabware, WorkflowInstrument } from '../../contract/types.generated.ts';
import type { DefinitionError } from '../definition/definition-findings.ts';
import { placesOf, slotFault } from '../definition/instrument-slots.ts';
import { TRANSPORT_TYPE } from '../definition/transport-instrument.ts';

/** Instrument and slot; null while the piece is in the gripper. */
export type DeckPlace = { readonly instrument_id: string; readonly slot: number } | null;

/** Places by labware id. */
export type DeckContents = ReadonlyMap<string, DeckPlace>;

/** Names a place in messages. */
export function placeText(place: DeckPlace): string {
  return place === null ? 'the gripper' : `${place.instrument_id} slot ${place.slot}`;
}

export function placeKey(place: DeckPlace): string {
  return place === null ? '' : `${place.slot} ${place.instrument_id}`;
}

/** Returns the piece in the gripper, or null. */
export function heldLabware(deck: DeckContents): string | null {
  for (const [labware_id, place] of deck) if (place === null) return labware_id;
  return null;
}

/** Returns the wire format of a deck, without the runs. */
export function deckBodyOf(deck: DeckContents, stock: ReadonlyMap<string, number>): DeckBody {
  const labware: DeckLabware[] = [];
  for (const [labware_id, place] of deck) {
    const units = stock.get(labware_id);
    if (place) labware.push({ labware_id, ...place, ...(units !== undefined && { units }) });
  }
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

/** Returns the units that a body says. */
export function unitsOf({ labware }: DeckBody): Map<string, number> {
  return new Map(
    labware.flatMap(({ labware_id, units }) => (units === undefined ? [] : [[labware_id, units]])),
  );
}

/** Returns why a piece cannot stand in a place of these instruments, or null. */
function placeFault(instruments: readonly WorkflowInstrument[], place: DeckPlace): string | null {
  if (place === null) return null;
  const found = instruments.find(({ id }) => id === place.instrument_id);
  if (!found || found.type === TRANSPORT_TYPE)
    return `there is no instrument ${place.instrument_id}`;
  return slotFault({ id: found.id, ...placesOf(found) }, place.slot);
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
