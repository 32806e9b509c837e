/**
 * `armtwin doctor --bus NAME [--calibration FILE] [--fix]`: lists the servos on a bus, the problems
 * and how to fix them. It changes nothing; with `--fix` it first corrects what is safe to write.
 * Exits with 0 without problems, 1 with problems, 2 on invalid flags.
 */

import type { Bus } from '../../../bridge/servo/bus/bus.ts';
import { createBus } from '../../../bridge/servo/bus/create-bus.ts';
import type { Calibration } from '../../../bridge/servo/calibration/calibration.ts';
import { readCalibration } from '../../../bridge/servo/calibration/calibration-file.ts';
import { diagnoseAtEveryBaud } from '../../../bridge/servo/diagnosis/baud-search.ts';
import type { ServoDiagnosis } from '../../../bridge/servo/diagnosis/servo-diagnosis.ts';
import { applyFixes, type ServoFix } from '../../../bridge/servo/diagnosis/servo-fix.ts';
import type { ServoFamily } from '../../../bridge/servo/servo-family.ts';
import { FAMILIES, familyHint, familyOf } from '../../../bridge/servo-families.ts';
import { type BusAddress, parseBusAddress } from '../../../bridge/transport/bus-address.ts';
import { systemBusClock } from '../../../bridge/transport/bus-clock.ts';
import type { CommandOutput } from '../command-output.ts';
import { alignColumns } from '../text-table.ts';

/** What the doctor looks at. */
interface Patient {
  readonly family: ServoFamily;
  readonly calibration: Calibration | null;
}

/** Opens the bus for a task. */
async function withBus<Done>(
  address: BusAddress,
  { family }: Patient,
  task: (bus: Bus) => Promise<Done>,
): Promise<Done> {
  const bus = createBus(family, address, systemBusClock);
  await bus.open();
  try {
    return await task(bus);
  } finally {
    await bus.close();
  }
}

function diagnose(address: BusAddress, patient: Patient): Promise<ServoDiagnosis> {
  const { family, calibration } = patient;
  const options = { calibration, others: familyHint(family) };
  return withBus(address, patient, (bus) => family.diagnose(bus, systemBusClock, options));
}

/** Writes what a diagnosis found safe to correct. */
function fix(address: BusAddress, patient: Patient, fixes: readonly ServoFix[]) {
  return withBus(address, patient, (bus) => applyFixes(fixes, patient.family.settings(bus)));
}

/** Diagnoses the bus; only on a serial port the baud rate is ours to change. */
function diagnoseLine(address: BusAddress, patient: Patient): Promise<ServoDiagnosis> {
  if (address.kind !== 'serial') return diagnose(address, patient);
  const diagnoseAt = (baud: number) => diagnose({ ...address, baud }, patient);
  return diagnoseAtEveryBaud(address.baud, patient.family.bauds, diagnoseAt);
}

const HEADINGS = ['ID', 'MODEL', 'FIRMWARE', 'BAUD', 'SUPPLY', 'HEAT', 'TORQUE', 'LATENCY'];

function tableOf({ servos }: ServoDiagnosis): string {
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
  return `${alignColumns([HEADINGS, ...rows]).join('\n')}\n`;
}

/** Runs the command; returns the exit code. */
export async function runDoctor(
  flags: Readonly<Record<string, unknown>>,
  { out, err }: CommandOutput,
): Promise<number> {
  const address = parseBusAddress(String(flags['bus']));
  if (!address.ok) {
    err.write(`${address.error}\n`);
    return 2;
  }
  const file = flags['calibration'];
  let calibration: Calibration | null = null;
  if (typeof file === 'string') {
    const read = readCalibration(file, FAMILIES);
    if (!read.ok) {
      err.write(`${read.error}\n`);
      return 2;
    }
    calibration = read.value;
  }
  const name = calibration?.family ?? (flags['servoFamily'] as string | undefined);
  const patient = { family: familyOf(name), calibration };
  let found = await diagnoseLine(address.value, patient);
  if (flags['fix'] === true && found.fixes.length > 0) {
    for (const said of await fix(address.value, patient, found.fixes)) out.write(`fix: ${said}\n`);
    found = await diagnose(address.value, patient);
  }
  out.write(tableOf(found));
  for (const figure of found.figures) out.write(`${figure}\n`);
  for (const note of found.notes) out.write(`note: ${note}\n`);
  for (const problem of found.problems) out.write(`problem: ${problem}\n`);
  if (found.problems.length === 0) {
    const tables = 'the tables of their maker';
    const against = calibration ? `${tables} and the calibration` : tables;
    const what = `${found.servos.length} servos against ${against}`;
    out.write(`no problem found: the registers of ${what}, their torque, and the line\n`);
  }
  return found.problems.length === 0 ? 0 : 1;
}
