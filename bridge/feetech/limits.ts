/** The limits that live in STS servos, by the calibration of their joints. */

import { TICKS_PER_TURN } from '../servo/calibration/joint-units.ts';
import type { ServoSlot } from '../servo/calibration/servo-slot.ts';
import { goalRangeOf } from '../servo/goals/goal-range.ts';
import { FULL_TORQUE } from './registers.ts';

/** Registers of limits that a calibration has. */
interface LimitRegisters {
  readonly position_min: number;
  readonly position_max: number;
  readonly torque_max: number;
}

/** A limit of a servo, its value by the calibration, and how the servo's own compares with it. */
interface StsLimit {
  readonly name: keyof LimitRegisters;
  readonly value: number;
  readonly found: number;
  readonly verdict: 'wide' | 'narrow' | 'equal';
}

/** Lowest and highest goal that a servo accepts (steps); both limits are 0 where there are none. */
export function goalLimits(r: {
  readonly position_min: number;
  readonly position_max: number;
}): readonly [number, number] {
  const none = r.position_min === 0 && r.position_max === 0;
  return none ? [0, TICKS_PER_TURN - 1] : [r.position_min, r.position_max];
}

/** The limits of a servo against those of the calibration of its joint. */
export function stsLimits({ calibration }: ServoSlot, r: LimitRegisters): readonly StsLimit[] {
  const [low, high] = goalRangeOf(calibration);
  const [min, max] = goalLimits(r);
  const torque = ((calibration.limits?.pwm_percent ?? 100) / 100) * FULL_TORQUE;
  const verdict = (found: number, value: number, isWide: boolean) =>
    found === value ? 'equal' : isWide ? 'wide' : 'narrow';
  return [
    { name: 'position_min', value: low, found: min, verdict: verdict(min, low, min < low) },
    { name: 'position_max', value: high, found: max, verdict: verdict(max, high, max > high) },
    {
      name: 'torque_max',
      value: torque,
      found: r.torque_max,
      verdict: verdict(r.torque_max, torque, r.torque_max > torque),
    },
  ];
}
