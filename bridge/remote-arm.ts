/**
 * The driver of an arm whose joints another program moves, in any language: JSON objects, one a
 * line, over a TCP socket. docs/drivers.md describes them; fixtures/drivers/joints.mjs is such a
 * program.
 */

import { jointName } from '../physics/arm/arm-model.ts';
import {
  type ArmDriver,
  type ArmFault,
  emptyFeedback,
  type Feedback,
  type MutableFeedback,
  SETPOINT_SAMPLES,
  type Setpoint,
  TICK_S,
  unavailableFault,
} from './arm-driver.ts';
import { type Answer, ARRAYS, readAnswer } from './remote-answer.ts';
import { LoopMonitor, STALL_MAX_S } from './servo/monitor/loop-monitor.ts';
import { stallFault } from './servo/servo-faults.ts';
import { type BusClock, delay } from './transport/bus-clock.ts';
import type { BusTransport } from './transport/transport.ts';

/** Version of the lines. */
const VERSION = 1;
/** Longest wait for the answer to a start (ms). */
const START_MS = 5000;
/** The same for a stop: the twin has to end in time whether the program answers or not. */
const STOP_MS = 1000;
/** An answer that is later is a fault (ms), once it is still missing after a grace (ms). */
const LATE_MS = 150;
const GRACE_MS = 50;
/** Longest line from the program (characters). */
const LINE_MAX = 16_384;
/** Samples farther than this from the last target are refused (rad). */
const JUMP_RAD = 0.35;
/** A joint that is farther from where it was sent (rad), in so many answers, does not follow. */
const LAG_RAD = 0.25;
const LAG_ANSWERS = 25;
/** Lines that are remembered until they are answered: more than are sent until one is late. */
const LINES = 256;

export class RemoteArm implements ArmDriver {
  readonly name = 'external';
  readonly pace = 'real-time';
  private readonly line: BusTransport;
  private readonly clock: BusClock;
  private readonly loop: LoopMonitor;
  private readonly feedback: MutableFeedback = emptyFeedback();
  private readonly decoder = new TextDecoder();
  private readonly target_rad = new Float64Array(6);
  private text = '';
  private running = false;
  /** Numbers of the last line sent, the last answered, and the last start. */
  private sent = 0;
  private answered = 0;
  private start_line = 0;
  private start_ms = 0;
  /** When the last lines were sent (ms), by their numbers modulo LINES. */
  private readonly sent_ms = new Float64Array(LINES);
  /** The first line of a hold that lasts; null: the arm does not hold. */
  private hold_line: number | null = null;
  /** True once the arm stands in its hold, which it may not leave. */
  private held = false;
  /** Where the last lines sent the joints (rad), as sent_ms; NaN: nowhere. */
  private readonly sent_rad = Array.from({ length: LINES }, () => new Float64Array(6));
  /** Answers in a row in which a joint is too far from where their line sent it. */
  private lagging = 0;
  /** True while a late answer may still be in the socket. */
  private suspects = false;
  /** True once the joints are ready again after a fault, which the next reset ends. */
  private offered = false;

  constructor(line: BusTransport, clock: BusClock) {
    this.line = line;
    this.clock = clock;
    this.loop = new LoopMonitor(clock);
  }

  /** True once all lines are answered. */
  get idle(): boolean {
    return this.answered === this.sent;
  }

  /** How long the oldest line without an answer has waited for it (ms); 0: all are answered. */
  private get waited_ms(): number {
    if (this.idle) return 0;
    // A program that answers each line, but ever later, is as late as its oldest answer.
    const oldest = Math.max(this.answered, this.sent - LINES) + 1;
    return this.clock.now_ms() - this.sent_ms[oldest % LINES]!;
  }

  /** Time since the line was sent whose answer is the present state (ms). */
  private get age_ms(): number {
    const line = Math.max(this.answered, this.sent - LINES + 1);
    return this.clock.now_ms() - this.sent_ms[line % LINES]!;
  }

  async start(): Promise<Feedback> {
    await this.line.open((bytes) => this.receive(bytes));
    this.feedback.fault = null;
    this.requestStart();
    if (!(await this.answerTo(this.sent, START_MS))) {
      this.fail({ kind: 'bus', joint: null, message: `The driver at ${this.line.name} is silent` });
    }
    const { fault } = this.feedback as Feedback;
    if (fault) {
      await this.line.close();
      throw new Error(fault.message);
    }
    this.running = true;
    this.target_rad.set(this.feedback.position_rad);
    return this.feedback;
  }

