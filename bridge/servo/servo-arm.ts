/** The driver of an arm of servos; docs/hardware.md says what it does in each case. */

import type { Result } from '../../contract/result.ts';
import { type ArmRange, narrowerRange } from '../../physics/arm/arm-range.ts';
import {
  type ArmDriver,
  type ArmFault,
  emptyFeedback,
  type Feedback,
  type MutableFeedback,
  type Setpoint,
  TICK_S,
  unavailableFault,
} from '../arm-driver.ts';
import type { ArmInstruments, ArmReading } from '../arm-instruments.ts';
import { type BusClock, delay } from '../transport/bus-clock.ts';
import type { Calibration } from './calibration/calibration.ts';
import { ContactRelease } from './goals/contact-release.ts';
import { ServoGoals } from './goals/servo-goals.ts';
import type { EndOfServos, JointBus, StartedJoints, StartProblem } from './joint-bus.ts';
import { ExternalTorques } from './monitor/external-torques.ts';
import { HoldMonitor, type LostHold } from './monitor/hold-monitor.ts';
import { JointMonitor } from './monitor/joint-monitor.ts';
import { LoopMonitor, STALL_MAX_S } from './monitor/loop-monitor.ts';
import { Standstill } from './monitor/standstill.ts';
import { followingFault, holdFault, jumpFault, staleFault, stallFault } from './servo-faults.ts';

export interface ServoArmOptions {
  readonly joints: JointBus;
  readonly clock: BusClock;
  readonly calibration: Calibration;
  /** Ticks per bus cycle; default 2 (125 Hz). */
  readonly cycle_ticks?: number;
  /** Called with what the servos do from now on. */
  readonly onStop?: (end: EndOfServos) => void;
}

/** Maximum age of samples; the arm brakes above it (s). */
const STALE_S = 0.15;
/** Failed cycles in a row that mean a failure of the servos, not of this process. */
const FAILED_CYCLES = 3;
/** Servos that have had no goals for so long have come to rest (ms). */
const WAITED_MS = 50;
/** Longest braking when the arm is stopped (cycles). */
const STOP_CYCLES = 100;
/** Longest wait for the servos at the end (ms): the twin has to end in time without them too. */
const END_MS = 1500;

const READY_AGAIN = 'The servos are ready again: reset errors once more to continue';

function startingAgain({ message }: ArmFault): string {
  return `The servos start again: reset errors once more when they are ready. Before: ${message}`;
}

type Phase = 'stopped' | 'running' | 'recovering';

export class ServoArm implements ArmDriver, ArmInstruments {
  readonly name = 'servo';
  readonly pace = 'real-time';
  /** As of the latest start. */
  range_rad: ArmRange | null = null;
  private readonly joints: JointBus;
  private readonly options: ServoArmOptions;
  private readonly goals: ServoGoals;
  private readonly monitor: JointMonitor;
  private readonly hold: HoldMonitor;
  private readonly forces: ExternalTorques;
  /** Lets go of what the arm has run into. */
  private readonly release: ContactRelease;
  /** True from a contact until the arm moves again. */
  private touched = false;
  private readonly loop: LoopMonitor;
  private readonly standstill = new Standstill();
  private readonly feedback: MutableFeedback;
  private phase: Phase = 'stopped';
  private fault: ArmFault | null;
  /** The latest fault that the servos told, which they may replace by what they learn later. */
  private told: ArmFault | null = null;
  /** True when the fault can be cleared without restarting the servos. */
  private clearable = false;
  /** True since the servos fell silent, until they are started again. */
  private silenced = false;
  /** What was wrong with the line since then; null: nothing is known against it. */
  private line_problem: string | null = null;
  /** What the line showed since then; null: nothing. */
  private line_symptom: string | null = null;
  /** Says that the servos are ready for the reset of errors; another fault replaces it. */
  private notice: ArmFault | null = null;
  /** Longest time without samples in the present motion, where the arm braked (s). */
  private unread_s = 0;
  private ticks = 0;
  private sent_ms = 0;
  /** Time of the latest goals that went out (ms). */
  private led_ms = 0;

  constructor(options: ServoArmOptions) {
    const { joints, clock, calibration } = options;
    this.options = options;
    this.joints = joints;
    this.goals = new ServoGoals(calibration, joints);
    this.monitor = new JointMonitor(calibration, joints.limits_torque);
    this.forces = new ExternalTorques(calibration, joints);
    this.hold = new HoldMonitor(calibration.joints.map((_, j) => this.forces.stiffness_n_m_rad(j)));
    this.release = new ContactRelease(this.goals.shaper, this.forces);
    this.loop = new LoopMonitor(clock);
    this.feedback = {
      ...emptyFeedback(),
      watches_hold: true,
      ...(calibration.emergency_stop && { estop: false }),
    };
    this.fault = this.feedback.fault;
  }

