/**
 * Watches joints that hold: each has to stay where it was when the arm had come to rest, as
 * measured, whatever its servos hang below their goals. That is far less than a motion may lag.
 */

/** How far a held joint may be from where it rested (rad), and how fast it may move (rad/s). */
const HELD_RAD = 0.03;
const HELD_RAD_S = 0.2;
/** For so long: a load that is gripped makes a joint sink and swing for less (s). */
const MOVED_S = 0.1;
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
      if (away > FALLEN_RAD || this.moved_s[joint]! > MOVED_S) return { joint, moved_rad };
    }
    return null;
  }
}
