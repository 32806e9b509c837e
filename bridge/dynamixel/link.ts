/**
 * The cyclic exchange with the servos: it sends goals, reads samples, polls the health of the
 * servos in between and, when samples are missing, scans for missing servos. It never waits: each
 * cycle sends what is due if the bus is idle. Each sample carries the clock of its servo, so that
 * an old reply is not taken for a new one.
 */

import type { ArmFault } from '../arm-driver.ts';
import type { Bus, Transaction } from '../servo/bus/bus.ts';
import { DurationWindow } from '../servo/bus/duration-window.ts';
import { cutText, LineSymptoms } from '../servo/bus/line-symptoms.ts';
import type { MissingServos } from '../servo/bus/missing-servos.ts';
import type { Packet, ServoReply } from '../servo/bus/packet.ts';
import type { RegisterSpan } from '../servo/bus/register-data.ts';
import { SilentServos } from '../servo/bus/silent-servos.ts';
import type { Calibration } from '../servo/calibration/calibration.ts';
import { type ServoSlot, servoSlots } from '../servo/calibration/servo-slot.ts';
import { CommandHistory } from '../servo/goals/command-history.ts';
import { SentGoals } from '../servo/goals/sent-goals.ts';
import type { CommandInterval } from '../servo/joint-bus.ts';
import {
  alertFault,
  disagreeingFault,
  foreignGoalFault,
  heatFault,
  lostFaults,
  noReplyFault,
  restartedFault,
  supplyFault,
  switchedOffFault,
  watchdogFault,
} from '../servo/servo-faults.ts';
import type { BusClock } from '../transport/bus-clock.ts';
import { exchangeOf } from './exchange.ts';
import { goalCurrents } from './goal-currents.ts';
import type { GripperServo } from './gripper-servo.ts';
import { hardwareError } from './hardware-error.ts';
import * as request from './instructions.ts';
import { JointSamples, SAMPLE } from './joint-samples.ts';
import { SERVO_MODELS } from './models.ts';
import { decodeValue, encodeValue, HEALTH, REGISTER, WATCHDOG_TRIPPED } from './registers.ts';
import type { Freshness } from './sample-age.ts';
import { pingServo } from './servo-requests.ts';
import type { StartedServos } from './start.ts';
import { ALERT_BIT } from './status-error.ts';
import { StopInput } from './stop-input.ts';

/** Good cycles between two health polls: each of the four spans is read at 5 Hz. */
const HEALTH_CYCLES = 6;
/** Cycles between two readings of the emergency stop: 31 readings a second. */
const STOP_CYCLES = 4;
/** Cycles between two exchanges with the gripper: 31 a second. */
const GRIPPER_CYCLES = 4;
/** Minimum time between cycles when the loop catches up; servos count whole milliseconds. */
const CYCLE_MIN_MS = 2;
/** Time between packets that keep the watchdogs of the servos from tripping (ms). */
const FEED_MS = 50;

export class ServoLink {
  readonly samples: JointSamples;
  /** All servos, and their measurements in this order. */
  readonly slots: readonly ServoSlot[];
  readonly servo_temperature_c: Float64Array;
  readonly voltage_v: Float64Array;
  readonly models: string[];
  /** Requests without a fresh sample. */
  readonly missed_samples: Uint32Array;
  /** Temperature of the hottest servo of each joint (°C). */
  readonly temperature_c = new Float64Array(6).fill(25);
  /** Cycles without fresh samples of all joints, and cycles skipped (bus busy, or too early). */
  readonly counts = { bad_cycles: 0, missed_cycles: 0, old_samples: 0 };
  readonly cycle = new DurationWindow();
  readonly period = new DurationWindow();
  /** The emergency stop wired to the servos, or null. */
  readonly stopInput: StopInput | null;
  /** The first fault since the start. */
  fault: ArmFault | null = null;
  /** The fault of servos that do not answer, which a restart explains once they do again. */
  private silence: ArmFault | null = null;
  private readonly gripper: GripperServo | null;
  private readonly bus: Bus;
  private readonly clock: BusClock;
  private readonly ids: readonly number[];
  private readonly leaders: readonly number[];
  private goal_range: readonly (readonly [number, number])[] = [];
  private current_limit: readonly (number | null)[] = [];
  private readonly silent: SilentServos;
  private readonly symptoms: LineSymptoms;
  private readonly alerted = new Set<number>();
  private fast_read = false;
  private active = false;
  /** True until the next start: the servos are read, and keep the goals they have. */
  private observing = false;
  private good_cycles = 0;
  private cycles = 0;
  /** Timeout of the watchdogs in the servos (units of 20 ms); 0: off. */
  private watchdog_units = 0;
  private health_due = HEALTH_CYCLES;
  private requested_ms = 0;
  private history: CommandHistory | null = null;
  private readonly sent: SentGoals;

