/** The calibration that follows from how a joint is mounted and from the motors of its servos. */

import { ARM_MARK } from '../../../arms/arm-mark.ts';
import {
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
  VELOCITY_MAX_RAD_S,
} from '../../../physics/arm/arm-model.ts';
import type { CalibratedServo, Calibration, JointCalibration } from './calibration.ts';
import { JointUnits, TICKS_PER_TURN } from './joint-units.ts';
import { type Motor, UNKNOWN_MOTOR } from './motor.ts';

/** Speed limit of a joint relative to the limit of planned motion. */
const SPEED_RESERVE = 1.1;
const EDGE_TICKS = 8;
/** Share of the stall current that means a stall. */
const STALL_SHARE = 0.9;
const FOLLOWING_ERROR_RAD = 0.25;

/** How a joint is mounted. */
export interface MountedJoint {
  readonly ids: readonly number[];
  readonly servos?: readonly CalibratedServo[];
  readonly zero_ticks: number;
  readonly direction: 1 | -1;
  readonly homing_ticks?: number | undefined;
  /** Positions that it may take; absent: one turn of the servo. */
  readonly range_ticks?: readonly [number, number];
  readonly velocity_max_rad_s?: number | undefined;
}

/**
 * The calibration of a joint with this motor, one that is not known by default; its range is
 * limited to one turn of the servo.
 */
export function jointCalibration(
  j: number,
  mounted: MountedJoint,
  { stall_n_m, stall_a }: Pick<Motor, 'stall_n_m' | 'stall_a'> = UNKNOWN_MOTOR,
): JointCalibration {
  const { ids, servos, zero_ticks, direction, homing_ticks } = mounted;
  const units = new JointUnits({ direction, zero_ticks, gear: 1 });
  const [low, high] = mounted.range_ticks ?? [EDGE_TICKS, TICKS_PER_TURN - 1 - EDGE_TICKS];
  const ends = [units.toAngle(low), units.toAngle(high)];
  const fastest_rad_s = SPEED_RESERVE * VELOCITY_MAX_RAD_S[j]!;
  return {
    ids,
    ...(servos && { servos }),
    direction,
    zero_ticks,
    ...(homing_ticks !== undefined && { homing_ticks }),
    gear: 1,
    min_rad: Math.max(JOINT_MIN_RAD[j]!, Math.min(...ends)),
    max_rad: Math.min(JOINT_MAX_RAD[j]!, Math.max(...ends)),
    velocity_max_rad_s: Math.min(fastest_rad_s, mounted.velocity_max_rad_s ?? fastest_rad_s),
    temperature_max_c: 65,
    torque_n_m_per_a: stall_n_m / stall_a,
    stall_current_a: STALL_SHARE * stall_a,
  };
}

/** A calibration of the joints of an arm of servos of a family. */
export function calibrationOf(family: string, joints: readonly JointCalibration[]): Calibration {
  return { format: 1, ...ARM_MARK, family, following_error_rad: FOLLOWING_ERROR_RAD, joints };
}
