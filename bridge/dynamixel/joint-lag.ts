import { type Calibration, isCurrentBased } from '../servo/calibration/calibration.ts';
import { JointUnits } from '../servo/calibration/joint-units.ts';
import type { JointLag } from '../servo/joint-bus.ts';
import { PWM_SCALE } from './registers.ts';

/** Divisors of the gain registers; D acts per step and millisecond. */
export const P_DIVISOR = 128;
const D_DIVISOR = 16;

/**
 * How each joint lags, as far as its drive is known. At speed it loses torque by the back-EMF of
 * its motor, or, where the servo controls the current, by its D gain.
 */
export function lagOf({ joints }: Calibration): JointLag {
  const full_lag_rad = joints.map((joint) => {
    if (!joint.drive) return 0;
    return Math.abs(new JointUnits(joint).rateOf((PWM_SCALE * P_DIVISOR) / joint.drive.position_p));
  });
  const speed_share = joints.map((joint) => {
    const { drive } = joint;
    if (!drive) return 0;
    if (!isCurrentBased(joint)) return 1 / drive.no_load_rad_s;
    const ticks_per_ms = 1 / Math.abs(new JointUnits(joint).rateOf(1000));
    return ((drive.position_d ?? 0) / D_DIVISOR) * (ticks_per_ms / PWM_SCALE);
  });
  return { full_lag_rad, speed_share };
}