  constructor(
    bus: Bus,
    clock: BusClock,
    calibration: Calibration,
    gripper: GripperServo | null = null,
  ) {
    this.bus = bus;
    this.gripper = gripper;
    this.clock = clock;
    this.slots = servoSlots(calibration);
    this.ids = this.slots.map(({ id }) => id);
    this.leaders = calibration.joints.map(({ ids }) => ids[0]!);
    const count = this.slots.length;
    this.servo_temperature_c = new Float64Array(count).fill(25);
    this.voltage_v = new Float64Array(count);
    this.missed_samples = new Uint32Array(count);
    this.models = this.slots.map(() => '');
    this.sent = new SentGoals(this.slots);
    this.symptoms = new LineSymptoms(bus);
    this.silent = new SilentServos({
      bus,
      clock,
      ids: this.ids,
      symptoms: this.symptoms,
      answers: async (id) => this.hears(id, (await pingServo(bus, id, 1)) !== null),
      age_s: () => this.age_s,
      isActive: () => this.active,
      onSilence: (found) => this.onSilence(found),
    });
    this.samples = new JointSamples(calibration);
    const { emergency_stop } = calibration;
    this.stopInput = emergency_stop ? new StopInput(emergency_stop) : null;
  }

  /** Starts the cycle with servos that a safe start has made ready. */
  start({ servos, position_rad, ...started }: StartedServos): void {
    this.fast_read = started.fast_read;
    this.goal_range = started.goal_range;
    this.current_limit = started.current_limit;
    const models = this.ids.map((id) => servos.find((servo) => servo.id === id)?.model ?? 0);
    const names = models.map((model) => SERVO_MODELS[model]?.name ?? String(model));
    this.models.splice(0, names.length, ...names);
    this.samples.reset(position_rad, models, this.clock.now_ms());
    this.silent.reset();
    this.symptoms.reset();
    this.alerted.clear();
    this.fault = null;
    this.watchdog_units = 0;
    this.sent.reset();
    this.requested_ms = this.clock.now_ms();
    this.history?.reset();
    this.observing = false;
    this.active = true;
  }

  /**
   * Reads the servos again after a recovery that was refused. It may have changed goals before, so
   * none is sent: each servo holds its own.
   */
  observe(): void {
    this.keepGoals();
    this.silent.restart();
    this.requested_ms = this.clock.now_ms();
    this.active = true;
  }

  /** Sends no goals until the next start: each servo keeps its own. */
  keepGoals(): void {
    this.observing = true;
  }

  /** Keeps the watchdogs from tripping while something else than the cycle uses the bus. */
  feedWatchdogs(on: boolean): void {
    const packets = () => [this.feedPacket()];
    this.bus.setBackground(on ? { period_ms: FEED_MS, packets } : null);
  }

  /** A write to all servos that changes nothing: every start sets this register to 0. */
  private feedPacket(): Packet {
    const data = encodeValue(REGISTER.profile_velocity, 0);
    const rows = this.ids.map((id) => ({ id, data }));
    return request.syncWrite(REGISTER.profile_velocity, rows);
  }

  /** Subscribes to the commands between samples of all joints. */
  onCommandIntervals(onIntervals: (intervals: readonly CommandInterval[]) => void): void {
    this.history = new CommandHistory(this.samples.units, onIntervals);
  }

  /** Sets the watchdogs of the servos (units of 20 ms), which stop them when the bus is silent. */
  setWatchdogTimeout(timeout_units: number): void {
    if (!this.active || this.watchdog_units === timeout_units) return;
    this.watchdog_units = timeout_units;
    this.writeWatchdogs();
  }

  private writeWatchdogs(): void {
    const data = encodeValue(REGISTER.watchdog, this.watchdog_units);
    const rows = this.ids.map((id) => ({ id, data }));
    this.bus.send(request.syncWrite(REGISTER.watchdog, rows));
  }

  stop(): void {
    this.active = false;
  }

  /** Cycles in a row without fresh samples of all joints. */
  get failed_cycles(): number {
    return this.silent.failed_cycles;
  }

  /** Age of the oldest joint's sample (s). */
  get age_s(): number {
    return (this.clock.now_ms() - this.samples.oldest_ms) / 1000;
  }

