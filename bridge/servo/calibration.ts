/**
 * The calibration file of an arm of servos: ids, direction, zero position and range of each joint.
 * It is stored on the host; the servos' own homing offsets stay 0. Each problem in a file is a
 * message with place and remedy.
 */
import { failure, type Problem, type Result, success } from '../../contract/result.ts';
import {
  DRIVE,
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
  VELOCITY_MAX_RAD_S,
} from '../../physics/arm/arm-model.ts';
import { HIGHEST_ID } from '../bus/instructions.ts';
import { type JointMounting, JointUnits, TICKS_PER_TURN } from './joint-units.ts';

/**
 * How a joint with a proportional position loop answers load and speed. Only for arms with the
 * masses of the twin's model; without it the driver makes up for no load.
 */
export interface JointDriveModel {
  /** P gain of the position loop (register value). */
  readonly position_p: number;
  /** Torque of all servos of the joint at stall and nominal supply (N m). */
  readonly stall_torque_n_m: number;
  /** Speed without load at nominal supply (rad/s). */
  readonly no_load_rad_s: number;
}

export interface JointCalibration extends JointMounting {
  /** The leading servo, then those that follow it by their secondary id. */
  readonly ids: readonly number[];
  readonly min_rad: number;
  readonly max_rad: number;
  readonly velocity_max_rad_s: number;
  readonly temperature_max_c: number;
  /** Torque at the joint per ampere (N m/A). */
  readonly torque_n_m_per_a: number;
  /** A current above this without motion is a stall (A). */
  readonly stall_current_a: number;
  readonly drive?: JointDriveModel;
}

/** A servo and its joint; a joint with several has one leader, and the others obey its id too. */
export interface ServoSlot {
  readonly joint: number;
  readonly id: number;
  readonly leader: number;
  readonly calibration: JointCalibration;
}

/** All servos of an arm, from the base on, leaders before their followers. */
export function servoSlots({ joints }: Calibration): readonly ServoSlot[] {
  return joints.flatMap((calibration, joint) =>
    calibration.ids.map((id) => ({ joint, id, leader: calibration.ids[0]!, calibration })),
  );
}

/** Wiring of the emergency stop contact: a port of a servo that has ports. */
export interface EmergencyStopWiring {
  readonly id: number;
  readonly port: 1 | 2 | 3;
}

export interface Calibration {
  readonly format: 1;
  /** Lag that counts as a following error (rad). */
  readonly following_error_rad: number;
  /** The six joints, from the base on. */
  readonly joints: readonly JointCalibration[];
  /** Absent when no emergency stop is wired to the servos. */
  readonly emergency_stop?: EmergencyStopWiring;
}

type NumberField = Exclude<keyof JointCalibration, 'ids' | 'drive'>;

interface FieldRule {
  readonly lowest: number;
  readonly highest: number;
  readonly whole?: true;
  readonly description: string;
}

const FIELDS: Readonly<Record<NumberField, FieldRule>> = {
  direction: {
    lowest: -1,
    highest: 1,
    whole: true,
    description: '1, or -1 when the servo turns against its joint',
  },
  zero_ticks: {
    lowest: -1_048_575,
    highest: 1_048_575,
    whole: true,
    description: 'the servo position at joint angle zero',
  },
  gear: { lowest: 0.01, highest: 1000, description: 'turns of the servo for one of the joint' },
  min_rad: { lowest: -7, highest: 7, description: 'the lowest joint angle in radians' },
  max_rad: { lowest: -7, highest: 7, description: 'the highest joint angle in radians' },
  velocity_max_rad_s: {
    lowest: 0.01,
    highest: 20,
    description: 'the highest joint speed in radians a second',
  },
  temperature_max_c: {
    lowest: 20,
    highest: 100,
    description: 'the highest temperature in degrees Celsius',
  },
  torque_n_m_per_a: {
    lowest: 0,
    highest: 1000,
    description: 'torque at the joint for each ampere',
  },
  stall_current_a: {
    lowest: 0.01,
    highest: 100,
    description: 'the current in ampere that means a stall',
  },
};

