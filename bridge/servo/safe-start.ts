/**
 * Makes servos ready without moving the arm: identify and check them, correct settings with torque
 * off, set the goal to the present position, enable torque joint by joint, and check that no joint
 * moved. A servo that already holds its joint with the right settings keeps its torque, because a
 * joint without torque falls.
 */
import { failure, type Result, success } from '../../contract/result.ts';
import type { Bus } from '../bus/bus.ts';
import { statusErrorText } from '../bus/instructions.ts';
import { POSITION_MODE, type RegisterName } from '../bus/registers.ts';
import {
  pingServo,
  readRegister,
  type ServoIdentity,
  writeRegister,
} from '../bus/servo-requests.ts';
import { type BusClock, delay } from '../transport/bus-clock.ts';
import type { Calibration, JointCalibration } from './calibration.ts';
import { intoOneTurn, JointUnits } from './joint-units.ts';
import { hardwareErrorText, SERVO_MODELS, WATCHDOG_FROM } from './servo-models.ts';
import { stopSetting } from './stop-input.ts';

/** Why the start failed. */
export interface StartProblem {
  readonly joint: number | null;
  readonly message: string;
}

export interface StartedServos {
  /** All servos, followers included. */
  readonly servos: readonly ServoIdentity[];
  /** True when all of them support fast reads. */
  readonly fast_read: boolean;
  /** Joint angles (rad). */
  readonly position_rad: Float64Array;
}

export interface SafeStartOptions {
  readonly bus: Bus;
  readonly clock: BusClock;
  readonly calibration: Calibration;
}

interface ServoSlot {
  readonly joint: number;
  readonly id: number;
  readonly leader: number;
  readonly calibration: JointCalibration;
}

/** Time after enabling torque before the motion check (ms). */
const SETTLE_MS = 60;
const MOVED_RAD = 0.05;
/** Joints at rest move less than this between two readings; maximum number of readings. */
const REST_RAD = 0.004;
const REST_READS = 20;
/** A joint that fell onto its end stop may start this far outside of its range (rad). */
const RANGE_SLACK_RAD = 0.1;
/** Drive mode bits that must be clear: time-based profile, torque on by a goal. */
const DRIVE_MODE_FORBIDDEN = 0x0c;
/** No secondary id. */
const NO_SECONDARY_ID = 255;

class SafeStart {
  private readonly options: SafeStartOptions;
  private readonly slots: readonly ServoSlot[];

  constructor(options: SafeStartOptions) {
    this.options = options;
    this.slots = options.calibration.joints.flatMap((calibration, joint) =>
      calibration.ids.map((id) => ({ joint, id, leader: calibration.ids[0]!, calibration })),
    );
  }

  async run(): Promise<StartedServos> {
    const servos: ServoIdentity[] = [];
    for (const slot of this.slots) servos.push(await this.identify(slot));
    for (const slot of this.slots) await this.checkHardwareError(slot);
    const holding: boolean[] = [];
    for (const slot of this.slots) holding.push(await this.applySettings(slot));
    await this.readPositions();
    if (holding.every((holds) => holds)) await this.waitForRest();
    const before: number[] = [];
    for (const [i, slot] of this.slots.entries()) {
      // The present position, because a joint without torque may be sinking.
      if (slot.id === slot.leader) before.push(await this.readPosition(slot));
      await this.enableTorque(slot, before[slot.joint]!, holding[i]!);
    }
    await delay(this.options.clock, SETTLE_MS);
    const after = await this.readPositions();
    await this.checkStill(before, after, holding);
    return {
      servos,
      fast_read: servos.every(supportsFastRead),
      position_rad: Float64Array.from(after),
    };
  }

  private async identify(slot: ServoSlot): Promise<ServoIdentity> {
    const { bus } = this.options;
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
    const stops = this.options.calibration.emergency_stop?.id === slot.id;
    if (stops && !SERVO_MODELS[found.model]?.ports) {
      const has = 'has no port for the emergency stop of the calibration';
      throw startProblem(slot, `${has}: wire it to an XM540`);
    }
    return found;
  }

  private async checkHardwareError(slot: ServoSlot): Promise<void> {
    const bits = await this.read(slot, 'hardware_error');
    if (bits === 0) return;
    throw startProblem(
      slot,
      `reports an error (${hardwareErrorText(bits)}): fix the cause and power-cycle it`,
    );
  }

  /** Corrects the settings; returns whether the servo has held its joint throughout. */
  private async applySettings(slot: ServoSlot): Promise<boolean> {
    await this.write(slot, ['status_level', 2]);
    const wrong: [RegisterName, number][] = [];
    for (const [name, value] of this.settingsOf(slot, await this.read(slot, 'drive_mode'))) {
      if ((await this.read(slot, name)) !== value) wrong.push([name, value]);
    }
    const on = (await this.read(slot, 'torque')) === 1;
    if (wrong.length > 0) {
      if (on) await this.write(slot, ['torque', 0]);
      for (const setting of wrong) await this.write(slot, setting);
    }
    await this.write(slot, ['watchdog', 0]);
    await this.write(slot, ['profile_velocity', 0]);
    await this.write(slot, ['profile_acceleration', 0]);
    return on && wrong.length === 0;
  }

