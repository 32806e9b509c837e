/** What an emulated servo measures, in its registers. */

import { PLANT_STEP_S } from '../../../physics/dynamics/plant-step.ts';
import { TICKS_PER_RAD } from '../../servo/emulator/servo-shaft.ts';
import { VELOCITY_UNIT } from './register-units.ts';
import type { ServoState } from './servo-state.ts';

/** Output of a motor, in the units of its registers. */
interface MotorOutput {
  readonly current: number;
  readonly pwm: number;
}

export const AT_REST: MotorOutput = { current: 0, pwm: 0 };

/** Writes what a servo measures into its table. */
export function writeMeasurements(state: ServoState, { current, pwm }: MotorOutput): void {
  const { memory, shaft, profile } = state;
  const velocity = Math.round(shaft.rate_rad_s / VELOCITY_UNIT);
  memory.set('present_position', shaft.ticks);
  memory.set('present_velocity', velocity);
  memory.set('present_current', Math.round(current));
  memory.set('present_pwm', Math.round(pwm));
  memory.set('moving', Math.abs(velocity) > memory.get('moving_threshold') ? 1 : 0);
  memory.set('position_trajectory', Math.round(profile.position));
  const planned_rad_s = profile.velocity / PLANT_STEP_S / TICKS_PER_RAD;
  memory.set('velocity_trajectory', Math.round(planned_rad_s / VELOCITY_UNIT));
  memory.set('temperature', Math.round(shaft.sensors.temperature_c));
}
