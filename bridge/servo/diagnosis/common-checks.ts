/**
 * The checks of registers that servos of any family have, against the calibration: supply, gain,
 * range, heat, strength, and where a joint stands and holds. Doctor and start use the same.
 */

import { JointUnits } from '../calibration/joint-units.ts';
import type { ServoSlot } from '../calibration/servo-slot.ts';
import { RANGE_SLACK_RAD } from '../goals/goal-range.ts';
import { type ServoStrength, SHARE_MIN } from '../start/holding-torque.ts';
import { corrected, note, problem, type RegisterFinding } from './register-finding.ts';

/** Positions in steps, voltages in 0.1 V, the temperature in °C. */
export interface CommonRegisters {
  readonly voltage: number;
  readonly voltage_min: number;
  readonly voltage_max: number;
  readonly position_p: number;
  readonly position_min: number;
  readonly position_max: number;
  readonly temperature: number;
  readonly temperature_limit: number;
}

/** A check; `slot` is null without a calibration that names the servo. */
type CommonCheck = (registers: CommonRegisters, slot: ServoSlot | null) => RegisterFinding | null;

/** A motor stops at this much below the temperature limit of the calibration (K). */
const WARM_K = 5;
/** A supply nearer to a limit of its servo than this trips it with each sag (0.1 V). */
const SUPPLY_RESERVE = 5;
/** A joint that holds farther from its goal than this pushes against something (rad). */
export const HELD_LAG_MAX_RAD = 0.35;

export const checkSupply: CommonCheck = (r) => {
  const volts = `has a supply of ${r.voltage / 10} V`;
  const [low, high] = [r.voltage_min / 10, r.voltage_max / 10];
  if (r.voltage < r.voltage_min || r.voltage > r.voltage_max) {
    return problem(true, `${volts}, outside of its limits: check the supply and its wires`);
  }
  const spare = Math.min(r.voltage - r.voltage_min, r.voltage_max - r.voltage);
  const near = `${volts}, near a limit of its own (${low}..${high} V), so that a sag stops it`;
  return note(spare < SUPPLY_RESERVE, `${near}: restore the limits of its maker`);
};

export const checkGain: CommonCheck = (r, slot) => {
  const drive = slot?.calibration.drive;
  const has = `has a P gain of ${r.position_p}, the calibration ${drive?.position_p}`;
  return corrected(drive !== undefined && r.position_p !== drive.position_p, has);
};

export const checkRange: CommonCheck = (r, slot) => {
  if (!slot) return null;
  const units = new JointUnits(slot.calibration);
  const ends = [slot.calibration.min_rad, slot.calibration.max_rad].map((x) => units.toTicks(x));
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const none = r.position_min >= high || r.position_max <= low;
  const has = `has position limits (${r.position_min}..${r.position_max})`;
  const says = `${has} that leave its joint no range inside the calibration`;
  return problem(none, `${says}: widen them, or calibrate again`);
};

/** What is said of a limit in a servo that is narrower than the calibration: it stays. */
export function narrowLimit(name: string, found: number, value: number): string {
  return `keeps ${name} = ${found}, narrower than the calibration (${value})`;
}

export const checkHeat: CommonCheck = (r, slot) => {
  if (!slot) return null;
  const { temperature_max_c } = slot.calibration;
  const at = `is at ${r.temperature} °C`;
  if (r.temperature > temperature_max_c) {
    return problem(true, `${at}, above its limit (${temperature_max_c} °C): let it cool down`);
  }
  if (r.temperature_limit < temperature_max_c) {
    const first = `lets go at ${r.temperature_limit} °C by itself, before the arm would stop`;
    const limit = `at the limit of the calibration (${temperature_max_c} °C)`;
    return problem(true, `${first} ${limit}: correct one of them`);
  }
  return note(r.temperature > temperature_max_c - WARM_K, `${at}, near its limit: let it cool`);
};

/** What a servo has of its torque must be enough for some arm; `remedy` ends the sentence. */
export function checkStrength({ share, by }: ServoStrength): RegisterFinding | null {
  const has = `can give ${Math.round(100 * share)} % of its torque by ${by}`;
  return problem(share < SHARE_MIN, `${has}, which holds no arm: raise that setting`);
}

/** What is wrong with the angle of a joint (rad), as the rest of a sentence about it; or null. */
export function placeProblem({ calibration }: ServoSlot, angle_rad: number): string | null {
  const { min_rad, max_rad } = calibration;
  const inside = angle_rad >= min_rad - RANGE_SLACK_RAD && angle_rad <= max_rad + RANGE_SLACK_RAD;
  if (inside) return null;
  const range = `${min_rad.toFixed(3)}..${max_rad.toFixed(3)}`;
  const where = `is at ${angle_rad.toFixed(3)} rad, outside of its ${range}`;
  const remedy = 'move it inside by hand (armtwin release frees an arm that holds)';
  return `${where}: ${remedy}, or calibrate again`;
}

/** The same for a joint that holds so far from its goal (rad). */
export function lagProblem(lag_rad: number): string | null {
  if (Math.abs(lag_rad) <= HELD_LAG_MAX_RAD) return null;
  const pushes = `holds ${Math.abs(lag_rad).toFixed(3)} rad from its goal`;
  return `${pushes}: free what blocks it, or support the arm and power-cycle`;
}

/**
 * What is wrong with the direction in which a servo counts, against the one that was calibrated;
 * or null. `bit` names the bit that turns it.
 */
export function reverseProblem(
  { reverse }: { readonly reverse?: boolean },
  found: boolean,
  bit: string,
): string | null {
  if (reverse === undefined || reverse === found) return null;
  const [has, had] = found
    ? ['counts in reverse', 'did not']
    : ['does not count in reverse', 'did'];
  const set = `set ${bit} to ${reverse ? 1 : 0} with torque off`;
  return `${has} and ${had} when it was calibrated: ${set}, or calibrate again`;
}
