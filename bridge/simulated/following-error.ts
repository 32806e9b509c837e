/** The following error of a joint of a simulated arm: how far it may lag behind its setpoint. */

import { DRIVE, jointName } from '../../physics/arm/arm-model.ts';
import type { ArmFault } from '../arm-driver.ts';

const LAG_MAX_RAD = Float64Array.from(DRIVE.following_error_rad);

/** Whether a joint (0..5) that lags so far behind (rad) still follows its setpoint. */
export function isFollowing(joint: number, lag_rad: number): boolean {
  return Math.abs(lag_rad) <= LAG_MAX_RAD[joint]!;
}

/** The fault of a joint (0..5) that lags too far behind (rad). */
export function followingError(joint: number, lag_rad: number): ArmFault {
  const lag = Math.abs(lag_rad).toFixed(4);
  const message =
    `${jointName(joint)} lags ${lag} rad behind its setpoint (limit ${LAG_MAX_RAD[joint]} rad); ` +
    'free what blocks it or take off load';
  return { kind: 'following_error', joint, message };
}
