/** The calibration of the servo of a gripper: its places, its force, and its signals. */
import type { ARM } from '../../../arms/bound-arm.ts';
import type { CalibratedServo } from './calibration.ts';

export interface GripperCalibration {
  readonly id: number;
  /** That servo; absent: it was not read, and is not compared. */
  readonly servo?: CalibratedServo;
  /** Its positions (steps) with the jaws open and shut. */
  readonly open_ticks: number;
  readonly closed_ticks: number;
  /** Current with which it grips (A). */
  readonly grip_current_a: number;
  readonly temperature_max_c: number;
  /** Digital output that closes it while it is on, and input that is on while it grips something. */
  readonly output: string;
  readonly part_present_input: string;
}

type ArmGripperServo = NonNullable<NonNullable<typeof ARM.servos>['gripper']>;

/** The gripper of an arm, as its maker mounts it; its servo has this current at stall (A). */
export function gripperOf(
  { id, open_ticks, closed_ticks, grip_share, output, part_present_input }: ArmGripperServo,
  stall_a: number,
): GripperCalibration {
  const grip_current_a = grip_share * stall_a;
  const temperature_max_c = GRIPPER_TEMPERATURE_MAX_C;
  const signals = { output, part_present_input };
  return { id, open_ticks, closed_ticks, grip_current_a, temperature_max_c, ...signals };
}

/** A gripper whose ends are nearer than this has not been opened (steps). */
export const GRIPPER_TRAVEL_MIN_TICKS = 60;
/** The signals of a gripper where nothing else is said. */
export const USUAL_GRIPPER_SIGNALS = { output: 'ee_d0', part_present_input: 'ee_d0' } as const;
/** The temperature at which it is too hot (°C): the servos of the X series shut down at 80. */
export const GRIPPER_TEMPERATURE_MAX_C = 70;
/** Share of the current at stall with which a gripper grips where nothing else is said. */
export const USUAL_GRIP_SHARE = 0.28;
