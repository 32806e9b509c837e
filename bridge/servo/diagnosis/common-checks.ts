/**
 * The checks of registers that servos of any family have, against the calibration: supply, gain,
 * range, place, lag and heat.
 */

import { intoOneTurn, JointUnits } from '../calibration/joint-units.ts';
import type { ServoSlot } from '../calibration/servo-slot.ts';
import { RANGE_SLACK_RAD } from '../goals/goal-range.ts';
import { HELD_LAG_MAX_RAD } from '../start/safe-start.ts';
import { problem, type RegisterFinding } from './register-finding.ts';

/** Positions in steps, voltages in 0.1 V, the temperature in °C. */
export interface CommonRegisters {
  readonly voltage: number;
  readonly voltage_min: number;
  readonly voltage_max: number;
  readonly position_p: number;
  readonly position_min: number;
  readonly position_max: number;
  readonly present_position: number;
  readonly goal_position: number;
  readonly torque: number;
  readonly temperature: number;
}

/** A check; `slot` is null without a calibration that names the servo. */
type CommonCheck = (registers: CommonRegisters, slot: ServoSlot | null) => RegisterFinding | null;

/** What a note says of a setting that a start writes. */
export const CORRECTS = 'a start corrects it';

/** A motor stops at this much below the temperature limit of the calibration (K). */
const WARM_K = 5;

export const checkSupply: CommonCheck = (r) =>
  problem(
    r.voltage < r.voltage_min || r.voltage > r.voltage_max,
    `has a supply of ${r.voltage / 10} V, outside of its limits: check the supply and its wires`,
  );

export const checkGain: CommonCheck = (r, slot) => {
  const drive = slot?.calibration.drive;
  return problem(
    drive !== undefined && r.position_p !== drive.position_p,
    `has a P gain of ${r.position_p}, the calibration ${drive?.position_p}: ` +
      'its load is misjudged; correct one of them',
  );
};

export const checkRange: CommonCheck = (r, slot) => {
  if (!slot) return null;
  const units = new JointUnits(slot.calibration);
  const ends = [slot.calibration.min_rad, slot.calibration.max_rad].map((x) => units.toTicks(x));
  const narrow = r.position_min > Math.min(...ends) || r.position_max < Math.max(...ends);
  const range = `${r.position_min}..${r.position_max}`;
  const say = `allows positions ${range} only, less than the calibration`;
  return problem(narrow, `${say}: narrow min_rad and max_rad`);
};

export const checkPlace: CommonCheck = (r, slot) => {
  if (!slot) return null;
  const { min_rad, max_rad } = slot.calibration;
  const angle = new JointUnits(slot.calibration).toAngle(intoOneTurn(r.present_position));
  const out = angle < min_rad - RANGE_SLACK_RAD || angle > max_rad + RANGE_SLACK_RAD;
  const say = `stands at ${angle.toFixed(3)} rad, outside of its range`;
  return problem(out, `${say}: move it inside, or calibrate again`);
};

export const checkLag: CommonCheck = (r, slot) => {
  if (!slot || r.torque !== 1) return null;
  const units = new JointUnits(slot.calibration);
  const lag = Math.abs(units.toAngle(r.goal_position) - units.toAngle(r.present_position));
  const say = `holds ${lag.toFixed(3)} rad from its goal: free what blocks it`;
  return problem(lag > HELD_LAG_MAX_RAD, say);
};

export const checkHeat: CommonCheck = (r, slot) =>
  problem(
    slot !== null && r.temperature > slot.calibration.temperature_max_c - WARM_K,
    `is at ${r.temperature} °C, near its limit: let it cool down`,
  );
