/**
 * Read-only diagnosis of the Feetech STS servos on a bus, which `armtwin doctor` prints: problems,
 * remedies, and what this family cannot do.
 */

import type { Bus } from '../servo/bus/bus.ts';
import type { Calibration } from '../servo/calibration/calibration.ts';
import { type ServoSlot, servoSlots } from '../servo/calibration/servo-slot.ts';
import {
  compareWithCalibration,
  type FoundServo,
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
import { checkStsRegisters, readStsRegisters, type StsRegisters, stsStrength } from './checks.ts';
import { stsError } from './hardware-error.ts';
import { STS_LACKS } from './lacks.ts';
import { stsExchange } from './link.ts';
import { STS_MODELS, stsFirmware } from './models.ts';
import { BAUDS } from './registers.ts';
import { pingSts, readSts, scanSts } from './servo-requests.ts';

class StsDiagnosticRun {
  readonly problems: string[] = [];
  readonly notes: string[] = [];
  readonly figures: string[] = [];
  readonly fixes: ServoFix[] = [];
  /** False once another program moves the servos. */
  trusted = true;
  readonly bus: Bus;
  readonly clock: BusClock;
  private readonly calibration: Calibration | null;
  private readonly slots: readonly ServoSlot[];
  private readonly goals = new Map<number, number>();
  private readonly found: FoundServo[] = [];

  constructor(bus: Bus, clock: BusClock, calibration: Calibration | null) {
    this.bus = bus;
    this.clock = clock;
    this.calibration = calibration;
    this.slots = calibration ? servoSlots(calibration) : [];
  }

  async diagnose(id: number): Promise<DiagnosedServo | null> {
    const registers = await readStsRegisters(this.bus, id);
    if (typeof registers === 'string') {
      const what = `Servo ${id} does not answer for ${registers}`;
      this.problems.push(`${what}: check its cable and firmware`);
      return null;
    }
    this.goals.set(id, registers.goal_position);
    this.check(id, registers);
    const latency_ms = await measureLatency(this.clock, () => pingSts(this.bus, id));
    this.problems.push(...latencyProblems(id, latency_ms));
    const model = STS_MODELS[registers.model] ?? String(registers.model);
    const firmware = stsFirmware(registers.firmware);
    const slot = this.slots.find((one) => one.id === id) ?? null;
    const state = {
      position_ticks: registers.present_position,
      goal_ticks: registers.goal_position,
      holds: registers.torque === 1,
      strength: stsStrength(registers, { slot, calibration: this.calibration }),
    };
    this.found.push({ id, model, firmware, state });
    return {
      id,
      model,
      firmware,
      baud: BAUDS[registers.baud] ?? null,
      voltage_v: registers.voltage / 10,
      temperature_c: registers.temperature,
      torque_on: registers.torque === 1,
      latency_ms,
    };
  }

  private check(id: number, registers: StsRegisters): void {
    const report = (text: string) => this.problems.push(`Servo ${id} ${text}`);
    if (!STS_MODELS[registers.model]) {
      report(`is of model ${registers.model}, which is not supported: use an STS3215`);
    }
    if (registers.status !== 0) {
      report(`reports an error: ${stsError(registers.status).text}; fix the cause`);
    }
    const slot = this.slots.find((one) => one.id === id) ?? null;
    const findings = checkStsRegisters(registers, { slot, calibration: this.calibration });
    if (STS_MODELS[registers.model]) this.fixes.push(...fixesOf(id, registers, findings));
    for (const { kind, text } of findings) {
      (kind === 'problem' ? this.problems : this.notes).push(`Servo ${id} ${text}`);
    }
  }

  checkMissing(ids: readonly number[]): void {
    this.problems.push(...missingServos(this.slots, ids));
  }

  /** Compares the servos with the calibration and with the others of their joints. */
  checkJoints(): void {
    if (!this.calibration) return;
    const { problems, notes, figures } = compareWithCalibration(this.calibration, this.found);
    this.problems.push(...problems);
    this.notes.push(...notes);
    this.figures.push(...figures);
  }

  /** Measures how many answers the line loses and spoils. */
  async checkLine(ids: readonly number[]): Promise<void> {
    const { problems, figures } = await checkLineQuality(this.bus, stsExchange(ids));
    this.problems.push(...problems);
    this.figures.push(...figures);
  }

  /** Detects packets and goals of another program. */
  async checkOtherMaster(): Promise<void> {
    const readGoal = (id: number) => readSts(this.bus, id, 'goal_position');
    const other = await findOtherMaster(this, this.goals, readGoal);
    if (other === null) return;
    this.trusted = false;
    this.problems.push(other);
  }
}

/** Diagnoses all servos on a bus. */
export async function diagnoseSts(
  bus: Bus,
  clock: BusClock,
  { calibration, others }: DiagnosisOptions,
): Promise<ServoDiagnosis> {
  const found = await scanSts(bus);
  const run = new StsDiagnosticRun(bus, clock, calibration);
  if (found.length === 0) run.problems.push(noServoProblem(bus, others));
  const slow = found.length > 0 ? bus.rateProblem(stsExchange(found)) : null;
  if (slow !== null) run.problems.push(slow);
  run.checkMissing(found);
  const servos: DiagnosedServo[] = [];
  for (const id of found) {
    const servo = await run.diagnose(id);
    if (servo) servos.push(servo);
  }
  run.checkJoints();
  const isCorrupt = bus.spoiled > 0;
  if (found.length > 0) await run.checkLine(found);
  await run.checkOtherMaster();
  if (isCorrupt) run.problems.push(CORRUPT_REPLIES);
  const lacks = STS_LACKS.map((text) => `These servos ${text}`);
  const fixes = run.trusted && !isCorrupt ? run.fixes : [];
  const { problems, notes, figures } = run;
  return { servos, problems, notes: [...notes, ...lacks], figures, fixes };
}
