/**
 * What the diagnosis asks of the registers of one DYNAMIXEL servo: a table of checks, each with
 * the sentence that it gives. Values that are right for a model come from the maker's tables, the
 * rest from the calibration. Problems make an arm unsafe or stop a start; notes are what a start
 * corrects or what is merely unusual.
 */

import type { ServoSlot } from '../servo/calibration/servo-slot.ts';
import {
  CORRECTS,
  checkGain,
  checkHeat,
  checkLag,
  checkPlace,
  checkRange,
  checkSupply,
} from '../servo/diagnosis/common-checks.ts';
import { note, problem, type RegisterFinding } from '../servo/diagnosis/register-finding.ts';
import { reverseProblem } from './drive-mode.ts';
import type { ServoLimits } from './factory-limits.ts';
import { HIGHEST_ID } from './instructions.ts';
import {
  OPERATING_MODE,
  PWM_SCALE,
  type RegisterName,
  VELOCITY_STEP_RAD_S,
  WATCHDOG_TRIPPED,
} from './registers.ts';

/** A servo under diagnosis; `slot` is null without a calibration that names it. */
export interface CheckedServo {
  readonly id: number;
  readonly slot: ServoSlot | null;
  /** What the model is made for; null where it is not known. */
  readonly limits: ServoLimits | null;
  /** Ids of all servos that answered. */
  readonly found: readonly number[];
}

/** Registers that the checks read. */
export const CHECKED_REGISTERS = [
  'return_delay',
  'drive_mode',
  'operating_mode',
  'secondary_id',
  'homing_offset',
  'temperature_limit',
  'voltage_max',
  'voltage_min',
  'pwm_limit',
  'velocity_limit',
  'position_max',
  'position_min',
  'startup',
  'shutdown',
  'torque',
  'status_level',
  'position_d',
  'position_i',
  'position_p',
  'forward_2',
  'forward_1',
  'watchdog',
  'goal_pwm',
  'profile_acceleration',
  'profile_velocity',
  'goal_position',
  'present_position',
  'voltage',
  'temperature',
] as const satisfies readonly RegisterName[];

/** The values of those registers. */
export type CheckedRegisters = Readonly<Record<(typeof CHECKED_REGISTERS)[number], number>>;

/** A secondary id that no servo has. */
const NO_ID = 255;
/** A velocity limit may be this share of the calibrated speed, which has a reserve. */
const SPEED_SHARE = 0.9;

type Check = (registers: CheckedRegisters, servo: CheckedServo) => RegisterFinding | null;
/** Bits of the drive mode that a start clears: time-based profiles, and torque on by a goal. */
const DRIVE_MODE_WRONG = 0x0c;

/** Settings that a start corrects, or that only slow the bus. */
const SETTINGS: readonly Check[] = [
  (r, { slot }) => {
    const mode = slot?.calibration.mode ?? 'position';
    return note(r.operating_mode !== OPERATING_MODE[mode], `is not in ${mode} mode; ${CORRECTS}`);
  },
  (r) => note(r.return_delay !== 0, `has a return delay; ${CORRECTS}`, ['return_delay', 0]),
  (r) => note(r.status_level !== 2, `answers only some requests (status level); ${CORRECTS}`),
  (r) => note(r.watchdog === WATCHDOG_TRIPPED, `was stopped by its watchdog; ${CORRECTS}`),
  (r) =>
    note((r.drive_mode & 4) !== 0, `has time-based profiles (drive mode); ${CORRECTS}`, [
      'drive_mode',
      r.drive_mode & ~DRIVE_MODE_WRONG,
    ]),
  (r) =>
    problem(
      (r.drive_mode & 8) !== 0,
      'switches its torque on with any goal (drive mode bit 3): clear that bit with torque off',
      ['drive_mode', r.drive_mode & ~DRIVE_MODE_WRONG],
    ),
  (r, { slot, id }) => {
    const known = slot?.calibration.servos?.find((one) => one.id === id);
    const text = known ? reverseProblem(known, r.drive_mode) : null;
    return problem(text !== null, text ?? '');
  },
  (r) => note(r.profile_velocity !== 0, `has a profile velocity, which delays it; ${CORRECTS}`),
  (r) => note(r.profile_acceleration !== 0, `has a profile acceleration; ${CORRECTS}`),
  (r, { slot, id }) =>
    note(
      r.homing_offset !== 0 && (slot === null || slot.leader === id),
      `has a homing offset, which calibration replaces; ${CORRECTS}`,
    ),
  (r) =>
    problem(
      (r.startup & 1) !== 0,
      'switches its torque on at power-up (startup configuration): set register 60 to 0',
      ['startup', 0],
    ),
];

