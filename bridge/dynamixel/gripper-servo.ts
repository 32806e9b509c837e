/**
 * The servo of a gripper on the line of the arm, in current-based position mode: what a start asks of
 * it and writes into it, and its exchange in the pauses of the joints. It has no watchdog: one that
 * trips would let go of what it grips.
 */

import type { ArmFault } from '../arm-driver.ts';
import type { GripperReading } from '../arm-instruments.ts';
import type { Bus, Transaction } from '../servo/bus/bus.ts';
import type { ServoReply } from '../servo/bus/packet.ts';
import type { GripperCalibration } from '../servo/calibration/gripper-calibration.ts';
import { type FoundGripper, ServoGripper } from '../servo/gripper/servo-gripper.ts';
import { gripperFault } from '../servo/servo-faults.ts';
import { StartAborted } from '../servo/start/start-aborted.ts';
import { type BusClock, delay } from '../transport/bus-clock.ts';
import { hardwareError, hardwareErrorText } from './hardware-error.ts';
import * as request from './instructions.ts';
import { SAMPLE } from './joint-samples.ts';
import { SERVO_MODELS } from './models.ts';
import {
  decodeValue,
  encodeValue,
  HEALTH,
  OPERATING_MODE,
  REGISTER,
  type RegisterName,
  VELOCITY_STEP_TICKS_S,
} from './registers.ts';
import { SampleAge } from './sample-age.ts';
import {
  pingServo,
  readRegister,
  readRegisters,
  rebootServo,
  writeAndReadBack,
} from './servo-requests.ts';
import { ALERT_BIT } from './status-error.ts';

/** Profile of its goals: 1.75 rad in 0.75 s (0.229 turns a minute; 214.577 turns a minute²). */
const PROFILE_VELOCITY = 112;
const PROFILE_ACCELERATION = 40;
/** Samples between two readings of its torque and errors, and of its temperature. */
const HEALTH_SAMPLES = 16;
/** Samples in a row without an answer that mean that it is gone: 0.5 s. */
const SILENT_SAMPLES = 16;
const REBOOT_MS = 600;
/** Torque and errors; supply and heat. */
const [ERRORS, , HEAT] = HEALTH as readonly [(typeof HEALTH)[0], unknown, (typeof HEALTH)[0]];

export class GripperServo {
  readonly tool: ServoGripper;
  /** Why it does not work, since the latest start. */
  fault: ArmFault | null = null;
  private readonly bus: Bus;
  private readonly clock: BusClock;
  private readonly calibration: GripperCalibration;
  private model = 0;
  private current_step_a = 0;
  private readonly age = new SampleAge();
  private taken_ms = 0;
  private samples = 0;
  private missed = 0;
  private current_a = 0;
  private voltage_v = 0;
  private temperature_c = 25;
  /** True from a start on that has made it hold, until the next. */
  private isHeld = false;
  private found: FoundGripper | null = null;

  constructor(bus: Bus, clock: BusClock, calibration: GripperCalibration) {
    this.bus = bus;
    this.clock = clock;
    this.calibration = calibration;
    this.tool = new ServoGripper(calibration);
  }

  /**
   * Looks at the servo before anything is written, and refuses one that cannot be driven. A recovery
   * (`resumed`) restarts one that has switched itself off.
   */
  async inspect({ supported, resumed }: { supported?: boolean; resumed?: boolean }): Promise<void> {
    const { id, servo } = this.calibration;
    // What this finds says more than the fault before it.
    this.fault = null;
    this.isHeld = false;
    const found = await pingServo(this.bus, id);
    if (!found) throw this.problem('does not answer: check its cable, supply and id');
    const model = SERVO_MODELS[found.model];
    if (!model) throw this.problem(`is of model ${found.model}, which is not supported`);
    if (servo?.model !== undefined && servo.model !== model.name) {
      const swapped = `is an ${model.name}, but an ${servo.model} was calibrated`;
      throw this.problem(`${swapped}: put that servo back, or calibrate again`);
    }
    if (model.current_step_a === null) {
      throw this.problem(`is an ${model.name}, which cannot limit its current: use an XM430`);
    }
    this.model = found.model;
    this.current_step_a = model.current_step_a;
    const bits = await this.read('hardware_error');
    const holds = (await this.read('torque')) === 1;
    if (bits !== 0 && (!resumed || holds)) {
      throw this.problem(
        `reports an error (${hardwareErrorText(bits)}): fix the cause and power-cycle it`,
      );
    }
    if (bits !== 0) {
      await rebootServo(this.bus, id);
      await delay(this.clock, REBOOT_MS);
    }
    const mode = await this.read('operating_mode');
    if (holds && mode !== OPERATING_MODE.current_based && !supported) {
      const why = `holds in mode ${mode}, and lets go of what it grips when that is corrected`;
      throw this.problem(`${why}: empty it and start with --arm-is-supported`);
    }
    const keeps = holds && mode === OPERATING_MODE.current_based;
    const places = await readRegisters(this.bus, id, ['goal_position', 'present_position']);
    if (!places) throw this.problem('stopped answering: check its cable and supply');
    this.found = { holds: keeps, goal_ticks: places[0]!, position_ticks: places[1]! };
  }

