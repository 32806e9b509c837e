/**
 * The ideal drive of an emulated servo: stiff and gravity-compensated. servo-motor.ts is the one
 * of the factory.
 */

import type { JointDrive } from '../../servo/servo-plant.ts';
import type { TableRegister } from './control-table.ts';
import type { MotorTraits } from './emulated-models.ts';
import { PWM_FULL, VELOCITY_UNIT } from './register-units.ts';
import type { ServoState } from './servo-state.ts';
import { TRIPPED } from './write-rules.ts';

/**
 * factory: the control loops of a servo with the gains in its registers, its motor and its gears;
 * ideal: a stiff, gravity-compensated position drive, for tests of what is above it.
 */
export type DriveProfile = 'factory' | 'ideal';

/** The command of a servo with an ideal drive and torque to its joint. */
export function driveOf(
  { memory, shaft, profile }: ServoState,
  { current: current_max, stall_current }: { readonly current: number } & MotorTraits,
): JointDrive {
  const mode = memory.get('operating_mode');
  const { direction } = shaft;
  const share = (name: TableRegister, full: number) => memory.get(name) / full;
  const tripped = memory.get('watchdog') === TRIPPED;
  const share_max = share('current_limit', current_max) * share('pwm_limit', PWM_FULL);
  if (mode === 0 && !tripped) {
    return { kind: 'torque', share: direction * share('goal_current', stall_current) };
  }
  if (mode === 16 && !tripped) {
    return { kind: 'torque', share: direction * share('goal_pwm', PWM_FULL) };
  }
  if (mode === 1) {
    const rate = tripped ? 0 : memory.get('goal_velocity') * VELOCITY_UNIT * direction;
    return { kind: 'velocity', rate_rad_s: rate / shaft.gear, share_max };
  }
  const angle_rad = shaft.angleOf(profile.position);
  const held = mode === 5 ? Math.abs(share('goal_current', current_max)) : share_max;
  return { kind: 'position', angle_rad, share_max: Math.min(held, share_max) };
}
