/**
 * What a start asks of a servo and writes into it, each failure a sentence that names joint, servo
 * and remedy: who it is, what it reports, what it holds, which of its settings are wrong. The order
 * in which a start does this is in safe-start.ts.
 */
import type { Bus } from '../bus/bus.ts';
import { statusErrorText } from '../bus/instructions.ts';
import { POSITION_MODE, type RegisterName } from '../bus/registers.ts';
import {
  pingServo,
  readRegister,
  type ServoIdentity,
  writeRegister,
} from '../bus/servo-requests.ts';
import type { Calibration, ServoSlot } from './calibration.ts';
import { hardwareErrorText, SERVO_MODELS, WATCHDOG_FROM } from './servo-models.ts';
import { stopSetting } from './stop-input.ts';

/** Drive mode bits that must be clear: time-based profile, torque on by a goal. */
const DRIVE_MODE_FORBIDDEN = 0x0c;
/** No secondary id. */
const NO_SECONDARY_ID = 255;

/** What a servo does before the start, and which of its settings are wrong. */
export interface ServoState {
  readonly holds: boolean;
  readonly goal_ticks: number;
  readonly wrong: readonly (readonly [RegisterName, number])[];
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

export class ServoInspection {
  private readonly bus: Bus;
  private readonly calibration: Calibration;

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
    const stops = this.calibration.emergency_stop?.id === slot.id;
    if (stops && !SERVO_MODELS[found.model]?.ports) {
      const has = 'has no port for the emergency stop of the calibration';
      throw startProblem(slot, `${has}: wire it to an XM540`);
    }
    return found;
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
    const goal_ticks = await this.read(slot, 'goal_position');
    return { holds: (await this.read(slot, 'torque')) === 1, goal_ticks, wrong };
  }

  /** Writes a setting and reads it back. */
  async writeChecked(
    slot: ServoSlot,
    [name, value]: readonly [RegisterName, number],
  ): Promise<void> {
    await this.write(slot, [name, value]);
    const found = await this.read(slot, name);
    if (found === value) return;
    throw startProblem(slot, `keeps ${name} = ${found} instead of ${value}: run armtwin doctor`);
  }

  private settingsOf(
    { id, leader }: ServoSlot,
    drive_mode: number,
  ): (readonly [RegisterName, number])[] {
    const { emergency_stop: stop } = this.calibration;
    return [
      ...(stop?.id === id ? [stopSetting(stop)] : []),
      ['return_delay', 0],
      ['operating_mode', POSITION_MODE],
      ['drive_mode', drive_mode & ~DRIVE_MODE_FORBIDDEN],
      ['secondary_id', id === leader ? NO_SECONDARY_ID : leader],
      // A follower keeps the offset that makes its steps equal to its leader's.
      ...(id === leader ? ([['homing_offset', 0]] as const) : []),
    ];
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
