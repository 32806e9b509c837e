/**
 * Where the servos are sent: what the robot wants, held to the calibrated range and to the greatest
 * speed by the wall clock. After a stall of the loop it follows on at that speed and never jumps.
 */
import { ACCELERATION_MAX_RAD_S2 } from '../../physics/arm/arm-model.ts';
import type { JointCalibration } from './calibration.ts';

/** More than this at once is not made up for (s). */
const STEP_MAX_S = 0.016;
/** A limp arm lets itself be dragged when it is pushed this far (rad). */
const LEASH_RAD = 0.02;

export class GoalShaper {
  /** What the robot wants now (rad). */
  readonly wanted = new Float64Array(6);
  /** What was sent last (rad). */
  readonly sent = new Float64Array(6);
  private readonly rate = new Float64Array(6);
  private readonly joints: readonly JointCalibration[];

  constructor(joints: readonly JointCalibration[]) {
    this.joints = joints;
  }

  /** Joint `j` is to be where it is, at rest. */
  restJoint(j: number, angle_rad: number): void {
    this.wanted[j] = angle_rad;
    this.sent[j] = angle_rad;
    this.rate[j] = 0;
  }

  /** All joints are to be where they are, at rest. */
  rest(angles_rad: ArrayLike<number>): void {
    for (let j = 0; j < 6; j++) this.restJoint(j, angles_rad[j]!);
  }

  /** Goes with the sample rows of six from `at` on; the row before tells the rate. */
  follow(samples: Float64Array, at: number, step_s: number): void {
    for (let j = 0; j < 6; j++) {
      const { min_rad, max_rad } = this.joints[j]!;
      const target = samples[at + j]!;
      this.rate[j] = (target - samples[at + j - 6]!) / step_s;
      this.wanted[j] = Math.min(max_rad, Math.max(min_rad, target));
    }
  }

  /** Comes to rest with the braking that motion is planned with. */
  brake(dt_s: number): void {
    for (let j = 0; j < 6; j++) {
      // A joint that rests on its end stop, outside of its range, stays there.
      if (this.rate[j] === 0) continue;
      const loss = ACCELERATION_MAX_RAD_S2[j]! * dt_s;
      const rate = this.rate[j]!;
      this.rate[j] = Math.sign(rate) * Math.max(0, Math.abs(rate) - loss);
      const { min_rad, max_rad } = this.joints[j]!;
      const next = this.wanted[j]! + this.rate[j]! * dt_s;
      this.wanted[j] = Math.min(max_rad, Math.max(min_rad, next));
    }
  }

  /** Goes along where the arm is pushed. */
  drag(measured_rad: Float64Array): void {
    for (let j = 0; j < 6; j++) {
      const pushed = measured_rad[j]! - this.wanted[j]!;
      this.rate[j] = 0;
      if (Math.abs(pushed) > LEASH_RAD) {
        this.wanted[j] = measured_rad[j]! - Math.sign(pushed) * LEASH_RAD;
      }
    }
  }

  /** True while a brake is not yet done. */
  get moving(): boolean {
    return this.rate.some((rate) => rate !== 0);
  }

  /** Steps what is sent towards what is wanted, `elapsed_s` after the last time. */
  advance(elapsed_s: number): void {
    const step_s = Math.min(elapsed_s, STEP_MAX_S);
    for (let j = 0; j < 6; j++) {
      const most = this.joints[j]!.velocity_max_rad_s * step_s;
      const way = this.wanted[j]! - this.sent[j]!;
      this.sent[j]! += Math.min(most, Math.max(-most, way));
    }
  }
}
