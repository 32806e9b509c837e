/**
 * The lead of the servos' goals over the pose they shall hold. A servo with a proportional
 * position loop hangs below its goal by its load over its stiffness, and trails it by its
 * back-EMF. The lead makes up for both from the gravity model of the arm, so that the joint stands
 * where the robot wants it. What the model does not know stays in a constant trim per joint: a
 * goal that a servo already holds is kept to the step, and no start, recovery or guiding by hand
 * moves the arm.
 */

import { InverseDynamics } from '../../../physics/dynamics/inverse-dynamics.ts';
import type { Calibration, JointDriveModel } from '../calibration/calibration.ts';
import type { JointLag } from '../joint-bus.ts';

/** Largest lead of a goal (rad): what a servo of factory gain hangs at 90 % of its torque. */
export const LEAD_MAX_RAD = 0.2;

export class GoalLead {
  /** Goals of the servos as joint angles (rad). */
  readonly goal_rad = new Float64Array(6);
  private readonly drives: readonly (JointDriveModel | null)[];
  private readonly full_lag_rad: readonly number[];
  private readonly speed_share: readonly number[];
  private readonly dynamics = new InverseDynamics();
  private readonly gravity_n_m = new Float64Array(6);
  private readonly lead_rad = new Float64Array(6);
  private readonly trim_rad = new Float64Array(6);
  private payload_kg = 0;

  constructor({ joints }: Calibration, servos: JointLag) {
    this.drives = joints.map(({ drive }) => drive ?? null);
    this.full_lag_rad = servos.full_lag_rad;
    this.speed_share = servos.speed_share;
  }

  /** True when the calibration describes the drives of all joints. */
  get known(): boolean {
    return this.drives.every((drive) => drive !== null);
  }

  /** Sets the payload (kg); the goals stay as they are. */
  setPayload(payload_kg: number, pose_rad: Float64Array): void {
    if (payload_kg === this.payload_kg) return;
    this.payload_kg = payload_kg;
    this.dynamics.setPayload(payload_kg);
    this.anchor(pose_rad, this.goal_rad);
  }

  /** Keeps the goals `goal_rad` for the pose `pose_rad` at rest: the trim takes the difference. */
  anchor(pose_rad: ArrayLike<number>, goal_rad: ArrayLike<number>): void {
    this.computeLead(pose_rad, null);
    for (let j = 0; j < 6; j++) {
      this.trim_rad[j] = goal_rad[j]! - pose_rad[j]! - this.lead_rad[j]!;
      this.goal_rad[j] = goal_rad[j]!;
    }
  }

  /** Goals for a pose (rad) that changes at `rate_rad_s`. */
  update(pose_rad: Float64Array, rate_rad_s: Float64Array): void {
    this.computeLead(pose_rad, rate_rad_s);
    for (let j = 0; j < 6; j++) {
      this.goal_rad[j] = pose_rad[j]! + this.lead_rad[j]! + this.trim_rad[j]!;
    }
  }

  private computeLead(pose_rad: ArrayLike<number>, rate_rad_s: Float64Array | null): void {
    this.dynamics.gravity(pose_rad, this.gravity_n_m);
    for (let j = 0; j < 6; j++) {
      const drive = this.drives[j];
      if (!drive) continue;
      const load = this.gravity_n_m[j]! / drive.stall_torque_n_m;
      const speed = (rate_rad_s?.[j] ?? 0) * this.speed_share[j]!;
      const share = Math.min(1, Math.max(-1, load + speed));
      const lead = share * this.full_lag_rad[j]!;
      this.lead_rad[j] = Math.min(LEAD_MAX_RAD, Math.max(-LEAD_MAX_RAD, lead));
    }
  }
}
