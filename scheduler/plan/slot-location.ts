/** A labware location: index of the instrument and slot number on it. */
export interface SlotLocation {
  readonly instrument: number;
  readonly slot: number;
}

/** The location of a piece that a person has taken out of the workcell. */
export const GONE: SlotLocation = { instrument: -1, slot: 0 };

/** In place of a slot: any free one of the instrument. */
export const ANY_SLOT = -1;

/** Whether a location is a slot of an instrument, or any of its slots (`ANY_SLOT`). */
export function isPlaceOn(at: SlotLocation, instrument: number, slot: number): boolean {
  return at.instrument === instrument && (slot === ANY_SLOT || at.slot === slot);
}

/** True if both are the same slot of the same instrument. */
export function isSameLocation(a: SlotLocation, b: SlotLocation): boolean {
  return a.instrument === b.instrument && a.slot === b.slot;
}

/** Returns a map key for a location. */
export function locationKey({ instrument, slot }: SlotLocation): string {
  return `${instrument}/${slot}`;
}
