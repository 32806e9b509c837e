/**
 * What doctor and start ask of the registers of one STS servo: a table of checks against the
 * vendor's table and the calibration, each with the sentence that it gives.
 */

import type { Bus } from '../servo/bus/bus.ts';
import type { Calibration } from '../servo/calibration/calibration.ts';
import { JointUnits } from '../servo/calibration/joint-units.ts';
import type { ServoSlot } from '../servo/calibration/servo-slot.ts';
import {
  checkGain,
  checkHeat,
  checkRange,
  checkStrength,
  checkSupply,
  narrowLimit,
  reverseProblem,
} from '../servo/diagnosis/common-checks.ts';
import {
  corrected,
  note,
  problem,
  type RegisterFinding,
} from '../servo/diagnosis/register-finding.ts';
import { type ServoStrength, weakest } from '../servo/start/holding-torque.ts';
import { FULL_LAG_STEPS_AT_1 } from './joint-lag.ts';
import { goalLimits, stsLimits } from './limits.ts';
import {
  CURRENT_STEP_A,
  FULL_TORQUE,
  PHASE_REVERSED,
  PHASE_TURNS,
  STS_REGISTER,
  type StsRegisterName,
} from './registers.ts';
import { readSts } from './servo-requests.ts';

/** A peak of a motion lasts less than this (10 ms). */
const PROTECTION_TIME_MIN = 50;
/** Current at stall of the weakest model (A), for a servo without a model of its drive. */
const STALL_A = 2.7;
/** D gain at delivery. */
const D_DELIVERED = 32;
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

/** The values of all registers. */
export type StsRegisters = Readonly<Record<StsRegisterName, number>>;

/** Reads all registers; or the name of the one that a servo does not answer for. */
export async function readStsRegisters(
  bus: Bus,
  id: number,
): Promise<StsRegisters | StsRegisterName> {
  const values: Partial<Record<StsRegisterName, number>> = {};
  for (const name of Object.keys(STS_REGISTER) as StsRegisterName[]) {
    const value = await readSts(bus, id, name);
    if (value === null) return name;
    values[name] = value;
  }
  return values as StsRegisters;
}

/** A servo that is looked at; both are null without a calibration that names it. */
export interface CheckedSts {
  readonly slot: ServoSlot | null;
  readonly calibration: Calibration | null;
}

type Check = (
  registers: StsRegisters,
  servo: CheckedSts,
) => RegisterFinding | readonly RegisterFinding[] | null;

/** The lag by which the gain of a servo is judged without a calibration (rad). */
const LAG_RAD = 0.25;
/** A P gain above this, three times that at delivery, makes a joint swing. */
const GAIN_MAX = 96;

