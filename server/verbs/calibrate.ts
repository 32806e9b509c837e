/**
 * `armtwin calibrate --bus NAME --out FILE [--ids 1,2,3,4,5,6]`: guides through zeroing and the
 * directions of an arm of servos, limp in somebody's hands, and writes the calibration file.
 */
import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Bus } from '../../bridge/bus/bus.ts';
import { scan } from '../../bridge/bus/bus-calls.ts';
import { calibrateServos } from '../../bridge/servo/calibrating.ts';
import { lineTo } from '../../bridge/servo-line.ts';
import { parseBusAddress } from '../../bridge/transport/address.ts';
import { systemBusClock } from '../../bridge/transport/bus-clock.ts';
import type { VerbOutput } from './plan.ts';

/** Where the verb reads from and writes to. */
export interface Terminal extends VerbOutput {
  readonly input: NodeJS.ReadableStream;
}

async function idsOf(bus: Bus, list: unknown): Promise<number[]> {
  if (typeof list === 'string') return list.split(',').map(Number);
  const found = (await scan(bus)).map(({ id }) => id);
  return found.sort((a, b) => a - b);
}

/** Runs the verb and answers the exit code of the process. */
export async function calibrateVerb(
  flags: Readonly<Record<string, unknown>>,
  { input, out, err }: Terminal,
): Promise<number> {
  const address = parseBusAddress(String(flags['bus']));
  if (!address.ok) {
    err.write(`${address.error}\n`);
    return 2;
  }
  const file = String(flags['out']);
  // Before anybody has turned six joints for a file that nobody can write.
  accessSync(dirname(file), constants.W_OK);
  const clock = systemBusClock;
  const baud = address.value.kind === 'serial' ? { baud: address.value.baud } : {};
  const bus = new Bus(lineTo(address.value, clock), clock, baud);
  await bus.open();
  const lines = createInterface({ input });
  const reader = lines[Symbol.asyncIterator]();
  const request = async (sentence: string) => {
    out.write(`${sentence}: `);
    if ((await reader.next()).done) throw new Error('The input ended before all was answered');
  };
  const result = await calibrateServos(bus, await idsOf(bus, flags['ids']), request);
  lines.close();
  await bus.close();
  if (!result.ok) {
    err.write(`${result.error}\n`);
    return 1;
  }
  writeFileSync(file, `${JSON.stringify(result.value, null, 2)}\n`);
  out.write(`\nwritten to ${file}; start with --driver servo --calibration ${file}\n`);
  return 0;
}
