/**
 * What a start asks of a Feetech STS servo and writes into it. These servos refuse no write, so
 * each one is read back; settings in the EEPROM need its lock open.
 */

import type { Bus } from '../servo/bus/bus.ts';
import type { Calibration } from '../servo/calibration/calibration.ts';
import type { ServoSlot } from '../servo/calibration/servo-slot.ts';
import type { ServoSetting } from '../servo/servo-setting.ts';
import { startProblem } from '../servo/start/start-aborted.ts';
import { StartNotes } from '../servo/start/start-notes.ts';
import type { ServoStartReport } from '../servo/start/start-report.ts';
import type { ServoPlace, ServoState, StartServos } from '../servo/start/start-servos.ts';
import { checkStsRegisters, readStsRegisters, type StsRegisters, stsStrength } from './checks.ts';
import { stsError } from './hardware-error.ts';
import { goalLimits, stsLimits } from './limits.ts';
import { STS_MODELS, stsFirmware } from './models.ts';
import { PHASE_TURNS, type StsRegisterName } from './registers.ts';
import {
  pingSts,
  readSts,
  readStsTogether,
  writeSts,
  writeStsAndReadBack,
} from './servo-requests.ts';

const SILENT = 'stopped answering: check its cable and supply';

type Setting = ServoSetting & { readonly name: StsRegisterName };

export class StsInspection implements StartServos {
  private readonly bus: Bus;
  private readonly calibration: Calibration;
  private readonly notes = new StartNotes();
  private readonly identities = new Map<number, { model: number; firmware: number }>();

  constructor(bus: Bus, calibration: Calibration) {
    this.bus = bus;
    this.calibration = calibration;
  }

  async identify(slot: ServoSlot): Promise<void> {
    const { readerCounts } = this.bus;
    const before = readerCounts.checksum_errors + readerCounts.dropped_bytes;
    if (!(await pingSts(this.bus, slot.id))) {
      const spoiled = readerCounts.checksum_errors + readerCounts.dropped_bytes > before;
      const what = spoiled
        ? 'sends corrupt replies: two servos have this id, the baud is wrong or the wiring is ' +
          'bad; connect one at a time'
        : 'does not answer: check its cable, supply and id, the baud, and that it is a Feetech one';
      throw startProblem(slot, what);
    }
    const model = await this.read(slot, 'model');
    const version = await this.read(slot, 'firmware');
    const name = STS_MODELS[model];
    if (!name)
      throw startProblem(slot, `is of model ${model}, which is not supported: use an STS3215`);
    const firmware = stsFirmware(version);
    const known = slot.calibration.servos?.find(({ id }) => id === slot.id);
    if (known?.model !== undefined && known.model !== name) {
      const swapped = `is an ${name}, but an ${known.model} was calibrated`;
      throw startProblem(slot, `${swapped}: put that servo back, or calibrate again`);
    }
    if (known?.firmware !== undefined && known.firmware !== firmware) {
      const had = `has firmware ${firmware} and had ${known.firmware} when it was calibrated`;
      this.notes.note(slot, had);
    }
    this.identities.set(slot.id, { model, firmware });
  }

  async checkHardwareError(slot: ServoSlot): Promise<void> {
    const bits = await this.read(slot, 'status');
    if (bits === 0) return;
    throw startProblem(
      slot,
      `reports an error (${stsError(bits).text}): fix the cause and power-cycle it`,
    );
  }

  async inspect(slot: ServoSlot): Promise<ServoState> {
    const registers = await readStsRegisters(this.bus, slot.id);
    if (typeof registers === 'string') throw startProblem(slot, SILENT);
    const servo = { slot, calibration: this.calibration };
    const findings = checkStsRegisters(registers, servo);
    const problem = findings.find(({ kind }) => kind === 'problem');
    if (problem) throw startProblem(slot, problem.text);
    for (const { kind, text } of findings) if (kind === 'note') this.notes.note(slot, text);
    const limits = stsLimits(slot, registers).filter(({ verdict }) => verdict === 'wide');
    return {
      holds: registers.torque === 1,
      goal_ticks: registers.goal_position,
      wrong: settingsOf(slot, registers).filter(({ name, value }) => registers[name] !== value),
      wide: limits.map(({ name, value }) => ({ name, value })),
      strength: stsStrength(registers, servo),
      watchdog: 0,
    };
  }

