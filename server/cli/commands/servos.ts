/** The commands for an arm of servos: calibrate, doctor, emulate-bus. */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Bus } from '../../../bridge/bus/bus.ts';
import { HIGHEST_ID } from '../../../bridge/bus/instructions.ts';
import { scanServos } from '../../../bridge/bus/servo-requests.ts';
import {
  type BusAddress,
  createBus,
  createEmulator,
  parseBusAddress,
} from '../../../bridge/bus-address.ts';
import { feetechToCalibrate } from '../../../bridge/feetech/feetech-bus.ts';
import { diagnoseSts } from '../../../bridge/feetech/sts-diagnostics.ts';
import { stsSettings } from '../../../bridge/feetech/sts-inspection.ts';
import { scanSts } from '../../../bridge/feetech/sts-packets.ts';
import type { Calibration, ServoFamily } from '../../../bridge/servo/calibration.ts';
import { parseCalibration, readCalibration } from '../../../bridge/servo/calibration-file.ts';
import { importCalibration } from '../../../bridge/servo/calibration-import.ts';
import {
  calibrateServos,
  dynamixelToCalibrate,
} from '../../../bridge/servo/calibration-procedure.ts';
import { applyFixes, type ServoFix } from '../../../bridge/servo/servo-checks.ts';
import {
  diagnoseServos,
  type ServoDiagnosis,
  servoSettings,
} from '../../../bridge/servo/servo-diagnostics.ts';
import { BAUD_CODES } from '../../../bridge/servo/servo-models.ts';
import { systemBusClock } from '../../../bridge/transport/bus-clock.ts';
import { servePtyPeer, serveTcpPeer } from '../../../bridge/transport/tcp.ts';
import type { WirePeer } from '../../../bridge/transport/transport.ts';
import { failure, type Result, success } from '../../../contract/refusal.ts';
import { systemClock } from '../../clock/clock.ts';
import { alignColumns, type CommandOutput } from '../output.ts';
import { requireWritable } from '../result-files.ts';
import { writeResult } from './reports.ts';

/** Input and output of the command. */
export interface CommandTerminal extends CommandOutput {
  readonly input: NodeJS.ReadableStream;
}

type CommandFlags = Readonly<Record<string, unknown>>;
type JointIds = readonly (readonly number[])[];

const JOINTS = 6;

/** Parses a list of ids, servos of one joint joined by +; null unless it has six joints. */
function idsFrom(list: string): JointIds | null {
  const joints = list
    .split(',')
    .map((joint) =>
      joint.split('+').map((id) => (/^ *\d+ *$/.test(id) ? Number(id) : HIGHEST_ID + 1)),
    );
  const ids = joints.flat();
  const isFit = ids.every((id) => id <= HIGHEST_ID) && new Set(ids).size === ids.length;
  return isFit && joints.length === JOINTS ? joints : null;
}

async function idsOn(bus: Bus, family: ServoFamily): Promise<Result<JointIds, string>> {
  const found =
    family === 'feetech' ? await scanSts(bus) : (await scanServos(bus)).map(({ id }) => id);
  const ids = [...found].sort((a, b) => a - b);
  if (ids.length === JOINTS) return success(ids.map((id) => [id]));
  if (ids.length === 0) {
    const other = family === 'feetech' ? 'dynamixel' : 'feetech';
    const advice = `run armtwin doctor, or try --servo-family ${other}`;
    return failure(`No servo answers on ${bus.name} as a ${family} one; ${advice}`);
  }
  const which = 'list the ids of the six joints with --ids, from the base';
  return failure(`${ids.length} servos answer on ${bus.name}; ${which}, or run armtwin doctor`);
}

/** Writes the calibration that another program's file stands for. */
function importFile(flags: CommandFlags, { out, err }: CommandOutput): number {
  const from = String(flags['import']);
  const family = (flags['servoFamily'] as ServoFamily | undefined) ?? 'dynamixel';
  const names = flags['joints'];
  const joints = typeof names === 'string' ? { joints: names.split(',') } : {};
  const result = importCalibration(readFileSync(from, 'utf8'), { family, ...joints });
  if (!result.ok) {
    err.write(`${from}: ${result.error}\n`);
    return 1;
  }
  const { calibration, remarks } = result.value;
  const text = `${JSON.stringify(calibration, null, 2)}\n`;
  const parsed = parseCalibration(text);
  if (!parsed.ok) {
    for (const { path, problem } of parsed.error) err.write(`${from}: ${path} ${problem}\n`);
    return 1;
  }
  writeResult(String(flags['out']), text);
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
  if (flags['import'] !== undefined) return importFile(flags, terminal);
  const address = parseBusAddress(String(flags['bus'] ?? ''));
  if (!address.ok) {
    err.write(
      flags['bus'] ? `${address.error}\n` : 'calibrate needs --bus NAME, or --import FILE\n',
    );
    return 2;
  }
  const list = flags['ids'];
  const listed = typeof list === 'string' ? idsFrom(list) : null;
  if (list !== undefined && !listed) {
    const how = 'e.g. 1,2,3,4,5,6, or 1,2+3,4,5,6,7 where 3 follows 2';
    err.write(`--ids takes six different numbers from 0 to ${HIGHEST_ID}, ${how}\n`);
    return 2;
  }
  const family = (flags['servoFamily'] as ServoFamily | undefined) ?? 'dynamixel';
  const bus = createBus(address.value, systemBusClock, family);
  await bus.open();
  const lines = createInterface({ input });
  const reader = lines[Symbol.asyncIterator]();
  const prompt = async (sentence: string) => {
    out.write(`${sentence}: `);
    if ((await reader.next()).done)
      throw new Error('The input ended before every question was answered');
  };
  const ids = listed ? success(listed) : await idsOn(bus, family);
  const servos = family === 'feetech' ? feetechToCalibrate(bus) : dynamixelToCalibrate(bus);
  const modes = { one_by_one: flags['oneByOne'] === true, drive: flags['drive'] === true };
  const result = ids.ok ? await calibrateServos(servos, { ids: ids.value, prompt, ...modes }) : ids;
  lines.close();
  await bus.close();
  if (!result.ok) {
    err.write(`${result.error}\n`);
    return 1;
  }
  const { calibration, changed, notes } = result.value;
  writeResult(file, `${JSON.stringify(calibration, null, 2)}\n`);
  const before = `${file}.before.json`;
  writeResult(before, `${JSON.stringify(changed, null, 2)}\n`);
  out.write(`\nwritten to ${file}; start with --driver servo --calibration ${file}\n`);
  out.write(`the servos' registers before that are in ${before}\n`);
  for (const note of notes) out.write(`check: ${note}\n`);
  return 0;
}

