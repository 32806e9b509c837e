/**
 * `armtwin doctor --bus NAME [--calibration FILE]`: says what is on a servo bus, what is wrong and
 * how to mend it; changes nothing. Answers 0 when all is well, 1 when something is not, 2 for a
 * call it cannot understand.
 */
import { readFileSync } from 'node:fs';
import { type Calibration, parseCalibration } from '../../bridge/servo/calibration.ts';
import { type Examination, examine } from '../../bridge/servo/examination.ts';
import { BAUD_CODES } from '../../bridge/servo/servo-models.ts';
import { busAt } from '../../bridge/servo-line.ts';
import { type BusAddress, parseBusAddress } from '../../bridge/transport/address.ts';
import { systemBusClock } from '../../bridge/transport/bus-clock.ts';
import type { VerbOutput } from './plan.ts';

async function look(address: BusAddress, calibration: Calibration | null): Promise<Examination> {
  const clock = systemBusClock;
  const bus = busAt(address, clock);
  await bus.open();
  try {
    return await examine(bus, clock, calibration);
  } finally {
    await bus.close();
  }
}

/** On a serial port servos may be set to another speed: all are tried when nobody answers. */
async function lookEverywhere(address: BusAddress, calibration: Calibration | null) {
  const first = await look(address, calibration);
  if (first.servos.length > 0 || address.kind !== 'serial') return first;
  for (const baud of BAUD_CODES.filter((one) => one !== address.baud)) {
    const other = await look({ ...address, baud }, calibration);
    if (other.servos.length === 0) continue;
    const say = `The servos talk at ${baud} baud, not at ${address.baud}: set it, or use @${baud}`;
    return { ...other, problems: [say, ...other.problems] };
  }
  return first;
}

const HEADINGS = ['ID', 'MODEL', 'FIRMWARE', 'BAUD', 'SUPPLY', 'HEAT', 'TORQUE', 'LATENCY'];

function tableOf({ servos }: Examination): string {
  const rows = servos.map((servo) => [
    String(servo.id),
    servo.model,
    String(servo.firmware),
    String(servo.baud ?? '-'),
    `${servo.voltage_v ?? '-'} V`,
    `${servo.temperature_c ?? '-'} °C`,
    servo.torque_on ? 'on' : 'off',
    `${servo.latency_ms.toFixed(1)} ms`,
  ]);
  const all = [HEADINGS, ...rows];
  const widths = HEADINGS.map((_, i) => Math.max(...all.map((row) => row[i]!.length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd();
  return `${all.map(line).join('\n')}\n`;
}

/** Runs the verb and answers the exit code of the process. */
export async function doctorVerb(
  flags: Readonly<Record<string, unknown>>,
  { out, err }: VerbOutput,
): Promise<number> {
  const address = parseBusAddress(String(flags['bus']));
  if (!address.ok) {
    err.write(`${address.error}\n`);
    return 2;
  }
  const file = flags['calibration'];
  let calibration: Calibration | null = null;
  if (typeof file === 'string') {
    const parsed = parseCalibration(readFileSync(file, 'utf8'));
    if (!parsed.ok) {
      for (const { path, problem } of parsed.error) err.write(`${file}: ${path} ${problem}\n`);
      return 2;
    }
    calibration = parsed.value;
  }
  const found = await lookEverywhere(address.value, calibration);
  out.write(tableOf(found));
  for (const note of found.notes) out.write(`note: ${note}\n`);
  for (const problem of found.problems) out.write(`problem: ${problem}\n`);
  if (found.problems.length === 0) out.write('all is well\n');
  return found.problems.length === 0 ? 0 : 1;
}