  /** Its servos hear their own id only. */
  async checkOthers(): Promise<void> {}

  /** Its servos hear their own id only. */
  async isolate(): Promise<void> {}

  async readPlace(slot: ServoSlot): Promise<ServoPlace> {
    const names = ['goal_position', 'present_position'] as const;
    const values = await readStsTogether(this.bus, slot.id, names);
    if (!values) throw startProblem(slot, SILENT);
    return { goal_ticks: values[0]!, present_ticks: values[1]! };
  }

  async readGoalRange(slot: ServoSlot): Promise<readonly [number, number]> {
    const position_min = await this.read(slot, 'position_min');
    return goalLimits({ position_min, position_max: await this.read(slot, 'position_max') });
  }

  async prepare(slot: ServoSlot, state: ServoState, keepsTorque: boolean): Promise<void> {
    // A servo that answers only reads would seem to be gone.
    await writeSts(this.bus, slot.id, ['status_level', 1]);
    if (state.holds && !keepsTorque) await this.release(slot);
    const writes = [...state.wrong, ...(keepsTorque ? [] : state.wide)];
    if (keepsTorque) this.notes.noteWideLimits(slot, state);
    await this.write(slot, ['lock', 0]);
    for (const { name, value } of writes) {
      const register = name as StsRegisterName;
      const before = await this.read(slot, register);
      await this.write(slot, [register, value]);
      this.notes.addWritten(slot, { register: name, before, after: value });
    }
    await this.write(slot, ['lock', 1]);
    await this.write(slot, ['goal_speed', 0]);
    await this.write(slot, ['goal_time', 0]);
    await this.write(slot, ['acceleration', 0]);
    await this.write(slot, ['torque_limit', await this.read(slot, 'torque_max')]);
  }

  setGoal(slot: ServoSlot, goal_ticks: number): Promise<void> {
    return this.write(slot, ['goal_position', goal_ticks]);
  }

  hold(slot: ServoSlot): Promise<void> {
    return this.write(slot, ['torque', 1]);
  }

  release(slot: ServoSlot): Promise<void> {
    return this.write(slot, ['torque', 0]);
  }

  async hasTorque({ id }: ServoSlot): Promise<boolean | null> {
    const torque = await readSts(this.bus, id, 'torque');
    return torque === null ? null : torque === 1;
  }

  /** These servos have no watchdog. */
  async watch(): Promise<void> {}

  reportOf(slot: ServoSlot, held: boolean): ServoStartReport {
    const { joint, id } = slot;
    const { model, firmware } = this.identities.get(id)!;
    return { joint, id, model: STS_MODELS[model]!, firmware, held, ...this.notes.reportOf(slot) };
  }

  private async read(slot: ServoSlot, name: StsRegisterName): Promise<number> {
    const value = await readSts(this.bus, slot.id, name);
    if (value === null) throw startProblem(slot, SILENT);
    return value;
  }

  /** Writes a register and reads it back. */
  private async write(slot: ServoSlot, setting: readonly [StsRegisterName, number]): Promise<void> {
    const found = await writeStsAndReadBack(this.bus, slot.id, setting);
    const [name, value] = setting;
    if (found === value) return;
    if (found === null) throw startProblem(slot, SILENT);
    throw startProblem(slot, `keeps ${name} = ${found} instead of ${value}: run armtwin doctor`);
  }
}

/** The settings that a start writes. */
function settingsOf({ calibration }: ServoSlot, { phase }: StsRegisters): Setting[] {
  const { drive } = calibration;
  const gains = (['position_p', 'position_i', 'position_d'] as const).flatMap((name) =>
    drive?.[name] === undefined ? [] : [{ name, value: drive[name] }],
  );
  return [
    { name: 'return_delay', value: 0 },
    { name: 'status_level', value: 1 },
    { name: 'operating_mode', value: 0 },
    { name: 'phase', value: phase & ~PHASE_TURNS },
    ...gains,
  ];
}
