/** Motion error codes as a few words, for chips in the scene and titles in the inspector. Pure. */
import type { MotionError } from '../../contract/motion-errors.ts';

const WHOLE: Partial<Record<MotionError, string>> = {
  plane_collision: 'Touches the ground',
  self_collision: 'Touches itself',
  object_collision: 'Touches a zone',
  reach_limit: 'Out of reach',
  ik_failure: 'No pose reaches this',
  analytical_ik_failure: 'No pose reaches this',
  time_too_short: 'Too little time',
  time_too_short_switched_to_min_time: 'Takes longer than asked',
  too_few_waypoints: 'Too few waypoints',
  too_many_waypoints: 'Too many waypoints',
  ee_over_speed: 'Tool too fast',
  ee_over_acceleration: 'Tool accelerates too hard',
  ee_over_energy: 'Tool has too much energy',
  linear_path_calculation_error: 'No straight path',
  cubic_path_calculation_error: 'No smooth path',
  generation_error: 'Cannot be made',
  result_generation_error: 'Cannot be listed',
};

const JOINT_WORDS: Record<string, string> = {
  boundary_limit: 'beyond its limit',
  angular_velocity_limit: 'too fast',
  angular_acceleration_limit: 'accelerates too hard',
  over_energy: 'has too much energy',
};

/** "J2 beyond its limit", "Touches the ground", or the code itself with spaces. */
export function codeWords(code: MotionError): string {
  const whole = WHOLE[code];
  if (whole) return whole;
  const joint = code.match(/^j(\d)_(.+)$/);
  const words = joint && JOINT_WORDS[joint[2]!];
  if (words) return `J${Number(joint[1]) + 1} ${words}`;
  const plain = code.replace(/_warning$/, ' near').replaceAll('_', ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