const CHECKS: readonly Check[] = [
  (r) => corrected(r.operating_mode !== 0, 'is not in position mode'),
  (r) => corrected(r.return_delay !== 0, 'has a return delay', ['return_delay', 0]),
  (r) => corrected(r.status_level !== 1, 'answers only reads (status level)'),
  (r) => corrected((r.phase & PHASE_TURNS) !== 0, 'counts turns (phase bit 4)'),
  (r, { slot }) => {
    const known = slot?.calibration.servos?.find((one) => one.id === slot.id);
    const reverse = (r.phase & PHASE_REVERSED) !== 0;
    const bit = 'bit 7 of its phase (register 18)';
    const text = known ? reverseProblem(known, reverse, bit) : null;
    return problem(text !== null, text ?? '');
  },
  (r) =>
    corrected(
      r.goal_speed !== 0 || r.acceleration !== 0 || r.goal_time !== 0,
      'has a goal speed, time or acceleration',
    ),
  (r) => corrected(r.position_min === 0 && r.position_max === 0, 'has no position limits'),
  ...DELIVERED.map(([name, value, wrong, says]): Check => {
    const fix = `set register ${STS_REGISTER[name].address} to ${value}`;
    // Another resolution changes what all positions mean.
    const safe = wrong === 'other' ? undefined : ([name, value] as const);
    return (r) => problem(IS_WRONG[wrong](r[name], value), `${says(r[name])}: ${fix}`, safe);
  }),
  (r) => {
    const after = `unloads after ${r.protection_time / 100} s of overload`;
    const says = `${after}, which each start of a motion may be: set register 35 to 200`;
    return problem(r.protection_time < PROTECTION_TIME_MIN, says);
  },
  (r) =>
    problem(
      (r.unloading & UNLOADING) !== UNLOADING,
      `does not unload for all faults (${r.unloading}): set register 19 to ${UNLOADING}`,
      ['unloading', r.unloading | UNLOADING],
    ),
  (r) => checkSupply(r, null),
  (r, { slot }) => {
    const wanted = Math.round(((slot?.calibration.limits?.pwm_percent ?? 100) / 100) * FULL_TORQUE);
    // A joint that hangs below its goal would jump up when its limit is raised.
    const least = r.torque === 1 ? Math.min(r.torque_max, r.torque_limit) : r.torque_max;
    const say = `is weakened by a torque limit of ${least / 10} %: set it to ${wanted / 10} %`;
    return problem(least < wanted, `${say}, or calibrate for it`);
  },
  (r) =>
    corrected(
      r.torque !== 1 && r.torque_limit < r.torque_max,
      `has a torque limit of ${r.torque_limit / 10} % until its next power-up`,
    ),
  (r, { slot }) => checkGain(r, slot),
  (r, servo) => checkStrength(stsStrength(r, servo)),
  (r, { slot }) => {
    const p = slot?.calibration.drive?.position_p ?? r.position_p;
    return problem(p > GAIN_MAX, `has a P gain of ${p}, at which a joint swings: lower it`);
  },
  (r, { slot }) => {
    const drive = slot?.calibration.drive;
    const differs = (['position_i', 'position_d'] as const).some(
      (name) => drive?.[name] !== undefined && r[name] !== drive[name],
    );
    return corrected(differs, 'has an I or D gain that is not that of the calibration');
  },
  (r, { slot }) => {
    const drive = slot?.calibration.drive;
    const unusual =
      (drive?.position_i === undefined && r.position_i !== 0) ||
      (drive?.position_d === undefined && r.position_d !== D_DELIVERED);
    const says = 'has gains that are not those of the factory; see that it does not oscillate';
    return note(unusual, says);
  },
  (r, { slot }) => {
    const wanted = slot && slot.id === slot.leader ? slot.calibration.homing_ticks : undefined;
    return problem(
      wanted !== undefined && r.homing_offset !== wanted,
      `has a position correction of ${r.homing_offset}, and the calibration counts on ${wanted}: ` +
        'write it back, or calibrate again',
    );
  },
  (r, { slot }) => {
    const [position_min, position_max] = goalLimits(r);
    return checkRange({ ...r, position_min, position_max }, slot);
  },
  (r, { slot }) => {
    const limits = slot ? stsLimits(slot, r) : [];
    return limits.flatMap(({ name, found, value, verdict }) =>
      verdict === 'narrow' ? (note(true, narrowLimit(name, found, value)) ?? []) : [],
    );
  },
  (r, { slot }) => checkHeat(r, slot),
];

/** What doctor and start say about one servo, from its registers. */
export function checkStsRegisters(registers: StsRegisters, servo: CheckedSts): RegisterFinding[] {
  return CHECKS.flatMap((check) => check(registers, servo) ?? []);
}

/** What the settings leave a servo of its torque for more than a moment. */
export function stsStrength(r: StsRegisters, { slot, calibration }: CheckedSts): ServoStrength {
  const joint = slot?.calibration;
  const p = joint?.drive?.position_p ?? r.position_p;
  const units = new JointUnits(joint ?? { direction: 1, zero_ticks: 0, gear: 1 });
  const lag_rad = calibration?.following_error_rad ?? LAG_RAD;
  const lag_ticks = Math.abs(units.toTicks(lag_rad) - units.toTicks(0));
  const integrates = (joint?.drive?.position_i ?? r.position_i) > 0;
  const settings = [
    { share: r.torque_max / FULL_TORQUE, by: `its torque limit of ${r.torque_max / 10} %` },
    { share: r.overload_torque / 100, by: `its overload torque of ${r.overload_torque} %` },
    {
      share: integrates ? 1 : (p * lag_ticks) / FULL_LAG_STEPS_AT_1,
      by: `its P gain of ${p}`,
    },
  ];
  const most_a = r.protection_current * CURRENT_STEP_A;
  const joint_n_m = joint && most_a * joint.torque_n_m_per_a * joint.ids.length;
  settings.push({
    share: joint?.drive ? joint_n_m! / joint.drive.stall_torque_n_m : most_a / STALL_A,
    by: `its protection current of ${r.protection_current}`,
  });
  return weakest(settings);
}