  /** Opens the bus and makes the servos ready; rejects with a message for the operator. */
  async start(): Promise<Feedback> {
    const problem = this.resumeFrom(await this.joints.start());
    if (problem) {
      await this.joints.close();
      throw new Error(problem.message);
    }
    this.fault = null;
    this.phase = 'running';
    this.loop.driven = false;
    this.holdUntilDriven();
    return this.report();
  }

  /** Keeps samples fresh and watchdogs reset until the control loop takes over. */
  private holdUntilDriven(): void {
    if (this.loop.driven || this.phase !== 'running') return;
    this.send();
    this.options.clock.after(1000 * this.cycle_s, () => this.holdUntilDriven());
  }

  /** True when samples are too old: the arm brakes, whatever the cause. */
  private get stale(): boolean {
    return this.joints.age_s > STALE_S;
  }

  /**
   * Age of the samples (s), as far as the servos cause it. After a stall of this process samples
   * are old too; it requests new ones before it reports a fault.
   */
  private get age_s(): number {
    const { age_s, failed_cycles: silent_turns } = this.joints;
    return silent_turns < FAILED_CYCLES ? Math.min(age_s, STALE_S) : age_s;
  }

  private get cycle_s(): number {
    return (this.options.cycle_ticks ?? 2) * TICK_S;
  }

  /** Resets everything to the present position and its goals, after a safe start. */
  private resumeFrom(started: Result<StartedJoints, StartProblem>): StartProblem | null {
    if (!started.ok) return started.error;
    this.goals.start(started.value.position_rad, started.value.goal_rad);
    this.range_rad = narrowerRange(started.value.range_rad);
    this.monitor.reset();
    this.release.active = false;
    this.silenced = false;
    this.line_problem = null;
    this.line_symptom = null;
    this.sent_ms = this.options.clock.now_ms();
    this.led_ms = this.sent_ms;
    const { stop_pressed } = this.joints;
    if (stop_pressed !== null) this.feedback.estop = stop_pressed;
    return null;
  }

  exchange(setpoint: Setpoint, dt_s: number): Feedback {
    const stall_s = this.loop.onExchange(setpoint.mode !== 'hold');
    if (this.phase === 'running') {
      if (stall_s > STALL_MAX_S) this.endMotion(stall_s);
      this.updateSetpoint(setpoint);
      this.ticks += Math.max(1, Math.round(dt_s / TICK_S));
      const yielded = this.release.active;
      this.updateFault(setpoint, dt_s);
      this.updateStop();
      // The goal that yields to a contact does not wait for the next cycle.
      const yields = !yielded && this.release.active;
      if (yields || this.ticks % (this.options.cycle_ticks ?? 2) === 0) this.send();
      // The loop is late at times during start-up, when nothing moves yet.
      if (this.loop.settled) this.joints.supervise();
    }
    return this.report();
  }

  /** Goals wait while servos are silent, which would jump to the latest when the line returns. */
  private send(): void {
    const now_ms = this.options.clock.now_ms();
    const { goals } = this;
    if (!this.silenced && this.joints.failed_cycles === 0) {
      goals.advance((now_ms - this.sent_ms) / 1000);
      this.led_ms = now_ms;
    }
    this.sent_ms = now_ms;
    const { torque_max_n_m } = this.monitor;
    this.joints.exchange(goals.lead.goal_rad, goals.shaper.sent_rad, torque_max_n_m);
  }

  private updateSetpoint(setpoint: Setpoint): void {
    const follows = setpoint.mode === 'follow';
    if (!follows) this.unread_s = 0;
    else if (this.stale) this.unread_s = Math.max(this.unread_s, this.joints.age_s);
    if (follows && !this.braking) this.touched = false;
    if (follows && !this.braking) this.checkSamples(setpoint.samples);
    this.goals.take(setpoint, this.joints.measured.position_rad, this.braking);
  }

  /** True while the arm brakes, whatever the setpoint. */
  private get braking(): boolean {
    const { fault, feedback, release } = this;
    return fault !== null || release.active || this.stale || feedback.estop === true;
  }

  /** Rejects setpoints that are not finite, or far from the previous target. */
  private checkSamples(samples: Float64Array): void {
    const joint = this.goals.jumpingJoint(samples);
    if (joint !== null) this.fail(jumpFault(this.servoAt(joint), this.unread_s), true);
  }

  /** Ends a motion that servos without a watchdog would resume after a stall of this program. */
  private endMotion(stall_s: number): void {
    if (this.joints.has_watchdog || !this.goals.shaper.moving) return;
    this.fail(stallFault(stall_s), false);
    this.silence();
  }

