/**
 * Watches joints that hold: each has to stay where it was when the arm had come to rest, as
 * measured, whatever its servos hang below their goals. That is far less than a motion may lag.
 */

import { limits } from '../../../contract/limits.ts';

/** A load that is gripped makes a joint sink and swing for less than `limits.hold_s`. */
const { hold_rad: HELD_RAD, hold_rad_per_s: HELD_RAD_S, hold_s: MOVED_S } = limits;
/** A joint without force is told by this way (rad): before it is fast. */
const FORCELESS_RAD = 0.005;
/** Servos that push a joint along its way as by this lag have another goal (rad). */
const DRIVEN_RAD = 0.02;
/** For so long after that it goes on by itself, and its teeth change sides (s). */
const DRIVEN_S = 0.2;
/** Of the torque with which its servos would answer that way, one that holds gives more. */
const ANSWER_SHARE = 0.3;
/** Beyond this nothing explains it (rad). */
const FALLEN_RAD = 0.06;
/** The arm rests for so long before its pose counts (s). */
const SETTLED_S = 0.25;

/** A joint that does not stay. */
export interface LostHold {
  readonly joint: number;
  /** Measured angle less that of the rest (rad). */
  readonly moved_rad: number;
  /** True where its servos drive it there: they have another goal. */
  readonly isDriven: boolean;
}

/** What is seen of an arm in a tick. */
export interface HoldObservation {
  readonly position_rad: Float64Array;
  readonly velocity_rad_s: Float64Array;
  /** By the current sensors; null where a servo has none. */
  readonly torque_n_m: Float64Array | null;
  readonly standing: boolean;
  readonly payload_kg: number;
}

export class HoldMonitor {
  private readonly held_rad = new Float64Array(6);
  private readonly held_n_m = new Float64Array(6);
  private readonly stiffness_n_m_rad: readonly number[];
  private readonly moved_s = new Float64Array(6);
  private readonly driven_s = new Float64Array(6);
  private rested_s = 0;
  private payload_kg = 0;

  /** Takes the torque with which the servos of each joint answer a way; 0: not known. */
  constructor(stiffness_n_m_rad: readonly number[]) {
    this.stiffness_n_m_rad = stiffness_n_m_rad;
  }

  /** Forgets the pose: the arm moves, or its goals change. */
  reset(): void {
    this.rested_s = 0;
    this.moved_s.fill(0);
    this.driven_s.fill(0);
  }

  /** Takes the joints after `dt_s` of a hold; returns the first that does not stay, or null. */
  update(seen: HoldObservation, dt_s: number): LostHold | null {
    if (seen.payload_kg !== this.payload_kg) this.reset();
    this.payload_kg = seen.payload_kg;
    if (this.rested_s < SETTLED_S) {
      this.rested_s = seen.standing ? this.rested_s + dt_s : 0;
      this.held_rad.set(seen.position_rad);
      this.held_n_m.set(seen.torque_n_m ?? []);
      return null;
    }
    for (let joint = 0; joint < 6; joint++) {
      const moved_rad = seen.position_rad[joint]! - this.held_rad[joint]!;
      const away = Math.abs(moved_rad);
      const moves = away > HELD_RAD || Math.abs(seen.velocity_rad_s[joint]!) > HELD_RAD_S;
      this.moved_s[joint] = moves ? this.moved_s[joint]! + dt_s : 0;
      if (this.pushesAlong(joint, moved_rad, seen)) this.driven_s[joint] = DRIVEN_S;
      else this.driven_s[joint] = Math.max(0, this.driven_s[joint]! - dt_s);
      const isDriven = this.driven_s[joint]! > 0;
      const isLost = !isDriven && this.isForceless(joint, moved_rad, seen);
      const isAway = away > FALLEN_RAD || this.moved_s[joint]! > MOVED_S;
      if (isLost || isAway) return { joint, moved_rad, isDriven };
    }
    return null;
  }

  /** Whether the servos of a joint push it along its way, with more than what held it. */
  private pushesAlong(joint: number, moved_rad: number, { torque_n_m }: HoldObservation): boolean {
    const way = Math.sign(moved_rad);
    const held_n_m = Math.max(0, this.held_n_m[joint]! * way);
    const along_n_m = (torque_n_m?.[joint] ?? 0) * way - held_n_m;
    const stiffness = this.stiffness_n_m_rad[joint]!;
    return stiffness > 0 && along_n_m > stiffness * DRIVEN_RAD;
  }

  /**
   * Whether a joint is on its way and its servos do not answer it: one that holds pushes back with
   * more torque the farther it is moved, whatever moves it.
   */
  private isForceless(joint: number, moved_rad: number, seen: HoldObservation): boolean {
    const goesOn = seen.velocity_rad_s[joint]! * moved_rad > 0;
    const stiffness = this.stiffness_n_m_rad[joint]!;
    const isKnown = seen.torque_n_m !== null && stiffness > 0;
    if (!isKnown || !goesOn || Math.abs(moved_rad) <= FORCELESS_RAD) return false;
    const answer_n_m = (this.held_n_m[joint]! - seen.torque_n_m[joint]!) * Math.sign(moved_rad);
    return answer_n_m < ANSWER_SHARE * stiffness * Math.abs(moved_rad);
  }
}
