/**
 * What a start asks of a servo and writes into it, each failure a sentence that names joint, servo
 * and remedy: who it is, what it reports, what it holds, which of its settings are wrong. The order
 * in which a start does this is in safe-start.ts.
 */
import type { Bus } from '../bus/bus.ts';
import { statusErrorText } from '../bus/instructions.ts';
import { POSITION_MODE, type RegisterName, WATCHDOG_TRIPPED } from '../bus/registers.ts';
import {
  pingServo,
  readRegister,
  type ServoIdentity,
  writeRegister,
} from '../bus/servo-requests.ts';
import type { Calibration, JointCalibration, ServoSlot } from './calibration.ts';
import { judgeLimit, type ServoLimit, servoLimits } from './servo-limits.ts';
import { hardwareErrorText, SERVO_MODELS, WATCHDOG_FROM } from './servo-models.ts';
import { stopSetting } from './stop-input.ts';

/** Drive mode bits that must be clear: time-based profile, torque on by a goal. */
const DRIVE_MODE_FORBIDDEN = 0x0c;
/** Timeout of the watchdog in its test (20 ms), and the silence that must trip it (ms). */
const WATCHDOG_TEST_UNITS = 1;
const WATCHDOG_TEST_MS = 60;
const GAINS = ['position_p', 'position_i', 'position_d', 'forward_1', 'forward_2'] as const;
/** No secondary id. */
const NO_SECONDARY_ID = 255;

/** What a servo does before the start, and which of its settings are wrong. */
export interface ServoState {
  readonly holds: boolean;
  readonly goal_ticks: number;
  readonly wrong: readonly (readonly [RegisterName, number])[];
  /** Limits of the calibration that are wider in the servo. */
  readonly wide: readonly ServoLimit[];
}

/** A register that a start wrote, with its value before. */
export interface WrittenRegister {
  readonly register: RegisterName;
  readonly before: number;
  readonly after: number;
}

/** What a start found at a servo and wrote into it. */
export interface ServoStartReport {
  readonly joint: number;
  readonly id: number;
  readonly model: string;
  readonly firmware: number;
  /** True: it held its joint already, and kept its goal. */
  readonly held: boolean;
  /** Settings and limits, each read back after it was written. */
  readonly written: readonly WrittenRegister[];
  /** What the operator should know: narrower limits, another firmware than calibrated. */
  readonly notes: readonly string[];
}

/** A start that cannot go on. */
export class StartAborted extends Error {
  readonly joint: number;

  constructor(joint: number, message: string) {
    super(message);
    this.joint = joint;
  }
}

/** The problem of a servo, named with its joint. */
export function startProblem({ joint, id }: ServoSlot, what: string): StartAborted {
  return new StartAborted(joint, `Joint ${joint} (servo ${id}) ${what}`);
}

/** The gains of the calibration; another stiffness would make the lead of the goals wrong. */
function gainsOf({ drive }: JointCalibration): (readonly [RegisterName, number])[] {
  if (!drive) return [];
  return GAINS.flatMap((name) => (drive[name] === undefined ? [] : [[name, drive[name]] as const]));
}

export class ServoInspection {
  private readonly bus: Bus;
  private readonly calibration: Calibration;
  private readonly written = new Map<number, WrittenRegister[]>();
  private readonly notes = new Map<number, string[]>();
  private readonly identities = new Map<number, ServoIdentity>();

  constructor(bus: Bus, calibration: Calibration) {
    this.bus = bus;
    this.calibration = calibration;
  }

  /** Model and firmware of a servo that the driver supports. */
  async identify(slot: ServoSlot): Promise<ServoIdentity> {
    const { bus } = this;
    const before = bus.readerCounts.checksum_errors + bus.readerCounts.dropped_bytes;
    const found = await pingServo(bus, slot.id);
    const spoiled = bus.readerCounts.checksum_errors + bus.readerCounts.dropped_bytes - before;
    if (!found && spoiled > 0) {
      const reasons = 'two servos have this id, the baud is wrong or the wiring is bad';
      throw startProblem(slot, `sends corrupt replies: ${reasons}; connect one at a time`);
    }
    if (!found) {
      throw startProblem(
        slot,
        `does not answer: check its cable, supply, id and the baud of the line`,
      );
    }
    if (!SERVO_MODELS[found.model]) {
      throw startProblem(
        slot,
        `is of model ${found.model}, which is not supported: use an X-series servo`,
      );
    }
    if (found.firmware < WATCHDOG_FROM) {
      const has = `has firmware ${found.firmware} without a watchdog`;
      throw startProblem(slot, `${has}: update it to ${WATCHDOG_FROM} or later`);
    }
    this.compareWithCalibration(slot, found);
    const stops = this.calibration.emergency_stop?.id === slot.id;
    if (stops && !SERVO_MODELS[found.model]?.ports) {
      const has = 'has no port for the emergency stop of the calibration';
      throw startProblem(slot, `${has}: wire it to an XM540`);
    }
    this.identities.set(slot.id, found);
    return found;
  }

  /** Refuses a servo of another model than the one that was calibrated. */
  private compareWithCalibration(slot: ServoSlot, { model, firmware }: ServoIdentity): void {
    const known = slot.calibration.servos?.find(({ id }) => id === slot.id);
    const { name } = SERVO_MODELS[model]!;
    if (known && known.model !== name) {
      const swapped = `is an ${name}, but an ${known.model} was calibrated`;
      throw startProblem(slot, `${swapped}: put that servo back, or calibrate again`);
    }
    if (known && known.firmware !== firmware) {
      this.note(slot, `has firmware ${firmware} and had ${known.firmware} when it was calibrated`);
    }
  }

