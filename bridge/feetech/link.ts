/**
 * The cyclic exchange with Feetech STS servos: goals out, samples in, in one write. A sample spans
 * the registers from torque to current, so that it also shows health, and a goal of another
 * program. The servos have no clock: a reply is matched with its request by its length, which
 * differs from request to request, so that a late reply is never taken for a new one.
 */

import type { ArmFault } from '../arm-driver.ts';
import type { ArmReading } from '../arm-instruments.ts';
import type { Bus, Transaction } from '../servo/bus/bus.ts';
import { DurationWindow } from '../servo/bus/duration-window.ts';
import { cutText, LineSymptoms } from '../servo/bus/line-symptoms.ts';
import type { MissingServos } from '../servo/bus/missing-servos.ts';
import type { Packet, ServoReply } from '../servo/bus/packet.ts';
import { SilentServos } from '../servo/bus/silent-servos.ts';
import type { Calibration } from '../servo/calibration/calibration.ts';
import { intoOneTurn, JointUnits } from '../servo/calibration/joint-units.ts';
import { type ServoSlot, servoSlots } from '../servo/calibration/servo-slot.ts';
import { SentGoals } from '../servo/goals/sent-goals.ts';
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
} from '../servo/servo-faults.ts';
import type { StartedArm } from '../servo/start/safe-start.ts';
import type { BusClock } from '../transport/bus-clock.ts';
import { stsError } from './hardware-error.ts';
import { stsSyncRead, stsSyncWrite } from './instructions.ts';
import {
  CURRENT_STEP_A,
  FULL_TORQUE,
  STS_REGISTER,
  type StsRegisterName,
  stsData,
  stsValue,
} from './registers.ts';
import { pingSts } from './servo-requests.ts';

/** A sample ends behind the current, and begins at the torque or up to LENGTHS - 1 before it. */
const SAMPLE_END = 71;
const SAMPLE_START = STS_REGISTER.torque.address;
const LENGTHS = 16;
/** Shortest time between cycles (ms). */
const CYCLE_MIN_MS = 2;
/** A second servo of a joint farther from the first for so many samples is at fault (rad). */
const APART_RAD = 0.05;
const APART_SAMPLES = 5;

/** The exchange of a cycle with these servos, for its time on the wire. */
export function stsExchange(ids: readonly number[]): Transaction {
  const span = { address: SAMPLE_START, length: SAMPLE_END - SAMPLE_START };
  const goal = STS_REGISTER.goal_position;
  const goals = stsSyncWrite(
    goal,
    ids.map((id) => ({ id, data: stsData(goal, 0) })),
  );
  return { packet: stsSyncRead(ids, span), ids, length: span.length, prepended: [goals] };
}

interface ServoSample {
  position_rad: number;
  current_a: number;
  /** Torque over that of the stalled servo, signed as the joint's. */
  torque_share: number;
  temperature_c: number;
  voltage_v: number;
  taken_ms: number;
  missed: number;
  apart: number;
}

const NO_SAMPLE: ServoSample = {
  position_rad: 0,
  current_a: 0,
  torque_share: 0,
  temperature_c: 25,
  voltage_v: 0,
  taken_ms: 0,
  missed: 0,
  apart: 0,
};

export class StsLink {
  readonly measured = {
    position_rad: new Float64Array(6),
    velocity_rad_s: new Float64Array(6),
    current_a: new Float64Array(6),
    torque_n_m: null as Float64Array | null,
  };
  readonly torque_n_m = new Float64Array(6);
  readonly temperature_c = new Float64Array(6).fill(25);
  readonly counts = { bad_cycles: 0, missed_cycles: 0 };
  fault: ArmFault | null = null;
  /** The fault of servos that do not answer, which a restart explains once they do again. */
  private silence: ArmFault | null = null;
  /** Slots of servos that have reported an error since the start. */
  readonly alerted = new Set<ServoSlot>();
  private readonly bus: Bus;
  private readonly clock: BusClock;
  private readonly calibration: Calibration;
  private readonly slots: readonly ServoSlot[];
  private readonly units: readonly JointUnits[];
  private readonly samples: readonly ServoSample[];
  private readonly silent: SilentServos;
  private readonly symptoms: LineSymptoms;
  private readonly cycle = new DurationWindow();
  private readonly period = new DurationWindow();
  private readonly sent: SentGoals;
  private goal_range: StartedArm['goal_range'] = [];
  private active = false;
  /** True until the next start: the servos are read, and keep the goals they have. */
  private observing = false;
  private cycles = 0;
  /** Servos without torque that have restarted, by the latest samples. */
  private restarted: ServoSlot[] = [];
  private requested_ms = 0;

