/**
 * `armtwin calibrate --bus NAME --out FILE [--ids 1,2,3,4,5,6]`: guides the operator through the
 * zeroing and the directions of a servo arm with torque off, and writes the calibration file.
 */
import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Bus } from '../../../bridge/bus/bus.ts';
import { HIGHEST_ID } from '../../../bridge/bus/instructions.ts';
import { scanServos } from '../../../bridge/bus/servo-requests.ts';
import { createBus, parseBusAddress } from '../../../bridge/bus-address.ts';
import { calibrateServos } from '../../../bridge/servo/calibration-procedure.ts';
import { systemBusClock } from '../../../bridge/transport/bus-clock.ts';
import { failure, type Result, success } from '../../../contract/result.ts';
import type { CommandOutput } from '../output.ts';

/** Input and output of the command. */
export interface CommandTerminal extends CommandOutput {
  readonly input: NodeJS.ReadableStream;
}

const JOINTS = 6;

/** Parses a list of ids; null unless it has six different ones. */
function idsFrom(list: string): readonly number[] | null {
  const ids = list.split(',').map((id) => (/^ *\d+ *$/.test(id) ? Number(id) : HIGHEST_ID + 1));
  const isFit = ids.every((id) => id <= HIGHEST_ID) && new Set(ids).size === JOINTS;
  return isFit && ids.length === JOINTS ? ids : null;
}

async function idsOn(bus: Bus): Promise<Result<readonly number[], string>> {
  const ids = (await scanServos(bus)).map(({ id }) => id).sort((a, b) => a - b);
  if (ids.length === JOINTS) return success(ids);
  const which = 'list the ids of the six joints with --ids, from the base';
  return failure(`${ids.length} servos answer on ${bus.name}; ${which}, or run armtwin doctor`);
}

/** Runs the command; returns the exit code. */
export async function runCalibrate(
  flags: Readonly<Record<string, unknown>>,
  { input, out, err }: CommandTerminal,
): Promise<number> {
  const address = parseBusAddress(String(flags['bus']));
  if (!address.ok) {
    err.write(`${address.error}\n`);
    return 2;
  }
  const list = flags['ids'];
  const listed = typeof list === 'string' ? idsFrom(list) : null;
  if (list !== undefined && !listed) {
    err.write(`--ids takes six different numbers from 0 to ${HIGHEST_ID}, e.g. 1,2,3,4,5,6\n`);
    return 2;
  }
  const file = String(flags['out']);
  // Fails before the operator has moved six joints for a file that cannot be written.
  accessSync(dirname(file), constants.W_OK);
  const bus = createBus(address.value, systemBusClock);
  await bus.open();
  const lines = createInterface({ input });
  const reader = lines[Symbol.asyncIterator]();
  const request = async (sentence: string) => {
    out.write(`${sentence}: `);
    if ((await reader.next()).done)
      throw new Error('The input ended before every question was answered');
  };
  const ids = listed ? success(listed) : await idsOn(bus);
  const result = ids.ok ? await calibrateServos(bus, ids.value, request) : ids;
  lines.close();
  await bus.close();
  if (!result.ok) {
    err.write(`${result.error}\n`);
    return 1;
  }
  const { calibration, changed } = result.value;
  writeFileSync(file, `${JSON.stringify(calibration, null, 2)}\n`);
  const before = `${file}.before.json`;
  writeFileSync(before, `${JSON.stringify(changed, null, 2)}\n`);
  out.write(`\nwritten to ${file}; start with --driver servo --calibration ${file}\n`);
  out.write(`the servos' registers before that are in ${before}\n`);
  return 0;
}