  private note({ id }: ServoSlot, text: string): void {
    this.notes.set(id, [...(this.notes.get(id) ?? []), text]);
  }

  /** What the start found at a servo and wrote into it. */
  reportOf({ joint, id }: ServoSlot, held: boolean): ServoStartReport {
    const { model, firmware } = this.identities.get(id)!;
    const [written, notes] = [this.written.get(id) ?? [], this.notes.get(id) ?? []];
    return { joint, id, model: SERVO_MODELS[model]!.name, firmware, held, written, notes };
  }

  /** Refuses a servo in alert. */
  async checkHardwareError(slot: ServoSlot): Promise<void> {
    const bits = await this.read(slot, 'hardware_error');
    if (bits === 0) return;
    throw startProblem(
      slot,
      `reports an error (${hardwareErrorText(bits)}): fix the cause and power-cycle it`,
    );
  }

  /** Reads torque, goal and settings of a servo; changes nothing. */
  async inspect(slot: ServoSlot): Promise<ServoState> {
    const wrong: (readonly [RegisterName, number])[] = [];
    for (const [name, value] of this.settingsOf(slot, await this.read(slot, 'drive_mode'))) {
      if ((await this.read(slot, name)) !== value) wrong.push([name, value]);
    }
    // A servo resets its gains when its mode changes.
    const changesMode = wrong.some(([name]) => name === 'operating_mode');
    if (changesMode) wrong.push(...gainsOf(slot.calibration));
    const goal_ticks = await this.read(slot, 'goal_position');
    const holds = (await this.read(slot, 'torque')) === 1;
    const wide: ServoLimit[] = [];
    for (const limit of servoLimits(slot, this.identities.get(slot.id)!.model)) {
      const found = await this.read(slot, limit.name);
      const verdict = judgeLimit(limit, found);
      if (verdict === 'wide') wide.push(limit);
      const { name, value } = limit;
      if (verdict === 'narrow') {
        this.note(slot, `keeps ${name} = ${found}, narrower than the calibration (${value})`);
      }
    }
    return { holds, goal_ticks, wrong, wide };
  }

  /** Writes the limits of the calibration into a servo without torque. */
  async writeLimits(slot: ServoSlot, { wide }: ServoState): Promise<void> {
    for (const { name, value } of wide) await this.writeChecked(slot, [name, value]);
  }

  /** Notes the limits that a servo keeps because it holds its joint. */
  noteWideLimits(slot: ServoSlot, { wide }: ServoState): void {
    for (const { name, value } of wide) {
      const what = `has a wider ${name} than the calibration (${value})`;
      this.note(slot, `${what}, and holds: start once with --arm-is-supported to write it`);
    }
  }

  /** Writes a setting and reads it back. */
  async writeChecked(
    slot: ServoSlot,
    [name, value]: readonly [RegisterName, number],
  ): Promise<void> {
    const before = await this.read(slot, name);
    await this.write(slot, [name, value]);
    const found = await this.read(slot, name);
    const { id } = slot;
    const entry = { register: name, before, after: found };
    this.written.set(id, [...(this.written.get(id) ?? []), entry]);
    if (found === value) return;
    throw startProblem(slot, `keeps ${name} = ${found} instead of ${value}: run armtwin doctor`);
  }

  private settingsOf(
    { id, leader, calibration }: ServoSlot,
    drive_mode: number,
  ): (readonly [RegisterName, number])[] {
    const { emergency_stop: stop } = this.calibration;
    return [
      ...(stop?.id === id ? [stopSetting(stop)] : []),
      ['return_delay', 0],
      ['operating_mode', POSITION_MODE],
      ['drive_mode', drive_mode & ~DRIVE_MODE_FORBIDDEN],
      ['secondary_id', id === leader ? NO_SECONDARY_ID : leader],
      ...gainsOf(calibration),
      // A follower keeps the offset that makes its steps equal to its leader's.
      ...(id === leader ? ([['homing_offset', 0]] as const) : []),
    ];
  }

  /**
   * Lets the watchdog of a servo with torque trip once, and clears it: the proof that it stops the
   * joint when this program dies. The joint sinks for a moment, so the arm must be supported.
   */
  async tripWatchdog(slot: ServoSlot, wait: (duration_ms: number) => Promise<void>): Promise<void> {
    await this.write(slot, ['watchdog', WATCHDOG_TEST_UNITS]);
    await wait(WATCHDOG_TEST_MS);
    const found = await this.read(slot, 'watchdog');
    await this.write(slot, ['watchdog', 0]);
    if (found === WATCHDOG_TRIPPED) return;
    throw startProblem(slot, 'has a watchdog that does not trip: update its firmware');
  }

  /** The value of a register. */
  async read(slot: ServoSlot, name: RegisterName): Promise<number> {
    const value = await readRegister(this.bus, slot.id, name);
    if (value === null) throw startProblem(slot, 'stopped answering: check its cable and supply');
    return value;
  }

  /** Writes a register. */
  async write(slot: ServoSlot, setting: readonly [RegisterName, number]): Promise<void> {
    const error = await writeRegister(this.bus, slot.id, setting);
    if (error === 0) return;
    if (error === null) throw startProblem(slot, 'stopped answering: check its cable and supply');
    throw startProblem(slot, `refused ${setting[0]} = ${setting[1]}: ${statusErrorText(error)}`);
  }
}
