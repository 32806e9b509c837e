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
  checkLineQuality,
  findOtherMaster,
  latencyProblems,
  measureLatency,
  noServoProblem,
} from '../servo/diagnosis/line-problems.ts';
import type {
  DiagnosedServo,
  DiagnosisOptions,
  ServoDiagnosis,
} from '../servo/diagnosis/servo-diagnosis.ts';
import { fixesOf, type ServoFix } from '../servo/diagnosis/servo-fix.ts';
import type { BusClock } from '../transport/bus-clock.ts';
import { type CheckedRegisters, checkRegisters, readChecked, strengthOf } from './checks.ts';
import { exchangeOf } from './exchange.ts';
import { hardwareErrorText } from './hardware-error.ts';
import { SERVO_MODELS, WATCHDOG_FROM } from './models.ts';
import { BAUD_CODES } from './registers.ts';
import { pingServo, readRegister, type ServoIdentity, scanServos } from './servo-requests.ts';

class DiagnosticRun {
  readonly problems: string[] = [];
  readonly notes: string[] = [];
  readonly figures: string[] = [];
  readonly fixes: ServoFix[] = [];
  /** False once two servos or two programs speak at the same time. */
  trusted = true;
  readonly bus: Bus;
  readonly clock: BusClock;
  private readonly calibration: Calibration | null;
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
    this.calibration = scan.calibration;
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
    const registers = await readChecked(this.bus, { id, model });
    if (typeof registers === 'string') {
      const what = `Servo ${id} does not answer for ${registers}`;
      this.problems.push(`${what}: check its cable, firmware and status level`);
      return;
    }
    const slot = this.slots.find((one) => one.id === id) ?? null;
    const found = this.found.map((one) => one.id);
    this.registers.set(id, registers);
    const servo = { id, model, slot, calibration: this.calibration, found };
    const findings = checkRegisters(registers, servo);
    if (SERVO_MODELS[model]) this.fixes.push(...fixesOf(id, registers, findings));
    for (const { kind, text } of findings) {
      (kind === 'problem' ? this.problems : this.notes).push(`Servo ${id} ${text}`);
    }
  }

  /** Compares the servos with the calibration and with the others of their joints. */
  checkJoints(): void {
    const { calibration } = this;
    if (!calibration) return;
    const servos = this.found.map(({ id, model, firmware }) => {
      const registers = this.registers.get(id);
      const slot = this.slots.find((one) => one.id === id) ?? null;
      const state = registers && {
        position_ticks: registers.present_position,
        goal_ticks: registers.goal_position,
        holds: registers.torque === 1,
        strength: strengthOf(registers, { model, slot, calibration }),
      };
      const name = SERVO_MODELS[model]?.name ?? String(model);
      return { id, model: name, firmware, state: state ?? null };
    });
    const { problems, notes, figures } = compareWithCalibration(calibration, servos);
    this.problems.push(...problems);
    this.notes.push(...notes);
    this.figures.push(...figures);
  }

  /** Detects packets and goals of another program on the same line. */
  async checkOtherMaster(): Promise<void> {
    const goals = new Map(
      [...this.registers].map(([id, { goal_position }]) => [id, goal_position]),
    );
    const readGoal = (id: number) => readRegister(this.bus, id, 'goal_position');
    const problem = await findOtherMaster(this, goals, readGoal);
    if (problem === null) return;
    this.trusted = false;
    this.problems.push(problem);
  }

  /** Measures how many answers the line loses and spoils. */
  async checkLine(): Promise<void> {
    const { problems, figures } = await checkLineQuality(
      this.bus,
      exchangeOf(
        this.found.map(({ id }) => id),
        false,
      ),
    );
    this.problems.push(...problems);
    this.figures.push(...figures);
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
  if (found.length > 0) await run.checkLine();
  await run.checkOtherMaster();
  const { problems, notes, figures, fixes, trusted } = run;
  return { servos, problems, notes, figures, fixes: trusted ? fixes : [] };
}
