/**
 * Read-only diagnosis of the DYNAMIXEL servos on a bus, which `armtwin doctor` prints: problems
 * and remedies.
 */

import type { Bus } from '../servo/bus/bus.ts';
import type { Calibration } from '../servo/calibration/calibration.ts';
import { type ServoSlot, servoSlots } from '../servo/calibration/servo-slot.ts';
import {
  compareWithCalibration,
  missingServos,
} from '../servo/diagnosis/calibration-comparison.ts';
import {
  CORRUPT_REPLIES,
  findOtherMaster,
  latencyProblems,
  measureLatency,
  noServoProblem,
  OTHER_SENDER,
} from '../servo/diagnosis/line-problems.ts';
import type {
  DiagnosedServo,
  DiagnosisOptions,
  ServoDiagnosis,
} from '../servo/diagnosis/servo-diagnosis.ts';
import { fixesOf, type ServoFix } from '../servo/diagnosis/servo-fix.ts';
import type { BusClock } from '../transport/bus-clock.ts';
import { CHECKED_REGISTERS, type CheckedRegisters, checkRegisters } from './checks.ts';
import { FACTORY_LIMITS } from './factory-limits.ts';
import { hardwareErrorText } from './hardware-error.ts';
import { exchangeOf } from './link.ts';
import { SERVO_MODELS, WATCHDOG_FROM } from './models.ts';
import { BAUD_CODES, type RegisterName } from './registers.ts';
import { pingServo, readRegister, type ServoIdentity, scanServos } from './servo-requests.ts';

class DiagnosticRun {
  readonly problems: string[] = [];
  readonly notes: string[] = [];
  readonly fixes: ServoFix[] = [];
  /** False once two servos or two programs speak at the same time. */
  trusted = true;
  private readonly bus: Bus;
  private readonly clock: BusClock;
  private readonly slots: readonly ServoSlot[];
  private readonly found: readonly ServoIdentity[];
  private readonly registers = new Map<number, CheckedRegisters>();

  constructor(
    bus: Bus,
    clock: BusClock,
    scan: { readonly found: readonly ServoIdentity[]; readonly calibration: Calibration | null },
  ) {
    this.bus = bus;
    this.clock = clock;
    this.found = scan.found;
    this.slots = scan.calibration ? servoSlots(scan.calibration) : [];
  }

  async diagnose(identity: ServoIdentity): Promise<DiagnosedServo> {
    const { id, model, firmware } = identity;
    const get = (name: Parameters<typeof readRegister>[2]) => readRegister(this.bus, id, name);
    const report = (text: string) => this.problems.push(`Servo ${id} ${text}`);
    const known = SERVO_MODELS[model];
    if (!known) report(`is of model ${model}, which is not supported: use an X-series servo`);
    if (firmware < WATCHDOG_FROM) {
      report(`has firmware ${firmware} without a watchdog: update it to ${WATCHDOG_FROM} or later`);
    }
    const bits = await get('hardware_error');
    if (bits)
      report(`reports an error: ${hardwareErrorText(bits)}; fix the cause and power-cycle it`);
    await this.checkRegisters(identity);
    const latency_ms = await measureLatency(this.clock, () => pingServo(this.bus, id));
    this.problems.push(...latencyProblems(id, latency_ms));
    const [baud, voltage, temperature_c] = [
      await get('baud'),
      await get('voltage'),
      await get('temperature'),
    ];
    return {
      id,
      model: known?.name ?? String(model),
      firmware,
      baud: baud === null ? null : (BAUD_CODES[baud] ?? null),
      voltage_v: voltage === null ? null : voltage / 10,
      temperature_c,
      torque_on: (await get('torque')) === 1,
      latency_ms,
    };
  }

  /** Checks the registers of a servo against its model and the calibration. */
  private async checkRegisters(identity: ServoIdentity): Promise<void> {
    const { id, model } = identity;
    const values: Partial<Record<RegisterName, number>> = {};
    for (const name of CHECKED_REGISTERS) {
      const value = await readRegister(this.bus, id, name);
      if (value === null) {
        this.problems.push(`Servo ${id} does not answer for ${name}: check its cable and firmware`);
        return;
      }
      values[name] = value;
    }
    const slot = this.slots.find((one) => one.id === id) ?? null;
    const limits = FACTORY_LIMITS[model] ?? null;
    const found = this.found.map((one) => one.id);
    const registers = values as CheckedRegisters;
    this.registers.set(id, registers);
    const findings = checkRegisters(registers, { id, slot, limits, found });
    if (limits) this.fixes.push(...fixesOf(id, registers, findings));
    for (const { kind, text } of findings) {
      (kind === 'problem' ? this.problems : this.notes).push(`Servo ${id} ${text}`);
    }
  }

  /** Compares the servos with the calibration and with the others of their joints. */
  checkJoints(): void {
    const servos = this.found.map(({ id, model, firmware }) => {
      const position_ticks = this.registers.get(id)?.present_position ?? null;
      return { id, model: SERVO_MODELS[model]?.name ?? String(model), firmware, position_ticks };
    });
    const { problems, notes } = compareWithCalibration(this.slots, servos);
    this.problems.push(...problems);
    this.notes.push(...notes);
  }

  /** Detects packets and goals of another program on the same line. */
  async checkOtherMaster(): Promise<void> {
    const noise = () => {
      const { checksum_errors, dropped_bytes } = this.bus.readerCounts;
      return this.bus.counts.unexpected + checksum_errors + dropped_bytes;
    };
    const before = noise();
    const goals = new Map(
      [...this.registers].map(([id, { goal_position }]) => [id, goal_position]),
    );
    const readGoal = (id: number) => readRegister(this.bus, id, 'goal_position');
    const other = await findOtherMaster(this.clock, goals, readGoal);
    const problem = other ?? (noise() > before ? OTHER_SENDER : null);
    if (problem === null) return;
    this.trusted = false;
    this.problems.push(problem);
  }

  checkMissing(): void {
    const ids = this.found.map(({ id }) => id);
    this.problems.push(...missingServos(this.slots, ids));
  }
}

/** Diagnoses all servos on a bus. */
export async function diagnoseServos(
  bus: Bus,
  clock: BusClock,
  { calibration, others }: DiagnosisOptions,
): Promise<ServoDiagnosis> {
  const found = await scanServos(bus);
  const run = new DiagnosticRun(bus, clock, { found, calibration });
  const { checksum_errors, dropped_bytes } = bus.readerCounts;
  // A gateway in use says so in words, which are no replies.
  if (checksum_errors + dropped_bytes > 0 && bus.problem === null) {
    run.problems.push(CORRUPT_REPLIES);
    run.trusted = false;
  }
  if (found.length === 0) run.problems.push(noServoProblem(bus, others));
  const ids = found.map(({ id }) => id);
  const slow = ids.length > 0 ? bus.rateProblem(exchangeOf(ids, false)) : null;
  if (slow !== null) run.problems.push(slow);
  run.checkMissing();
  const servos: DiagnosedServo[] = [];
  for (const servo of found) servos.push(await run.diagnose(servo));
  run.checkJoints();
  await run.checkOtherMaster();
  const { problems, notes, fixes, trusted } = run;
  return { servos, problems, notes, fixes: trusted ? fixes : [] };
}
