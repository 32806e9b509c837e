/** Reads a calibration from a file; each problem is a message with place and remedy. */

import { readFileSync } from 'node:fs';
import { otherArmProblem } from '../../../arms/arm-mark.ts';
import { otherKindProblem, textKind } from '../../../contract/document-kind.ts';
import type { Problem } from '../../../contract/problem.ts';
import { failure, type Result, success } from '../../../contract/result.ts';
import { jointName } from '../../../physics/arm/arm-model.ts';
import type { ServoFamily } from '../servo-family.ts';
import type {
  Calibration,
  JointCalibration,
  JointDriveModel,
  ServoLimitSettings,
} from './calibration.ts';
import { GRIPPER_TRAVEL_MIN_TICKS, type GripperCalibration } from './gripper-calibration.ts';
import { JointUnits, TICKS_PER_TURN } from './joint-units.ts';
import { isRecord } from './record.ts';

type GripperNumber = Exclude<
  keyof GripperCalibration,
  'id' | 'servo' | 'output' | 'part_present_input'
>;
type NumberField = Exclude<keyof JointCalibration, 'ids' | 'servos' | 'limits' | 'drive' | 'mode'>;

interface FieldRule {
  readonly lowest: number;
  readonly highest: number;
  readonly whole?: true;
  readonly optional?: true;
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
  homing_ticks: {
    lowest: -2047,
    highest: 2047,
    whole: true,
    optional: true,
    description: 'the position correction that the leading servo keeps',
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
  position_i: { lowest: 0, highest: 16_383, optional: true, description: 'its I gain' },
  position_d: { lowest: 0, highest: 16_383, optional: true, description: 'its D gain' },
  forward_1: { lowest: 0, highest: 16_383, optional: true, description: 'its speed feed-forward' },
  forward_2: { lowest: 0, highest: 16_383, optional: true, description: 'its second feed-forward' },
  stall_torque_n_m: { lowest: 0.01, highest: 1000, description: 'the torque at stall' },
  no_load_rad_s: { lowest: 0.1, highest: 50, description: 'the speed without load' },
};

const LIMIT_FIELDS: Readonly<Record<keyof ServoLimitSettings, FieldRule>> = {
  current_a: {
    lowest: 0.01,
    highest: 10,
    optional: true,
    description: 'the highest current of a servo in ampere',
  },
  pwm_percent: {
    lowest: 10,
    highest: 100,
    optional: true,
    description: 'the highest share of the supply voltage in percent',
  },
};

const GRIPPER_FIELDS: Readonly<Record<GripperNumber, FieldRule>> = {
  open_ticks: {
    lowest: -1_048_575,
    highest: 1_048_575,
    whole: true,
    description: 'the position of its servo with the jaws open',
  },
  closed_ticks: {
    lowest: -1_048_575,
    highest: 1_048_575,
    whole: true,
    description: 'the position of its servo with the jaws shut',
  },
  grip_current_a: {
    lowest: 0.05,
    highest: 10,
    description: 'the current in ampere with which it grips',
  },
  temperature_max_c: {
    lowest: 20,
    highest: 100,
    description: 'the highest temperature in degrees Celsius',
  },
};

function numberProblems(
  value: Readonly<Record<string, unknown>>,
  path: string,
  fields: Readonly<Record<string, FieldRule>> = FIELDS,
): Problem[] {
  return Object.entries(fields).flatMap(([name, rule]) => {
    const { lowest, highest, whole, description: say } = rule;
    const number = value[name];
    if (rule.optional && number === undefined) return [];
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

function idProblems(ids: unknown, path: string, { highest_id }: ServoFamily): Problem[] {
  const usable = (id: unknown) =>
    Number.isInteger(id) && Number(id) >= 0 && Number(id) <= highest_id;
  if (Array.isArray(ids) && ids.length > 0 && ids.every(usable)) return [];
  return [
    { path: `${path}/ids`, problem: `must list at least one servo id from 0 to ${highest_id}` },
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

const FILE_NAMES = [
  ...['format', 'arm', 'family', 'following_error_rad', 'joints'],
  ...['park_rad', 'emergency_stop', 'gripper'],
];
const GRIPPER_NAMES = ['id', 'servo', 'output', 'part_present_input'];
const SIGNALS = ['d0', 'd1', 'd2', 'd3', 'ee_d0', 'ee_d1'];
const JOINT_NAMES = [...Object.keys(FIELDS), 'ids', 'servos', 'limits', 'mode', 'drive'];
const STOP_NAMES = ['id', 'port'];

/** A misspelled field would be a limit or an emergency stop that is absent. */
function unknownFields(value: object, path: string, names: readonly string[]): Problem[] {
  return Object.keys(value)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const problem = `is no field of a calibration; there are ${names.join(', ')}`;
      return { path: `${path}/${name}`, problem };
    });
}

function fileProblems(
  value: Readonly<Record<string, unknown>>,
  families: readonly ServoFamily[],
): Problem[] {
  const { format, following_error_rad: lag, joints } = value;
  const problems: Problem[] = [];
  if (format !== 1) problems.push({ path: '/format', problem: 'must be 1' });
  const otherArm = otherArmProblem(value['arm']);
  if (otherArm !== null) problems.push({ path: '/arm', problem: otherArm });
  const family = families.find(({ name }) => name === value['family']);
  if (!family) {
    const names = families.map(({ name }) => name).join(' or ');
    problems.push({ path: '/family', problem: `must be the family of the servos: ${names}` });
  }
  if (!(typeof lag === 'number' && lag >= 0.01 && lag <= 1)) {
    const problem =
      'must be a number from 0.01 to 1: the lag in radians that counts as not following';
    problems.push({ path: '/following_error_rad', problem });
  }
  problems.push(...stopProblems(value['emergency_stop']), ...parkProblems(value['park_rad']));
  problems.push(...unknownFields(value, '', FILE_NAMES));
  if (!Array.isArray(joints) || joints.length !== 6) {
    problems.push({ path: '/joints', problem: 'must list six joints, from the base on' });
    return problems;
  }
  // What is right for a joint depends on the family.
  if (!family) return problems;
  problems.push(...gripperProblems(value['gripper'], family));
  joints.forEach((joint: unknown, j) => {
    const path = `/joints/${j}`;
    if (!isRecord(joint)) problems.push({ path, problem: 'must be an object' });
    else problems.push(...idProblems(joint['ids'], path, family), ...numberProblems(joint, path));
    if (!isRecord(joint)) return;
    problems.push(
      ...unknownFields(joint, path, JOINT_NAMES),
      ...partProblems(joint['drive'], `${path}/drive`, DRIVE_FIELDS),
      ...partProblems(joint['limits'], `${path}/limits`, LIMIT_FIELDS),
      ...servoProblems(joint, `${path}/servos`, family),
      ...modeProblems(joint, `${path}/mode`, { family, joints }),
    );
  });
  return problems;
}

/** Problems of the control mode: a limit of the current needs the torque that a motion needs. */
function modeProblems(
  { mode, drive }: Readonly<Record<string, unknown>>,
  path: string,
  { family, joints }: { readonly family: ServoFamily; readonly joints: readonly unknown[] },
): Problem[] {
  if (mode === undefined || mode === 'position') return [];
  if (mode !== 'current_based') return [{ path, problem: 'must be position or current_based' }];
  if (!family.has_current_control) {
    return [{ path, problem: `must be position: ${family.title} servos have no current control` }];
  }
  const known = joints.every((joint) => isRecord(joint) && joint['drive']);
  if (!known) return [{ path, problem: 'current_based needs drive in each joint' }];
  const damped = isRecord(drive) && Number(drive['position_d'] ?? 0) > 0;
  if (damped) return [];
  return [{ path, problem: 'current_based needs position_d in drive: the joint swings without' }];
}

/** Problems of an optional object of numbers. */
function partProblems(
  part: unknown,
  path: string,
  fields: Readonly<Record<string, FieldRule>>,
): Problem[] {
  if (part === undefined) return [];
  if (!isRecord(part)) return [{ path, problem: 'must be an object' }];
  return [...unknownFields(part, path, Object.keys(fields)), ...numberProblems(part, path, fields)];
}

/** Problems of the list of servos that were calibrated: one entry for each id, in their order. */
function servoProblems(
  joint: Readonly<Record<string, unknown>>,
  path: string,
  { models }: ServoFamily,
): Problem[] {
  const { servos, ids } = joint;
  if (servos === undefined) return [];
  const known: readonly unknown[] = models;
  const entries = (Array.isArray(servos) ? servos : []).map((one: unknown) =>
    isRecord(one) &&
    (one['model'] === undefined || known.includes(one['model'])) &&
    (one['firmware'] === undefined || Number.isInteger(one['firmware'])) &&
    (one['reverse'] === undefined || typeof one['reverse'] === 'boolean')
      ? one['id']
      : null,
  );
  if (Array.isArray(servos) && JSON.stringify(entries) === JSON.stringify(ids)) return [];
  const entry = JSON.stringify({ id: 1, model: models[0], firmware: 45 });
  return [{ path, problem: `must name each servo of ids in that order, as ${entry}` }];
}

function gripperProblems(gripper: unknown, family: ServoFamily): Problem[] {
  const path = '/gripper';
  if (gripper === undefined) return [];
  if (!isRecord(gripper)) return [{ path, problem: 'must be an object' }];
  if (!family.drives_gripper) {
    return [{ path, problem: `${family.title} servos drive no gripper: remove it` }];
  }
  const { id, servo, open_ticks, closed_ticks } = gripper;
  const problems = [
    ...unknownFields(gripper, path, [...GRIPPER_NAMES, ...Object.keys(GRIPPER_FIELDS)]),
    ...numberProblems(gripper, path, GRIPPER_FIELDS),
    ...idProblems([id], path, family).map(() => ({
      path: `${path}/id`,
      problem: `must be a servo id from 0 to ${family.highest_id}`,
    })),
    ...(servo === undefined ? [] : servoProblems({ ids: [id], servos: [servo] }, path, family)),
    ...['output', 'part_present_input']
      .filter((name) => !SIGNALS.includes(String(gripper[name])))
      .map((name) => ({
        path: `${path}/${name}`,
        problem: `must be a digital signal: ${SIGNALS.join(', ')}`,
      })),
  ];
  if (problems.length > 0) return problems;
  const travel = Math.abs(Number(open_ticks) - Number(closed_ticks));
  if (travel >= GRIPPER_TRAVEL_MIN_TICKS) return [];
  const problem = `opens by ${travel} steps only: calibrate it again, open and shut`;
  return [{ path, problem }];
}

function parkProblems(park: unknown): Problem[] {
  if (park === undefined) return [];
  const fits = Array.isArray(park) && park.length === 6 && park.every(Number.isFinite);
  if (fits) return [];
  const problem = 'must list six joint angles in radians, in which the arm lies on its support';
  return [{ path: '/park_rad', problem }];
}

function stopProblems(stop: unknown): Problem[] {
  if (stop === undefined) return [];
  const wiring: Readonly<Record<string, unknown>> = isRecord(stop) ? stop : {};
  const { id, port } = wiring;
  if (Number.isInteger(id) && (port === 1 || port === 2 || port === 3)) {
    return unknownFields(wiring, '/emergency_stop', STOP_NAMES);
  }
  const problem = 'must name a servo by its id and a port from 1 to 3, as {"id": 1, "port": 1}';
  return [{ path: '/emergency_stop', problem }];
}

/** The emergency stop must be wired to a servo of a joint. */
function unusedStopServo({ joints, emergency_stop: stop }: Calibration): Problem[] {
  if (!stop || joints.some(({ ids }) => ids.includes(stop.id))) return [];
  const problem = `names servo ${stop.id}, which drives no joint: wire it to a servo of a joint`;
  return [{ path: '/emergency_stop', problem }];
}

function gripperOfJoint({ joints, gripper }: Calibration): Problem[] {
  const joint = joints.findIndex(({ ids }) => gripper !== undefined && ids.includes(gripper.id));
  if (joint < 0) return [];
  const problem = `is servo ${gripper!.id}, which drives ${jointName(joint)}: name that of the gripper`;
  return [{ path: '/gripper/id', problem }];
}

function sharedIds(joints: readonly JointCalibration[]): Problem[] {
  const seen = new Map<number, number>();
  return joints.flatMap(({ ids }, j) =>
    ids.flatMap((id): Problem[] => {
      const before = seen.get(id);
      seen.set(id, j);
      if (before === undefined) return [];
      const user = jointName(before);
      const problem = `servo ${id} is already used by ${user}: each servo drives one joint`;
      return [{ path: `/joints/${j}/ids`, problem }];
    }),
  );
}

/** Parses the calibration of servos of any of these families; or returns what is wrong with it. */
export function parseCalibration(
  text: string,
  families: readonly ServoFamily[],
): Result<Calibration, readonly Problem[]> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return failure([{ path: 'the file', problem: `is not JSON: ${(error as Error).message}` }]);
  }
  if (!isRecord(value)) return failure([{ path: 'the file', problem: 'must be an object' }]);
  const problems = fileProblems(value, families);
  if (problems.length > 0) return failure(problems);
  const calibration = value as object as Calibration;
  const further = [
    ...sharedIds(calibration.joints),
    ...unusedStopServo(calibration),
    ...gripperOfJoint(calibration),
    ...calibration.joints.flatMap((joint, j) => jointProblems(joint, `/joints/${j}`)),
  ];
  return further.length > 0 ? failure(further) : success(calibration);
}

/** Problems of a calibration that its text lists. */
const PROBLEMS_MAX = 8;

/** Reads a calibration from a file; the failure is a text with the file and its first problems. */
export function readCalibration(
  file: string,
  families: readonly ServoFamily[],
): Result<Calibration, string> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem =
      code === 'ENOENT' ? 'does not exist; armtwin calibrate makes it' : 'cannot be read';
    return failure(`${file} ${problem} (${code})`);
  }
  const otherKind = otherKindProblem(textKind(text), 'calibration');
  if (otherKind !== null) return failure(`${file} ${otherKind}`);
  const parsed = parseCalibration(text, families);
  if (parsed.ok) return parsed;
  const lines = parsed.error.map(({ path, problem }) => `  ${path} ${problem}`);
  // A file of another kind has many.
  if (lines.length > PROBLEMS_MAX) lines.splice(PROBLEMS_MAX, lines.length, '  and more');
  return failure(`${file} is not a valid calibration:\n${lines.join('\n')}`);
}
