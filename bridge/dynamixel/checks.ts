/**
 * What doctor and start ask of the registers of one DYNAMIXEL servo: a table of checks, each with
 * the sentence that it gives. Values that are right for a model come from the maker's tables, the
 * rest from the calibration.
 */

import type { Bus } from '../servo/bus/bus.ts';
import type { Calibration } from '../servo/calibration/calibration.ts';
import { isCurrentBased } from '../servo/calibration/calibration.ts';
import type { GripperCalibration } from '../servo/calibration/gripper-calibration.ts';
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
import { DRIVE_MODE_WRONG, REVERSE_BIT, REVERSE_BIT_NAME, SLAVE_BIT } from './drive-mode.ts';
import { FACTORY_LIMITS, SHUTDOWN_ALWAYS } from './factory-limits.ts';
import { HIGHEST_ID } from './instructions.ts';
import { P_DIVISOR } from './joint-lag.ts';
import { SERVO_MODELS } from './models.ts';
import { OPERATING_MODE, PWM_SCALE, type RegisterName, WATCHDOG_TRIPPED } from './registers.ts';
import { judgeLimit, servoLimits } from './servo-limits.ts';
import { readRegister } from './servo-requests.ts';

/** A servo that is looked at; `slot` is null without a calibration that names it. */
export interface CheckedServo {
  readonly id: number;
  /** Model number. */
  readonly model: number;
  readonly slot: ServoSlot | null;
  /** The calibration of the arm; null without one. */
  readonly calibration: Calibration | null;
  /** Ids of all servos that answered. */
  readonly found: readonly number[];
}