  private requestStart(): void {
    this.send({ do: 'start', version: VERSION });
    this.start_line = this.sent;
    this.start_ms = this.clock.now_ms();
  }

  /** True once a line is answered; false when that takes too long. */
  private async answerTo(line: number, within_ms: number): Promise<boolean> {
    const end_ms = this.clock.now_ms() + within_ms;
    while (this.answered < line && !this.feedback.fault && this.clock.now_ms() < end_ms) {
      await delay(this.clock, 2);
    }
    return this.answered >= line || this.feedback.fault !== null;
  }

  private send(message: object): void {
    this.sent += 1;
    this.line.write(
      new TextEncoder().encode(`${JSON.stringify({ line: this.sent, ...message })}\n`),
    );
    this.sent_ms[this.sent % LINES] = this.clock.now_ms();
    this.sent_rad[this.sent % LINES]!.fill(Number.NaN);
  }

  private receive(bytes: Uint8Array): void {
    const lines = (this.text + this.decoder.decode(bytes, { stream: true })).split('\n');
    this.text = lines.pop()!;
    for (const text of lines) this.take(readAnswer(text));
    if (this.text.length <= LINE_MAX) return;
    this.text = '';
    this.take(`a line of more than ${LINE_MAX} characters`);
  }

  private take(answer: Answer | string): void {
    const { feedback } = this;
    if (typeof answer === 'string') {
      const message = `The driver at ${this.line.name} sends ${answer}: correct that program`;
      this.fail({ kind: 'bus', joint: null, message });
      return;
    }
    if (answer.line <= this.answered || answer.line > this.sent) return;
    this.answered = answer.line;
    for (const name of ARRAYS) feedback[name].set(answer[name]);
    // An arm that stands elsewhere has not arrived: its motion goes on until it lags too long.
    const isElsewhere = this.running && this.laggingJoint(this.target_rad) >= 0;
    feedback.standing = answer.standing && !isElsewhere;
    if (answer.estop !== undefined) feedback.estop = answer.estop;
    if (answer.reaction !== undefined) feedback.reaction = answer.reaction;
    // What was true before the last start of the joints no longer counts.
    if (answer.line < this.start_line) return;
    if (answer.fault) this.fail(answer.fault);
    else if (answer.line === this.start_line && feedback.fault && this.running) this.offerReset();
    else this.checkLag(answer.line);
    const at_s = answer.line * TICK_S;
    if (answer.contact !== null) feedback.contact ??= { joint: answer.contact, at_s };
  }

  /** The joints are ready again: the next reset of the errors continues. */
  private offerReset(): void {
    const text = 'The joints are ready again: reset errors once more to continue';
    this.feedback.fault = unavailableFault(text);
    this.offered = true;
  }

  /** Whether no fault is left once a reset asks for it: a joint that lagged does so no more (D30). */
  private get isOver(): boolean {
    const { fault } = this.feedback as Feedback;
    return fault === null || this.offered || fault.kind === 'following_error';
  }

  private fail(fault: ArmFault): void {
    // A reset that is offered does not hide what came after it.
    if (!this.isOver) return;
    this.feedback.fault = fault;
    this.offered = false;
  }

  exchange(setpoint: Setpoint, dt_s: number): Feedback {
    const { feedback } = this;
    if (!this.running) return feedback;
    const stall_s = this.loop.onExchange(setpoint.mode !== 'hold');
    if (stall_s > STALL_MAX_S && !feedback.standing) this.fail(stallFault(stall_s));
    this.checkAge();
    const { payload_kg, detection, tool = null } = setpoint;
    const touches = feedback.contact !== null && detection !== null;
    const follows = setpoint.mode === 'follow' && !feedback.fault && !touches;
    if (follows) this.checkSamples(setpoint.samples);
    // After a contact or a fault the program decides where the arm goes.
    const isLed = feedback.fault !== null || touches || feedback.estop === true;
    const mode = isLed ? 'hold' : setpoint.mode;
    const common = { do: mode, dt_s, payload_kg, detection, tool };
    if (mode === 'follow') {
      this.target_rad.set(setpoint.samples.subarray(-6));
      this.send({ ...common, samples: Array.from(setpoint.samples) });
    } else this.send(common);
    this.updateHold(mode, isLed);
    const { age_ms } = this;
    // Until the program is known to be late, a greater age is due to a stall of this one.
    feedback.age_s = (feedback.fault?.kind === 'stale' ? age_ms : Math.min(age_ms, LATE_MS)) / 1000;
    return feedback;
  }

