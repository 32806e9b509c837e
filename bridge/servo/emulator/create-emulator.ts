import type { BusClock } from '../../transport/bus-clock.ts';
import type { ServoFamily } from '../servo-family.ts';

/** A longer gap means that this process was blocked, and its emulated servos with it (ms). */
const GAP_LIMIT_MS = 100;

/**
 * Emulated servos of a family with an arm, which lies on a support until it is first held: six, or
 * eight with `paired`, two of them on shoulder and elbow.
 */
export function createEmulator(family: ServoFamily, clock: BusClock, paired = false) {
  return family.createEmulator({ clock, supported: true, gap_limit_ms: GAP_LIMIT_MS }, paired);
}
