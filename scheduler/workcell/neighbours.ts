import type { SlotLocation } from '../plan/slot-location.ts';

/** What the checks of a run need to know of the other runs and of pieces without a run. */
export interface Neighbours {
  /** The piece in a slot that is not of this run; undefined for none. */
  holderOf(location: SlotLocation): string | undefined;
  /** The tasks of other runs on an instrument. */
  runningOn(instrument: number): string[];
  /** The pieces of other runs that are being carried into an instrument or out of it. */
  carriedAt(instrument: number): string[];
  /** The piece in the gripper that is not of this run; null for none. */
  gripped(): string | null;
}
