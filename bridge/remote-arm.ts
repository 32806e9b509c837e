/**
 * The driver of an arm whose joints another program moves, in any language: JSON objects, one a
 * line, over a TCP socket. docs/hardware.md describes them; fixtures/drivers/joints.mjs is such a
 * program.
 */
import { jointName } from '../physics/arm/arm-model.ts';
import {
  ARM_FAULT_KINDS,
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
import { LoopMonitor, STALL_MAX_S } from './servo/loop-monitor.ts';
import { stallFault } from './servo/servo-faults.ts';
import { type BusClock, delay } from './transport/bus-clock.ts';
import type { BusTransport } from './transport/transport.ts';

/** Version of the lines. */
const VERSION = 1;
/** Longest wait for the answer to a start or a stop (ms). */
const ANSWER_MS = 5000;
/** An answer that is later is a fault (ms), once it is still missing after a grace (ms). */
const LATE_MS = 150;
const GRACE_MS = 50;
/** Longest line from the program (characters). */
const LINE_MAX = 16_384;
/** Samples farther than this from the last target are refused (rad). */
const JUMP_RAD = 0.35;

const KINDS: ReadonlySet<string> = new Set(ARM_FAULT_KINDS);
const ARRAYS = ['position_rad', 'velocity_rad_s', 'temperature_c', 'torque_n_m'] as const;

interface Answer extends Record<(typeof ARRAYS)[number], readonly number[]> {
  /** Number of the line that it answers. */
  readonly line: number;
  readonly fault: ArmFault | null;
  /** The joint that touches something, or null. */
  readonly contact: number | null;
  readonly standing: boolean;
  readonly estop?: boolean;
}

function isJoint(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 6;
}

function isFault(value: unknown): value is ArmFault {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, joint, message } = value as Record<string, unknown>;
  const isNamed = typeof kind === 'string' && KINDS.has(kind) && typeof message === 'string';
  return isNamed && (joint === null || isJoint(joint));
}

/** Reads an answer; the text names what is wrong with it. */
function readAnswer(text: string): Answer | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'a line that is not JSON';
  }
  if (typeof value !== 'object' || value === null) return 'a line that is no object';
  const found = value as Record<string, unknown>;
  for (const name of ARRAYS) {
    const six = found[name];
    const isRight = Array.isArray(six) && six.length === 6 && six.every(Number.isFinite);
    if (!isRight) return `${name} that is not six numbers`;
  }
  const { line, fault, contact, standing, estop } = found;
  if (!Number.isInteger(line)) return 'no number of the line that it answers';
  if (fault !== null && !isFault(fault)) return 'a fault without kind, joint and message';
  if (contact !== null && !isJoint(contact)) return 'a contact that is neither a joint nor null';
  if (typeof standing !== 'boolean') return 'standing that is neither true nor false';
  if (estop !== undefined && typeof estop !== 'boolean') return 'an estop that is no boolean';
  return value as Answer;
}

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
  private taken_ms = 0;
  /** When the oldest line without an answer was sent (ms); null: all are answered. */
  private waiting_ms: number | null = null;
  /** True while a late answer may still be in the socket. */
  private suspects = false;
  /** True when a fault goes without a start of the joints. */
  private clearable = false;

  constructor(line: BusTransport, clock: BusClock) {
    this.line = line;
    this.clock = clock;
    this.loop = new LoopMonitor(clock);
  }

  /** True once all lines are answered. */
  get idle(): boolean {
    return this.waiting_ms === null;
  }

  async start(): Promise<Feedback> {
    await this.line.open((bytes) => this.receive(bytes));
    this.feedback.fault = null;
    this.requestStart();
    if (!(await this.answerTo(this.sent))) {
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
  private async answerTo(line: number): Promise<boolean> {
    const end_ms = this.clock.now_ms() + ANSWER_MS;
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
    this.waiting_ms ??= this.clock.now_ms();
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
    this.taken_ms = this.clock.now_ms();
    this.waiting_ms = answer.line === this.sent ? null : this.taken_ms;
    for (const name of ARRAYS) feedback[name].set(answer[name]);
    feedback.standing = answer.standing;
    if (answer.estop !== undefined) feedback.estop = answer.estop;
    // What was true before the last start of the joints no longer counts.
    if (answer.line < this.start_line) return;
    if (answer.fault) this.fail(answer.fault);
    else if (answer.line === this.start_line && feedback.fault && this.running) this.offerReset();
    const at_s = answer.line * TICK_S;
    if (answer.contact !== null) feedback.contact ??= { joint: answer.contact, at_s };
  }

  /** The joints are ready again: the next reset of the errors continues. */
  private offerReset(): void {
    const text = 'The joints are ready again: reset errors once more to continue';
    this.feedback.fault = unavailableFault(text);
    this.clearable = true;
  }

  private fail(fault: ArmFault): void {
    // A reset that is offered does not hide what came after it.
    if (this.feedback.fault && !this.clearable) return;
    this.feedback.fault = fault;
    this.clearable = false;
  }

  exchange(setpoint: Setpoint, dt_s: number): Feedback {
    const { feedback } = this;
    if (!this.running) return feedback;
    const stall_s = this.loop.onExchange(setpoint.mode !== 'hold');
    if (stall_s > STALL_MAX_S && !feedback.standing) this.fail(stallFault(stall_s));
    this.checkAge();
    if (setpoint.mode === 'follow' && !feedback.fault) this.checkSamples(setpoint.samples);
    const mode = feedback.fault || feedback.estop ? 'hold' : setpoint.mode;
    const { payload_kg, detection, tool = null } = setpoint;
    const common = { do: mode, dt_s, payload_kg, detection, tool };
    if (mode === 'follow') {
      this.target_rad.set(setpoint.samples.subarray(-6));
      this.send({ ...common, samples: Array.from(setpoint.samples) });
    } else {
      this.target_rad.set(feedback.position_rad);
      this.send(common);
    }
    const age_ms = this.clock.now_ms() - this.taken_ms;
    // Until the program is known to be late, a greater age is due to a stall of this one.
    feedback.age_s = (feedback.fault?.kind === 'stale' ? age_ms : Math.min(age_ms, LATE_MS)) / 1000;
    return feedback;
  }

  /**
   * Finds answers that are late. After a stall of this process they are all late, so that it serves
   * its sockets in two turns of the event loop before it reports that.
   */
  private checkAge(): void {
    const isLate = this.waiting_ms !== null && this.clock.now_ms() - this.waiting_ms >= LATE_MS;
    if (!isLate || this.suspects) return;
    this.suspects = true;
    const { answered } = this;
    const judge = () => {
      this.suspects = false;
      if (this.answered > answered || !this.running) return;
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
      this.clearable = true;
      return;
    }
  }

  /** True while the answer to the last start may still come. */
  private get starting(): boolean {
    return this.answered < this.start_line && this.clock.now_ms() - this.start_ms < LATE_MS;
  }

  recover(): boolean {
    const { feedback } = this;
    if (!this.running) return false;
    const needsStart = feedback.contact !== null || (feedback.fault !== null && !this.clearable);
    if (needsStart && !this.starting) this.requestStart();
    feedback.contact = null;
    if (feedback.fault && !this.clearable) return false;
    feedback.fault = null;
    this.clearable = false;
    return true;
  }

  async stop(): Promise<void> {
    if (!this.running) return;
    this.running = false;
    this.feedback.fault = null;
    this.send({ do: 'stop' });
    await this.answerTo(this.sent);
    await this.line.close();
    this.feedback.fault = unavailableFault('The arm is stopped');
    this.feedback.velocity_rad_s.fill(0);
  }
}
