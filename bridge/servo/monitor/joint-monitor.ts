/**
 * Detects joints that do not follow their goal, push against an obstacle without moving, or need
 * another torque than the model of the arm says. The driver decides whether that is a contact or a
 * fault.
 */
import type { Calibration } from '../calibration/calibration.ts';
import { ContactTorques } from './contact-torques.ts';
import type { JointObservation, PlannedMotion } from './joint-observation.ts';
import { STILL_RAD_S } from './standstill.ts';

export interface JointObstruction {
  readonly joint: number;
  readonly kind: 'following_error' | 'stall' | 'force';
}

const UNLIMITED = new Float64Array(6).fill(Number.POSITIVE_INFINITY);

const LAG_S = 0.1;
const STALL_S = 0.2;

export class JointMonitor {
  private readonly calibration: Calibration;
  /** Current of each joint that means a stall (A). */
  private readonly stall_a: readonly number[];
  private readonly contact: ContactTorques | null;
  private readonly lagging_s = new Float64Array(6);
  private readonly stalled_s = new Float64Array(6);

  /** `limited` names the joints whose servos limit their torque. */
  constructor(calibration: Calibration, limited: readonly boolean[] = []) {
    this.calibration = calibration;
    // The current of a joint is that of all its servos.
    this.stall_a = calibration.joints.map(
      ({ ids, stall_current_a }) => ids.length * stall_current_a,
    );
    // Without the drives of the joints their load is not that of the model.
    const stall_n_m = calibration.joints.flatMap(({ drive }) => drive?.stall_torque_n_m ?? []);
    const isKnown = stall_n_m.length === calibration.joints.length;
    this.contact = isKnown ? new ContactTorques(stall_n_m, limited) : null;
  }

  /** The torque that each joint may need at most in its motion (N m), by the sensitivity. */
  get torque_max_n_m(): Float64Array {
    return this.contact?.torque_max_n_m ?? UNLIMITED;
  }

  /** Takes the motion of the next `dt_s`, in any state of the arm. */
  expect(motion: PlannedMotion, dt_s: number): void {
    this.contact?.expect(motion, dt_s);
  }

  reset(): void {
    this.contact?.reset();
    this.lagging_s.fill(0);
    this.stalled_s.fill(0);
  }

  /** Checks the joints after `dt_s`; returns the first obstructed one, or null. */
  update(view: JointObservation, dt_s: number): JointObstruction | null {
    for (let j = 0; j < 6; j++) {
      const lag = Math.abs(view.goal_rad[j]! - view.position_rad[j]!);
      const lags = lag > this.calibration.following_error_rad;
      this.lagging_s[j] = lags ? this.lagging_s[j]! + dt_s : 0;
      const pushing = Math.abs(view.current_a[j]!) > this.stall_a[j]!;
      const still = Math.abs(view.velocity_rad_s[j]!) < STILL_RAD_S;
      this.stalled_s[j] = pushing && still ? this.stalled_s[j]! + dt_s : 0;
      if (this.lagging_s[j]! > LAG_S) return { joint: j, kind: 'following_error' };
      if (this.stalled_s[j]! > STALL_S) return { joint: j, kind: 'stall' };
    }
    const pushed = this.contact?.update(view, dt_s) ?? null;
    return pushed === null ? null : { joint: pushed, kind: 'force' };
  }
}
