/**
 * A bus of servos behind the port: hands the newest setpoint to the bus cycle and answers the
 * newest sample with its age. It never moves the arm to start or to recover, and holds it when
 * samples stay away, a servo is lost or in alert, or a joint does not follow (docs/hardware.md).
 */

import type { ArmDriver, DriverFault, Feedback, Setpoint } from './arm-driver.ts';
import { SETPOINT_SAMPLES, STEPS_PER_TICK, TICK_S } from './arm-driver.ts';
import type { ArmInstruments, ArmReading } from './arm-instruments.ts';
import type { Bus } from './bus/bus.ts';
import { writeRegister } from './bus/bus-calls.ts';
import { emptyFeedback, type OwnFeedback, silent } from './feedback-record.ts';
import { readServos } from './servo/bus-figures.ts';
import type { Calibration } from './servo/calibration.ts';
import { GoalShaper } from './servo/goal-shaper.ts';
import { JointWatch } from './servo/joint-watch.ts';
import { LoopWatch } from './servo/loop-watch.ts';
import { restartServos } from './servo/recovery.ts';
import { safeStart } from './servo/safe-start.ts';
import { ServoLink } from './servo/servo-link.ts';
import { followingFault, jumpFault, staleFault } from './servo/servo-trouble.ts';
import { type BusClock, pause } from './transport/bus-clock.ts';

export interface ServoArmOptions {
  readonly bus: Bus;
  readonly clock: BusClock;
  readonly calibration: Calibration;
  /** Ticks in a cycle of the bus; 2 make 125 Hz. */
  readonly cycle_ticks?: number;
}

/** Samples older than this are no ground to go on (s). */
const STALE_S = 0.15;
/** So many questions in a row that were not answered as they should are the servos' fault. */
const SILENT_TURNS = 3;
/** Silence after which servos stop themselves, in units of 20 ms; 10 are the least. */
const WATCHDOG = 15;
/** Row of the samples at the end of the tick. */
const END_ROW = SETPOINT_SAMPLES - 1;
/** A brake takes no longer than this when the arm is stopped (cycles). */
const STOP_TURNS = 100;

type Phase = 'stopped' | 'running' | 'recovering';

export class ServoArm implements ArmDriver, ArmInstruments {
  readonly name = 'servo';
  readonly pace = 'real-time';
  readonly link: ServoLink;
  readonly bus: Bus;
  private readonly options: ServoArmOptions;
  private readonly shaper: GoalShaper;
  private readonly watch: JointWatch;
  private readonly loop: LoopWatch;
  private readonly feedback: OwnFeedback;
  private phase: Phase = 'stopped';
  private fault: DriverFault | null;
  /** What is wrong can be forgotten at once: nothing has to be done to the servos. */
  private forgivable = false;
  private ticks = 0;
  private sent_ms = 0;

  constructor(options: ServoArmOptions) {
    const { bus, clock, calibration } = options;
    this.options = options;
    this.bus = bus;
    this.link = new ServoLink(bus, clock, calibration);
    this.shaper = new GoalShaper(calibration.joints);
    this.watch = new JointWatch(calibration);
    this.loop = new LoopWatch(clock);
    this.feedback = {
      ...emptyFeedback(),
      ...(calibration.emergency_stop && { estop: false }),
    };
    this.fault = this.feedback.fault;
  }

  /** Opens the line and makes the servos ready; rejects with a sentence that says what to do. */
  async start(): Promise<Feedback> {
    await this.bus.open();
    const problem = await this.begin(await safeStart(this.options));
    if (problem) {
      await this.bus.close();
      throw new Error(problem.message);
    }
    this.fault = null;
    this.phase = 'running';
    this.loop.driven = false;
    this.holdUntilDriven();
    return this.report();
  }

  /** Keeps samples fresh and watchdogs fed until the loop takes over. */
  private holdUntilDriven(): void {
    if (this.loop.driven || this.phase !== 'running') return;
    this.send();
    this.options.clock.after(1000 * this.cycle_s, () => this.holdUntilDriven());
  }

  /** Samples are too old to go on by: the arm brakes, whoever is to blame. */
  private get stale(): boolean {
    return this.link.age_s > STALE_S;
  }

  /**
   * Age of the samples (s), as far as the servos are to blame: a process that was kept from its
   * work has old samples too, and asks again before it complains.
   */
  private get age_s(): number {
    const { age_s, silent_turns } = this.link;
    return silent_turns < SILENT_TURNS ? Math.min(age_s, STALE_S) : age_s;
  }

  private get cycle_s(): number {
    return (this.options.cycle_ticks ?? 2) * TICK_S;
  }

  /** After a safe start: everything is set to where the arm stands. */
  private async begin(started: Awaited<ReturnType<typeof safeStart>>) {
    if (!started.ok) return started.error;
    this.link.begin(started.value);
    this.shaper.rest(started.value.position_rad);
    this.watch.reset();
    this.sent_ms = this.options.clock.now_ms();
    const { stop } = this.link;
    if (!stop) return null;
    const [reply] = await this.bus.ask(stop.question);
    if (reply) stop.take(reply.data);
    this.feedback.estop = stop.pressed;
    return null;
  }

  exchange(setpoint: Setpoint, dt_s: number): Feedback {
    this.loop.notice(setpoint.mode !== 'hold');
    if (this.phase === 'running') {
      this.steer(setpoint, dt_s);
      this.ticks += Math.max(1, Math.round(dt_s / TICK_S));
      if (this.ticks % (this.options.cycle_ticks ?? 2) === 0) this.send();
      this.judge(setpoint, dt_s);
      this.followStop();
      // A process that comes up is late now and then, and nothing moves before that.
      if (this.loop.settled) this.link.watch(WATCHDOG);
    }
    return this.report();
  }

