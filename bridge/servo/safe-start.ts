/**
 * Makes servos ready without moving the arm: who is there and sound, settings that differ written
 * with torque off, the goal where the joint stands, then torque joint by joint and a look whether
 * anything moved. Each step has an accident behind it. A servo that already holds its joint with
 * the right settings is taken over without letting go: a limp arm falls.
 */
import { failure, type Result, success } from '../../contract/result.ts';
import type { Bus } from '../bus/bus.ts';
import { pingServo, readRegister, type ServoIdentity, writeRegister } from '../bus/bus-calls.ts';
import { errorText } from '../bus/instructions.ts';
import { POSITION_MODE, type RegisterName } from '../bus/registers.ts';
import { type BusClock, pause } from '../transport/bus-clock.ts';
import type { Calibration, JointCalibration } from './calibration.ts';
import { intoOneTurn, JointUnits } from './joint-units.ts';
import { hardwareErrorText, SERVO_MODELS, WATCHDOG_FROM } from './servo-models.ts';
import { stopSetting } from './stop-input.ts';

/** Why the arm was not made ready. */
export interface StartProblem {
  readonly joint: number | null;
  readonly message: string;
}

export interface StartedServos {
  /** All servos, shadows included. */
  readonly servos: readonly ServoIdentity[];
  /** True when all of them can answer together. */
  readonly joined: boolean;
  /** Where the joints stand (rad). */
  readonly position_rad: Float64Array;
}

export interface SafeStartOptions {
  readonly bus: Bus;
  readonly clock: BusClock;
  readonly calibration: Calibration;
}

interface Place {
  readonly joint: number;
  readonly id: number;
  readonly leader: number;
  readonly calibration: JointCalibration;
}

/** Torque is on so long before a look whether something moved (ms). */
const SETTLE_MS = 60;
const MOVED_RAD = 0.05;
/** Less than this from one look to the next is rest; so many looks at most. */
const REST_RAD = 0.004;
const REST_LOOKS = 20;
/** A joint that fell onto its end stop, outside of its range, may start from there (rad). */
const RANGE_SLACK_RAD = 0.1;
/** Drive mode bits that must be clear: time-based profile, torque on by a goal. */
const DRIVE_MODE_FORBIDDEN = 0x0c;
/** No secondary id. */
const NO_SHADOW = 255;

class StartRun {
  private readonly options: SafeStartOptions;
  private readonly places: readonly Place[];

  constructor(options: SafeStartOptions) {
    this.options = options;
    this.places = options.calibration.joints.flatMap((calibration, joint) =>
      calibration.ids.map((id) => ({ joint, id, leader: calibration.ids[0]!, calibration })),
    );
  }

  async run(): Promise<StartedServos> {
    const servos: ServoIdentity[] = [];
    for (const place of this.places) servos.push(await this.identify(place));
    for (const place of this.places) await this.checkSound(place);
    const holding: boolean[] = [];
    for (const place of this.places) holding.push(await this.settle(place));
    await this.positions();
    if (holding.every((holds) => holds)) await this.comeToRest();
    const before: number[] = [];
    for (const [i, place] of this.places.entries()) {
      // A joint that is sinking is caught where it is now.
      if (place.id === place.leader) before.push(await this.position(place));
      await this.energise(place, before[place.joint]!, holding[i]!);
    }
    await pause(this.options.clock, SETTLE_MS);
    const after = await this.positions();
    await this.checkStill(before, after, holding);
    return { servos, joined: servos.every(canJoin), position_rad: Float64Array.from(after) };
  }

  private async identify(place: Place): Promise<ServoIdentity> {
    const { bus } = this.options;
    const before = bus.reading.checksum_errors + bus.reading.dropped_bytes;
    const found = await pingServo(bus, place.id);
    const spoiled = bus.reading.checksum_errors + bus.reading.dropped_bytes - before;
    if (!found && spoiled > 0) {
      const reasons = 'two servos have this id, the baud is wrong or the wiring is bad';
      throw problem(place, `answers what cannot be read: ${reasons}; connect one at a time`);
    }
    if (!found) {
      throw problem(place, `does not answer: check its cable, supply, id and the baud of the line`);
    }
    if (!SERVO_MODELS[found.model]) {
      throw problem(place, `is of model ${found.model}, which is not known: use an X-series servo`);
    }
    if (found.firmware < WATCHDOG_FROM) {
      const has = `has firmware ${found.firmware} without a watchdog`;
      throw problem(place, `${has}: update it to ${WATCHDOG_FROM} or later`);
    }
    const stops = this.options.calibration.emergency_stop?.id === place.id;
    if (stops && !SERVO_MODELS[found.model]?.ports) {
      const has = 'has no port for the emergency stop that the calibration puts there';
      throw problem(place, `${has}: wire it to an XM540`);
    }
    return found;
  }

