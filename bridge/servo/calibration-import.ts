/**
 * Calibrations of other programs: LeRobot's JSON (Feetech and DYNAMIXEL servos) and the motor
 * configuration of Interbotix arms (YAML, DYNAMIXEL). Both know ids, ranges and mounting, and not
 * which way a joint of this arm turns, nor where its zero is: the remarks say what to check.
 */

import { failure, type Result, success } from '../../contract/refusal.ts';
import { jointName } from '../../physics/arm/arm-model.ts';
import type { Calibration, ServoFamily } from './calibration.ts';
import { intoOneTurn, VELOCITY_STEP_RAD_S } from './calibration.ts';
import { calibrationOf, jointCalibration, type MountedJoint } from './calibration-procedure.ts';

export interface ImportedCalibration {
  readonly calibration: Calibration;
  /** What the operator has to check or to set. */
  readonly remarks: readonly string[];
}

export interface ImportOptions {
  /** The family of the servos; Interbotix arms are of DYNAMIXEL servos. */
  readonly family: ServoFamily;
  /** Names of the six joints from the base on; absent: all but the gripper. */
  readonly joints?: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** A joint of the other program, as it is mounted. */
interface ForeignJoint extends Omit<MountedJoint, 'ids'> {
  readonly name: string;
  readonly id: number;
  /** Servos that follow it. */
  readonly followers: readonly number[];
}

const JOINTS = 6;
const GRIPPER = 'gripper';
const SHADOW = '_shadow';
/** Position at which Interbotix arms are at zero (steps). */
const INTERBOTIX_ZERO = 2048;

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A whole number of a servo's entry; throws a sentence. */
function whole(entry: Fields, field: string, name: string): number {
  const value = entry[field];
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw new Error(`${name}: ${field} must be a whole number`);
}

function entryOf(entries: Fields, name: string): Fields {
  const entry = entries[name];
  if (isRecord(entry)) return entry;
  throw new Error(`${name} is not in the file`);
}

/** The six joints of the file, or a sentence that asks for --joints. */
function selected(names: readonly string[], wanted: readonly string[] | undefined): string[] {
  const joints = wanted ?? names.filter((name) => name !== GRIPPER && !name.endsWith(SHADOW));
  if (joints.length === JOINTS) return [...joints];
  const has = `has ${joints.length} joints (${joints.join(', ')}), and this arm has ${JOINTS}`;
  throw new Error(`The file ${has}: name six of its entries with --joints, from the base on`);
}

/** LeRobot: positions are corrected by the servo, and the middle of the range is zero. */
function fromLerobot(file: Fields, { family, joints }: ImportOptions) {
  const names = selected(Object.keys(file), joints);
  return names.map((name): ForeignJoint => {
    const entry = entryOf(file, name);
    const [low, high] = [whole(entry, 'range_min', name), whole(entry, 'range_max', name)];
    if (low >= high) throw new Error(`${name}: range_min must be lower than range_max`);
    const offset = whole(entry, 'homing_offset', name);
    // Feetech servos keep the correction; a start of DYNAMIXEL servos sets theirs to 0.
    const shift = family === 'feetech' ? 0 : offset;
    const shadow = file[`${name}${SHADOW}`];
    const zero = intoOneTurn(Math.round((low + high) / 2) - shift);
    const half = (high - low) / 2;
    return {
      name,
      id: whole(entry, 'id', name),
      followers: isRecord(shadow) ? [whole(shadow, 'id', `${name}${SHADOW}`)] : [],
      direction: entry['drive_mode'] === 1 ? -1 : 1,
      zero_ticks: zero,
      ...(family === 'feetech' && { homing_ticks: offset }),
      range_ticks: [Math.max(0, zero - half), Math.min(4095, zero + half)],
    };
  });
}

/** Interbotix: position 2048 is zero; drive modes and second servos are set in the servos. */
function fromInterbotix(file: Fields, { joints }: ImportOptions) {
  const motors = entryOf(file, 'motors');
  const groups = isRecord(file['groups']) ? file['groups'] : {};
  const arm = groups['arm'];
  const listed = Array.isArray(arm) ? arm.map(String) : Object.keys(motors);
  const shadows = isRecord(file['shadows']) ? file['shadows'] : {};
  return selected(listed, joints).map((name): ForeignJoint => {
    const motor = entryOf(motors, name);
    const shadow = shadows[name];
    const list = isRecord(shadow) ? shadow['shadow_list'] : [];
    const followers = (Array.isArray(list) ? list : []).map((one) =>
      whole(entryOf(motors, String(one)), 'ID', String(one)),
    );
    const low = whole(motor, 'Min_Position_Limit', name);
    const high = whole(motor, 'Max_Position_Limit', name);
    return {
      name,
      id: whole(motor, 'ID', name),
      followers,
      direction: 1,
      zero_ticks: INTERBOTIX_ZERO,
      range_ticks: [low, high],
      velocity_max_rad_s: whole(motor, 'Velocity_Limit', name) * VELOCITY_STEP_RAD_S,
    };
  });
}

/** Remarks on drive modes, which must be in the servos already. */
function driveModes(file: Fields): string[] {
  const motors = isRecord(file['motors']) ? file['motors'] : {};
  const reversed = Object.entries(motors).filter(
    ([, motor]) => isRecord(motor) && motor['Drive_Mode'] === 1,
  );
  if (reversed.length === 0) return [];
  const ids = reversed.map(([, motor]) => (motor as Fields)['ID']).join(', ');
  return [`servos ${ids} must have drive mode 1 (reverse), as the file says: it is not written`];
}

const CHECK_ZERO: Readonly<Record<'lerobot' | 'interbotix', string>> = {
  lerobot: 'zero is the middle of each range: correct zero_ticks for the upright arm',
  interbotix: 'zero is position 2048: correct zero_ticks for the upright arm',
};
const CHECK_ALWAYS = [
  'the direction of each joint is that of the other program: turn each joint by hand and compare',
  'currents, torques and temperatures are defaults: set them for the models of your servos',
];

/** Reads a file of LeRobot or Interbotix; or returns what is wrong with it. */
export function importCalibration(
  text: string,
  options: ImportOptions,
): Result<ImportedCalibration, string> {
  const isJson = text.trimStart().startsWith('{');
  try {
    const file: unknown = isJson ? JSON.parse(text) : parseMaps(text);
    if (!isRecord(file)) return failure('The file must hold an entry for each servo');
    const kind = isJson ? 'lerobot' : 'interbotix';
    if (!isJson && options.family !== 'dynamixel') {
      return failure('Interbotix arms have DYNAMIXEL servos: remove --servo-family');
    }
    const found = isJson ? fromLerobot(file, options) : fromInterbotix(file, options);
    const joints = found.map(({ id, followers, name: _, ...mounted }, j) =>
      jointCalibration(j, { ...mounted, ids: [id, ...followers] }),
    );
    const park = file['sleep_positions'];
    const parks = Array.isArray(park) && park.slice(0, JOINTS).every(Number.isFinite);
    const park_rad = parks && park.length >= JOINTS ? { park_rad: park.slice(0, JOINTS) } : {};
    const calibration = { ...calibrationOf(options.family, joints), ...park_rad };
    const named = found.map(({ name }, j) => `${name} is ${jointName(j)}`).join(', ');
    const remarks = [named, CHECK_ZERO[kind], ...driveModes(file), ...CHECK_ALWAYS];
    return success({ calibration, remarks });
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
}

function scalar(text: string): unknown {
  const plain = text.trim().replace(/^(['"])(.*)\1$/, '$2');
  if (plain === 'true' || plain === 'false') return plain === 'true';
  return plain !== '' && Number.isFinite(Number(plain)) ? Number(plain) : plain;
}

function yamlValue(text: string): unknown {
  const list = /^\[(.*)\]$/.exec(text.trim());
  if (!list) return scalar(text);
  return list[1]!.trim() === '' ? [] : list[1]!.split(',').map(scalar);
}

/**
 * Reads the YAML of motor configurations: nested maps by indentation, with numbers, words and lists
 * in brackets. Throws the line that is anything else.
 */
function parseMaps(text: string): Fields {
  const root: Record<string, unknown> = Object.create(null);
  const open: { indent: number; map: Record<string, unknown> }[] = [{ indent: -1, map: root }];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const bare = line.replace(/(^|\s)#.*$/, '').trimEnd();
    if (bare.trim() === '' || bare === '---') continue;
    const parts = /^( *)([\w.-]+):(?:\s+(.*))?$/.exec(bare);
    if (!parts) throw new Error(`Line ${at + 1} is not "name: value": ${bare.trim()}`);
    const [, spaces, name, value] = parts;
    while (open.at(-1)!.indent >= spaces!.length) open.pop();
    const inner: Record<string, unknown> = Object.create(null);
    open.at(-1)!.map[name!] = value === undefined ? inner : yamlValue(value);
    if (value === undefined) open.push({ indent: spaces!.length, map: inner });
  }
  return root;
}
