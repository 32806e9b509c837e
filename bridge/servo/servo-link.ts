/**
 * The cycle on the bus: goals out, samples in, a slow look at the servos' health in between, and,
 * when samples stay away, the question who is missing. It never waits: each turn sends what is due
 * if the bus is free and leaves the newest sample with its age. Every sample carries the servo's
 * own clock, so that an old reply is not taken for a new one.
 */
import type { DriverFault } from '../arm-driver.ts';
import type { Bus, Transaction } from '../bus/bus.ts';
import { readRegister } from '../bus/bus-calls.ts';
import type { ServoReply } from '../bus/fast-status.ts';
import { ALERT_BIT } from '../bus/instructions.ts';
import { bytesOf, numberOf, REGISTER, WATCHDOG_TRIPPED } from '../bus/registers.ts';
import * as request from '../bus/request.ts';
import type { BusClock } from '../transport/bus-clock.ts';
import type { Calibration } from './calibration.ts';
import { CycleTimes } from './cycle-times.ts';
import { GoalTrace, type Stretch } from './goal-trace.ts';
import { JointSamples, SAMPLE } from './joint-samples.ts';
import { callRoll } from './roll-call.ts';
import type { StartedServos } from './safe-start.ts';
import { SERVO_MODELS } from './servo-models.ts';
import {
  alertFault,
  heatFault,
  lostFault,
  restartedFault,
  silenceFault,
  watchdogFault,
} from './servo-trouble.ts';
import { StopInput } from './stop-input.ts';

/** Torque to hardware error; watchdog; voltage and temperature: each looked at in turn. */
const HEALTH = [
  { address: 64, length: 7 },
  { address: 98, length: 1 },
  { address: 144, length: 3 },
];
/** Good samples between two looks at the servos' health: each of the three comes at 5 Hz. */
const HEALTH_TURNS = 8;
/** Turns between two looks at the emergency stop: 31 looks a second. */
const STOP_TURNS = 4;
/** A loop that makes up for time asks no sooner: servos count whole milliseconds. */
const TURN_MIN_MS = 2;
/** So many bad turns in a row raise the question who is missing. */
const SUSPICIOUS = 3;
/** Beyond this age the arm holds in any case, and there is time to ask everybody (s). */
const OLD_S = 0.15;

export class ServoLink {
  readonly samples: JointSamples;
  readonly temperature_c = new Float64Array(6).fill(25);
  readonly voltage_v = new Float64Array(6);
  /** Turns without a whole set of fresh samples, and turns left out: busy, or just asked. */
  readonly counts = { bad_turns: 0, missed_turns: 0, old_samples: 0 };
  /** Times that a joint's servo was asked and gave no fresh sample. */
  readonly missed_samples = new Uint32Array(6);
  /** The servo that answers for each joint. */
  readonly ids: readonly number[];
  /** Questions in a row without a whole set of fresh samples. */
  silent_turns = 0;
  readonly models: string[] = Array.from({ length: 6 }, () => '');
  readonly cycle = new CycleTimes();
  readonly period = new CycleTimes();
  /** The emergency stop wired to the servos, or null. */
  readonly stop: StopInput | null;
  /** The first thing found wrong since the start. */
  trouble: DriverFault | null = null;
  private readonly bus: Bus;
  private readonly clock: BusClock;
  private readonly calibration: Calibration;
  private readonly missing = new Set<number>();
  private readonly alerted = new Set<number>();
  private joined = false;
  private active = false;
  private probing = false;
  private bad_in_a_row = 0;
  private good_turns = 0;
  private turns = 0;
  /** What the servos' watchdogs are set to (units of 20 ms); 0: they do not watch. */
  private watched = 0;
  private health_due = HEALTH_TURNS;
  private asked_ms = 0;
  private trace: GoalTrace | null = null;

  constructor(bus: Bus, clock: BusClock, calibration: Calibration) {
    this.bus = bus;
    this.clock = clock;
    this.calibration = calibration;
    this.ids = calibration.joints.map(({ ids }) => ids[0]!);
    this.samples = new JointSamples(calibration);
    const { emergency_stop } = calibration;
    this.stop = emergency_stop ? new StopInput(emergency_stop) : null;
  }

  /** Begins anew with servos that a safe start has made ready. */
  begin({ servos, joined, position_rad }: StartedServos): void {
    this.joined = joined;
    const models = this.ids.map((id) => servos.find((servo) => servo.id === id)?.model ?? 0);
    models.forEach((model, j) => {
      this.models[j] = SERVO_MODELS[model]?.name ?? String(model);
    });
    this.samples.begin(position_rad, models, this.clock.now_ms());
    this.missing.clear();
    this.alerted.clear();
    this.trouble = null;
    this.bad_in_a_row = 0;
    this.watched = 0;
    this.silent_turns = 0;
    this.asked_ms = this.clock.now_ms();
    this.trace?.begin();
    this.active = true;
  }

  /** Tells at each fresh sample of all joints what the servos were told since the one before. */
  follow(tell: (told: readonly Stretch[]) => void): void {
    this.trace = new GoalTrace(this.samples.units, tell);
  }

  /** Servos stop by themselves from now on when they hear nothing for so long (units of 20 ms). */
  watch(silence: number): void {
    if (!this.active || this.watched === silence) return;
    this.watched = silence;
    this.setWatchdogs();
  }

  private setWatchdogs(): void {
    const data = bytesOf(REGISTER.watchdog, this.watched);
    const rows = this.ids.map((id) => ({ id, data }));
    this.bus.send(request.syncWrite(REGISTER.watchdog, rows));
  }

  /** No more turns until the next begin. */
  end(): void {
    this.active = false;
  }