/** Registers that the checks read. */
const ALWAYS_READ = [
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

type CheckedName = (typeof ALWAYS_READ)[number] | 'current_limit';

/** The values of those registers; the current limit is 0 where a model has none. */
export type CheckedRegisters = Readonly<Record<CheckedName, number>>;

/** Reads what the checks look at; or the name of the register that a servo does not answer for. */
export async function readChecked(
  bus: Bus,
  { id, model }: Pick<CheckedServo, 'id' | 'model'>,
): Promise<CheckedRegisters | RegisterName> {
  const values: Partial<Record<CheckedName, number>> = { current_limit: 0 };
  const senses = SERVO_MODELS[model]?.current_step_a != null;
  for (const name of senses ? ([...ALWAYS_READ, 'current_limit'] as const) : ALWAYS_READ) {
    const value = await readRegister(bus, id, name);
    if (value === null) return name;
    values[name] = value;
  }
  return values as CheckedRegisters;
}

/** A secondary id that no servo has. */
export const NO_SECONDARY_ID = 255;
/** A shorter watchdog trips in the pauses of a start (20 ms). */
const WATCHDOG_MIN_UNITS = 10;
/** The lag by which the gain of a servo is judged without a calibration (rad). */
const LAG_RAD = 0.25;
/** A P gain above this, several times that of any model at delivery, makes a joint swing. */
const GAIN_MAX = 4000;
/** The gains beside P. */
const GAINS = ['position_i', 'position_d', 'forward_1', 'forward_2'] as const;

/** Whether its mode stays: another one resets gains and goals to those of the factory. */
function keepsMode({ operating_mode }: CheckedRegisters, slot: ServoSlot | null): boolean {
  return operating_mode === OPERATING_MODE[slot?.calibration.mode ?? 'position'];
}

type Check = (
  registers: CheckedRegisters,
  servo: CheckedServo,
) => RegisterFinding | readonly RegisterFinding[] | null;

/** Settings that a start corrects or refuses. */
const SETTINGS: readonly Check[] = [
  (r, { slot }) => {
    const mode = slot?.calibration.mode ?? 'position';
    return corrected(r.operating_mode !== OPERATING_MODE[mode], `is not in ${mode} mode`);
  },
  (r) => corrected(r.return_delay !== 0, 'has a return delay', ['return_delay', 0]),
  (r) => corrected(r.status_level !== 2, 'answers only some requests (status level)'),
  (r) => corrected(r.watchdog === WATCHDOG_TRIPPED, 'was stopped by its watchdog'),
  (r) => {
    const soon = r.watchdog > 0 && r.watchdog < WATCHDOG_MIN_UNITS;
    return corrected(soon, `has a watchdog of ${20 * r.watchdog} ms, which trips between packets`);
  },
  (r) =>
    corrected((r.drive_mode & 4) !== 0, 'has time-based profiles (drive mode)', [
      'drive_mode',
      r.drive_mode & ~DRIVE_MODE_WRONG,
    ]),
  (r) =>
    corrected((r.drive_mode & 8) !== 0, 'switches its torque on with any goal (drive mode bit 3)', [
      'drive_mode',
      r.drive_mode & ~DRIVE_MODE_WRONG,
    ]),
  (r) =>
    problem(
      (r.drive_mode & SLAVE_BIT) !== 0,
      'is the slave of a servo on its sync cable (drive mode bit 1), and holds nothing by its own ' +
        'goal: clear that bit with torque off',
    ),
  (r, { slot, id }) => {
    const known = slot?.calibration.servos?.find((one) => one.id === id);
    const reverse = (r.drive_mode & REVERSE_BIT) !== 0;
    const text = known ? reverseProblem(known, reverse, REVERSE_BIT_NAME) : null;
    return problem(text !== null, text ?? '');
  },
  (r) => corrected(r.profile_velocity !== 0, 'has a profile velocity, which delays it'),
  (r) => corrected(r.profile_acceleration !== 0, 'has a profile acceleration'),
  (r, { slot, id }) =>
    corrected(
      r.homing_offset !== 0 && (slot === null || slot.leader === id),
      'has a homing offset, which calibration replaces',
    ),
  (r) =>
    corrected((r.startup & 1) !== 0, 'switches its torque on at power-up (startup configuration)', [
      'startup',
      0,
    ]),
  (r) =>
    corrected(
      (r.startup & 2) !== 0,
      'restores goals and gains of an earlier day at power-up (startup configuration)',
      ['startup', 0],
    ),
  (r, { slot, id, calibration, found }) => {
    const obeys = r.secondary_id;
    const off = ['secondary_id', NO_SECONDARY_ID] as const;
    const says = `obeys the goals of servo ${obeys} too (secondary id)`;
    if (slot && slot.leader !== id) {
      const wanted = slot.leader;
      return corrected(obeys !== wanted, `does not obey servo ${wanted} of its joint`);
    }
    if (slot)
      return corrected(obeys !== NO_SECONDARY_ID, says, obeys <= HIGHEST_ID ? off : undefined);
    const ids = calibration ? calibration.joints.flatMap((joint) => joint.ids) : [];
    const foreign = `${says} and is not in the calibration: it would move with that joint`;
    if (ids.includes(obeys)) return problem(true, `${foreign}; set it to ${NO_SECONDARY_ID}`, off);
    return note(found.includes(obeys), `${says}, as a second servo of its joint does`);
  },
];

/** Limits of heat and supply that differ from what the model leaves the factory with. */
const PROTECTION: readonly Check[] = [
  (r, { model }) => {
    const most = FACTORY_LIMITS[model]?.temperature_c ?? 100;
    const says = `shuts down at ${r.temperature_limit} °C only: set that limit to ${most}`;
    return problem(r.temperature_limit > most, says, ['temperature_limit', most]);
  },
  (r, { model }) => {
    const wanted = FACTORY_LIMITS[model]?.shutdown ?? SHUTDOWN_ALWAYS;
    const says = `does not shut down for all faults (shutdown ${r.shutdown}): set it to ${wanted}`;
    const lacks = (r.shutdown & wanted) !== wanted;
    return problem(lacks, says, ['shutdown', r.shutdown | wanted]);
  },
  (r, { model }) => {
    const wanted = FACTORY_LIMITS[model]?.shutdown;
    const more = wanted !== undefined && (r.shutdown & ~wanted) !== 0;
    const says = `lets go for more faults than at delivery (shutdown ${r.shutdown}, not ${wanted})`;
    return note(more, `${says}, so that a sag of the supply may drop its joint`);
  },
  (r, { model }) => {
    const least = FACTORY_LIMITS[model]?.voltage[0] ?? 0;
    const says = `works below its supply range: set the limit to ${least / 10} V`;
    return problem(r.voltage_min < least, says, ['voltage_min', least]);
  },
  (r, { model }) => {
    const most = FACTORY_LIMITS[model]?.voltage[1] ?? Number.POSITIVE_INFINITY;
    const says = `works above its supply range: set the limit to ${most / 10} V`;
    return problem(r.voltage_max > most, says, ['voltage_max', most]);
  },
  (r) => checkSupply(r, null),
];

/** Limits and gains that differ from it, and weaken a joint. */
const LIMITS: readonly Check[] = [
  (r, { slot }) => {
    const share = (slot?.calibration.limits?.pwm_percent ?? 100) / 100;
    const wanted = Math.round(share * PWM_SCALE);
    return problem(
      r.pwm_limit < wanted,
      `is weakened by a PWM limit of ${r.pwm_limit}: set it to ${wanted}, or calibrate for it`,
    );
  },
  (r, { slot }) =>
    problem(
      keepsMode(r, slot) && r.goal_pwm < PWM_SCALE && r.goal_pwm < r.pwm_limit,
      `is weakened by a goal PWM of ${r.goal_pwm}: power-cycle it`,
    ),
  (r, { slot }) => checkGain(r, slot),
  (r, servo) => checkStrength(strengthOf(r, servo)),
  (r, { slot }) => {
    const p = slot?.calibration.drive?.position_p ?? r.position_p;
    return problem(p > GAIN_MAX, `has a P gain of ${p}, at which a joint swings: lower it`);
  },
  (r, { slot }) => {
    const drive = slot?.calibration.drive;
    const differs = GAINS.some((name) => drive?.[name] !== undefined && r[name] !== drive[name]);
    return corrected(differs, 'has gains that are not those of the calibration');
  },
  (r, { slot }) => {
    const drive = slot?.calibration.drive;
    const unusual = GAINS.some((name) => drive?.[name] === undefined && r[name] !== 0);
    const says = 'has gains that are not those of the factory; see that it does not oscillate';
    return note(unusual, says);
  },
];

/** What only a calibration can judge: range, speed and heat. */
const CALIBRATED: readonly Check[] = [
  (r, { slot }) => checkRange(r, slot),
  (r, { slot, model }) => {
    const limits = slot ? servoLimits(slot, model) : [];
    return limits.flatMap((limit) => {
      const found = r[limit.name];
      if (judgeLimit(limit, found) !== 'narrow') return [];
      return note(true, narrowLimit(limit.name, found, limit.value)) ?? [];
    });
  },
  (r, { slot }) => checkHeat(r, slot),
];

/** What a start needs of the servo of a gripper, which no joint asks for. */
const GRIPPING: readonly ((
  registers: CheckedRegisters,
  gripper: GripperCalibration,
  step_a: number | null,
) => RegisterFinding | null)[] = [
  (r) => {
    const isOther = r.operating_mode !== OPERATING_MODE.current_based;
    const drops =
      'holds in another mode than current-based, and drops its part when that is corrected';
    if (isOther && r.torque === 1) return problem(true, `${drops}: empty it and release it`);
    return corrected(isOther, 'is not in current-based mode');
  },
  (_, __, step_a) =>
    problem(step_a === null, 'cannot limit its current, by which a gripper grips: use an XM430'),
  (r, { grip_current_a }, step_a) => {
    const grip = step_a === null ? 0 : Math.round(grip_current_a / step_a);
    const says = `is weakened by its current limit of ${r.current_limit}: set it to ${grip} or more`;
    return problem(r.current_limit < grip, says);
  },
];

/** What doctor and start say about one servo, from its registers. */
export function checkRegisters(
  registers: CheckedRegisters,
  servo: CheckedServo,
): RegisterFinding[] {
  const { calibration, model, id } = servo;
  const gripper = calibration?.gripper;
  if (gripper?.id === id) {
    const step_a = SERVO_MODELS[model]?.current_step_a ?? null;
    const own = GRIPPING.flatMap((check) => check(registers, gripper, step_a) ?? []);
    return [...own, ...PROTECTION.flatMap((check) => check(registers, servo) ?? [])];
  }
  return [...SETTINGS, ...PROTECTION, ...LIMITS, ...CALIBRATED].flatMap(
    (check) => check(registers, servo) ?? [],
  );
}

/** What the settings leave a servo of its torque, once a start has corrected what it corrects. */
export function strengthOf(
  r: CheckedRegisters,
  { model, slot, calibration }: Pick<CheckedServo, 'model' | 'slot' | 'calibration'>,
): ServoStrength {
  const joint = slot?.calibration;
  const keeps = keepsMode(r, slot);
  const p = joint?.drive?.position_p ?? (keeps ? r.position_p : PWM_SCALE);
  const lag_rad = calibration?.following_error_rad ?? LAG_RAD;
  const units = new JointUnits(joint ?? { direction: 1, zero_ticks: 0, gear: 1 });
  const lag_ticks = Math.abs(units.toTicks(lag_rad) - units.toTicks(0));
  const integrates = (joint?.drive?.position_i ?? r.position_i) > 0;
  const pwm = (p * lag_ticks) / (P_DIVISOR * PWM_SCALE);
  const settings = [
    { share: r.pwm_limit / PWM_SCALE, by: `its PWM limit of ${r.pwm_limit}` },
    { share: integrates ? 1 : pwm, by: `its P gain of ${p}` },
  ];
  if (keeps) {
    const share = Math.abs(r.goal_pwm) / PWM_SCALE;
    settings.push({ share, by: `its goal PWM of ${r.goal_pwm}` });
  }
  const step_a = SERVO_MODELS[model]?.current_step_a ?? null;
  const stall_n_m = joint?.drive?.stall_torque_n_m;
  if (joint && isCurrentBased(joint) && step_a !== null && stall_n_m !== undefined) {
    const limit_a = Math.min(r.current_limit * step_a, joint.limits?.current_a ?? Infinity);
    const torque_n_m = limit_a * joint.torque_n_m_per_a * joint.ids.length;
    settings.push({ share: torque_n_m / stall_n_m, by: `its current limit of ${r.current_limit}` });
  }
  return weakest(settings);
}
