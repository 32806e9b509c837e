import { SETPOINT_SAMPLES, type Setpoint, STEPS_PER_TICK, TICK_S } from '../../arm-driver.ts';
import type { Calibration } from '../calibration/calibration.ts';
import type { JointLag } from '../joint-bus.ts';
import { GoalLead } from './goal-lead.ts';
import { SetpointShaper } from './setpoint-shaper.ts';

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
