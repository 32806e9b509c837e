/**
 * The lead of the servos' goals over the pose they shall hold. A servo with a proportional position
 * loop hangs below its goal by its load over its stiffness, and trails it by its back-EMF. The lead
 * makes up for both from the gravity model of the arm, so that the joint stands where the robot
 * wants it. What the model does not know stays in a constant trim per joint: a goal that a servo
 * already holds is kept to the step, and no start, recovery or guiding by hand moves the arm. Also:
 * the shaping of setpoints between ticks.
 */
import { ACCELERATION_MAX_RAD_S2 } from '../../physics/arm/arm-model.ts';
import { InverseDynamics } from '../../physics/dynamics/arm-dynamics.ts';
import { SETPOINT_SAMPLES, type Setpoint, STEPS_PER_TICK, TICK_S } from '../arm-driver.ts';
import type { JointLag } from '../joint-bus.ts';
import type { Calibration, JointCalibration, JointDriveModel } from './calibration.ts';

/**
 * Shapes the goals that are sent to the servos: it limits the setpoints of the robot to the
 * calibrated range and, by the wall clock, to the maximum speed. After a stall of the control loop
 * it catches up at that speed and never jumps.
 */

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

/** A new motion may start this far from the last pose commanded, as the arm may sag (rad). */
const ANCHOR_MAX_RAD = 0.12;
/** Goals this near to their target are there (rad): below any step of a servo. */
const ARRIVED_RAD = 1e-6;
/** Row of the setpoint samples at the end of the tick. */
const END_ROW = SETPOINT_SAMPLES - 1;

/** The pose that the robot commands, and the goals of the servos that make the arm take it. */
export class ServoGoals {
  readonly shaper: SetpointShaper;
  readonly lead: GoalLead;
  private readonly following_error_rad: number;
  private mode: Setpoint['mode'] = 'hold';

  constructor(calibration: Calibration, servos: JointLag) {
    this.following_error_rad = calibration.following_error_rad;
    this.shaper = new SetpointShaper(calibration.joints);
    this.lead = new GoalLead(calibration, servos);
  }

  /** Starts at a pose (rad) that these goals (rad) hold. */
  start(pose_rad: Float64Array, goal_rad: Float64Array): void {
    this.shaper.reset(pose_rad);
    this.lead.anchor(pose_rad, goal_rad);
    this.mode = 'hold';
  }

  /** The first joint with samples that are not finite, or far from its last target; or null. */
  jumpingJoint(samples: Float64Array): number | null {
    for (let i = 0; i < 6 * SETPOINT_SAMPLES; i++) {
      const off_rad = Math.abs(samples[i]! - this.shaper.target_rad[i % 6]!);
      if (!(off_rad <= this.following_error_rad)) return i % 6;
    }
    return null;
  }

  /** Whether the goals are at their target, and the joints (rad) as near to it as they must be. */
  haveArrived(measured_rad: Float64Array): boolean {
    const { sent_rad, target_rad } = this.shaper;
    return sent_rad.every(
      (sent, j) =>
        Math.abs(sent - target_rad[j]!) < ARRIVED_RAD &&
        Math.abs(sent - measured_rad[j]!) <= this.following_error_rad,
    );
  }

  /** Takes the setpoint of a tick; brakes whatever it is while `braking`. */
  take(setpoint: Setpoint, measured_rad: Float64Array, braking: boolean): void {
    const { shaper, lead } = this;
    const { mode, samples } = setpoint;
    lead.setPayload(setpoint.payload_kg, shaper.sent_rad);
    // The robot takes the measured pose for its rest pose; the goals that hold it stay.
    const begins = this.mode !== mode && !shaper.moving;
    this.mode = mode;
    if (braking || mode === 'hold') shaper.brake(TICK_S);
    else if (mode === 'follow') {
      if (begins) this.anchor(samples.subarray(0, 6));
      shaper.follow(samples, 6 * END_ROW, TICK_S / STEPS_PER_TICK);
    } else {
      if (begins) this.anchor(measured_rad);
      // Without a model of the load its sag would pass for a push, and the arm would sink.
      if (lead.known) shaper.backdrive(measured_rad);
    }
  }

  /** Takes `pose_rad` for the pose that the present goals hold, where it is near the last one. */
  private anchor(pose_rad: ArrayLike<number>): void {
    const { shaper, lead } = this;
    const far = shaper.sent_rad.some((sent, j) => Math.abs(sent - pose_rad[j]!) > ANCHOR_MAX_RAD);
    if (far) return;
    shaper.reset(pose_rad);
    lead.anchor(shaper.sent_rad, lead.goal_rad);
  }

  /** Moves pose and goals on, `elapsed_s` after the previous step. */
  advance(elapsed_s: number): void {
    this.shaper.advance(elapsed_s);
    this.lead.update(this.shaper.sent_rad, this.shaper.rate);
  }
}
