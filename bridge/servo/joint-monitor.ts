/**
 * Detects joints that do not follow their goal, or push against an obstacle without moving. The
 * driver decides whether that is a contact or a fault.
 */
import type { Calibration } from './calibration.ts';

export interface JointObstruction {
  readonly joint: number;
  readonly kind: 'following_error' | 'stall';
}

/** Goal and state of the joints. */
export interface JointObservation {
  readonly goal_rad: Float64Array;
  readonly position_rad: Float64Array;
  readonly velocity_rad_s: Float64Array;
  readonly current_a: Float64Array;
}

const LAG_S = 0.1;
const STALL_S = 0.2;
/** Joints slower than this are at rest (rad/s): two steps of the servos' velocity register. */
const STILL_RAD_S = 0.05;

/** True while no joint moves faster than the servos can tell from rest. */
export function jointsStand(velocity_rad_s: Float64Array): boolean {
  for (let j = 0; j < 6; j++) if (Math.abs(velocity_rad_s[j]!) >= STILL_RAD_S) return false;
  return true;
}

export class JointMonitor {
  private readonly calibration: Calibration;
  private readonly lagging_s = new Float64Array(6);
  private readonly stalled_s = new Float64Array(6);

  constructor(calibration: Calibration) {
    this.calibration = calibration;
  }

  reset(): void {
    this.lagging_s.fill(0);
    this.stalled_s.fill(0);
  }

  /** Checks the joints after `dt_s`; returns the first obstructed one, or null. */
  update(view: JointObservation, dt_s: number): JointObstruction | null {
    for (let j = 0; j < 6; j++) {
      const lag = Math.abs(view.goal_rad[j]! - view.position_rad[j]!);
      const lags = lag > this.calibration.following_error_rad;
      this.lagging_s[j] = lags ? this.lagging_s[j]! + dt_s : 0;
      const pushing = Math.abs(view.current_a[j]!) > this.calibration.joints[j]!.stall_current_a;
      const still = Math.abs(view.velocity_rad_s[j]!) < STILL_RAD_S;
      this.stalled_s[j] = pushing && still ? this.stalled_s[j]! + dt_s : 0;
      if (this.lagging_s[j]! > LAG_S) return { joint: j, kind: 'following_error' };
      if (this.stalled_s[j]! > STALL_S) return { joint: j, kind: 'stall' };
    }
    return null;
  }
}