  private send(): void {
    const now_ms = this.options.clock.now_ms();
    this.shaper.advance((now_ms - this.sent_ms) / 1000);
    this.sent_ms = now_ms;
    this.link.turn(this.shaper.sent);
  }

  private steer(setpoint: Setpoint, dt_s: number): void {
    const { shaper, link } = this;
    const { mode, samples } = setpoint;
    if (mode === 'follow' && !this.braking) this.checkSamples(samples);
    if (this.braking || mode === 'hold') shaper.brake(dt_s);
    else if (mode === 'limp') shaper.drag(link.samples.position_rad);
    else shaper.follow(samples, 6 * END_ROW, dt_s / STEPS_PER_TICK);
  }

  /** The arm comes to rest, whatever is asked. */
  private get braking(): boolean {
    return this.fault !== null || this.stale || this.feedback.estop === true;
  }

  /** Refuses what no joint could follow: no numbers, or far from where the last one led. */
  private checkSamples(samples: Float64Array): void {
    const far = this.options.calibration.following_error_rad;
    for (let i = 0; i < 6 * SETPOINT_SAMPLES; i++) {
      const j = i % 6;
      const off = Math.abs(samples[i]! - this.shaper.wanted[j]!);
      if (off <= far) continue;
      this.fail(jumpFault(this.named(j)), true);
      return;
    }
  }

  private named(joint: number) {
    return { joint, id: this.options.calibration.joints[joint]!.ids[0]! };
  }

  private fail(fault: DriverFault, forgivable: boolean): void {
    this.fault ??= fault;
    this.forgivable = forgivable && this.fault === fault;
  }

  private judge(setpoint: Setpoint, dt_s: number): void {
    const { link } = this;
    if (link.trouble && this.fault?.joint == null) {
      this.fault = link.trouble;
      this.forgivable = false;
    }
    const { age_s } = this;
    if (age_s > STALE_S) this.fail(staleFault(age_s, this.bus.reading.checksum_errors > 0), false);
    if (this.fault || this.feedback.contact || setpoint.mode === 'limp') this.watch.reset();
    else this.lookAtJoints(setpoint, dt_s);
  }

  /** A stop is told at once. Its release is told when the servos have been started anew. */
  private followStop(): void {
    const pressed = this.link.stop?.pressed ?? false;
    if (pressed) this.feedback.estop = true;
    else if (this.feedback.estop) void this.restart(null);
  }

  private lookAtJoints({ detection }: Setpoint, dt_s: number): void {
    const { position_rad, velocity_rad_s, current_a } = this.link.samples;
    const goal_rad = this.shaper.sent;
    const found = this.watch.look({ goal_rad, position_rad, velocity_rad_s, current_a }, dt_s);
    if (!found) return;
    if (detection) this.feedback.contact = { joint: found.joint, at_s: this.ticks * TICK_S };
    else if (found.kind === 'following_error') {
      this.fail(followingFault(this.named(found.joint)), true);
    } else return;
    // Pushing on against what is in the way helps nobody.
    this.shaper.restJoint(found.joint, position_rad[found.joint]!);
  }

  private report(): Feedback {
    const { feedback } = this;
    const { samples, temperature_c } = this.link;
    feedback.position_rad.set(samples.position_rad);
    feedback.velocity_rad_s.set(samples.velocity_rad_s);
    feedback.temperature_c.set(temperature_c);
    feedback.torque_n_m.set(samples.torque_n_m);
    feedback.age_s = this.phase === 'running' ? this.age_s : 0;
    feedback.fault = this.fault;
    return feedback;
  }

  recover(): boolean {
    if (this.phase !== 'running') return false;
    if (this.fault && !this.forgivable) {
      void this.restart(silent('The servos are ready again: reset errors once more to go on'));
      return false;
    }
    if (this.fault || this.feedback.contact) this.shaper.rest(this.link.samples.position_rad);
    this.watch.reset();
    this.fault = null;
    this.feedback.contact = null;
    this.report();
    return true;
  }

  /** Starts the servos anew where they stand; `then` is what is left to say when that worked. */
  private async restart(then: DriverFault | null): Promise<void> {
    this.phase = 'recovering';
    const { shutDown } = this.link;
    this.link.end();
    const problem = await this.begin(await restartServos(this.options, shutDown));
    if (this.phase !== 'recovering') return;
    this.phase = 'running';
    this.forgivable = problem === null;
    this.fault = problem ? { kind: 'lost', ...problem } : then;
    if (problem && this.link.stop) this.feedback.estop = this.link.stop.pressed;
  }

  /** What the servos, their bus and the fault have to say. */
  read(): ArmReading {
    return { fault: this.fault, mirror: null, ...readServos(this.link, this.bus) };
  }

  async stop(): Promise<void> {
    if (this.phase === 'stopped') return;
    const { clock, calibration } = this.options;
    const { cycle_s } = this;
    this.phase = 'stopped';
    this.fault = silent('The arm is stopped');
    for (let i = 0; i < STOP_TURNS && this.shaper.moving; i++) {
      this.shaper.brake(cycle_s);
      this.send();
      await pause(clock, 1000 * cycle_s);
    }
    this.link.end();
    // Without the watchdog the servos go on holding: a limp arm falls.
    for (const id of calibration.joints.flatMap(({ ids }) => ids)) {
      await writeRegister(this.bus, id, ['watchdog', 0]);
    }
    await this.bus.close();
    this.link.samples.velocity_rad_s.fill(0);
    this.report();
  }
}