  private settingsOf({ id, leader }: ServoSlot, drive_mode: number): [RegisterName, number][] {
    const { emergency_stop: stop } = this.options.calibration;
    return [
      ...(stop?.id === id ? [stopSetting(stop)] : []),
      ['return_delay', 0],
      ['operating_mode', POSITION_MODE],
      ['drive_mode', drive_mode & ~DRIVE_MODE_FORBIDDEN],
      ['secondary_id', id === leader ? NO_SECONDARY_ID : leader],
      ['homing_offset', 0],
    ];
  }

  private async readPositions(): Promise<number[]> {
    const angles: number[] = [];
    for (const slot of this.slots.filter(({ id, leader }) => id === leader)) {
      angles.push(await this.readPosition(slot));
    }
    return angles;
  }

  /** The angle of a joint (rad), if it is inside its range. */
  private async readPosition(slot: ServoSlot): Promise<number> {
    const ticks = intoOneTurn(await this.read(slot, 'present_position'));
    const angle = new JointUnits(slot.calibration).toAngle(ticks);
    const { min_rad, max_rad } = slot.calibration;
    if (angle >= min_rad - RANGE_SLACK_RAD && angle <= max_rad + RANGE_SLACK_RAD) return angle;
    const range = `${min_rad.toFixed(3)}..${max_rad.toFixed(3)}`;
    const where = `is at ${angle.toFixed(3)} rad, outside of its ${range}`;
    throw startProblem(slot, `${where}: move it inside manually, or calibrate again`);
  }

  private async enableTorque(slot: ServoSlot, angle: number, holding: boolean): Promise<void> {
    const goal = new JointUnits(slot.calibration).toTicks(angle);
    await this.write(slot, ['goal_position', goal]);
    if (!holding) await this.write(slot, ['torque', 1]);
  }

  /** Waits for joints that are still moving to an earlier goal. */
  private async waitForRest(): Promise<void> {
    let before = await this.readPositions();
    for (let reading = 0; reading < REST_READS; reading++) {
      await delay(this.options.clock, SETTLE_MS);
      const now = await this.readPositions();
      if (now.every((angle, j) => Math.abs(angle - before[j]!) < REST_RAD)) return;
      before = now;
    }
  }

  private async checkStill(
    before: readonly number[],
    after: readonly number[],
    holding: readonly boolean[],
  ): Promise<void> {
    const joint = before.findIndex((angle, j) => Math.abs(angle - after[j]!) > MOVED_RAD);
    if (joint < 0) return;
    // Joints held throughout keep their torque, or they would fall.
    for (const [i, slot] of this.slots.entries()) {
      if (!holding[i]) await this.write(slot, ['torque', 0]);
    }
    const distance_rad = Math.abs(before[joint]! - after[joint]!).toFixed(3);
    const moved = `moved by ${distance_rad} rad when torque was enabled`;
    const slot = this.slots.find((one) => one.joint === joint)!;
    throw startProblem(slot, `${moved}: check direction, zero_ticks and gear`);
  }

  private async read(slot: ServoSlot, name: RegisterName): Promise<number> {
    const value = await readRegister(this.options.bus, slot.id, name);
    if (value === null) throw startProblem(slot, 'stopped answering: check its cable and supply');
    return value;
  }

  private async write(slot: ServoSlot, setting: readonly [RegisterName, number]): Promise<void> {
    const error = await writeRegister(this.options.bus, slot.id, setting);
    if (error === 0) return;
    if (error === null) throw startProblem(slot, 'stopped answering: check its cable and supply');
    throw startProblem(slot, `refused ${setting[0]} = ${setting[1]}: ${statusErrorText(error)}`);
  }
}

class StartAborted extends Error {
  readonly joint: number;

  constructor(joint: number, message: string) {
    super(message);
    this.joint = joint;
  }
}

function startProblem({ joint, id }: ServoSlot, what: string): StartAborted {
  return new StartAborted(joint, `Joint ${joint} (servo ${id}) ${what}`);
}

/** Makes the servos ready, or returns the joint and the remedy. Never moves the arm. */
export async function safeStart(
  options: SafeStartOptions,
): Promise<Result<StartedServos, StartProblem>> {
  try {
    return success(await new SafeStart(options).run());
  } catch (error) {
    if (error instanceof StartAborted) {
      return failure({ joint: error.joint, message: error.message });
    }
    throw error;
  }
}

function supportsFastRead({ model, firmware }: ServoIdentity): boolean {
  const from = SERVO_MODELS[model]?.fast_read_from;
  return from !== null && from !== undefined && firmware >= from;
}