  private async checkSound(place: Place): Promise<void> {
    const bits = await this.get(place, 'hardware_error');
    if (bits === 0) return;
    throw problem(place, `reports an error (${hardwareErrorText(bits)}): mend it and power-cycle`);
  }

  /** Brings the settings in order; answers whether the servo holds its joint all along. */
  private async settle(place: Place): Promise<boolean> {
    await this.put(place, ['status_level', 2]);
    const wrong: [RegisterName, number][] = [];
    for (const [name, value] of this.settingsOf(place, await this.get(place, 'drive_mode'))) {
      if ((await this.get(place, name)) !== value) wrong.push([name, value]);
    }
    const on = (await this.get(place, 'torque')) === 1;
    if (wrong.length > 0) {
      if (on) await this.put(place, ['torque', 0]);
      for (const setting of wrong) await this.put(place, setting);
    }
    await this.put(place, ['watchdog', 0]);
    await this.put(place, ['profile_velocity', 0]);
    await this.put(place, ['profile_acceleration', 0]);
    return on && wrong.length === 0;
  }

  private settingsOf({ id, leader }: Place, drive_mode: number): [RegisterName, number][] {
    const { emergency_stop: stop } = this.options.calibration;
    return [
      ...(stop?.id === id ? [stopSetting(stop)] : []),
      ['return_delay', 0],
      ['operating_mode', POSITION_MODE],
      ['drive_mode', drive_mode & ~DRIVE_MODE_FORBIDDEN],
      ['secondary_id', id === leader ? NO_SHADOW : leader],
      ['homing_offset', 0],
    ];
  }

  private async positions(): Promise<number[]> {
    const angles: number[] = [];
    for (const place of this.places.filter(({ id, leader }) => id === leader)) {
      angles.push(await this.position(place));
    }
    return angles;
  }

  /** Where a joint stands (rad), if it may start from there. */
  private async position(place: Place): Promise<number> {
    const ticks = intoOneTurn(await this.get(place, 'present_position'));
    const angle = new JointUnits(place.calibration).toAngle(ticks);
    const { min_rad, max_rad } = place.calibration;
    if (angle >= min_rad - RANGE_SLACK_RAD && angle <= max_rad + RANGE_SLACK_RAD) return angle;
    const range = `${min_rad.toFixed(3)}..${max_rad.toFixed(3)}`;
    const where = `stands at ${angle.toFixed(3)} rad, outside of its ${range}`;
    throw problem(place, `${where}: move it inside by hand, or calibrate again`);
  }

  private async energise(place: Place, angle: number, holding: boolean): Promise<void> {
    const goal = new JointUnits(place.calibration).toTicks(angle);
    await this.put(place, ['goal_position', goal]);
    if (!holding) await this.put(place, ['torque', 1]);
  }

  /** Joints that hold may still be on their way to a goal: it would be taken back from them. */
  private async comeToRest(): Promise<void> {
    let before = await this.positions();
    for (let look = 0; look < REST_LOOKS; look++) {
      await pause(this.options.clock, SETTLE_MS);
      const now = await this.positions();
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
    // A joint that was held all along would fall.
    for (const [i, place] of this.places.entries()) {
      if (!holding[i]) await this.put(place, ['torque', 0]);
    }
    const way_rad = Math.abs(before[joint]! - after[joint]!).toFixed(3);
    const moved = `moved by ${way_rad} rad as torque came on`;
    const place = this.places.find((one) => one.joint === joint)!;
    throw problem(place, `${moved}: check direction, zero_ticks and gear`);
  }

  private async get(place: Place, name: RegisterName): Promise<number> {
    const value = await readRegister(this.options.bus, place.id, name);
    if (value === null) throw problem(place, 'stopped answering: check its cable and supply');
    return value;
  }

  private async put(place: Place, setting: readonly [RegisterName, number]): Promise<void> {
    const error = await writeRegister(this.options.bus, place.id, setting);
    if (error === 0) return;
    if (error === null) throw problem(place, 'stopped answering: check its cable and supply');
    throw problem(place, `refused ${setting[0]} = ${setting[1]}: ${errorText(error)}`);
  }
}

class StartStopped extends Error {
  readonly joint: number;

  constructor(joint: number, message: string) {
    super(message);
    this.joint = joint;
  }
}

function problem({ joint, id }: Place, what: string): StartStopped {
  return new StartStopped(joint, `Joint ${joint} (servo ${id}) ${what}`);
}

/** Makes the servos ready; what failed names the joint and says what to do. Never moves the arm. */
export async function safeStart(
  options: SafeStartOptions,
): Promise<Result<StartedServos, StartProblem>> {
  try {
    return success(await new StartRun(options).run());
  } catch (error) {
    if (error instanceof StartStopped) {
      return failure({ joint: error.joint, message: error.message });
    }
    throw error;
  }
}

function canJoin({ model, firmware }: ServoIdentity): boolean {
  const from = SERVO_MODELS[model]?.joined_from;
  return from !== null && from !== undefined && firmware >= from;
}
