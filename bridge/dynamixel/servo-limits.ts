/**
 * The limits that live in the servos: a goal or a program that goes wrong cannot move a joint out
 * of its range, faster or harder than the calibration says. A start narrows a wider limit; a limit
 * that is narrower already stays, and the start report names it.
 */

import type { ServoSlot } from '../servo/calibration/servo-slot.ts';
import { goalRangeOf } from '../servo/goals/goal-range.ts';
import { SERVO_MODELS } from './models.ts';
import { PWM_SCALE, type RegisterName, VELOCITY_STEP_RAD_S } from './registers.ts';

/** Registers of limits that a calibration has. */
type LimitName = Extract<
  RegisterName,
  'position_min' | 'position_max' | 'velocity_limit' | 'current_limit' | 'pwm_limit'
>;

/** Largest value of the velocity limit register of all models. */
const VELOCITY_LIMIT_MAX = 1023;

/** A limit of a servo: the register and its value by the calibration. */
export interface ServoLimit {
  readonly name: LimitName;
  readonly value: number;
}

/** What a start does about a limit: write it, say that it is narrower, or nothing. */
export type LimitVerdict = 'wide' | 'narrow' | 'equal';

/** Limits of a servo of this model (model number) by the calibration of its joint. */
export function servoLimits({ calibration }: ServoSlot, model: number): readonly ServoLimit[] {
  const ends = goalRangeOf(calibration);
  const speed = (calibration.velocity_max_rad_s * calibration.gear) / VELOCITY_STEP_RAD_S;
  const { current_a, pwm_percent } = calibration.limits ?? {};
  const step_a = SERVO_MODELS[model]?.current_step_a ?? null;
  const current = current_a === undefined || step_a === null ? null : current_a / step_a;
  const limits: (ServoLimit | null)[] = [
    { name: 'position_min', value: ends[0] },
    { name: 'position_max', value: ends[1] },
    { name: 'velocity_limit', value: Math.min(VELOCITY_LIMIT_MAX, Math.ceil(speed)) },
    current === null ? null : { name: 'current_limit', value: Math.floor(current) },
    pwm_percent === undefined
      ? null
      : { name: 'pwm_limit', value: Math.round((pwm_percent / 100) * PWM_SCALE) },
  ];
  return limits.filter((limit) => limit !== null);
}

/** Compares the value in a servo with the limit by the calibration. */
export function judgeLimit({ name, value }: ServoLimit, found: number): LimitVerdict {
  if (found === value) return 'equal';
  const isWide = name === 'position_min' ? found < value : found > value;
  return isWide ? 'wide' : 'narrow';
}