  /** Age of the oldest joint's sample (s). */
  get age_s(): number {
    return (this.clock.now_ms() - this.samples.oldest_ms) / 1000;
  }

  /** Joints whose servo has shut down by itself: only a reboot brings it back. */
  get shutDown(): readonly number[] {
    return [...this.alerted];
  }

  /** One turn: goals (rad) out, samples asked; left out while the bus is busy. */
  turn(goal_rad: Float64Array): void {
    if (!this.active) return;
    const now_ms = this.clock.now_ms();
    if (!this.bus.idle || now_ms - this.asked_ms < TURN_MIN_MS) {
      this.counts.missed_turns += 1;
      return;
    }
    const rows = this.ids.map((id, j) => ({
      id,
      data: bytesOf(REGISTER.goal_position, this.samples.units[j]!.toTicks(goal_rad[j]!)),
    }));
    const ahead = request.syncWrite(REGISTER.goal_position, rows);
    this.period.add(now_ms - this.asked_ms);
    this.asked_ms = now_ms;
    this.trace?.send(goal_rad, now_ms);
    this.bus.start({ ...this.question(SAMPLE), ahead }, (replies) => this.takeSamples(replies));
  }

  private question(span: request.Span): Transaction {
    const ids = this.ids.filter((_, j) => !this.missing.has(j));
    const ask = this.joined ? request.fastSyncRead : request.syncRead;
    return { packet: ask(ids, span), ids, length: span.length, joined: this.joined };
  }

  private takeSamples(replies: readonly ServoReply[]): void {
    const now_ms = this.clock.now_ms();
    this.turns += 1;
    const fresh = new Set<number>();
    for (const reply of replies) if (this.takeSample(reply, now_ms)) fresh.add(reply.id);
    this.ids.forEach((id, j) => {
      if (!fresh.has(id)) this.missed_samples[j]! += 1;
    });
    if (fresh.size + this.missing.size === this.ids.length) {
      this.cycle.add(now_ms - this.asked_ms);
      this.bad_in_a_row = 0;
      this.silent_turns = 0;
      this.good_turns += 1;
      if (this.missing.size === 0) this.trace?.take(this.samples.servo_ms);
      if (this.stop && this.turns % STOP_TURNS === 0) this.askStop(this.stop);
      else if (this.good_turns >= this.health_due) this.askHealth();
      return;
    }
    this.counts.bad_turns += 1;
    this.bad_in_a_row += 1;
    this.silent_turns += 1;
    if (this.stop && this.turns % STOP_TURNS === 0) this.askStop(this.stop);
    const answered = replies.length + this.missing.size === this.ids.length;
    if (!answered && this.bad_in_a_row >= SUSPICIOUS && !this.probing) void this.probe();
  }

  private takeSample({ id, error, data }: ServoReply, now_ms: number): boolean {
    const j = this.ids.indexOf(id);
    if ((error & ALERT_BIT) !== 0) void this.askWhy(j);
    if (data.length !== SAMPLE.length) return false;
    const freshness = this.samples.take(j, data, now_ms);
    if (freshness === 'restarted') this.report(j, restartedFault);
    if (freshness !== 'fresh') this.counts.old_samples += 1;
    return freshness === 'fresh';
  }

  private askStop(stop: StopInput): void {
    this.bus.start(stop.question, ([reply]) => {
      if (reply) stop.take(reply.data);
    });
  }

  private report(j: number, make: (who: { joint: number; id: number }) => DriverFault): void {
    this.trouble ??= make({ joint: j, id: this.ids[j]! });
  }

  private async askWhy(j: number): Promise<void> {
    if (this.alerted.has(j)) return;
    this.alerted.add(j);
    const bits = await readRegister(this.bus, this.ids[j]!, 'hardware_error');
    if (bits !== 0 && this.active) this.report(j, (who) => alertFault(who, bits ?? 0));
  }

  private askHealth(): void {
    const kind = Math.floor(this.health_due / HEALTH_TURNS) % HEALTH.length;
    this.health_due += HEALTH_TURNS;
    this.bus.start(this.question(HEALTH[kind]!), (replies) => {
      for (const { id, data } of replies) {
        if (data.length === HEALTH[kind]!.length) this.takeHealth(kind, this.ids.indexOf(id), data);
      }
    });
  }

  private takeHealth(kind: number, j: number, data: Uint8Array): void {
    if (kind === 0) {
      // A servo in alert has let go by itself: that has its own, better sentence.
      if (data[0] === 0 && data[6] === 0) this.report(j, restartedFault);
    } else if (kind === 1) {
      if (data[0] === WATCHDOG_TRIPPED) this.report(j, watchdogFault);
      // Nobody answers to a common write: one that was lost is found here.
      else if (data[0] !== this.watched) this.setWatchdogs();
    } else {
      this.voltage_v[j] = numberOf(data, 0, REGISTER.voltage) / 10;
      const temperature_c = data[2]!;
      this.temperature_c[j] = temperature_c;
      const hot = temperature_c > this.calibration.joints[j]!.temperature_max_c;
      if (hot) this.trouble ??= heatFault({ joint: j, id: this.ids[j]! }, temperature_c);
    }
  }

  private async probe(): Promise<void> {
    this.probing = true;
    const asked = this.ids.filter((_, j) => !this.missing.has(j));
    const found = await callRoll(this.bus, asked, () => this.age_s < OLD_S);
    this.probing = false;
    if (found === 'unclear') return;
    this.bad_in_a_row = 0;
    if (!this.active) return;
    if (found === 'nobody answers') this.trouble ??= silenceFault(this.bus.name);
    else for (const id of found) this.lose(this.ids.indexOf(id));
  }

  private lose(j: number): void {
    this.missing.add(j);
    this.report(j, lostFault);
  }
}
