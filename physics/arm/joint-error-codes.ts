/** The motion errors that name a joint (§2.4). */
import type { MotionError } from '../../contract/motion-errors.ts';

/** What a code says of its joint. */
type JointFault =
  | 'boundary_limit'
  | 'angular_velocity_limit'
  | 'angular_acceleration_limit'
  | 'over_energy';

const JOINTS = [0, 1, 2, 3, 4, 5] as const;

/** The codes of a fault by 0-based joint: checks may not make texts while the arm moves. */
function codesOf(fault: JointFault): readonly MotionError[] {
  return JOINTS.map((joint) => `j${joint}_${fault}` as const);
}

const CODES: Readonly<Record<JointFault, readonly MotionError[]>> = {
  boundary_limit: codesOf('boundary_limit'),
  angular_velocity_limit: codesOf('angular_velocity_limit'),
  angular_acceleration_limit: codesOf('angular_acceleration_limit'),
  over_energy: codesOf('over_energy'),
};

/** The code of a fault of a joint (0-based). */
export function jointCode(joint: number, fault: JointFault): MotionError {
  return CODES[fault][joint]!;
}

/** The joint (0-based) that a code of a fault names, or -1. */
export function jointOfCode(code: MotionError, fault: JointFault): number {
  return CODES[fault].indexOf(code);
}
