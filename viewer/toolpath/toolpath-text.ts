/** Short texts for motion error codes. Pure. */

import type { MotionError } from '../../contract/motion-errors.ts';
import { jointName } from '../../physics/arm/arm-model.ts';

const WHOLE: Partial<Record<MotionError, string>> = {
  plane_collision: 'Touches the ground',
  self_collision: 'Touches itself',
  // A zone, or a thing of the cell; the message names it.
  object_collision: 'Touches an obstacle',
  reach_limit: 'Out of reach',
  ik_failure: 'No inverse kinematics solution',
  analytical_ik_failure: 'No inverse kinematics solution',
  time_too_short: 'Too little time',
  time_too_short_switched_to_min_time: 'Takes longer than requested',
  too_few_waypoints: 'Too few waypoints',
  too_many_waypoints: 'Too many waypoints',
  ee_over_speed: 'Tool too fast',
  ee_over_acceleration: 'Tool accelerates too hard',
  ee_over_energy: 'Tool has too much energy',
  linear_path_calculation_error: 'No straight path',
  cubic_path_calculation_error: 'No smooth path',
  generation_error: 'Motion cannot be generated',
  result_generation_error: 'Result cannot be generated',
};

const JOINT_TEXT: Record<string, string> = {
  boundary_limit: 'beyond its limit',
  angular_velocity_limit: 'too fast',
  angular_acceleration_limit: 'accelerates too hard',
  over_energy: 'has too much energy',
};

/** "J2 beyond its limit", "Touches the ground", or the code itself with spaces. */
export function motionErrorText(code: MotionError): string {
  const whole = WHOLE[code];
  if (whole) return whole;
  const joint = code.match(/^j(\d)_(.+)$/);
  const text = joint && JOINT_TEXT[joint[2]!];
  if (text) return `${jointName(Number(joint[1]))} ${text}`;
  const plain = code.replace(/_warning$/, ' near').replaceAll('_', ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
