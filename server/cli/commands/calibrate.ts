/**
 * `armtwin calibrate --bus NAME --out FILE`: measures how the servos are mounted, with the torque
 * off, and writes a calibration file; or makes one from the file of another program. Exits with 0,
 * with 1 when it failed, with 2 on invalid flags.
 */

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { ARM, BOUND_ARM } from '../../../arms/bound-arm.ts';
import type { Bus } from '../../../bridge/servo/bus/bus.ts';
import { createBus } from '../../../bridge/servo/bus/create-bus.ts';
import { parseCalibration } from '../../../bridge/servo/calibration/calibration-file.ts';
import {
  calibrateServos,
  type GripperToCalibrate,
} from '../../../bridge/servo/calibration/calibration-procedure.ts';
import {
  USUAL_GRIP_SHARE,
  USUAL_GRIPPER_SIGNALS,
} from '../../../bridge/servo/calibration/gripper-calibration.ts';
import { importCalibration } from '../../../bridge/servo/calibration/import/calibration-import.ts';
import type { ServoFamily } from '../../../bridge/servo/servo-family.ts';
import { FAMILIES, familyOf, otherFamilies } from '../../../bridge/servo-families.ts';
import { parseBusAddress } from '../../../bridge/transport/bus-address.ts';
import { systemBusClock } from '../../../bridge/transport/bus-clock.ts';
import { failure, type Result, success } from '../../../contract/result.ts';
import type { CommandOutput } from '../command-output.ts';
import { requireWritable } from '../result-files.ts';
import { writeDocument } from '../result-writer.ts';

/** Input and output of the command. */
export interface CommandTerminal extends CommandOutput {
  readonly input: NodeJS.ReadableStream;
}

type CommandFlags = Readonly<Record<string, unknown>>;
type JointIds = readonly (readonly number[])[];

const JOINTS = 6;

/** Parses a list of ids, servos of one joint joined by +; null unless it has six joints. */
function idsFrom(list: string, highest_id: number): JointIds | null {
  const joints = list
    .split(',')
    .map((joint) =>
      joint.split('+').map((id) => (/^ *\d+ *$/.test(id) ? Number(id) : highest_id + 1)),
    );
  const ids = joints.flat();
  const isFit = ids.every((id) => id <= highest_id) && new Set(ids).size === ids.length;
  return isFit && joints.length === JOINTS ? joints : null;
}

/** The servos of an arm by joint, and that of its gripper. */
interface ArmIds {
  readonly joints: JointIds;
  readonly gripper?: number;
}

/** The servos of this arm as its maker sets them up, where they are of this family; else null. */
function idsOfArm({ name }: ServoFamily): ArmIds | null {
  const { servos } = ARM;
  if (servos?.family !== name) return null;
  const joints = Array.from({ length: JOINTS }, (_, j) =>
    servos.list.filter(({ joint }) => joint === j).map(({ id }) => id),
  );
  return { joints, ...(servos.gripper && { gripper: servos.gripper.id }) };
}

/** Whether a flag is the id of a servo beside those of the joints. */
function isId(flag: unknown, { highest_id }: ServoFamily, joints: JointIds | null): boolean {
  const id = Number(flag);
  return /^\d+$/.test(String(flag)) && id <= highest_id && !joints?.flat().includes(id);
}

/** The servos on the line: six of an unknown arm, or those of this arm, with or without gripper. */
async function idsOn(bus: Bus, family: ServoFamily): Promise<Result<ArmIds, string>> {
  const ids = [...(await family.scan(bus))].sort((a, b) => a - b);
  const own = idsOfArm(family);
  const missing = own?.joints.flat().filter((id) => !ids.includes(id)) ?? [];
  const hasGripper = own?.gripper !== undefined && ids.includes(own.gripper);
  const expected = own ? own.joints.flat().length + (hasGripper ? 1 : 0) : JOINTS;
  if (own && missing.length === 0 && ids.length === expected) {
    return success(hasGripper ? own : { joints: own.joints });
  }
  if (!own && ids.length === JOINTS) return success({ joints: ids.map((id) => [id]) });
  if (ids.length === 0) {
    const others = otherFamilies(family).map(({ name }) => name);
    const advice = `run armtwin doctor, or try --servo-family ${others.join(' or ')}`;
    return failure(`No servo answers on ${bus.name} as a ${family.name} one; ${advice}`);
  }
  const which = 'list the ids of the six joints with --ids, from the base';
  const lost =
    own && missing.length > 0 ? ` (of ${BOUND_ARM.name} ${missing.join(', ')} are missing)` : '';
  const answer = `${ids.length} servos answer on ${bus.name}${lost}`;
  return failure(`${answer}; ${which}, or run armtwin doctor`);
}

