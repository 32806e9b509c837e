/**
 * The jaws of an emulated gripper behind the horn of its servo: they end where they are open and shut,
 * and may meet a part between. Angles of the servo (rad), 0 at its middle position.
 */

import { ARM } from '../../../arms/bound-arm.ts';
import { PLANT_STEP_S } from '../../../physics/dynamics/plant-step.ts';
import type { JointDrive } from '../servo-plant.ts';
import { type JointSensors, TICKS_PER_RAD } from './servo-shaft.ts';

/** In place of the number of a joint: a servo that moves the jaws. */
export const JAWS = 6;

/** Torque of its servo at stall, and what resists it (N m, kg m², N m s): estimates for an XM430. */
const STALL_N_M = 4.1;
const INERTIA_KG_M2 = 0.012;
const VISCOUS_N_M_S = 0.1;
const COULOMB_N_M = 0.08;
const MIDDLE_TICKS = 2048;
const AMBIENT_C = 30;

const { gripper } = ARM.servos ?? {};
const toRad = (ticks: number) => (ticks - MIDDLE_TICKS) / TICKS_PER_RAD;

export class EmulatedJaws {
  /** Where the jaws are open and shut (rad). */
  readonly open_rad = gripper ? toRad(gripper.open_ticks) : 1;
  readonly shut_rad = gripper ? toRad(gripper.closed_ticks) : 0;
  angle_rad = this.open_rad;
  /** How far a part between the jaws lets them shut: 0 shut, 1 open; null: nothing is there. */
  part: number | null = null;
  /** True: they do not move. */
  isJammed = false;
  private rate_rad_s = 0;
  private share = 0;

  /** How far they are open: 0 shut, 1 open. */
  get opening(): number {
    return (this.angle_rad - this.shut_rad) / (this.open_rad - this.shut_rad);
  }

  /** Puts them somewhere: 0 shut, 1 open. */
  put(opening: number): void {
    this.angle_rad = this.shut_rad + opening * (this.open_rad - this.shut_rad);
    this.rate_rad_s = 0;
  }

  /** Advances by one millisecond. */
  step(drive: JointDrive): void {
    this.share = drive.kind === 'torque' ? drive.share : 0;
    const torque = this.share * STALL_N_M - VISCOUS_N_M_S * this.rate_rad_s;
    const rate = this.rate_rad_s + (PLANT_STEP_S * torque) / INERTIA_KG_M2;
    const lost = (PLANT_STEP_S * COULOMB_N_M) / INERTIA_KG_M2;
    this.rate_rad_s = Math.sign(rate) * Math.max(0, Math.abs(rate) - lost);
    if (this.isJammed) this.rate_rad_s = 0;
    const least =
      this.part === null ? this.shut_rad : this.angleAt(Math.min(this.part, this.opening));
    const ends = [least, this.open_rad] as const;
    const next = this.angle_rad + PLANT_STEP_S * this.rate_rad_s;
    this.angle_rad = Math.min(Math.max(...ends), Math.max(Math.min(...ends), next));
    if (this.angle_rad !== next) this.rate_rad_s = 0;
  }

  private angleAt(opening: number): number {
    return this.shut_rad + opening * (this.open_rad - this.shut_rad);
  }

  get sensors(): JointSensors {
    const { angle_rad, rate_rad_s, share } = this;
    return { angle_rad, rate_rad_s, torque_share: share, temperature_c: AMBIENT_C };
  }
}
