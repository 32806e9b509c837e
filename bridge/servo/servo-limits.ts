/**
 * The limits that live in the servos: a goal or a program that goes wrong cannot move a joint out
 * of its range, faster or harder than the calibration says. A start narrows a wider limit; a limit
 * that is narrower already stays, and the start report names it.
 */
import type { RegisterName } from '../bus/registers.ts';
import type { Calibration, ServoSlot } from './calibration.ts';
import { LEAD_MAX_RAD } from './goal-lead.ts';
import { JointUnits, TICKS_PER_TURN, VELOCITY_STEP_RAD_S } from './joint-units.ts';
import { RANGE_SLACK_RAD } from './safe-start.ts';
import { PWM_SCALE, SERVO_MODELS } from './servo-models.ts';

/** Largest value of the velocity limit register of all models. */
const VELOCITY_LIMIT_MAX = 1023;

/** A limit of a servo: the register and its value by the calibration. */
export interface ServoLimit {
  readonly name: RegisterName;
  readonly value: number;
}

/** What a start does about a limit: write it, say that it is narrower, or nothing. */
export type LimitVerdict = 'wide' | 'narrow' | 'equal';

/**
 * Limits of a servo of this model (model number) by the calibration of its joint. The range has
 * room for the lead of the goals over the pose, so that it never holds a goal back inside.
 */
export function servoLimits({ calibration }: ServoSlot, model: number): readonly ServoLimit[] {
  const units = new JointUnits(calibration);
  const slack_rad = calibration.drive ? LEAD_MAX_RAD : RANGE_SLACK_RAD;
  const ends = [calibration.min_rad - slack_rad, calibration.max_rad + slack_rad]
    .map((angle) => Math.min(TICKS_PER_TURN - 1, Math.max(0, units.toTicks(angle))))
    .sort((a, b) => a - b);
  const speed = (calibration.velocity_max_rad_s * calibration.gear) / VELOCITY_STEP_RAD_S;
  const { current_a, pwm_percent } = calibration.limits ?? {};
  const step_a = SERVO_MODELS[model]?.current_step_a ?? null;
  const current = current_a === undefined || step_a === null ? null : current_a / step_a;
  const limits: (ServoLimit | null)[] = [
    { name: 'position_min', value: ends[0]! },
    { name: 'position_max', value: ends[1]! },
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

/** Divisor of the P gain register. */
const P_DIVISOR = 128;

/** Lag (rad) at which the servos of each joint give their full PWM; 0 without their drive. */
export function fullLags({ joints }: Calibration): readonly number[] {
  return joints.map((joint) => {
    if (!joint.drive) return 0;
    const units = new JointUnits(joint);
    const ticks = (PWM_SCALE * P_DIVISOR) / joint.drive.position_p;
    return Math.abs(units.toAngle(ticks) - units.toAngle(0));
  });
}