  private servoAt(joint: number) {
    return { joint, id: this.options.calibration.joints[joint]!.ids[0]! };
  }

  private fail(fault: ArmFault, forgivable: boolean): void {
    if (this.fault === this.notice) this.fault = fault;
    this.fault ??= fault;
    this.clearable = forgivable && this.fault === fault;
  }

  private updateFault(setpoint: Setpoint, dt_s: number): void {
    const { fault, corrupt } = this.joints;
    // What has become of a servo counts for more than a joint that does not follow.
    const knowsMore = this.fault?.joint == null || this.clearable || this.fault === this.told;
    if (fault && fault !== this.fault && knowsMore) {
      this.fault = fault;
      this.told = fault;
      this.clearable = false;
      this.stayWithGoals();
    }
    const { age_s } = this;
    if (age_s > STALE_S) {
      this.fail(staleFault(age_s, corrupt), false);
      this.silence();
    }
    this.nameLine();
    const { shaper } = this.goals;
    const { position_rad } = this.joints.measured;
    this.monitor.expect({ ...setpoint, rate_rad_s: shaper.rate, position_rad }, dt_s);
    const { torque_n_m } = this.joints.measured;
    const { payload_kg } = setpoint;
    const { goal_rad } = this.goals.lead;
    this.forces.update({ goal_rad, position_rad, torque_n_m, payload_kg }, dt_s);
    if (this.release.active && !this.stale) this.release.update(position_rad, dt_s);
    // A body that the arm has run into may still press on it at rest: it is no load.
    if (setpoint.mode === 'hold' && this.feedback.standing && !this.touched) {
      this.forces.learnLoad();
    }
    if (this.fault || this.release.active || setpoint.mode === 'backdrive') this.monitor.reset();
    else this.checkJoints(setpoint, dt_s);
    if (setpoint.mode === 'hold' && !this.braking) this.checkHold(setpoint, dt_s);
    else this.hold.reset();
  }

  /** The fault of silent servos names what is wrong with their line, which may change. */
  private nameLine(): void {
    if (!this.silenced || this.fault?.joint != null) return;
    const { line_problem, line_symptom } = this.joints;
    this.line_problem = line_problem ?? this.line_problem;
    this.line_symptom = line_symptom ?? this.line_symptom;
    const message = this.line_problem ?? this.line_symptom;
    if (message === null) return;
    this.fault = { kind: 'bus', joint: null, message };
    this.clearable = false;
  }

  /** Reports a stop at once, and its release after the servos have restarted. */
  private updateStop(): void {
    const pressed = this.joints.stop_pressed ?? false;
    if (pressed) this.feedback.estop = true;
    else if (this.feedback.estop) void this.restart(null);
  }

  /**
   * After a loss of the servos their goals stay as they are, until a recovery reads them: the last
   * ones sent may not have arrived, and would move the arm when the line is back.
   */
  private silence(): void {
    if (this.silenced) return;
    this.goals.shaper.reset(this.goals.shaper.sent_rad);
    this.joints.keepGoals();
    this.silenced = true;
  }

  private checkJoints({ detection, payload_kg }: Setpoint, dt_s: number): void {
    const { measured } = this.joints;
    const { position_rad } = measured;
    const { sent_rad: goal_rad, rate: rate_rad_s } = this.goals.shaper;
    const found = this.monitor.update(
      { ...measured, goal_rad, rate_rad_s, detection, payload_kg },
      dt_s,
    );
    if (!found) return;
    const lags = found.kind === 'following_error';
    if (detection) {
      this.feedback.contact = { joint: found.joint, at_s: this.ticks * TICK_S, lags };
    } else if (lags) {
      const lag_rad = goal_rad[found.joint]! - position_rad[found.joint]!;
      const limit_rad = this.options.calibration.following_error_rad;
      this.fail(followingFault(this.servoAt(found.joint), lag_rad, limit_rad), true);
    } else return;
    this.touched = true;
    this.release.begin(found.joint, position_rad[found.joint]!);
  }

  private checkHold({ detection, payload_kg }: Setpoint, dt_s: number): void {
    const { position_rad, velocity_rad_s } = this.joints.measured;
    const { standing } = this.feedback;
    const { torque_n_m } = this.joints.measured;
    const seen = { position_rad, velocity_rad_s, torque_n_m, standing, payload_kg };
    const lost = this.hold.update(seen, dt_s);
    if (lost === null) return;
    const { joint } = lost;
    const isPushed = this.isPushed(lost);
    if (isPushed && detection) this.feedback.contact = { joint, at_s: this.ticks * TICK_S };
    else {
      const mover = isPushed ? 'pushed' : lost.isDriven ? 'driven' : 'forceless';
      this.fail(holdFault(this.servoAt(joint), lost.moved_rad, mover), isPushed);
    }
    if (!isPushed) return;
    this.touched = true;
    this.release.begin(joint, position_rad[joint]!);
  }

