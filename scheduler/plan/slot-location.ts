/** A labware location: index of the instrument and slot number on it. */
export interface SlotLocation {
  readonly instrument: number;
  readonly slot: number;
}

/** The location of a piece that a person has taken out of the workcell. */
export const GONE: SlotLocation = { instrument: -1, slot: 0 };

/** True if both are the same slot of the same instrument. */
export function isSameLocation(a: SlotLocation, b: SlotLocation): boolean {
  return a.instrument === b.instrument && a.slot === b.slot;
}

/** Returns a map key for a location. */
export function locationKey({ instrument, slot }: SlotLocation): string {
  return `${instrument}/${slot}`;
}
