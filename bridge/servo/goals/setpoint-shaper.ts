/**
 * Shapes the goals that are sent to the servos: it limits the setpoints of the robot to the
 * calibrated range and, by the wall clock, to the maximum speed. After a stall of the control loop
 * it catches up at that speed and never jumps.
 */

import { ACCELERATION_MAX_RAD_S2 } from '../../../physics/arm/arm-model.ts';
import type { JointCalibration } from '../calibration/calibration.ts';

/** Longest time that one step makes up for (s). */
const STEP_MAX_S = 0.016;
/** Deflection by which a backdriven joint lags behind the push (rad). */
const BACKDRIVE_RAD = 0.02;

export class SetpointShaper {
  /** Present target of the robot (rad). */
  readonly target_rad = new Float64Array(6);
  /** Last pose commanded (rad), after the limits. */
  readonly sent_rad = new Float64Array(6);
  /** Planned rate (rad/s). */
  readonly rate = new Float64Array(6);
  private readonly joints: readonly JointCalibration[];

  constructor(joints: readonly JointCalibration[]) {
    this.joints = joints;
  }

  /** Sets joint `j` at rest at an angle. */
  resetJoint(j: number, angle_rad: number): void {
    this.target_rad[j] = angle_rad;
    this.sent_rad[j] = angle_rad;
    this.rate[j] = 0;
  }

  /** Sets all joints at rest at these angles. */
  reset(angles_rad: ArrayLike<number>): void {
    for (let j = 0; j < 6; j++) this.resetJoint(j, angles_rad[j]!);
  }

  /** Follows the sample row of six at `at`; the row before gives the rate. */
  follow(samples: Float64Array, at: number, step_s: number): void {
    for (let j = 0; j < 6; j++) {
      const { min_rad, max_rad } = this.joints[j]!;
      const target = samples[at + j]!;
      this.rate[j] = (target - samples[at + j - 6]!) / step_s;
      this.target_rad[j] = Math.min(max_rad, Math.max(min_rad, target));
    }
  }

  /** Decelerates to rest with the maximum acceleration of planned motion. */
  brake(dt_s: number): void {
    for (let j = 0; j < 6; j++) {
      // A joint at rest on its end stop, outside of its range, stays there.
      if (this.rate[j] === 0) continue;
      const loss = ACCELERATION_MAX_RAD_S2[j]! * dt_s;
      const rate = this.rate[j]!;
      this.rate[j] = Math.sign(rate) * Math.max(0, Math.abs(rate) - loss);
      const { min_rad, max_rad } = this.joints[j]!;
      const next = this.target_rad[j]! + this.rate[j]! * dt_s;
      this.target_rad[j] = Math.min(max_rad, Math.max(min_rad, next));
    }
  }

  /** Backdrive: follows the arm where it is pushed. */
  backdrive(measured_rad: Float64Array): void {
    for (let j = 0; j < 6; j++) {
      const pushed = measured_rad[j]! - this.target_rad[j]!;
      this.rate[j] = 0;
      if (Math.abs(pushed) > BACKDRIVE_RAD) {
        this.target_rad[j] = measured_rad[j]! - Math.sign(pushed) * BACKDRIVE_RAD;
      }
    }
  }

  /** True until braking is complete. */
  get moving(): boolean {
    return this.rate.some((rate) => rate !== 0);
  }

  /** Moves the goal towards the target, `elapsed_s` after the previous step. */
  advance(elapsed_s: number): void {
    const step_s = Math.min(elapsed_s, STEP_MAX_S);
    for (let j = 0; j < 6; j++) {
      const most = this.joints[j]!.velocity_max_rad_s * step_s;
      const distance = this.target_rad[j]! - this.sent_rad[j]!;
      this.sent_rad[j]! += Math.min(most, Math.max(-most, distance));
    }
  }
}
