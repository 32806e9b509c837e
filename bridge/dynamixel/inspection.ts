/**
 * What a start asks of a servo and writes into it, each failure a sentence that names joint, servo
 * and remedy: who it is, what it reports, what it holds, which of its settings are wrong. The order
 * in which a start does this is in safe-start.ts.
 */

import type { Bus } from '../servo/bus/bus.ts';
import {
  type Calibration,
  isCurrentBased,
  type JointCalibration,
} from '../servo/calibration/calibration.ts';
import { intoOneTurn, JointUnits } from '../servo/calibration/joint-units.ts';
import type { ServoSlot } from '../servo/calibration/servo-slot.ts';
import type { ServoSetting } from '../servo/servo-setting.ts';
import { startProblem } from '../servo/start/start-aborted.ts';
import { StartNotes } from '../servo/start/start-notes.ts';
import type { ServoStartReport } from '../servo/start/start-report.ts';
import type { ServoPlace, ServoState, StartServos } from '../servo/start/start-servos.ts';
import { type BusClock, delay } from '../transport/bus-clock.ts';
import {
  type CheckedRegisters,
  checkRegisters,
  NO_SECONDARY_ID,
  readChecked,
  strengthOf,
} from './checks.ts';
import { DRIVE_MODE_WRONG } from './drive-mode.ts';
import { hardwareErrorText } from './hardware-error.ts';
import { SERVO_MODELS, WATCHDOG_FROM } from './models.ts';
import {
  OPERATING_MODE,
  type RegisterName,
  WATCHDOG_TRIPPED,
  WATCHDOG_UNITS,
} from './registers.ts';
import { judgeLimit, type ServoLimit, servoLimits } from './servo-limits.ts';
import {
  pingServo,
  readRegister,
  readRegisters,
  type ServoIdentity,
  scanServos,
  writeAndReadBack,
  writeRegister,
} from './servo-requests.ts';
import { statusErrorText } from './status-error.ts';
import { stopSetting } from './stop-input.ts';

/** Timeout of the watchdog in its test (20 ms), and the silence that must trip it (ms). */
const WATCHDOG_TEST_UNITS = 1;
const WATCHDOG_TEST_MS = 60;
const GAINS = ['position_p', 'position_i', 'position_d', 'forward_1', 'forward_2'] as const;

/** A joint that has sunk by more is told (rad): more than the play of its gears. */
const SUNK_RAD = 0.005;

const SILENT = 'stopped answering: check its cable and supply';

/** A register of these servos, and its value. */
type Setting = ServoSetting & { readonly name: RegisterName };

/** The gains of the calibration; another stiffness would make the lead of the goals wrong. */
function gainsOf({ drive }: JointCalibration): Setting[] {
  if (!drive) return [];
  return GAINS.flatMap((name) => (drive[name] === undefined ? [] : [{ name, value: drive[name] }]));
}

/** A servo with some of its registers. */
type ServoSetup = ServoState & {
  readonly wrong: readonly Setting[];
  readonly wide: readonly ServoLimit[];
};

export class ServoInspection implements StartServos {
  /** By servo id. */
  readonly identities = new Map<number, ServoIdentity>();
  private readonly bus: Bus;
  private readonly clock: BusClock;
  private readonly calibration: Calibration;
  private readonly notes = new StartNotes();

  constructor(bus: Bus, clock: BusClock, calibration: Calibration) {
    this.bus = bus;
    this.clock = clock;
    this.calibration = calibration;
  }

  /** Model and firmware of a servo that the driver supports. */
  async identify(slot: ServoSlot): Promise<void> {
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
        'does not answer: check its cable, supply and id, the baud, and that it is a DYNAMIXEL one',
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
    if (isCurrentBased(slot.calibration) && SERVO_MODELS[found.model]!.current_step_a === null) {
      const has = 'has no current control, which the mode of its joint needs';
      throw startProblem(slot, `${has}: set mode to position in the calibration`);
    }
    this.compareWithCalibration(slot, found);
    const stops = this.calibration.emergency_stop?.id === slot.id;
    if (stops && !SERVO_MODELS[found.model]?.ports) {
      const has = 'has no port for the emergency stop of the calibration';
      throw startProblem(slot, `${has}: wire it to an XM540`);
    }
    this.identities.set(slot.id, found);
  }

