/**
 * Looks at the servos on a bus and changes nothing: who is there, in what state, and what is wrong
 * with the way to mend it. What the doctor says; it stands apart from how it is printed.
 */
import type { Bus } from '../bus/bus.ts';
import { pingServo, readRegister, type ServoIdentity, scan } from '../bus/bus-calls.ts';
import { POSITION_MODE, WATCHDOG_TRIPPED } from '../bus/registers.ts';
import type { BusClock } from '../transport/bus-clock.ts';
import type { Calibration } from './calibration.ts';
import { BAUD_CODES, hardwareErrorText, SERVO_MODELS, WATCHDOG_FROM } from './servo-models.ts';

export interface ServoFinding {
  readonly id: number;
  readonly model: string;
  readonly firmware: number;
  readonly baud: number | null;
  readonly voltage_v: number | null;
  readonly temperature_c: number | null;
  readonly torque_on: boolean;
  /** Time from question to answer (ms). */
  readonly latency_ms: number;
}

export interface Examination {
  readonly servos: readonly ServoFinding[];
  /** Sentences: what is wrong and how to mend it. */
  readonly problems: readonly string[];
  /** What a start will change by itself. */
  readonly notes: readonly string[];
}

/** Slower answers than this make a cycle of 8 ms impossible (ms). */
const LATENCY_MAX_MS = 4;
const LATENCY_PINGS = 5;

class Examiner {
  readonly problems: string[] = [];
  readonly notes: string[] = [];
  private readonly bus: Bus;
  private readonly clock: BusClock;

  constructor(bus: Bus, clock: BusClock) {
    this.bus = bus;
    this.clock = clock;
  }

  async servo({ id, model, firmware }: ServoIdentity): Promise<ServoFinding> {
    const get = (name: Parameters<typeof readRegister>[2]) => readRegister(this.bus, id, name);
    const say = (text: string) => this.problems.push(`Servo ${id} ${text}`);
    const known = SERVO_MODELS[model];
    if (!known) say(`is of model ${model}, which is not known: use an X-series servo`);
    if (firmware < WATCHDOG_FROM) {
      say(`has firmware ${firmware} without a watchdog: update it to ${WATCHDOG_FROM} or later`);
    }
    const bits = await get('hardware_error');
    if (bits) say(`reports an error: ${hardwareErrorText(bits)}; mend that and power-cycle it`);
    await this.settings(id);
    const latency_ms = await this.latency(id);
    if (latency_ms > LATENCY_MAX_MS) {
      const advice = 'lower the latency timer of a USB adapter, or raise the baud';
      say(`answers after ${latency_ms.toFixed(1)} ms: ${advice}`);
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

  /** What a start sets right by itself. */
  private async settings(id: number): Promise<void> {
    const note = (text: string) => this.notes.push(`Servo ${id} ${text}; a start sets it right`);
    const get = (name: Parameters<typeof readRegister>[2]) => readRegister(this.bus, id, name);
    if ((await get('operating_mode')) !== POSITION_MODE) note('is not in position mode');
    if ((await get('return_delay')) !== 0) note('waits before it answers');
    if ((await get('homing_offset')) !== 0) note('has a homing offset, which calibration ends');
    if ((await get('watchdog')) === WATCHDOG_TRIPPED) note('was stopped by its watchdog');
  }

  /** The quickest of a few answers: others may have waited for this machine. */
  private async latency(id: number): Promise<number> {
    let quickest_ms = Number.POSITIVE_INFINITY;
    for (let i = 0; i < LATENCY_PINGS; i++) {
      const start_ms = this.clock.now_ms();
      await pingServo(this.bus, id);
      quickest_ms = Math.min(quickest_ms, this.clock.now_ms() - start_ms);
    }
    return quickest_ms;
  }

  missing(calibration: Calibration, found: readonly ServoIdentity[]): void {
    calibration.joints.forEach(({ ids }, j) => {
      for (const id of ids.filter((one) => !found.some((servo) => servo.id === one))) {
        const advice = 'check its cable, supply, id and baud';
        this.problems.push(`Servo ${id} of joint ${j} does not answer: ${advice}`);
      }
    });
  }
}

/** Everything that can be seen from the bus without changing it. */
export async function examine(
  bus: Bus,
  clock: BusClock,
  calibration: Calibration | null,
): Promise<Examination> {
  const examiner = new Examiner(bus, clock);
  const found = await scan(bus);
  const { checksum_errors, dropped_bytes } = bus.reading;
  if (checksum_errors + dropped_bytes > 0) {
    const reasons = 'two servos with one id, a wrong baud or bad wiring; connect one at a time';
    examiner.problems.push(`Replies are corrupt: ${reasons}`);
  }
  if (found.length === 0) {
    const advice = 'check supply, cable and baud, and that the adapter is the right one';
    examiner.problems.push(`No servo answers on ${bus.name}: ${advice}`);
  }
  if (calibration) examiner.missing(calibration, found);
  const servos: ServoFinding[] = [];
  for (const servo of found) servos.push(await examiner.servo(servo));
  return { servos, problems: examiner.problems, notes: examiner.notes };
}
