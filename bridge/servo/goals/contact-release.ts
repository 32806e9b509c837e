/**
 * Ends a contact by force. From the contact until the recovery the commanded pose gives way to what
 * presses on a joint, against the force and so back along the way that led into it, until the
 * external torque is below its bound. Where the way back ends, what stands there presses from the
 * other side, and the joint gives way to that: it is compliant. The force is looked at in every
 * tick, so that a body which presses later moves the joint too. No stiff hold under load remains.
 */

import type { ContactReactionReport } from '../../arm-driver.ts';
import type { ExternalTorques } from '../monitor/external-torques.ts';
import { ReleaseTally } from './release-tally.ts';
import type { SetpointShaper } from './setpoint-shaper.ts';

/** Time constant with which a joint gives way (s): several cycles of the bus. */
const YIELD_S = 0.1;
/** Fastest retreat (rad/s), and the slowest: the force is below its bound after a finite time. */
const RETREAT_RAD_S = 0.5;
const CREEP_RAD_S = 0.02;

export class ContactRelease {
  /** True from a contact until the recovery. */
  active = false;
  private readonly shaper: SetpointShaper;
  private readonly forces: ExternalTorques;
  private readonly tally = new ReleaseTally();
  /** Signs of the rates at the contact. */
  private readonly way = new Float64Array(6);
  /** How far each joint went back along its way, and gave way (rad, in all). */
  private readonly retreated_rad = new Float64Array(6);
  private readonly yielded_rad = new Float64Array(6);

  constructor(shaper: SetpointShaper, forces: ExternalTorques) {
    this.shaper = shaper;
    this.forces = forces;
  }

  /** Begins at a contact of a joint, which gives way at once to where it is (rad). */
  begin(joint: number, angle_rad: number): void {
    const { shaper, way } = this;
    this.active = true;
    for (let j = 0; j < 6; j++) way[j] = Math.sign(shaper.rate[j]!);
    this.retreated_rad.fill(0);
    this.yielded_rad.fill(0);
    this.tally.begin();
    shaper.resetJoint(joint, angle_rad);
  }

  /** What it has done since the contact; null without one, and where no force is known. */
  get reaction(): ContactReactionReport | null {
    return this.active && this.forces.known ? this.tally.report : null;
  }

  /** Moves the commanded pose for one tick, by where the joints are (rad). */
  update(measured_rad: Float64Array, dt_s: number): void {
    const { shaper, retreated_rad, yielded_rad } = this;
    let pressed = false;
    for (let j = 0; j < 6; j++) {
      if (shaper.rate[j] !== 0) this.brakeWithoutPush(j, measured_rad[j]!);
      else if (this.giveWay(j, dt_s)) pressed = true;
    }
    const step = {
      brakes: shaper.moving,
      pressed,
      force_n: this.forces.force_n(measured_rad),
      retreated_rad: Math.max(...retreated_rad),
      yielded_rad: Math.max(...yielded_rad),
    };
    this.tally.update(step, dt_s);
  }

  /** Moves a joint at rest away from what presses on it; true where something does. */
  private giveWay(j: number, dt_s: number): boolean {
    const { shaper, forces, retreated_rad, yielded_rad } = this;
    const excess_rad = forces.excess_rad(j);
    if (excess_rad === 0) return false;
    const rate_rad_s = Math.max(CREEP_RAD_S, Math.abs(excess_rad) / YIELD_S);
    const step_rad = Math.sign(excess_rad) * Math.min(RETREAT_RAD_S, rate_rad_s) * dt_s;
    shaper.target_rad[j]! -= step_rad;
    const counts = step_rad * this.way[j]! > 0 ? retreated_rad : yielded_rad;
    counts[j]! += Math.abs(step_rad);
    return true;
  }

  /** A joint that still brakes may end short of its plan, and never pushes on towards it. */
  private brakeWithoutPush(j: number, measured_rad: number): void {
    const { shaper } = this;
    const ahead_rad = (shaper.sent_rad[j]! - measured_rad) * Math.sign(shaper.rate[j]!);
    if (ahead_rad > this.forces.yield_rad(j)) shaper.resetJoint(j, measured_rad);
  }
}