  constructor(bus: Bus, clock: BusClock, calibration: Calibration) {
    this.bus = bus;
    this.clock = clock;
    this.calibration = calibration;
    this.slots = servoSlots(calibration);
    this.units = calibration.joints.map((joint) => new JointUnits(joint));
    this.sent = new SentGoals(this.slots);
    this.symptoms = new LineSymptoms(bus);
    this.silent = new SilentServos({
      bus,
      clock,
      ids: this.slots.map(({ id }) => id),
      symptoms: this.symptoms,
      answers: async (id) => this.hears(id, await pingSts(bus, id, 1)),
      age_s: () => this.age_s,
      isActive: () => this.active,
      onSilence: (found) => this.onSilence(found),
    });
    this.samples = this.slots.map(() => ({ ...NO_SAMPLE }));
    // The load says what the motor gives only where its speed without load is known.
    const isKnown = calibration.joints.every(({ drive }) => drive !== undefined);
    this.measured.torque_n_m = isKnown ? this.torque_n_m : null;
  }

  /** Starts the cycle with servos that a start has made ready. */
  start({ position_rad, goal_range }: StartedArm): void {
    this.goal_range = goal_range;
    this.measured.position_rad.set(position_rad);
    this.measured.velocity_rad_s.fill(0);
    const now_ms = this.clock.now_ms();
    this.samples.forEach((sample, i) => {
      sample.position_rad = position_rad[this.slots[i]!.joint]!;
      sample.taken_ms = now_ms;
      sample.apart = 0;
    });
    this.silent.reset();
    this.symptoms.reset();
    this.alerted.clear();
    this.fault = null;
    this.sent.reset();
    this.requested_ms = now_ms;
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

  stop(): void {
    this.active = false;
  }

  /** Cycles in a row without fresh samples of all joints. */
  get failed_cycles(): number {
    return this.silent.failed_cycles;
  }

  /** Age of the oldest sample (s). */
  get age_s(): number {
    const oldest_ms = Math.min(...this.samples.map(({ taken_ms }) => taken_ms));
    return (this.clock.now_ms() - oldest_ms) / 1000;
  }

  /** What the line shows while joints are not read, as a message; null: nothing. */
  get line_symptom(): string | null {
    const exchange = stsExchange(this.slots.map(({ id }) => id));
    return this.bus.slownessFor(exchange) ?? this.symptoms.describe(exchange);
  }

  /** Runs one cycle with goals (rad); skipped while the bus is busy. */
  runCycle(goal_rad: Float64Array): void {
    if (!this.active) return;
    const now_ms = this.clock.now_ms();
    if (!this.bus.idle || now_ms - this.requested_ms < CYCLE_MIN_MS) {
      this.counts.missed_cycles += 1;
      return;
    }
    // A goal may wait on a line that is stuck, and would move its servo when that comes back.
    const isKept = this.observing || this.failed_cycles > 0;
    const prepended = isKept ? [] : [this.goalPacket(goal_rad)];
    this.period.add(now_ms - this.requested_ms);
    this.requested_ms = now_ms;
    this.cycles += 1;
    const address = SAMPLE_START - (this.cycles % LENGTHS);
    const span = { address, length: SAMPLE_END - address };
    const ids = this.silent.present;
    const read = { packet: stsSyncRead(ids, span), ids, length: span.length };
    this.bus.tryStart({ ...read, prepended }, (replies) => this.onSamples(replies, span));
  }

  private goalPacket(goal_rad: Float64Array): Packet {
    const goals = this.units.map((units, j) => {
      const [low, high] = this.goal_range[j]!;
      return Math.min(high, Math.max(low, units.toTicks(goal_rad[j]!)));
    });
    this.sent.add(goals);
    const goal = STS_REGISTER.goal_position;
    const rows = this.slots.map(({ id, joint }) => ({ id, data: stsData(goal, goals[joint]!) }));
    return stsSyncWrite(goal, rows);
  }

  private onSamples(
    replies: readonly ServoReply[],
    span: { readonly address: number; readonly length: number },
  ): void {
    const now_ms = this.clock.now_ms();
    const fresh = new Set<number>();
    this.restarted = [];
    for (const { id, error, data } of replies) {
      const i = this.slots.findIndex((slot) => slot.id === id);
      if (data.length !== span.length) continue;
      this.take(i, { error, data, start: span.address });
      this.samples[i]!.taken_ms = now_ms;
      fresh.add(i);
    }
    this.reportRestarts();
    this.slots.forEach((_, i) => {
      if (!fresh.has(i)) this.samples[i]!.missed += 1;
    });
    if (fresh.size + this.silent.count === this.slots.length) {
      this.cycle.add(now_ms - this.requested_ms);
      this.silent.restart();
      this.symptoms.reset();
      if (this.silent.isReturnDue) void this.silent.lookForReturned();
      return;
    }
    this.counts.bad_cycles += 1;
    const asked = this.slots.map(({ id }) => id);
    this.symptoms.add({ asked, answered: new Set(replies.map(({ id }) => id)) });
    this.silent.addBadCycle();
    this.silent.scanIfDue();
  }

  /** What has restarted explains that nothing answered before. */
  private reportRestarts(): void {
    const [first, ...others] = this.restarted;
    if (!first || (this.fault && this.fault !== this.silence)) return;
    this.fault = others.length > 0 ? supplyFault(this.restarted) : restartedFault(first);
  }

  private take(
    i: number,
    reply: { readonly error: number; readonly data: Uint8Array; readonly start: number },
  ): void {
    const get = (name: StsRegisterName) => stsValue(reply.data, reply.start, STS_REGISTER[name]);
    const sample = this.samples[i]!;
    const slot = this.slots[i]!;
    const { joint: j, calibration } = slot;
    const units = this.units[j]!;
    sample.position_rad = units.toAngle(intoOneTurn(get('present_position')));
    const rate_rad_s = units.rateOf(get('present_speed'));
    const load = (units.sign * get('present_load')) / FULL_TORQUE;
    // The sign of the current is not documented; that of the load is.
    sample.current_a = Math.sign(load) * Math.abs(get('present_current')) * CURRENT_STEP_A;
    sample.torque_share = load - rate_rad_s / (calibration.drive?.no_load_rad_s ?? 1);
    sample.voltage_v = get('voltage') / 10;
    sample.temperature_c = get('temperature');
    this.updateJoint(j);
    if (slot.id === slot.leader) {
      this.measured.position_rad[j] = sample.position_rad;
      this.measured.velocity_rad_s[j] = rate_rad_s;
    }
    const bits = reply.error & 0x7f;
    if (bits !== 0) {
      this.alerted.add(slot);
      this.fault ??= alertFault(slot, stsError(bits));
    } else if (get('torque') !== 1) {
      // A start closes the lock, and a servo that restarts has it open, and no goal of ours.
      const isOurs = get('lock') === 1 && this.sent.has(i, get('goal_position'));
      if (isOurs) this.fault ??= switchedOffFault(slot);
      else this.restarted.push(slot);
    } else if (this.sent.isForeign(i, get('goal_position'))) this.fault ??= foreignGoalFault(slot);
    else this.checkPlaceAndHeat(i);
  }

  private checkPlaceAndHeat(i: number): void {
    const [sample, slot] = [this.samples[i]!, this.slots[i]!];
    const { temperature_c } = sample;
    const isHot = temperature_c > slot.calibration.temperature_max_c;
    if (isHot) this.fault ??= heatFault(slot, temperature_c);
    const apart_rad = sample.position_rad - this.measured.position_rad[slot.joint]!;
    const isApart = slot.id !== slot.leader && Math.abs(apart_rad) > APART_RAD;
    sample.apart = isApart ? sample.apart + 1 : 0;
    if (sample.apart >= APART_SAMPLES) {
      this.fault ??= disagreeingFault(slot, slot.leader, apart_rad);
    }
  }

  /** Sums current and torque of the servos of a joint; its temperature is that of the hottest. */
  private updateJoint(j: number): void {
    const own = this.samples.filter((_, i) => this.slots[i]!.joint === j);
    const sum = (value: (sample: ServoSample) => number) =>
      own.reduce((total, sample) => total + value(sample), 0);
    this.measured.current_a[j] = sum(({ current_a }) => current_a);
    const stall_n_m = this.calibration.joints[j]!.drive?.stall_torque_n_m ?? 0;
    this.torque_n_m[j] = (stall_n_m * sum(({ torque_share }) => torque_share)) / own.length;
    this.temperature_c[j] = Math.max(...own.map(({ temperature_c }) => temperature_c));
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
      const lost = found.map((id) => this.slots.find((one) => one.id === id)!);
      const ids = this.slots.map(({ id }) => id);
      this.silence = lostFaults(lost, cutText(found, ids))[0]!;
    } else return;
    this.fault = this.silence;
  }

  /** Readings of the servos and of the line; `models` are names by slot. */
  read(models: readonly string[]): Pick<ArmReading, 'bus' | 'servos'> {
    return {
      bus: {
        name: this.bus.name,
        ...this.bus.counts,
        checksum_errors: this.bus.readerCounts.checksum_errors,
        missed_turns: this.counts.missed_cycles,
        cycle_p50_ms: this.cycle.percentile(0.5),
        cycle_p99_ms: this.cycle.percentile(0.99),
        period_p99_ms: this.period.percentile(0.99),
        age_ms: 1000 * this.age_s,
      },
      servos: this.slots.map(({ joint, id }, i) => {
        const { temperature_c, voltage_v, current_a, missed } = this.samples[i]!;
        const model = models[i] ?? '';
        return { joint, id, model, temperature_c, voltage_v, current_a, missed_samples: missed };
      }),
    };
  }
}