/**
 * `armtwin doctor --bus NAME [--calibration FILE] [--fix]`: lists the servos on a bus, the problems
 * and how to fix them. It changes nothing; with `--fix` it first corrects what is safe to write.
 * Exits with 0 without problems, 1 with problems, 2 on invalid flags.
 */

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
  const bus = createBus(address, systemBusClock, family);
  await bus.open();
  try {
    return await task(bus);
  } finally {
    await bus.close();
  }
}

function diagnose(address: BusAddress, patient: Patient): Promise<ServoDiagnosis> {
  const { family, calibration } = patient;
  const diagnoseAll = family === 'feetech' ? diagnoseSts : diagnoseServos;
  return withBus(address, patient, (bus) => diagnoseAll(bus, systemBusClock, calibration));
}

/** Writes what a diagnosis found safe to correct. */
function fix(address: BusAddress, patient: Patient, fixes: readonly ServoFix[]) {
  const settings = patient.family === 'feetech' ? stsSettings : servoSettings;
  return withBus(address, patient, (bus) => applyFixes(fixes, settings(bus)));
}

/** Diagnoses the bus; on a serial port without an answer it tries every other baud rate. */
async function diagnoseAtEveryBaud(address: BusAddress, patient: Patient) {
  const first = await diagnose(address, patient);
  if (first.servos.length > 0 || address.kind !== 'serial') return first;
  for (const baud of BAUD_CODES.filter((one) => one !== address.baud)) {
    const other = await diagnose({ ...address, baud }, patient);
    if (other.servos.length === 0) continue;
    const problem = `The servos use ${baud} baud, not ${address.baud}: change it, or use @${baud}`;
    return { ...other, problems: [problem, ...other.problems], fixes: [] };
  }
  return first;
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
    const read = readCalibration(file);
    if (!read.ok) {
      err.write(`${read.error}\n`);
      return 2;
    }
    calibration = read.value;
  }
  const family = calibration?.family ?? (flags['servoFamily'] as ServoFamily | undefined);
  const patient = { family: family ?? 'dynamixel', calibration };
  let found = await diagnoseAtEveryBaud(address.value, patient);
  if (flags['fix'] === true && found.fixes.length > 0) {
    for (const said of await fix(address.value, patient, found.fixes)) out.write(`fix: ${said}\n`);
    found = await diagnose(address.value, patient);
  }
  out.write(tableOf(found));
  for (const note of found.notes) out.write(`note: ${note}\n`);
  for (const problem of found.problems) out.write(`problem: ${problem}\n`);
  if (found.problems.length === 0) out.write('all is well\n');
  return found.problems.length === 0 ? 0 : 1;
}

/**
 * `armtwin emulate-bus --tcp PORT | --pty LINK`: emulates a servo bus with six servos, or eight
 * with --paired, and their arm, to test drivers. Prints one line when it is ready, and runs
 * until it is stopped.
 */

/** The emulated arm advances in steps of this between packets (ms). */
const STEP_MS = 50;

/** Serves the emulator; rejects with a message when it cannot. */
export async function runEmulateBus(
  flags: Readonly<Record<string, unknown>>,
  { out }: CommandOutput,
): Promise<{ readonly close: () => Promise<void> }> {
  const { pty, tcp, servoFamily, paired } = flags;
  const family = servoFamily === 'feetech' ? 'feetech' : 'dynamixel';
  const emulator = createEmulator(family, systemBusClock, paired === true);
  const served =
    typeof pty === 'string' ? await onTerminal(emulator, pty) : await onTcp(emulator, tcp);
  out.write(`armtwin bus ready ${served.name}\n`);
  let closed = false;
  const advance = () => {
    emulator.catchUp();
    if (!closed) systemClock.after(STEP_MS, advance);
  };
  advance();
  const close = () => {
    closed = true;
    return served.close();
  };
  return { close };
}

async function onTerminal(emulator: WirePeer, link: string) {
  return { name: `serial:${link}`, ...(await servePtyPeer(emulator, link)) };
}

async function onTcp(emulator: WirePeer, flag: unknown) {
  const port = typeof flag === 'number' ? flag : 0;
  const { port: actual, close } = await serveTcpPeer(emulator, port).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} is already in use; choose another with --tcp, or --tcp 0`);
  });
  return { name: `tcp://127.0.0.1:${actual}`, close };
}