  /** What the line shows while joints are not read, as a message; null: nothing. */
  get line_symptom(): string | null {
    const exchange = exchangeOf(this.ids, this.fast_read);
    return this.bus.slownessFor(exchange) ?? this.symptoms.describe(exchange);
  }

  /** Ids of servos in shutdown; only a reboot clears it. */
  get shutDownServos(): readonly number[] {
    return [...this.alerted].map((i) => this.ids[i]!);
  }

  /**
   * Runs one cycle: sends goals (rad) for a pose (rad) and limits of torque (N m), inside those in
   * the servos, and requests samples; skipped while the bus is busy.
   */
  runCycle(goal_rad: Float64Array, pose_rad: Float64Array, torque_max_n_m: Float64Array): void {
    if (!this.active) return;
    const now_ms = this.clock.now_ms();
    if (!this.bus.idle || now_ms - this.requested_ms < CYCLE_MIN_MS) {
      this.counts.missed_cycles += 1;
      return;
    }
    // A goal may wait on a line that is stuck, and would move its servo when that comes back.
    const isKept = this.observing || this.failed_cycles > 0;
    const prepended = isKept ? [this.feedPacket()] : this.goalPackets(goal_rad, torque_max_n_m);
    this.period.add(now_ms - this.requested_ms);
    this.requested_ms = now_ms;
    this.history?.addCommand(pose_rad, now_ms);
    const read = { ...this.readRequest(SAMPLE), prepended };
    this.bus.tryStart(read, (replies) => this.onSamples(replies));
  }

  private goalPackets(goal_rad: Float64Array, torque_max_n_m: Float64Array): Packet[] {
    const goals = this.goal_range.map(([low, high], j) =>
      Math.min(high, Math.max(low, this.samples.units[j]!.toTicks(goal_rad[j]!))),
    );
    this.sent.add(goals);
    const { goal_position } = REGISTER;
    const rows = this.leaders.map((id, j) => ({ id, data: encodeValue(goal_position, goals[j]!) }));
    const toCurrent = (j: number) => this.samples.toCurrent(j, torque_max_n_m[j]!);
    const currents = goalCurrents(this.leaders, this.current_limit, toCurrent);
    return [...currents, request.syncWrite(goal_position, rows)];
  }

  private readRequest(span: RegisterSpan): Transaction {
    const { fast_read: fast } = this;
    const ids = this.silent.present;
    const packet = (fast ? request.fastSyncRead : request.syncRead)(ids, span);
    return { packet, ids, length: span.length, fast };
  }

  private onSamples(replies: readonly ServoReply[]): void {
    const now_ms = this.clock.now_ms();
    this.cycles += 1;
    const isAlarmed = replies.some((reply) => this.isNewAlert(reply));
    const fresh = new Set<number>();
    const restarted: ServoSlot[] = [];
    for (const reply of replies) {
      const freshness = this.takeSample(reply, now_ms);
      if (freshness === 'fresh') fresh.add(reply.id);
      if (freshness === 'restarted') restarted.push(this.slots[this.ids.indexOf(reply.id)]!);
    }
    this.reportRestarts(restarted);
    this.ids.forEach((id, i) => {
      const apart_rad = fresh.has(id) ? this.samples.apartFromLeader(i) : null;
      if (!fresh.has(id)) this.missed_samples[i]! += 1;
      const { leader } = this.slots[i]!;
      if (apart_rad !== null) this.report(i, (one) => disagreeingFault(one, leader, apart_rad));
    });
    if (fresh.size + this.silent.count === this.ids.length) {
      this.cycle.add(now_ms - this.requested_ms);
      this.silent.restart();
      this.symptoms.reset();
      this.good_cycles += 1;
      if (this.silent.count === 0) this.history?.addSample(this.samples.servo_ms);
      if (isAlarmed) this.requestErrors();
      else if (this.stopInput && this.cycles % STOP_CYCLES === 0) {
        this.requestStopInput(this.stopInput);
      } else if (this.gripper && this.cycles % GRIPPER_CYCLES === 1) {
        this.gripper.start(this.observing);
      } else if (this.silent.isReturnDue) void this.silent.lookForReturned();
      else if (this.good_cycles >= this.health_due) this.requestHealth();
      return;
    }
    this.counts.bad_cycles += 1;
    this.symptoms.add({ asked: this.ids, answered: new Set(replies.map(({ id }) => id)) });
    this.silent.addBadCycle();
    if (isAlarmed) this.requestErrors();
    else if (this.stopInput && this.cycles % STOP_CYCLES === 0)
      this.requestStopInput(this.stopInput);
    const answered = replies.length + this.silent.count === this.ids.length;
    if (!answered) this.silent.scanIfDue();
  }