/** Writes the calibration that another program's file stands for. */
async function importFile(
  flags: CommandFlags,
  family: ServoFamily,
  { out, err }: CommandOutput,
): Promise<number> {
  const from = String(flags['import']);
  const names = flags['joints'];
  const joints = typeof names === 'string' ? names.split(',') : undefined;
  const result = importCalibration(readFileSync(from, 'utf8'), family, joints);
  if (!result.ok) {
    err.write(`${from}: ${result.error}\n`);
    return 1;
  }
  const { calibration, remarks } = result.value;
  const parsed = parseCalibration(JSON.stringify(calibration), FAMILIES);
  if (!parsed.ok) {
    for (const { path, problem } of parsed.error) err.write(`${from}: ${path} ${problem}\n`);
    return 1;
  }
  await writeDocument(String(flags['out']), calibration);
  out.write(`written to ${flags['out']}\n`);
  for (const remark of remarks) out.write(`check: ${remark}\n`);
  out.write('then run armtwin doctor with it, before the first start\n');
  return 0;
}

/** The gripper to calibrate, with the signals of that of the arm where it is that one. */
function gripperOf(id: unknown): { readonly gripper?: GripperToCalibrate } {
  if (id === undefined) return {};
  const own = ARM.servos?.gripper;
  const { output, part_present_input } = own ?? USUAL_GRIPPER_SIGNALS;
  const grip_share = own?.grip_share ?? USUAL_GRIP_SHARE;
  return { gripper: { id: Number(id), output, part_present_input, grip_share } };
}

/** Runs the command; returns the exit code. */
export async function runCalibrate(
  flags: CommandFlags,
  terminal: CommandTerminal,
): Promise<number> {
  const { input, out, err } = terminal;
  const file = String(flags['out']);
  // Fails before the operator has moved six joints for a file that cannot be written.
  requireWritable({ out: file });
  const family = familyOf(flags['servoFamily'] as string | undefined);
  if (flags['import'] !== undefined) return importFile(flags, family, terminal);
  const address = parseBusAddress(String(flags['bus'] ?? ''));
  if (!address.ok) {
    err.write(
      flags['bus'] ? `${address.error}\n` : 'calibrate needs --bus NAME, or --import FILE\n',
    );
    return 2;
  }
  if (address.value.kind === 'memory') {
    err.write('No hand can turn the servos of --bus memory, which start without a calibration\n');
    return 2;
  }
  const list = flags['ids'];
  const listed = typeof list === 'string' ? idsFrom(list, family.highest_id) : null;
  if (list !== undefined && !listed) {
    const how = 'e.g. 1,2,3,4,5,6, or 1,2+3,4,5,6,7 where 3 follows 2';
    err.write(`--ids takes six different numbers from 0 to ${family.highest_id}, ${how}\n`);
    return 2;
  }
  const holder = flags['gripper'];
  if (holder !== undefined && (!family.drives_gripper || !isId(holder, family, listed))) {
    const servo = family.drives_gripper
      ? `the id of a servo of no joint, from 0 to ${family.highest_id}`
      : `a DYNAMIXEL servo: ${family.title} servos drive no gripper`;
    err.write(`--gripper takes ${servo}\n`);
    return 2;
  }
  const bus = createBus(family, address.value, systemBusClock);
  await bus.open();
  const lines = createInterface({ input });
  const reader = lines[Symbol.asyncIterator]();
  const prompt = async (sentence: string) => {
    out.write(`${sentence}: `);
    if ((await reader.next()).done)
      throw new Error('The input ended before every question was answered');
  };
  const ids: Result<ArmIds, string> = listed
    ? success({ joints: listed })
    : await idsOn(bus, family);
  const modes = { one_by_one: flags['oneByOne'] === true, drive: flags['drive'] === true };
  const gripper = ids.ok ? gripperOf(flags['gripper'] ?? ids.value.gripper) : {};
  const result = ids.ok
    ? await calibrateServos(family, bus, { ids: ids.value.joints, prompt, ...modes, ...gripper })
    : ids;
  lines.close();
  await bus.close();
  if (!result.ok) {
    err.write(`${result.error}\n`);
    return 1;
  }
  const { calibration, changed, notes } = result.value;
  await writeDocument(file, calibration);
  const before = `${file}.before.json`;
  await writeDocument(before, changed);
  out.write(`\nwritten to ${file}; start with --driver servo --calibration ${file}\n`);
  out.write(`the servos' registers before that are in ${before}\n`);
  for (const note of notes) out.write(`check: ${note}\n`);
  return 0;
}
