/** What the monitor sees of the joints: their planned motion, and their measurements. */
import type { DetectionSensitivity } from '../../arm-driver.ts';

/** Where the joints are, and what moves them. */
export interface PlannedMotion {
  /** Planned rate (rad/s). */
  readonly rate_rad_s: Float64Array;
  readonly position_rad: Float64Array;
  readonly detection: DetectionSensitivity | null;
  readonly payload_kg: number;
}

/** Goal and state of the joints. */
export interface JointObservation extends PlannedMotion {
  readonly goal_rad: Float64Array;
  readonly velocity_rad_s: Float64Array;
  readonly current_a: Float64Array;
  /** Motor torques by the current sensors; null where a servo has none. */
  readonly torque_n_m: Float64Array | null;
}
