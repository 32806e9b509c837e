/** The limits of a motion by the profile registers of an emulated servo. */

import { PLANT_STEP_S } from '../../../physics/dynamics/plant-step.ts';
import type { ProfileLimits } from '../../servo/emulator/motion-profile.ts';
import { TICKS_PER_RAD } from '../../servo/emulator/servo-shaft.ts';
import { ACCELERATION_UNIT, VELOCITY_UNIT } from './register-units.ts';
import type { TableMemory } from './table-memory.ts';

/** Limits that reach a goal in `duration_ms`, with acceleration and deceleration of `ramp_ms`. */
function timedLimits(distance: number, duration_ms: number, ramp_ms: number): ProfileLimits {
  if (duration_ms === 0) return { velocity: 0, acceleration: 0 };
  const ramp = Math.min(ramp_ms, duration_ms / 2);
  const velocity = Math.abs(distance) / Math.max(1, duration_ms - ramp);
  return { velocity, acceleration: ramp > 0 ? velocity / ramp : 0 };
}

/** Limits from the profile registers for a move of `distance` (steps). */
export function profileLimits(memory: TableMemory, distance: number): ProfileLimits {
  const velocity = memory.get('profile_velocity');
  const acceleration = memory.get('profile_acceleration');
  if ((memory.get('drive_mode') & 4) !== 0) return timedLimits(distance, velocity, acceleration);
  const unit = TICKS_PER_RAD * PLANT_STEP_S;
  return {
    velocity: velocity * VELOCITY_UNIT * unit,
    acceleration: acceleration * ACCELERATION_UNIT * unit * PLANT_STEP_S,
  };
}