  /** The pose that an arm holds is that in which it stands once it knows that it is to hold. */
  private updateHold(mode: Setpoint['mode'], isLed: boolean): void {
    const { feedback, target_rad } = this;
    if (isLed || mode !== 'hold') this.hold_line = null;
    else this.hold_line ??= this.sent;
    const isKnown = this.hold_line !== null && this.answered >= this.hold_line;
    this.held = isKnown && (this.held || feedback.standing);
    if (mode !== 'follow' && !this.held) target_rad.set(feedback.position_rad);
    else this.sent_rad[this.sent % LINES]!.set(target_rad);
  }

  /** The first joint that is far from a pose (rad); -1: none is. */
  private laggingJoint(pose_rad: Float64Array): number {
    const { position_rad } = this.feedback;
    return position_rad.findIndex((angle, j) => Math.abs(angle - pose_rad[j]!) > LAG_RAD);
  }

  /**
   * Finds a joint that does not go where it is sent, or leaves the pose that it holds. An answer is
   * judged by its own line, so that its way back does not count as a lag.
   */
  private checkLag(line: number): void {
    const sent_rad = this.sent_rad[line % LINES]!;
    const joint = this.laggingJoint(sent_rad);
    this.lagging = joint < 0 ? 0 : this.lagging + 1;
    if (this.lagging < LAG_ANSWERS) return;
    const off = Math.abs(this.feedback.position_rad[joint]! - sent_rad[joint]!).toFixed(3);
    const where = `${jointName(joint)} is ${off} rad from where it was sent (limit ${LAG_RAD} rad)`;
    const message = `${where}; free what blocks or moves it, then reset errors`;
    this.fail({ kind: 'following_error', joint, message });
  }

  /**
   * Finds answers that are late. After a stall of this process they are all late, so that it serves
   * its sockets in two turns of the event loop before it reports that.
   */
  private checkAge(): void {
    if (this.waited_ms < LATE_MS || this.suspects) return;
    this.suspects = true;
    const judge = () => {
      this.suspects = false;
      if (this.waited_ms < LATE_MS + GRACE_MS || !this.running) return;
      this.text = '';
      const late = `The driver at ${this.line.name} does not answer`;
      const message = this.line.problem ?? `${late}; see that it runs, then reset errors`;
      this.fail({ kind: 'stale', joint: null, message });
    };
    this.clock.after(GRACE_MS, () => this.clock.after(1, judge));
  }

  /** Refuses samples that are not finite, or far from the last target. */
  private checkSamples(samples: Float64Array): void {
    for (let i = 0; i < 6 * SETPOINT_SAMPLES; i++) {
      const joint = i % 6;
      if (Math.abs(samples[i]! - this.target_rad[joint]!) <= JUMP_RAD) continue;
      const jumps = `${jointName(joint)} received a setpoint that jumps`;
      const message = `${jumps}; start at the present position`;
      this.fail({ kind: 'following_error', joint, message });
      return;
    }
  }

  /** True while the answer to the last start may still come. */
  private get starting(): boolean {
    return this.answered < this.start_line && this.clock.now_ms() - this.start_ms < LATE_MS;
  }

  recover(): boolean {
    const { feedback, isOver } = this;
    if (!this.running) return false;
    const needsStart = feedback.contact !== null || (feedback.fault !== null && !this.offered);
    if (needsStart && !this.starting) this.requestStart();
    feedback.contact = null;
    if (!isOver) return false;
    this.lagging = 0;
    feedback.fault = null;
    this.offered = false;
    return true;
  }

  async stop(): Promise<void> {
    if (!this.running) return;
    this.running = false;
    this.feedback.fault = null;
    this.send({ do: 'stop' });
    await this.answerTo(this.sent, STOP_MS);
    await this.line.close();
    this.feedback.fault = unavailableFault('The arm is stopped');
    this.feedback.velocity_rad_s.fill(0);
  }
}