  private takeSample({ id, data }: ServoReply, now_ms: number): Freshness | null {
    if (data.length !== SAMPLE.length) return null;
    const freshness = this.samples.take(this.ids.indexOf(id), data, now_ms);
    if (freshness !== 'fresh') this.counts.old_samples += 1;
    return freshness;
  }

  /** What has restarted explains that nothing answered before. */
  private reportRestarts(restarted: readonly ServoSlot[]): void {
    const [first, ...others] = restarted;
    if (!first || (this.fault && this.fault !== this.silence)) return;
    this.fault = others.length > 0 ? supplyFault(restarted) : restartedFault(first);
  }

  private requestStopInput(stop: StopInput): void {
    this.bus.tryStart(stop.request, ([reply]) => reply && stop.update(reply.data));
  }

  private report(i: number, make: (servo: { joint: number; id: number }) => ArmFault): void {
    this.fault ??= make(this.slots[i]!);
  }

  private isNewAlert({ id, error }: ServoReply): boolean {
    return (error & ALERT_BIT) !== 0 && !this.alerted.has(this.ids.indexOf(id));
  }

  /** Reads the errors at once: the bit is in every reply, and the joint may fall meanwhile. */
  private requestErrors(): void {
    const span = HEALTH[0]!;
    this.bus.tryStart(this.readRequest(span), (replies) => {
      for (const { id, data } of replies) {
        if (data.length === span.length) this.takeError(this.ids.indexOf(id), data);
      }
    });
  }

  private takeError(i: number, health: Uint8Array): void {
    const bits = health.at(-1)!;
    if (bits === 0 || !this.active || this.alerted.has(i)) return;
    this.alerted.add(i);
    this.report(i, (servo) => alertFault(servo, hardwareError(bits)));
  }

  private requestHealth(): void {
    const kind = Math.floor(this.health_due / HEALTH_CYCLES) % HEALTH.length;
    this.health_due += HEALTH_CYCLES;
    this.bus.tryStart(this.readRequest(HEALTH[kind]!), (replies) => {
      for (const { id, data } of replies) {
        if (data.length === HEALTH[kind]!.length) this.onHealth(kind, this.ids.indexOf(id), data);
      }
    });
  }

  private onHealth(kind: number, i: number, data: Uint8Array): void {
    if (kind === 0) {
      // A servo in alert switches its torque off itself; alertFault reports that.
      if (data[0] === 0 && data[6] === 0) this.report(i, switchedOffFault);
    } else if (kind === 1) {
      if (data[0] === WATCHDOG_TRIPPED) this.report(i, watchdogFault);
      // Broadcast writes have no reply; a lost one is detected and repeated here.
      else if (data[0] !== this.watchdog_units) this.writeWatchdogs();
    } else if (kind === 3) {
      const goal_ticks = decodeValue(data, 0, REGISTER.goal_position);
      if (this.sent.isForeign(i, goal_ticks)) this.report(i, foreignGoalFault);
    } else {
      this.voltage_v[i] = decodeValue(data, 0, REGISTER.voltage) / 10;
      this.onTemperature(i, data[2]!);
    }
  }

  private onTemperature(i: number, temperature_c: number): void {
    this.servo_temperature_c[i] = temperature_c;
    const { joint, calibration } = this.slots[i]!;
    const all_c = this.servo_temperature_c.filter((_, k) => this.slots[k]!.joint === joint);
    this.temperature_c[joint] = Math.max(...all_c);
    const hot = temperature_c > calibration.temperature_max_c;
    if (hot) this.report(i, (servo) => heatFault(servo, temperature_c));
  }

  private hears(id: number, answers: boolean): boolean {
    if (answers) this.symptoms.hear(id);
    return answers;
  }

  private onSilence(found: Exclude<MissingServos, 'unclear'>): void {
    if (this.fault) return;
    if (found === 'none reply') {
      this.silence = noReplyFault(this.bus.name, this.bus.problem);
    } else if (found.length > 0) {
      const lost = found.map((id) => this.slots[this.ids.indexOf(id)]!);
      this.silence = lostFaults(lost, cutText(found, this.ids))[0]!;
    } else return;
    this.fault = this.silence;
  }
}
