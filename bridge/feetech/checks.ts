/**
 * What the diagnosis asks of the registers of one STS servo: a table of checks against the
 * vendor's table and the calibration, each with the sentence that it gives.
 */

import { intoOneTurn, JointUnits } from '../servo/calibration/joint-units.ts';
import type { ServoSlot } from '../servo/calibration/servo-slot.ts';
import { note, problem, type RegisterFinding } from '../servo/diagnosis/register-finding.ts';
import { RANGE_SLACK_RAD } from '../servo/goals/goal-range.ts';
import { HELD_LAG_MAX_RAD } from '../servo/start/safe-start.ts';
import { FULL_TORQUE, STS_REGISTER, type StsRegisterName } from './registers.ts';

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

/** A motor stops at this much below the temperature limit of the calibration (K). */
const WARM_K = 5;
/** Phase bit that makes positions count turns. */
const PHASE_TURNS = 0x10;

export type Registers = Readonly<Record<StsRegisterName, number>>;

type Check = (registers: Registers, slot: ServoSlot | null) => RegisterFinding | null;

const CORRECTS = 'a start corrects it';

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
  (r) =>
    problem(
      r.voltage < r.voltage_min || r.voltage > r.voltage_max,
      `has a supply of ${r.voltage / 10} V, outside of its limits: check the supply and its wires`,
    ),
  (r, slot) => {
    const wanted = Math.round(((slot?.calibration.limits?.pwm_percent ?? 100) / 100) * FULL_TORQUE);
    const least = Math.min(r.torque_max, r.torque_limit);
    const say = `is weakened by a torque limit of ${least / 10} %: set it to ${wanted / 10} %`;
    return problem(least < wanted, `${say}, or calibrate for it`);
  },
  (r, slot) =>
    problem(
      slot?.calibration.drive !== undefined && r.position_p !== slot.calibration.drive.position_p,
      `has a P gain of ${r.position_p}, the calibration ${slot?.calibration.drive?.position_p}: ` +
        'its load is misjudged; correct one of them',
    ),
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
  (r, slot) => {
    if (!slot || (r.position_min === 0 && r.position_max === 0)) return null;
    const units = new JointUnits(slot.calibration);
    const ends = [slot.calibration.min_rad, slot.calibration.max_rad].map((x) => units.toTicks(x));
    const narrow = r.position_min > Math.min(...ends) || r.position_max < Math.max(...ends);
    const range = `${r.position_min}..${r.position_max}`;
    const say = `allows positions ${range} only, less than the calibration`;
    return problem(narrow, `${say}: narrow min_rad and max_rad`);
  },
  (r, slot) => {
    if (!slot) return null;
    const { min_rad, max_rad } = slot.calibration;
    const angle = new JointUnits(slot.calibration).toAngle(intoOneTurn(r.present_position));
    const out = angle < min_rad - RANGE_SLACK_RAD || angle > max_rad + RANGE_SLACK_RAD;
    const say = `stands at ${angle.toFixed(3)} rad, outside of its range`;
    return problem(out, `${say}: move it inside, or calibrate again`);
  },
  (r, slot) => {
    if (!slot || r.torque !== 1) return null;
    const units = new JointUnits(slot.calibration);
    const lag = Math.abs(units.toAngle(r.goal_position) - units.toAngle(r.present_position));
    const say = `holds ${lag.toFixed(3)} rad from its goal: free what blocks it`;
    return problem(lag > HELD_LAG_MAX_RAD, say);
  },
  (r, slot) =>
    problem(
      slot !== null && r.temperature > slot.calibration.temperature_max_c - WARM_K,
      `is at ${r.temperature} °C, near its limit: let it cool down`,
    ),
];
