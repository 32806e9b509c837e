/**
 * Ends a contact by force. From the contact until the recovery the commanded pose gives way to what
 * presses on a joint, against the force and so back along the way that led into it, until the
 * external torque is below its bound. Where the way back ends, what stands there presses from the
 * other side, and the joint gives way to that: it is compliant. The force is looked at in every
 * tick, so that a body which presses later moves the joint too. No stiff hold under load remains.
 */

import type { ExternalTorques } from '../monitor/external-torques.ts';
import type { SetpointShaper } from './setpoint-shaper.ts';

/** Time constant with which a joint gives way (s): several cycles of the bus. */
const YIELD_S = 0.1;
/** Fastest retreat (rad/s). */
const RETREAT_RAD_S = 0.5;

export class ContactRelease {
  /** True from a contact until the recovery. */
  active = false;
  private readonly shaper: SetpointShaper;
  private readonly forces: ExternalTorques;

  constructor(shaper: SetpointShaper, forces: ExternalTorques) {
    this.shaper = shaper;
    this.forces = forces;
  }

  /** Begins at a contact of a joint, which gives way at once to where it is (rad). */
  begin(joint: number, angle_rad: number): void {
    this.active = true;
    this.shaper.resetJoint(joint, angle_rad);
  }

  /** Moves the commanded pose for one tick, by where the joints are (rad). */
  update(measured_rad: Float64Array, dt_s: number): void {
    const { shaper, forces } = this;
    for (let j = 0; j < 6; j++) {
      if (shaper.rate[j] !== 0) this.brakeWithoutPush(j, measured_rad[j]!);
      else {
        const away_rad = forces.excess_rad(j) * (dt_s / YIELD_S);
        const most_rad = RETREAT_RAD_S * dt_s;
        shaper.target_rad[j]! -= Math.min(most_rad, Math.max(-most_rad, away_rad));
      }
    }
  }

  /** A joint that still brakes may end short of its plan, and never pushes on towards it. */
  private brakeWithoutPush(j: number, measured_rad: number): void {
    const { shaper } = this;
    const ahead_rad = (shaper.sent_rad[j]! - measured_rad) * Math.sign(shaper.rate[j]!);
    if (ahead_rad > this.forces.yield_rad(j)) shaper.resetJoint(j, measured_rad);
  }
}