  /** Whether a joint that was moved pushes back, as one that has lost its force does not. */
  private isPushed({ joint, moved_rad }: LostHold): boolean {
    if (this.joints.measured.torque_n_m === null) return false;
    return this.forces.excess_rad(joint) * moved_rad < 0;
  }

  /** Goals that waited for missing samples are void: the servos have stopped at the last ones. */
  private stayWithGoals(): void {
    const waited_ms = this.options.clock.now_ms() - this.led_ms;
    if (waited_ms > WAITED_MS) this.goals.shaper.reset(this.goals.shaper.sent_rad);
  }

  private report(): Feedback {
    const { feedback } = this;
    const { measured, temperature_c, torque_n_m } = this.joints;
    feedback.position_rad.set(measured.position_rad);
    feedback.velocity_rad_s.set(measured.velocity_rad_s);
    const { velocity_rad_s } = measured;
    const now_ms = this.options.clock.now_ms();
    const changes = this.goals.shaper.moving || !this.arrived;
    feedback.standing = this.standstill.update(velocity_rad_s, now_ms, changes);
    feedback.temperature_c.set(temperature_c);
    feedback.torque_n_m.set(torque_n_m);
    feedback.age_s = this.phase === 'running' ? this.age_s : 0;
    feedback.fault = this.fault;
    feedback.reaction = this.release.reaction;
    return feedback;
  }

  /**
   * Whether the joints are where the last setpoint has sent them, by samples that are not old.
   * Goals trail the setpoints after a stall of this program. A faulted arm stays where it is.
   */
  private get arrived(): boolean {
    if (this.phase !== 'running' || this.fault || this.feedback.estop) return true;
    return !this.stale && this.goals.haveArrived(this.joints.measured.position_rad);
  }

  get drivenTool() {
    return this.joints.drivenTool;
  }

  get guidingRefusal(): string | null {
    const why = 'The servos cannot be guided by hand without a model of their drives';
    return this.goals.lead.known ? null : `${why}: add drive to each joint of the calibration`;
  }

  recover(): boolean {
    if (this.phase !== 'running') return false;
    // A restart in mid-motion would leave the joints to coast to their last goals.
    if (this.fault && this.goals.shaper.moving) return false;
    if (this.fault && !this.clearable) {
      this.notice = unavailableFault(READY_AGAIN);
      void this.restart(this.notice);
      // What was wrong may be gone by now: a refusal says what happens, and what it was. It is of no
      // joint until the start has found what keeps the servos from it.
      if (this.joints.line_problem === null) {
        this.fault = { ...this.fault, joint: null, message: startingAgain(this.fault) };
        this.report();
      }
      return false;
    }
    this.monitor.reset();
    this.release.active = false;
    this.fault = null;
    this.feedback.contact = null;
    this.report();
    return true;
  }

  /** Restarts the servos at their present positions; `then` is the fault to report on success. */
  private async restart(then: ArmFault | null): Promise<void> {
    this.phase = 'recovering';
    this.joints.suspend();
    const problem = this.resumeFrom(await this.joints.recover());
    if (this.phase !== 'recovering') return;
    this.phase = 'running';
    this.clearable = problem === null;
    this.fault = problem ? { kind: 'lost', ...problem } : then;
    const { stop_pressed } = this.joints;
    if (problem && stop_pressed !== null) this.feedback.estop = stop_pressed;
  }

  /** Readings of the servos, their bus and the present fault. */
  read(): ArmReading {
    return { fault: this.fault, mirror: null, ...this.joints.read() };
  }

  async stop(): Promise<void> {
    if (this.phase === 'stopped') return;
    const { clock } = this.options;
    this.phase = 'stopped';
    this.fault = unavailableFault('The arm is stopped');
    for (let i = 0; i < STOP_CYCLES && this.goals.shaper.moving; i++) {
      this.goals.shaper.brake(this.cycle_s);
      this.send();
      await delay(clock, 1000 * this.cycle_s);
    }
    const end = await this.endJoints();
    this.options.onStop?.(end);
    this.joints.measured.velocity_rad_s.fill(0);
    this.report();
  }

  /** Ends the supervision of the joints, as far as they answer in time. */
  private async endJoints(): Promise<EndOfServos> {
    const late = delay(this.options.clock, END_MS).then(() => 'unreached' as const);
    const end = await Promise.race([this.joints.end(), late]);
    if (end === 'unreached') await this.joints.close();
    return end;
  }
}