const DRIVE_FIELDS: Readonly<Record<keyof JointDriveModel, FieldRule>> = {
  position_p: { lowest: 1, highest: 16_383, description: 'the P gain of the position loop' },
  stall_torque_n_m: { lowest: 0.01, highest: 1000, description: 'the torque at stall' },
  no_load_rad_s: { lowest: 0.1, highest: 50, description: 'the speed without load' },
};

function numberProblems(
  value: Readonly<Record<string, unknown>>,
  path: string,
  fields: Readonly<Record<string, FieldRule>> = FIELDS,
): Problem[] {
  return Object.entries(fields).flatMap(([name, { lowest, highest, whole, description: say }]) => {
    const number = value[name];
    const fits =
      typeof number === 'number' &&
      number >= lowest &&
      number <= highest &&
      (!whole || Number.isInteger(number)) &&
      !(name === 'direction' && number === 0);
    const range = `a ${whole ? 'whole ' : ''}number from ${lowest} to ${highest}`;
    return fits ? [] : [{ path: `${path}/${name}`, problem: `must be ${range}: ${say}` }];
  });
}

function idProblems(ids: unknown, path: string): Problem[] {
  const usable = (id: unknown) =>
    Number.isInteger(id) && Number(id) >= 0 && Number(id) <= HIGHEST_ID;
  if (Array.isArray(ids) && ids.length > 0 && ids.every(usable)) return [];
  return [
    { path: `${path}/ids`, problem: `must list at least one servo id from 0 to ${HIGHEST_ID}` },
  ];
}

/** Problems of a joint that involve several fields. */
function jointProblems(joint: JointCalibration, path: string): Problem[] {
  if (joint.min_rad >= joint.max_rad) {
    return [{ path, problem: 'min_rad must be lower than max_rad: swap them' }];
  }
  const units = new JointUnits(joint);
  const ends = [units.toTicks(joint.min_rad), units.toTicks(joint.max_rad)];
  const outside = ends.filter((ticks) => ticks < 0 || ticks >= TICKS_PER_TURN);
  if (outside.length === 0) return [];
  const problem =
    `its range needs servo positions ${Math.min(...ends)} to ${Math.max(...ends)}, but the servo ` +
    `has 0 to ${TICKS_PER_TURN - 1}: narrow min_rad and max_rad, or remount the horn for a zero ` +
    'near 2048';
  return [{ path, problem }];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fileProblems(value: Readonly<Record<string, unknown>>): Problem[] {
  const { format, following_error_rad: lag, joints } = value;
  const problems: Problem[] = [];
  if (format !== 1) problems.push({ path: '/format', problem: 'must be 1' });
  if (!(typeof lag === 'number' && lag >= 0.01 && lag <= 1)) {
    const problem =
      'must be a number from 0.01 to 1: the lag in radians that counts as not following';
    problems.push({ path: '/following_error_rad', problem });
  }
  problems.push(...stopProblems(value['emergency_stop']));
  if (!Array.isArray(joints) || joints.length !== 6) {
    problems.push({ path: '/joints', problem: 'must list six joints, from the base on' });
    return problems;
  }
  joints.forEach((joint: unknown, j) => {
    const path = `/joints/${j}`;
    if (!isRecord(joint)) problems.push({ path, problem: 'must be an object' });
    else problems.push(...idProblems(joint['ids'], path), ...numberProblems(joint, path));
    const drive = isRecord(joint) ? joint['drive'] : undefined;
    const inside = `${path}/drive`;
    if (isRecord(drive)) problems.push(...numberProblems(drive, inside, DRIVE_FIELDS));
    else if (drive !== undefined) problems.push({ path: inside, problem: 'must be an object' });
  });
  return problems;
}

function stopProblems(stop: unknown): Problem[] {
  if (stop === undefined) return [];
  const wiring: Readonly<Record<string, unknown>> = isRecord(stop) ? stop : {};
  const { id, port } = wiring;
  if (Number.isInteger(id) && (port === 1 || port === 2 || port === 3)) return [];
  const problem = 'must name a servo by its id and a port from 1 to 3, as {"id": 1, "port": 1}';
  return [{ path: '/emergency_stop', problem }];
}

/** The emergency stop must be wired to a servo of a joint. */
function unusedStopServo({ joints, emergency_stop: stop }: Calibration): Problem[] {
  if (!stop || joints.some(({ ids }) => ids.includes(stop.id))) return [];
  const problem = `names servo ${stop.id}, which drives no joint: wire it to a servo of a joint`;
  return [{ path: '/emergency_stop', problem }];
}

function sharedIds(joints: readonly JointCalibration[]): Problem[] {
  const seen = new Map<number, number>();
  return joints.flatMap(({ ids }, j) =>
    ids.flatMap((id): Problem[] => {
      const before = seen.get(id);
      seen.set(id, j);
      const problem = `servo ${id} is already used by joint ${before}: each servo drives one joint`;
      return before === undefined ? [] : [{ path: `/joints/${j}/ids`, problem }];
    }),
  );
}

/** Parses a calibration file; returns it, or problems with place and remedy. */
export function parseCalibration(text: string): Result<Calibration, readonly Problem[]> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return failure([{ path: 'the file', problem: `is not JSON: ${(error as Error).message}` }]);
  }
  if (!isRecord(value)) return failure([{ path: 'the file', problem: 'must be an object' }]);
  const problems = fileProblems(value);
  if (problems.length > 0) return failure(problems);
  const calibration = value as object as Calibration;
  const further = [
    ...sharedIds(calibration.joints),
    ...unusedStopServo(calibration),
    ...calibration.joints.flatMap((joint, j) => jointProblems(joint, `/joints/${j}`)),
  ];
  return further.length > 0 ? failure(further) : success(calibration);
}

