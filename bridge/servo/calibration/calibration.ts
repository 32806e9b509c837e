/**
 * The calibration of an arm of servos: ids, direction, zero position, range and limits of each
 * joint. It is stored on the host; the homing offsets in the servos stay 0. calibration-file.ts
 * reads it from a file.
 */
import type { ArmMark } from '../../../arms/arm-mark.ts';
import type { GripperCalibration } from './gripper-calibration.ts';
import type { JointMounting } from './joint-units.ts';

/**
 * How a joint with a proportional position loop answers load and speed. Only for arms with the
 * masses of the twin's model; without it the driver makes up for no load.
 */
export interface JointDriveModel {
  /** P gain of the position loop (register value). */
  readonly position_p: number;
  /** The other gains (register values); absent: a start leaves them as they are. */
  readonly position_i?: number;
  readonly position_d?: number;
  readonly forward_1?: number;
  readonly forward_2?: number;
  /** Torque of all servos of the joint at stall and nominal supply (N m). */
  readonly stall_torque_n_m: number;
  /** Speed without load at nominal supply (rad/s). */
  readonly no_load_rad_s: number;
}

/** A servo as it was when the arm was calibrated. Its family reports no serial number. */
export interface CalibratedServo {
  readonly id: number;
  /** Name of the model, such as XM430-W350; it and the firmware are absent in an import. */
  readonly model?: string;
  readonly firmware?: number;
  /** Whether it counted in reverse; absent: it has no such setting, or it is not known. */
  readonly reverse?: boolean;
}

/** A servo that was asked for its model and firmware. */
export type IdentifiedServo = CalibratedServo & {
  readonly model: string;
  readonly firmware: number;
};

/** Limits that a start writes into the servos of a joint, where they are wider. */
export interface ServoLimitSettings {
  /** Highest current of each servo (A). */
  readonly current_a?: number;
  /** Highest share of the supply voltage at the motor (%). */
  readonly pwm_percent?: number;
}

/**
 * How the servos of a joint control its position: `position` by voltage, inside the limits in the
 * servo; `current_based` by current, which the driver limits in each cycle to what the motion needs
 * and the sensitivity of collision detection allows on top.
 */
export type ControlMode = 'position' | 'current_based';

export interface JointCalibration extends JointMounting {
  /** The leading servo, then those that follow it by their secondary id. */
  readonly ids: readonly number[];
  /** Those servos; absent: they were not read, as in an import, and are not compared. */
  readonly servos?: readonly CalibratedServo[];
  readonly limits?: ServoLimitSettings;
  /** Absent: position. */
  readonly mode?: ControlMode;
  /** Position correction that the leading servo keeps, on which zero_ticks counts (steps). */
  readonly homing_ticks?: number;
  readonly min_rad: number;
  readonly max_rad: number;
  readonly velocity_max_rad_s: number;
  readonly temperature_max_c: number;
  /** Torque at the joint per ampere (N m/A). */
  readonly torque_n_m_per_a: number;
  /** A current of each of its servos above this without motion is a stall (A). */
  readonly stall_current_a: number;
  readonly drive?: JointDriveModel;
}

/** True where the driver limits the current of the servos of a joint. */
export function isCurrentBased({ mode }: JointCalibration): boolean {
  return mode === 'current_based';
}

/** Wiring of the emergency stop contact: a port of a servo that has ports. */
export interface EmergencyStopWiring {
  readonly id: number;
  readonly port: 1 | 2 | 3;
}

export interface Calibration {
  readonly format: 1;
  /** The arm that was calibrated; absent: the default one. */
  readonly arm?: ArmMark;
  /** Name of the family of the servos (bridge/servo-families.ts). */
  readonly family: string;
  /** Lag that counts as a following error (rad). */
  readonly following_error_rad: number;
  /** The six joints, from the base on. */
  readonly joints: readonly JointCalibration[];
  /** Pose in which the arm lies on its support (rad); absent: it has none. */
  readonly park_rad?: readonly number[];
  /** The servo of its gripper; absent: none is driven. */
  readonly gripper?: GripperCalibration;
  /** Absent when no emergency stop is wired to the servos. */
  readonly emergency_stop?: EmergencyStopWiring;
}