  /** Refuses a servo of another model than the one that was calibrated. */
  private compareWithCalibration(slot: ServoSlot, { model, firmware }: ServoIdentity): void {
    const known = slot.calibration.servos?.find(({ id }) => id === slot.id);
    const { name } = SERVO_MODELS[model]!;
    if (known?.model !== undefined && known.model !== name) {
      const swapped = `is an ${name}, but an ${known.model} was calibrated`;
      throw startProblem(slot, `${swapped}: put that servo back, or calibrate again`);
    }
    if (known?.firmware !== undefined && known.firmware !== firmware) {
      this.notes.note(
        slot,
        `has firmware ${firmware} and had ${known.firmware} when it was calibrated`,
      );
    }
  }

  /** What the start found at a servo and wrote into it. */
  reportOf(slot: ServoSlot, held: boolean): ServoStartReport {
    const { joint, id } = slot;
    const { model, firmware } = this.identities.get(id)!;
    const { name } = SERVO_MODELS[model]!;
    return { joint, id, model: name, firmware, held, ...this.notes.reportOf(slot) };
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
  async inspect(slot: ServoSlot): Promise<ServoSetup> {
    const registers = await this.readChecked(slot);
    const wrong = this.settingsOf(slot, registers).filter(
      ({ name, value }) => registers[name as keyof CheckedRegisters] !== value,
    );
    const stop = await this.wrongStopSetting(slot);
    if (stop) wrong.push(stop);
    const changesMode = wrong.some(({ name }) => name === 'operating_mode');
    if (!changesMode && (await this.countsTurns(slot))) {
      wrong.push(
        { name: 'operating_mode', value: OPERATING_MODE.position },
        { name: 'operating_mode', value: OPERATING_MODE.current_based },
      );
    }
    // A servo resets its gains when its mode changes.
    if (wrong.some(({ name }) => name === 'operating_mode'))
      wrong.push(...gainsOf(slot.calibration));
    const wide: ServoLimit[] = [];
    for (const limit of servoLimits(slot, this.identities.get(slot.id)!.model)) {
      if (judgeLimit(limit, registers[limit.name]) === 'wide') wide.push(limit);
    }
    this.noteSunk(slot, registers);
    const { calibration } = this;
    const { model } = this.identities.get(slot.id)!;
    return {
      holds: registers.torque === 1,
      goal_ticks: registers.goal_position,
      wrong,
      wide,
      strength: strengthOf(registers, { model, slot, calibration }),
      watchdog: registers.watchdog,
    };
  }

  /** The registers of a servo; refuses what a diagnosis calls a problem, and notes the rest. */
  private async readChecked(slot: ServoSlot): Promise<CheckedRegisters> {
    const { id } = slot;
    const { model } = this.identities.get(id)!;
    const registers = await readChecked(this.bus, { id, model });
    if (typeof registers === 'string') throw startProblem(slot, SILENT);
    const servo = { id, model, slot, calibration: this.calibration, found: [] };
    const findings = checkRegisters(registers, servo);
    const problem = findings.find(({ kind }) => kind === 'problem');
    if (problem) throw startProblem(slot, problem.text);
    for (const { kind, text } of findings) if (kind === 'note') this.notes.note(slot, text);
    this.noteReverse(slot);
    return registers;
  }

  /**
   * A watchdog that trips takes the place where its joint hangs for the goal, and the joint sinks by
   * its load once more: at each kill of a program, so that it adds up.
   */
  private noteSunk(slot: ServoSlot, r: CheckedRegisters): void {
    if (r.watchdog !== WATCHDOG_TRIPPED || r.torque !== 1) return;
    const units = new JointUnits(slot.calibration);
    const sunk_rad = units.toAngle(r.present_position) - units.toAngle(r.goal_position);
    if (Math.abs(sunk_rad) < SUNK_RAD) return;
    const by = `${Math.abs(sunk_rad).toFixed(3)} rad`;
    const what = `has sunk by ${by} since its watchdog stopped it, when the last program ended`;
    this.notes.note(slot, `${what} without a stop: move the arm back, and end it with SIGTERM`);
  }

  private noteReverse(slot: ServoSlot): void {
    const known = slot.calibration.servos?.find(({ id }) => id === slot.id);
    if (!known || known.reverse !== undefined) return;
    const what = 'may count in reverse or not: the calibration does not say it';
    this.notes.note(slot, `${what}; calibrate again, or add "reverse" to its entry in servos`);
  }

  /** The setting of the port of the emergency stop, where it is wrong. */
  private async wrongStopSetting(slot: ServoSlot): Promise<Setting | null> {
    const { emergency_stop: stop } = this.calibration;
    if (stop?.id !== slot.id) return null;
    const setting = stopSetting(stop);
    return (await this.read(slot, setting.name)) === setting.value ? null : setting;
  }

  async checkOthers(slots: readonly ServoSlot[]): Promise<void> {
    const others = (await scanServos(this.bus)).filter(
      ({ id }) => !slots.some((slot) => slot.id === id),
    );
    for (const { id } of others) {
      const obeys = await readRegister(this.bus, id, 'secondary_id');
      const slot = slots.find((one) => one.id === obeys);
      if (!slot) continue;
      const moves = `is obeyed by servo ${id} too, which is not in the calibration (secondary id)`;
      throw startProblem(slot, `${moves}: run armtwin doctor --fix, or take servo ${id} off`);
    }
  }

  /**
   * True where a goal would be turns away: current-based control counts turns, and only position
   * mode folds them into one.
   */
  private async countsTurns(slot: ServoSlot): Promise<boolean> {
    if (!isCurrentBased(slot.calibration)) return false;
    const { present_ticks } = await this.readPlace(slot);
    return present_ticks !== intoOneTurn(present_ticks);
  }

  /** A stale secondary id would give it torque and goal of another joint. */
  async isolate(slot: ServoSlot, { holds, wrong }: ServoState): Promise<void> {
    if (!wrong.some(({ name }) => name === 'secondary_id')) return;
    if ((await this.read(slot, 'secondary_id')) === NO_SECONDARY_ID) return;
    if (holds) await this.release(slot);
    await this.writeNoted(slot, { name: 'secondary_id', value: NO_SECONDARY_ID });
  }

  async readPlace(slot: ServoSlot): Promise<ServoPlace> {
    const values = await readRegisters(this.bus, slot.id, ['goal_position', 'present_position']);
    if (!values) throw startProblem(slot, SILENT);
    return { goal_ticks: values[0]!, present_ticks: values[1]! };
  }

  async readGoalRange(slot: ServoSlot): Promise<readonly [number, number]> {
    return [await this.read(slot, 'position_min'), await this.read(slot, 'position_max')];
  }

  async prepare(slot: ServoSlot, state: ServoState, keepsTorque: boolean): Promise<void> {
    const { holds, wrong, wide } = state as ServoSetup;
    await this.write(slot, ['status_level', 2]);
    if (holds && !keepsTorque) await this.release(slot);
    for (const setting of wrong) await this.writeNoted(slot, setting);
    if (keepsTorque) this.notes.noteWideLimits(slot, state);
    else for (const limit of wide) await this.writeNoted(slot, limit);
    await this.write(slot, ['watchdog', 0]);
    await this.write(slot, ['profile_velocity', 0]);
    await this.write(slot, ['profile_acceleration', 0]);
  }

  /** Highest goal current that a servo accepts (its unit). */
  readCurrentLimit(slot: ServoSlot): Promise<number> {
    return this.read(slot, 'current_limit');
  }

  async setGoal(slot: ServoSlot, goal_ticks: number): Promise<void> {
    await this.write(slot, ['goal_position', goal_ticks]);
    if (isCurrentBased(slot.calibration)) {
      await this.write(slot, ['goal_current', await this.readCurrentLimit(slot)]);
    }
  }

  /** On a supported arm it also lets the watchdog trip once. */
  async hold(slot: ServoSlot, goal_ticks: number, supported: boolean): Promise<void> {
    await this.write(slot, ['torque', 1]);
    if (!supported) return;
    await this.tripWatchdog(slot);
    await this.write(slot, ['goal_position', goal_ticks]);
  }

  release(slot: ServoSlot): Promise<void> {
    return this.write(slot, ['torque', 0]);
  }

  async hasTorque({ id }: ServoSlot): Promise<boolean | null> {
    const torque = await readRegister(this.bus, id, 'torque');
    return torque === null ? null : torque === 1;
  }

  async watch({ id }: ServoSlot): Promise<void> {
    await writeRegister(this.bus, id, ['watchdog', WATCHDOG_UNITS]);
  }

  /** Writes a setting and notes it. */
  private async writeNoted(slot: ServoSlot, { name, value }: Setting): Promise<void> {
    const before = await this.read(slot, name);
    await this.write(slot, [name, value]);
    this.notes.addWritten(slot, { register: name, before, after: value });
  }

  private settingsOf(slot: ServoSlot, { drive_mode }: CheckedRegisters): Setting[] {
    const { id, leader, calibration } = slot;
    return [
      { name: 'return_delay', value: 0 },
      { name: 'startup', value: 0 },
      { name: 'operating_mode', value: OPERATING_MODE[calibration.mode ?? 'position'] },
      { name: 'drive_mode', value: drive_mode & ~DRIVE_MODE_WRONG },
      { name: 'secondary_id', value: id === leader ? NO_SECONDARY_ID : leader },
      ...gainsOf(calibration),
      // A follower keeps the offset that makes its steps equal to its leader's.
      ...(id === leader ? [{ name: 'homing_offset' as const, value: 0 }] : []),
    ];
  }

  /**
   * Lets the watchdog of a servo with torque trip once, and clears it: the proof that it stops the
   * joint when this program dies. The joint sinks for a moment, so the arm must be supported.
   */
  private async tripWatchdog(slot: ServoSlot): Promise<void> {
    // Reading it back would be another packet that keeps it from tripping.
    await writeRegister(this.bus, slot.id, ['watchdog', WATCHDOG_TEST_UNITS]);
    await delay(this.clock, WATCHDOG_TEST_MS);
    const found = await this.read(slot, 'watchdog');
    await this.write(slot, ['watchdog', 0]);
    if (found === WATCHDOG_TRIPPED) return;
    throw startProblem(slot, 'has a watchdog that does not trip: update its firmware');
  }

  /** The value of a register. */
  private async read(slot: ServoSlot, name: RegisterName): Promise<number> {
    const value = await readRegister(this.bus, slot.id, name);
    if (value === null) throw startProblem(slot, SILENT);
    return value;
  }

  /** Writes a register and reads it back. */
  private async write(slot: ServoSlot, setting: readonly [RegisterName, number]): Promise<void> {
    const { error, found } = await writeAndReadBack(this.bus, slot.id, setting);
    const [name, value] = setting;
    if (found === value) return;
    if (found === null) throw startProblem(slot, SILENT);
    if (error) {
      throw startProblem(slot, `refused ${name} = ${value}: ${statusErrorText(error)}`);
    }
    throw startProblem(slot, `keeps ${name} = ${found} instead of ${value}: run armtwin doctor`);
  }
}