/** Limits and gains that differ from what the model leaves the factory with. */
const LIMITS: readonly Check[] = [
  (r, { limits }) =>
    problem(
      limits !== null && r.temperature_limit > limits.temperature_c,
      `shuts down at ${r.temperature_limit} °C only: set that limit to ${limits?.temperature_c}`,
      ['temperature_limit', limits?.temperature_c ?? 0],
    ),
  (r, { limits }) =>
    problem(
      limits !== null && (r.shutdown & limits.shutdown) !== limits.shutdown,
      `does not shut down for all faults (shutdown ${r.shutdown}): set it to ${limits?.shutdown}`,
      ['shutdown', r.shutdown | (limits?.shutdown ?? 0)],
    ),
  (r, { limits }) =>
    problem(
      limits !== null && r.voltage_min < limits.voltage[0],
      `works below its supply range: set the limit to ${(limits?.voltage[0] ?? 0) / 10} V`,
      ['voltage_min', limits?.voltage[0] ?? 0],
    ),
  (r, { limits }) =>
    problem(
      limits !== null && r.voltage_max > limits.voltage[1],
      `works above its supply range: set the limit to ${(limits?.voltage[1] ?? 0) / 10} V`,
      ['voltage_max', limits?.voltage[1] ?? 0],
    ),
  (r) => checkSupply(r, null),
  (r, { slot }) => {
    const share = (slot?.calibration.limits?.pwm_percent ?? 100) / 100;
    const wanted = Math.round(share * PWM_SCALE);
    return problem(
      r.pwm_limit < wanted,
      `is weakened by a PWM limit of ${r.pwm_limit}: set it to ${wanted}, or calibrate for it`,
    );
  },
  (r) =>
    problem(
      r.goal_pwm < PWM_SCALE && r.goal_pwm < r.pwm_limit,
      `is weakened by a goal PWM of ${r.goal_pwm}: power-cycle it`,
    ),
  (r, { slot }) => checkGain(r, slot),
  (r) =>
    note(
      r.position_i !== 0 || r.position_d !== 0 || r.forward_1 !== 0 || r.forward_2 !== 0,
      'has gains that are not those of the factory; see that it does not oscillate',
    ),
];

/** What only a calibration can judge: range, speed, partners, place and heat. */
const CALIBRATED: readonly Check[] = [
  (r, { slot, id, found }) => {
    const obeys = r.secondary_id;
    const wanted = slot && slot.leader !== id ? slot.leader : null;
    if (wanted !== null) {
      return note(obeys !== wanted, `does not obey servo ${wanted} of its joint; ${CORRECTS}`);
    }
    const other = obeys <= HIGHEST_ID && found.includes(obeys);
    const says = `obeys the goals of servo ${obeys} too (secondary id): set it to ${NO_ID}`;
    return problem(other, says, ['secondary_id', NO_ID]);
  },
  (r, { slot }) => checkRange(r, slot),
  (r, { slot }) =>
    problem(
      slot !== null &&
        r.velocity_limit * VELOCITY_STEP_RAD_S <
          SPEED_SHARE * slot.calibration.gear * slot.calibration.velocity_max_rad_s,
      `has a velocity limit of ${r.velocity_limit}, below the speed of the calibration: raise it`,
    ),
  (r, { slot }) => checkPlace(r, slot),
  (r, { slot }) => checkLag(r, slot),
  (r, { slot }) => checkHeat(r, slot),
];

/** Sentences about one servo, from its registers. */
export function checkRegisters(
  registers: CheckedRegisters,
  servo: CheckedServo,
): RegisterFinding[] {
  return [...SETTINGS, ...LIMITS, ...CALIBRATED].flatMap((check) => check(registers, servo) ?? []);
}
