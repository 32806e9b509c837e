/**
 * The limits that live in the servos: a goal or a program that goes wrong cannot move a joint out
 * of its range, faster or harder than the calibration says. A start narrows a wider limit; a limit
 * that is narrower already stays, and the start report names it. Also: the input of the emergency
 * stop.
 */

import type { Transaction } from '../bus/bus.ts';
import type { Packet } from '../bus/codec.ts';
import * as request from '../bus/instructions.ts';
import { syncWrite } from '../bus/instructions.ts';
import { decodeValue, encodeValue, REGISTER, type RegisterName } from '../bus/registers.ts';
import type { JointLag } from '../joint-bus.ts';
import type { EmergencyStopWiring } from './calibration.ts';
import {
  type Calibration,
  isCurrentBased,
  JointUnits,
  type ServoSlot,
  VELOCITY_STEP_RAD_S,
} from './calibration.ts';
import { goalRangeOf } from './goal-range.ts';
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

/** Divisors of the gain registers; D acts per step and millisecond. */
const P_DIVISOR = 128;
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

/**
 * The goal currents of the current-based joints, as packets for their leaders; `limits` are those
 * in the servos, null for other joints, and `goals` what the joints may need (both in their unit).
 */
export function goalCurrents(
  leaders: readonly number[],
  limits: readonly (number | null)[],
  goals: (joint: number) => number,
): Packet[] {
  const register = REGISTER.goal_current;
  const rows = leaders.flatMap((id, j) => {
    const limit = limits[j] ?? null;
    return limit === null ? [] : [{ id, data: encodeValue(register, Math.min(limit, goals(j))) }];
  });
  return rows.length === 0 ? [] : [syncWrite(register, rows)];
}

/**
 * The input of the emergency stop: a contact on the external port of a servo, closed to ground in
 * normal operation, with the pull-up of the servo. A pressed stop, a pulled plug and a broken wire
 * read the same. It only makes the driver brake; a second contact in the supply cuts the power of
 * the motors.
 */

/** Pin mode with pull-up: an open contact reads 1. */
export const PULLED_UP = 2;
/** Debouncing: consecutive closed readings that count as released. */
const RELEASED_READS = 4;

const MODES = ['port_1_mode', 'port_2_mode', 'port_3_mode'] as const;
const DATA = ['port_1_data', 'port_2_data', 'port_3_data'] as const;

/** The setting that makes a pin the input of the contact. */
export function stopSetting({ port }: EmergencyStopWiring) {
  return { name: MODES[port - 1]!, value: PULLED_UP };
}

export class StopInput {
  /** True from the first open reading until the contact is closed for enough readings. */
  pressed = false;
  /** The request that reads the pin. */
  readonly request: Transaction;
  private readonly register: RegisterName;
  private closed_reads = 0;

  constructor({ id, port }: EmergencyStopWiring) {
    this.register = DATA[port - 1]!;
    const { [this.register]: span } = REGISTER;
    this.request = { packet: request.read(id, span), ids: [id], length: span.length };
  }

  /** Takes a reply; one without the level of the pin, as of a rejected read, counts as open. */
  update(data: Uint8Array): void {
    const span = REGISTER[this.register];
    const open = data.length !== span.length || decodeValue(data, 0, span) !== 0;
    this.closed_reads = open ? 0 : this.closed_reads + 1;
    if (open) this.pressed = true;
    else if (this.closed_reads >= RELEASED_READS) this.pressed = false;
  }
}