/** Speed limit of a joint relative to the limit of planned motion. */
const SPEED_RESERVE = 1.1;
/** Current at stall (A) and speed without load (rad/s) of the emulated servos. */
const EMULATED_MOTORS = [0, 1, 2, 3, 4, 5].map((j) =>
  j < 3
    ? { stall_a: 4.4, no_load_rad_s: Math.PI }
    : { stall_a: 2.3, no_load_rad_s: (46 * Math.PI) / 30 },
);
const FACTORY_P = 800;

/** Calibration of the emulated servos with ideal drives. */
export const IDEAL_CALIBRATION: Calibration = {
  format: 1,
  following_error_rad: 0.25,
  joints: EMULATED_MOTORS.map(({ stall_a }, j) => ({
    ids: [j + 1],
    direction: 1,
    zero_ticks: 2048,
    gear: 1,
    min_rad: JOINT_MIN_RAD[j]!,
    max_rad: JOINT_MAX_RAD[j]!,
    velocity_max_rad_s: SPEED_RESERVE * VELOCITY_MAX_RAD_S[j]!,
    temperature_max_c: 70,
    torque_n_m_per_a: DRIVE.torque_max_n_m[j]! / stall_a,
    stall_current_a: 0.9 * stall_a,
  })),
};

/** Calibration of the emulated servos as they leave the factory. */
export const EMULATED_CALIBRATION: Calibration = {
  ...IDEAL_CALIBRATION,
  joints: IDEAL_CALIBRATION.joints.map((joint, j) => ({
    ...joint,
    drive: {
      position_p: FACTORY_P,
      stall_torque_n_m: DRIVE.torque_max_n_m[j]!,
      no_load_rad_s: EMULATED_MOTORS[j]!.no_load_rad_s,
    },
  })),
};
