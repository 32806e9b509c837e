import type { ForeignJoint } from './foreign-joint.ts';

/** How a calibration of another program is read. */
export interface ForeignOptions {
  /** Whether the servos keep their position correction (ServoFamily). */
  readonly keeps_correction: boolean;
  /** Names of the six joints from the base on; absent: all but the gripper. */
  readonly joints?: readonly string[];
}

/** What the calibration of another program says. */
export interface ForeignCalibration {
  readonly joints: readonly ForeignJoint[];
  /** Pose in which the arm lies on its support (rad), where the file has one. */
  readonly park_rad?: readonly number[];
  /** What the operator has to check or to set. */
  readonly remarks: readonly string[];
}

/** A file of another program that calibrates servos. */
export interface ForeignFormat {
  readonly program: string;
  /** Reads a text; null where it is not of this format. Throws a sentence where it is wrong. */
  read(text: string, options: ForeignOptions): ForeignCalibration | null;
}
