/**
 * One turn of the twin: feedback in, robot, setpoint out, events to whoever listens (read →
 * update → write). The clock decides when turns happen; the loop knows no pace. It alone calls
 * `robot.tick` and `driver.exchange`.
 */
import { type ArmDriver, type Feedback, TICK_S } from '../../bridge/arm-driver.ts';
import type { Ticking } from '../clock/clock.ts';
import type { Timers } from '../clock/timers.ts';
import type { TwinTime } from '../clock/twin-time.ts';
import type { Command } from './commands.ts';
import type { RobotEvent } from './events.ts';
import type { RobotImage } from './image.ts';
import type { Refusal } from './refusal.ts';
import type { Robot } from './robot.ts';
import { actOn, type Reach, type WorldAction } from './world-actions.ts';

/** What follows the twin: the stream, the log, recordings, digests. */
export interface LoopListener {
  /** Events of one tick or command, in order; never called with none. */
  onEvents?(events: readonly RobotEvent[], tick: number): void;
  /** After every tick that was worked through, and after every jump over idle ones. */
  onTick?(feedback: Feedback, tick: number): void;
  /** After every command. */
  onCommand?(command: Command, refusal: Refusal | null, tick: number): void;
  /** After everything that was done to the world around the joints. */
  onAction?(action: WorldAction, tick: number): void;
  /** After robot and time were put back to an image; the world was put back just before. */
  onRestore?(tick: number): void;
}

export interface LoopParts {
  readonly robot: Robot;
  readonly driver: ArmDriver;
  /** What the hand on the twin reaches behind the joints. */
  readonly reach: Reach;
  readonly timers: Timers;
  readonly feedback: Feedback;
  readonly epoch_ms: number;
  readonly listeners: readonly LoopListener[];
}

export class Loop implements Ticking, TwinTime {
  tick = 0;
  /** Date of tick 0 (ms since 1970). */
  private start_ms: number;
  private feedback: Feedback;
  private readonly parts: LoopParts;
  private listeners: readonly LoopListener[];
  /** Those who wait for time to pass though the arm rests. */
  private errands = 0;

  constructor(parts: LoopParts) {
    this.parts = parts;
    this.feedback = parts.feedback;
    this.start_ms = parts.epoch_ms;
    this.listeners = parts.listeners;
  }

  /** Lets somebody follow from now on; answers how to stop that. */
  follow(listener: LoopListener): () => void {
    this.listeners = [...this.listeners, listener];
    return () => {
      this.listeners = this.listeners.filter((entry) => entry !== listener);
    };
  }

  get now_s(): number {
    return this.tick * TICK_S;
  }

  get epoch_ms(): number {
    return this.start_ms + this.tick * TICK_S * 1000;
  }

  get idle(): boolean {
    return this.parts.robot.idle && this.errands === 0;
  }

  /** Keeps an unpaced clock going while the arm rests: somebody waits; answers how to end that. */
  hasten(): () => void {
    this.errands += 1;
    let ended = false;
    return () => {
      if (!ended) this.errands -= 1;
      ended = true;
    };
  }

  /** Does one command and tells what it changed at once. */
  apply(command: Command): Refusal | null {
    const refusal = this.parts.robot.apply(command, this.tick);
    for (const listener of this.listeners) listener.onCommand?.(command, refusal, this.tick);
    this.publish();
    return refusal;
  }

  /** Does one thing to the world around the joints; false where that is not possible. */
  act(action: WorldAction): boolean {
    if (!actOn(this.parts.reach, action)) return false;
    for (const listener of this.listeners) listener.onAction?.(action, this.tick);
    return true;
  }

  /** Puts robot and time back to where an image was taken; the world is put back before. */
  restore(image: RobotImage, tick: number): void {
    this.tick = tick;
    this.start_ms = image.epoch_ms;
    this.parts.robot.restore(image, tick);
    for (const listener of this.listeners) listener.onRestore?.(tick);
    this.publish();
  }

  runTo(target: number, options: { readonly jump: boolean; readonly stop: () => boolean }): void {
    while (this.tick < target) {
      this.turn();
      // Before a jump too: what is waited for may just have come, and a jump may be of hours.
      if (options.stop()) return;
      if (options.jump && this.jump(target) && options.stop()) return;
    }
  }

  private turn(): void {
    const { robot, driver, timers } = this.parts;
    timers.fire(this.tick);
    const setpoint = robot.tick(this.feedback, this.tick);
    this.feedback = driver.exchange(setpoint, TICK_S);
    this.tick += 1;
    this.publish();
    for (const listener of this.listeners) listener.onTick?.(this.feedback, this.tick);
  }

  /**
   * Skips to the tick before the next thing that happens; an idle arm stays as it is. Answers
   * whether there was anything to skip.
   */
  private jump(target: number): boolean {
    const { robot, driver, timers } = this.parts;
    if (!robot.idle || !this.feedback.at_rest) return false;
    const due = Math.min(robot.nextDeadline_tick, timers.nextDue_tick(), target);
    const skipped = due - this.tick;
    if (!(skipped > 0) || due === Number.POSITIVE_INFINITY) return false;
    const setpoint = robot.tick(this.feedback, this.tick);
    this.feedback = driver.exchange(setpoint, skipped * TICK_S);
    this.tick = due;
    robot.skipTo(this.feedback, due);
    this.publish();
    for (const listener of this.listeners) listener.onTick?.(this.feedback, this.tick);
    return true;
  }

  private publish(): void {
    const events = this.parts.robot.takeEvents();
    if (events.length === 0) return;
    for (const listener of this.listeners) listener.onEvents?.(events, this.tick);
  }
}
