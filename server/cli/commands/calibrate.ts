/**
 * `armtwin calibrate --bus NAME --out FILE`: measures how the servos are mounted, with the torque
 * off, and writes a calibration file; or makes one from the file of another program. Exits with 0,
 * with 1 when it failed, with 2 on invalid flags.
 */

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Bus } from '../../../bridge/servo/bus/bus.ts';
import { createBus } from '../../../bridge/servo/bus/create-bus.ts';
import { parseCalibration } from '../../../bridge/servo/calibration/calibration-file.ts';
import { calibrateServos } from '../../../bridge/servo/calibration/calibration-procedure.ts';
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

async function idsOn(bus: Bus, family: ServoFamily): Promise<Result<JointIds, string>> {
  const ids = [...(await family.scan(bus))].sort((a, b) => a - b);
  if (ids.length === JOINTS) return success(ids.map((id) => [id]));
  if (ids.length === 0) {
    const others = otherFamilies(family).map(({ name }) => name);
    const advice = `run armtwin doctor, or try --servo-family ${others.join(' or ')}`;
    return failure(`No servo answers on ${bus.name} as a ${family.name} one; ${advice}`);
  }
  const which = 'list the ids of the six joints with --ids, from the base';
  return failure(`${ids.length} servos answer on ${bus.name}; ${which}, or run armtwin doctor`);
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
  const list = flags['ids'];
  const listed = typeof list === 'string' ? idsFrom(list, family.highest_id) : null;
  if (list !== undefined && !listed) {
    const how = 'e.g. 1,2,3,4,5,6, or 1,2+3,4,5,6,7 where 3 follows 2';
    err.write(`--ids takes six different numbers from 0 to ${family.highest_id}, ${how}\n`);
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
  const ids = listed ? success(listed) : await idsOn(bus, family);
  const modes = { one_by_one: flags['oneByOne'] === true, drive: flags['drive'] === true };
  const result = ids.ok
    ? await calibrateServos(family, bus, { ids: ids.value, prompt, ...modes })
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
