/**
 * The torque of a joint that neither its load nor what held it before explains: that of a body that
 * presses on it at rest. By the current sensors, or by the lag of its servos where they have none.
 */

import { ExternalForce } from '../../../physics/dynamics/external-force.ts';
import { InverseDynamics } from '../../../physics/dynamics/inverse-dynamics.ts';
import type { Calibration, JointDriveModel } from '../calibration/calibration.ts';
import type { JointLag } from '../joint-bus.ts';

/**
 * Share of the stall torque at which a joint gives way: five steps of the encoder at least, and at
 * most 4.2 N m, so that what remains of a contact is below 6 N m.
 */
const YIELD_SHARE = 0.07;
/** Time constant against the play of the gears (s). */
const SMOOTHING_S = 0.03;
/** Largest share of the stall torque that a load unknown to the model explains. */
const UNKNOWN_LOAD_SHARE = 0.12;
/** What the friction of the gears may hold of it, which is no load (an estimate, as the emulators'). */
const FRICTION_SHARE = 0.03;

/** What the joints are asked for and what they give. */
export interface LoadObservation {
  /** Goals of the servos as joint angles (rad). */
  readonly goal_rad: Float64Array;
  readonly position_rad: Float64Array;
  readonly torque_n_m: Float64Array | null;
  readonly payload_kg: number;
}

export class ExternalTorques {
  /** Of each joint (N m), smoothed. */
  readonly torque_n_m = new Float64Array(6);
  private readonly drives: readonly (JointDriveModel | null)[];
  private readonly full_lag_rad: readonly number[];
  private readonly dynamics = new InverseDynamics();
  private readonly gravity_n_m = new Float64Array(6);
  private readonly unknown_n_m = new Float64Array(6);
  private readonly external_n_m = new Float64Array(6);
  private readonly force = new ExternalForce();
  private payload_kg = 0;

  constructor({ joints }: Calibration, { full_lag_rad }: JointLag) {
    this.drives = joints.map(({ drive }) => drive ?? null);
    this.full_lag_rad = full_lag_rad;
  }

  /** Whether each joint has a model of its drive, without which its load is not known. */
  get known(): boolean {
    return this.drives.every((drive) => drive !== null);
  }

  /**
   * Estimated force at the touching place (N), by the joints at rest where they are (rad): what
   * brakes the arm counts as a force.
   */
  force_n(position_rad: Float64Array): number {
    const { external_n_m, force } = this;
    for (let j = 0; j < 6; j++) external_n_m[j] = this.torque_n_m[j]! - this.unknown_n_m[j]!;
    force.place(position_rad);
    return force.size_n(external_n_m);
  }

  /** Takes the joints after `dt_s`. */
  update(seen: LoadObservation, dt_s: number): void {
    if (seen.payload_kg !== this.payload_kg) this.dynamics.setPayload(seen.payload_kg);
    this.payload_kg = seen.payload_kg;
    this.dynamics.gravity(seen.position_rad, this.gravity_n_m);
    const share = Math.min(1, dt_s / SMOOTHING_S);
    for (let j = 0; j < 6; j++) {
      const drive = this.drives[j];
      // The load of an arm without a model of its drives is not that of the model.
      if (!drive) continue;
      const now = (seen.torque_n_m?.[j] ?? this.byLag(j, drive, seen)) - this.gravity_n_m[j]!;
      this.torque_n_m[j]! += share * (now - this.torque_n_m[j]!);
    }
  }

  private byLag(j: number, drive: JointDriveModel, seen: LoadObservation): number {
    const lag = (seen.goal_rad[j]! - seen.position_rad[j]!) / this.full_lag_rad[j]!;
    return drive.stall_torque_n_m * Math.min(1, Math.max(-1, lag));
  }

  /** Takes what is seen of an arm that stands free for a load that the model does not know. */
  learnLoad(): void {
    for (let j = 0; j < 6; j++) {
      const stall_n_m = this.drives[j]?.stall_torque_n_m ?? 0;
      const beyond_n_m = Math.abs(this.torque_n_m[j]!) - FRICTION_SHARE * stall_n_m;
      const load_n_m = Math.min(UNKNOWN_LOAD_SHARE * stall_n_m, Math.max(0, beyond_n_m));
      this.unknown_n_m[j] = Math.sign(this.torque_n_m[j]!) * load_n_m;
    }
  }

  /** Torque with which the servos of a joint answer a way (N m/rad); 0: not known. */
  stiffness_n_m_rad(j: number): number {
    const full_lag_rad = this.full_lag_rad[j]!;
    return full_lag_rad > 0 ? (this.drives[j]?.stall_torque_n_m ?? 0) / full_lag_rad : 0;
  }

  /** Lag at which a joint gives way (rad); without a model of its drive none is known. */
  yield_rad(j: number): number {
    return this.drives[j] ? YIELD_SHARE * this.full_lag_rad[j]! : Number.POSITIVE_INFINITY;
  }

  /** By how much the lag of a joint is too large for what may press on it (rad), signed. */
  excess_rad(j: number): number {
    const drive = this.drives[j];
    if (!drive) return 0;
    const pressed = this.torque_n_m[j]! - this.unknown_n_m[j]!;
    const beyond = Math.abs(pressed) - YIELD_SHARE * drive.stall_torque_n_m;
    if (!(beyond > 0)) return 0;
    return Math.sign(pressed) * (beyond / drive.stall_torque_n_m) * this.full_lag_rad[j]!;
  }
}