  /** Makes it hold as it was found: what it grips it goes on gripping, and it does not move. */
  async hold(resumed: boolean): Promise<void> {
    const found = this.found!;
    if (!found.holds) {
      await this.write('torque', 0);
      await this.write('operating_mode', OPERATING_MODE.current_based);
      await this.write('secondary_id', 255);
    }
    const grip = Math.round(this.calibration.grip_current_a / this.current_step_a);
    if (grip > (await this.read('current_limit'))) {
      throw this.problem(`is weakened by its current limit: set it to ${grip} or more`);
    }
    await this.write('watchdog', 0);
    await this.write('goal_current', grip);
    await this.write('profile_acceleration', PROFILE_ACCELERATION);
    await this.write('profile_velocity', PROFILE_VELOCITY);
    let start = found;
    if (!found.holds) {
      // After a change of mode its position is counted within one turn.
      const position_ticks = await this.read('present_position');
      start = { holds: false, goal_ticks: position_ticks, position_ticks };
      await this.write('goal_position', position_ticks);
      await this.write('torque', 1);
    }
    if (resumed) this.tool.resume(start);
    else this.tool.begin(start);
    this.missed = 0;
    this.age.reset();
    this.taken_ms = this.clock.now_ms();
    this.isHeld = true;
  }

  /** The exchange that is due: its goal and a sample, or its health; `keeps` sends no goal. */
  start(keeps: boolean): void {
    if (!this.isHeld) return;
    const { id } = this.calibration;
    this.samples += 1;
    const turn = this.samples % HEALTH_SAMPLES;
    if (turn === 0) this.ask(ERRORS, (data) => this.takeErrors(data));
    else if (turn === HEALTH_SAMPLES / 2) this.ask(HEAT, (data) => this.takeHeat(data));
    else {
      const data = encodeValue(REGISTER.goal_position, this.tool.goal_ticks);
      const goal = request.syncWrite(REGISTER.goal_position, [{ id, data }]);
      const packet = request.syncRead([id], SAMPLE);
      const { length } = SAMPLE;
      const sample: Transaction = { packet, ids: [id], length, prepended: keeps ? [] : [goal] };
      this.bus.tryStart(sample, ([reply]) => this.takeSample(reply));
    }
  }

  private ask(span: typeof ERRORS, take: (data: Uint8Array) => void): void {
    const { id } = this.calibration;
    const { length } = span;
    this.bus.tryStart({ packet: request.syncRead([id], span), ids: [id], length }, ([reply]) => {
      if (reply?.data.length === length) take(reply.data);
    });
  }

  private takeSample(reply: ServoReply | undefined): void {
    const now_ms = this.clock.now_ms();
    if (reply?.data.length !== SAMPLE.length) {
      this.missed += 1;
      if (this.missed > SILENT_SAMPLES)
        this.fail('lost', 'does not answer; check its cable and supply');
      return;
    }
    const { data, error } = reply;
    const freshness = this.age.take(
      decodeValue(data, 0, { address: 0, length: 2, signed: false }),
      now_ms,
    );
    if (freshness === 'restarted') {
      this.fail('lost', 'restarted and lost its grip; check that its supply voltage does not sag');
    }
    if (freshness !== 'fresh') return;
    this.missed = 0;
    // Its error says more than that it lost its torque.
    if ((error & ALERT_BIT) !== 0)
      this.samples += HEALTH_SAMPLES - 1 - (this.samples % HEALTH_SAMPLES);
    this.current_a = decodeValue(data, 6, REGISTER.goal_current) * this.current_step_a;
    const sample = {
      position_ticks: decodeValue(data, 12, REGISTER.present_position),
      rate_ticks_s: decodeValue(data, 8, REGISTER.goal_position) * VELOCITY_STEP_TICKS_S,
      current_a: this.current_a,
    };
    const what = this.tool.update(sample, (now_ms - this.taken_ms) / 1000);
    this.taken_ms = now_ms;
    if (what !== null) this.fail('overload', what);
  }

  private takeErrors(data: Uint8Array): void {
    const bits = data.at(-1)!;
    if (bits !== 0) {
      const { kind, text } = hardwareError(bits);
      this.fail(kind, `reports: ${text}, and has let go; fix the cause, then reset errors`);
    } else if (data[0] === 0) {
      const why = 'another program has switched it off: stop that program';
      this.fail('lost', `lost its grip without a restart; ${why}`);
    }
  }

  private takeHeat(data: Uint8Array): void {
    this.voltage_v = decodeValue(data, 0, REGISTER.voltage) / 10;
    this.temperature_c = data[2]!;
    if (this.temperature_c <= this.calibration.temperature_max_c) return;
    this.fail('overheated', `is at ${this.temperature_c} °C; open it, and let it cool down`);
  }

  private fail(kind: ArmFault['kind'], what: string): void {
    this.fault ??= gripperFault(kind, this.calibration.id, what);
  }

  /** What it measures now. */
  reading(): GripperReading {
    const { calibration, tool } = this;
    return {
      id: calibration.id,
      model: SERVO_MODELS[this.model]?.name ?? String(this.model),
      temperature_c: this.temperature_c,
      voltage_v: this.voltage_v,
      current_a: this.current_a,
      opening: Math.min(1, Math.max(0, tool.opening)),
      closes: tool.isClosing,
      part_present: tool.isPartPresent,
      output: calibration.output,
      part_present_input: calibration.part_present_input,
    };
  }

  private problem(what: string): StartAborted {
    return new StartAborted(null, `The gripper (servo ${this.calibration.id}) ${what}`);
  }

  private async read(name: RegisterName): Promise<number> {
    const value = await readRegister(this.bus, this.calibration.id, name);
    if (value === null) throw this.problem('stopped answering: check its cable and supply');
    return value;
  }

  private async write(name: RegisterName, value: number): Promise<void> {
    const { found } = await writeAndReadBack(this.bus, this.calibration.id, [name, value]);
    if (found === null) throw this.problem('stopped answering: check its cable and supply');
    if (found !== value) throw this.problem(`refused ${name} = ${value}: run armtwin doctor`);
  }
}
