/**
 * Watches joints that hold: each has to stay where it was when the arm had come to rest, as
 * measured, whatever its servos hang below their goals. That is far less than a motion may lag.
 */

import { limits } from '../../../contract/limits.ts';

/** A load that is gripped makes a joint sink and swing for less than `limits.hold_s`. */
const { hold_rad: HELD_RAD, hold_rad_per_s: HELD_RAD_S, hold_s: MOVED_S } = limits;
/** A joint that falls is told by this way (rad): by more than its play, and before it is fast. */
const FALLING_RAD = 0.006;
/** Beyond this nothing explains it (rad). */
const FALLEN_RAD = 0.06;
/** The arm rests for so long before its pose counts (s). */
const SETTLED_S = 0.25;

/** A joint that does not stay. */
export interface LostHold {
  readonly joint: number;
  /** Measured angle less that of the rest (rad). */
  readonly moved_rad: number;
}

export class HoldMonitor {
  private readonly held_rad = new Float64Array(6);
  private readonly moved_s = new Float64Array(6);
  private rested_s = 0;
  private payload_kg = 0;

  /** Forgets the pose: the arm moves, or its goals change. */
  reset(): void {
    this.rested_s = 0;
    this.moved_s.fill(0);
  }

  /** Takes the joints after `dt_s` of a hold; returns the first that does not stay, or null. */
  update(
    seen: {
      readonly position_rad: Float64Array;
      readonly velocity_rad_s: Float64Array;
      readonly standing: boolean;
      readonly payload_kg: number;
      /** Whether a joint that has moved so far (rad) falls: its servos give less than its load. */
      readonly falls: (joint: number, moved_rad: number) => boolean;
    },
    dt_s: number,
  ): LostHold | null {
    if (seen.payload_kg !== this.payload_kg) this.reset();
    this.payload_kg = seen.payload_kg;
    if (this.rested_s < SETTLED_S) {
      this.rested_s = seen.standing ? this.rested_s + dt_s : 0;
      this.held_rad.set(seen.position_rad);
      return null;
    }
    for (let joint = 0; joint < 6; joint++) {
      const moved_rad = seen.position_rad[joint]! - this.held_rad[joint]!;
      const away = Math.abs(moved_rad);
      const moves = away > HELD_RAD || Math.abs(seen.velocity_rad_s[joint]!) > HELD_RAD_S;
      this.moved_s[joint] = moves ? this.moved_s[joint]! + dt_s : 0;
      const goesOn = seen.velocity_rad_s[joint]! * moved_rad > 0;
      const falls = away > FALLING_RAD && goesOn && seen.falls(joint, moved_rad);
      if (falls || away > FALLEN_RAD || this.moved_s[joint]! > MOVED_S) return { joint, moved_rad };
    }
    return null;
  }
}
