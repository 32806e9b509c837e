/**
 * What the diagnosis asks of the registers of one STS servo: a table of checks against the
 * vendor's table and the calibration, each with the sentence that it gives.
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
import { FULL_TORQUE, PHASE_TURNS, STS_REGISTER, type StsRegisterName } from './registers.ts';

/** Bits of the unloading condition at delivery: temperature, current, overload. */
const UNLOADING = 44;

/** A register that protects the servo: its value at delivery, and what other values do. */
type Delivered = readonly [
  name: StsRegisterName,
  value: number,
  wrong: 'above' | 'below' | 'other',
  says: (value: number) => string,
];

const DELIVERED: readonly Delivered[] = [
  ['temperature_limit', 70, 'above', (c) => `unloads at ${c} °C only`],
  ['protective_torque', 20, 'above', (share) => `keeps ${share} % of its torque in overload`],
  ['protection_time', 200, 'above', (t) => `unloads after ${t / 100} s of overload only`],
  ['overload_torque', 80, 'above', (share) => `counts as overload only ${share} % of its torque`],
  ['voltage_max', 140, 'above', (v) => `works above its supply range (${v / 10} V)`],
  ['voltage_min', 40, 'below', (v) => `works below its supply range (${v / 10} V)`],
  ['startup_force', 16, 'above', (least) => `pushes with ${least / 10} % of its torque at least`],
  ['dead_forward', 1, 'above', (steps) => `does not correct errors of ${steps} steps`],
  ['dead_backward', 1, 'above', (steps) => `does not correct errors of -${steps} steps`],
  ['resolution', 1, 'other', (times) => `counts ${times} steps as one (resolution)`],
];

const IS_WRONG = {
  above: (found: number, value: number) => found > value,
  below: (found: number, value: number) => found < value,
  other: (found: number, value: number) => found !== value,
};

export type Registers = Readonly<Record<StsRegisterName, number>>;

type Check = (registers: Registers, slot: ServoSlot | null) => RegisterFinding | null;

export const CHECKS: readonly Check[] = [
  (r) => note(r.operating_mode !== 0, `is not in position mode; ${CORRECTS}`),
  (r) => note(r.return_delay !== 0, `has a return delay; ${CORRECTS}`, ['return_delay', 0]),
  (r) => note(r.status_level !== 1, `answers only reads (status level); ${CORRECTS}`),
  (r) => note((r.phase & PHASE_TURNS) !== 0, `counts turns (phase bit 4); ${CORRECTS}`),
  (r) =>
    note(
      r.goal_speed !== 0 || r.acceleration !== 0,
      `has a goal speed or acceleration; ${CORRECTS}`,
    ),
  (r) => note(r.position_min === 0 && r.position_max === 0, `has no position limits; ${CORRECTS}`),
  ...DELIVERED.map(([name, value, wrong, says]): Check => {
    const fix = `set register ${STS_REGISTER[name].address} to ${value}`;
    // Another resolution changes what all positions mean.
    const safe = wrong === 'other' ? undefined : ([name, value] as const);
    return (r) => problem(IS_WRONG[wrong](r[name], value), `${says(r[name])}: ${fix}`, safe);
  }),
  (r) =>
    problem(
      (r.unloading & UNLOADING) !== UNLOADING,
      `does not unload for all faults (${r.unloading}): set register 19 to ${UNLOADING}`,
      ['unloading', r.unloading | UNLOADING],
    ),
  checkSupply,
  (r, slot) => {
    const wanted = Math.round(((slot?.calibration.limits?.pwm_percent ?? 100) / 100) * FULL_TORQUE);
    const least = Math.min(r.torque_max, r.torque_limit);
    const say = `is weakened by a torque limit of ${least / 10} %: set it to ${wanted / 10} %`;
    return problem(least < wanted, `${say}, or calibrate for it`);
  },
  checkGain,
  (r, slot) => {
    const drive = slot?.calibration.drive;
    const differs = (['position_i', 'position_d'] as const).some(
      (name) => drive?.[name] !== undefined && r[name] !== drive[name],
    );
    return note(differs, `has an I or D gain that is not that of the calibration; ${CORRECTS}`);
  },
  (r, slot) => {
    const wanted = slot && slot.id === slot.leader ? slot.calibration.homing_ticks : undefined;
    return problem(
      wanted !== undefined && r.homing_offset !== wanted,
      `has a position correction of ${r.homing_offset}, and the calibration counts on ${wanted}: ` +
        'write it back, or calibrate again',
    );
  },
  (r, slot) => (r.position_min === 0 && r.position_max === 0 ? null : checkRange(r, slot)),
  checkPlace,
  checkLag,
  checkHeat,
];
