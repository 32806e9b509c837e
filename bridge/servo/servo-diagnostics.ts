/**
 * Read-only diagnosis of the servos on a bus: which servos reply, their state, and problems with
 * remedies. `armtwin doctor` prints it.
 */
import type { Bus } from '../bus/bus.ts';
import { POSITION_MODE, WATCHDOG_TRIPPED } from '../bus/registers.ts';
import { pingServo, readRegister, type ServoIdentity, scanServos } from '../bus/servo-requests.ts';
import type { BusClock } from '../transport/bus-clock.ts';
import type { Calibration } from './calibration.ts';
import { BAUD_CODES, hardwareErrorText, SERVO_MODELS, WATCHDOG_FROM } from './servo-models.ts';

export interface DiagnosedServo {
  readonly id: number;
  readonly model: string;
  readonly firmware: number;
  readonly baud: number | null;
  readonly voltage_v: number | null;
  readonly temperature_c: number | null;
  readonly torque_on: boolean;
  /** Time from request to reply (ms). */
  readonly latency_ms: number;
}

export interface ServoDiagnosis {
  readonly servos: readonly DiagnosedServo[];
  /** Messages: what is wrong and how to fix it. */
  readonly problems: readonly string[];
  /** Settings that a start corrects. */
  readonly notes: readonly string[];
}

/** Slower replies make a cycle of 8 ms impossible (ms). */
const LATENCY_MAX_MS = 4;
const LATENCY_PINGS = 5;

class DiagnosticRun {
  readonly problems: string[] = [];
  readonly notes: string[] = [];
  private readonly bus: Bus;
  private readonly clock: BusClock;

  constructor(bus: Bus, clock: BusClock) {
    this.bus = bus;
    this.clock = clock;
  }

  async diagnose({ id, model, firmware }: ServoIdentity): Promise<DiagnosedServo> {
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
    await this.checkSettings(id);
    const latency_ms = await this.measureLatency(id);
    if (latency_ms > LATENCY_MAX_MS) {
      const advice = 'lower the latency timer of a USB adapter, or raise the baud';
      report(`answers after ${latency_ms.toFixed(1)} ms: ${advice}`);
    }
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

  /** Notes settings that a start corrects. */
  private async checkSettings(id: number): Promise<void> {
    const note = (text: string) => this.notes.push(`Servo ${id} ${text}; a start corrects it`);
    const get = (name: Parameters<typeof readRegister>[2]) => readRegister(this.bus, id, name);
    if ((await get('operating_mode')) !== POSITION_MODE) note('is not in position mode');
    if ((await get('return_delay')) !== 0) note('has a return delay');
    if ((await get('homing_offset')) !== 0) note('has a homing offset, which calibration replaces');
    if ((await get('watchdog')) === WATCHDOG_TRIPPED) note('was stopped by its watchdog');
  }

  /** The shortest of a few reply times; longer ones may be due to this machine. */
  private async measureLatency(id: number): Promise<number> {
    let quickest_ms = Number.POSITIVE_INFINITY;
    for (let i = 0; i < LATENCY_PINGS; i++) {
      const start_ms = this.clock.now_ms();
      await pingServo(this.bus, id);
      quickest_ms = Math.min(quickest_ms, this.clock.now_ms() - start_ms);
    }
    return quickest_ms;
  }

  checkMissing(calibration: Calibration, found: readonly ServoIdentity[]): void {
    calibration.joints.forEach(({ ids }, j) => {
      for (const id of ids.filter((one) => !found.some((servo) => servo.id === one))) {
        const advice = 'check its cable, supply, id and baud';
        this.problems.push(`Servo ${id} of joint ${j} does not answer: ${advice}`);
      }
    });
  }
}

/** Diagnoses all servos on a bus; `calibration` names those that must be present. */
export async function diagnoseServos(
  bus: Bus,
  clock: BusClock,
  calibration: Calibration | null,
): Promise<ServoDiagnosis> {
  const run = new DiagnosticRun(bus, clock);
  const found = await scanServos(bus);
  const { checksum_errors, dropped_bytes } = bus.readerCounts;
  if (checksum_errors + dropped_bytes > 0) {
    const reasons = 'two servos with one id, a wrong baud or bad wiring; connect one at a time';
    run.problems.push(`Replies are corrupt: ${reasons}`);
  }
  if (found.length === 0) {
    const advice = 'check supply, cable and baud, and that the adapter is the right one';
    run.problems.push(`No servo answers on ${bus.name}: ${advice}`);
  }
  if (calibration) run.checkMissing(calibration, found);
  const servos: DiagnosedServo[] = [];
  for (const servo of found) servos.push(await run.diagnose(servo));
  return { servos, problems: run.problems, notes: run.notes };
}
