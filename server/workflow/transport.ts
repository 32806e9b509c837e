/**
 * Moves labware, one piece at a time: by the twin's own arm through the commands that everybody
 * uses, or on a timer where a workflow has no stations. Tells when a piece is picked up and put
 * down from what gripper and robot do, never from the plan (facts: which hook fires).
 */
import type { TransportConfig } from '../../contract/types.ts';
import type { Timers } from '../clock/timers.ts';
import { tickOf } from '../clock/twin-time.ts';
import type { Cancel } from '../clock/wall-clock.ts';
import type { Planner } from '../planning/planner.ts';
import type { Caller, LoadedToolpath } from '../robot/commands.ts';
import { keyOf } from '../robot/io.ts';
import type { Loop } from '../robot/loop.ts';
import type { Refusal } from '../robot/refusal.ts';
import type { Robot } from '../robot/robot.ts';

/** What a transport tells about the move under way. */
export interface MoveObserver {
  onPicked(): void;
  onPlaced(): void;
  /** The arm is home again, or the time is over. */
  onDone(): void;
  /** The move has ended on the way; nothing moves any more. */
  onFailed(reason: string): void;
}

export interface MoveOrder {
  /** Null where the arm itself does not move. */
  readonly toolpath: LoadedToolpath | null;
  readonly time_s: number;
  /** True when the piece is in the gripper already. */
  readonly holding: boolean;
}

export interface Transport {
  readonly busy: boolean;
  /** Starts a move; a sentence when that is not possible. */
  begin(order: MoveOrder, observer: MoveObserver): string | null;
  /** Looks at the robot after a tick. */
  watch(): void;
  /** Stops on the way, to be resumed. */
  halt(): void;
  /** Goes on after a halt; a sentence when that is not possible. */
  goOn(): Promise<string | null>;
  /** Whether nothing moves any more after a halt. */
  readonly isStill: boolean;
  /** Gives up the move under way without telling anybody. */
  drop(): void;
  /** Leaves the move under way to itself: the arm is not where this run has brought it. */
  abandon(): void;
}

/** Moves that only take their time. */
export class TimedTransport implements Transport {
  busy = false;
  private cancel: Cancel = () => {};
  private due_s = 0;
  private left_s = 0;
  private observer: MoveObserver | null = null;
  private readonly loop: Loop;
  private readonly timers: Timers;

  constructor(loop: Loop, timers: Timers) {
    this.loop = loop;
    this.timers = timers;
  }

  begin({ time_s, holding }: MoveOrder, observer: MoveObserver): null {
    this.busy = true;
    this.observer = observer;
    if (!holding) observer.onPicked();
    this.wait(time_s);
    return null;
  }

  private wait(time_s: number): void {
    this.due_s = this.loop.now_s + time_s;
    this.cancel = this.timers.at(tickOf(this.due_s), () => {
      this.busy = false;
      this.observer!.onPlaced();
      this.observer!.onDone();
    });
  }

  watch(): void {}

  halt(): void {
    if (!this.busy) return;
    this.cancel();
    this.left_s = Math.max(0, this.due_s - this.loop.now_s);
  }

  async goOn(): Promise<null> {
    if (this.busy) this.wait(this.left_s);
    return null;
  }

  readonly isStill = true;

  drop(): void {
    this.cancel();
    this.busy = false;
  }

  abandon(): void {
    this.drop();
  }
}

export interface ArmParts {
  readonly config: TransportConfig;
  readonly robot: Robot;
  readonly loop: Loop;
  readonly timers: Timers;
  readonly planner: Planner;
  /** The run's starter: the lock is held in this name. */
  readonly caller: Caller;
}

const RENEWAL_S = 60;

function sentence({ refused, details }: Refusal): string {
  return typeof details === 'string' ? details : refused.replaceAll('_', ' ');
}

/** Moves by the twin's own arm. */
export class ArmTransport implements Transport {
  busy = false;
  private phase: 'fetching' | 'carrying' | 'leaving' = 'fetching';
  private observer: MoveObserver | null = null;
  private renewal: Cancel = () => {};
  private tookLock = false;
  private readonly parts: ArmParts;
  private readonly gripper: string;

  constructor(parts: ArmParts) {
    this.parts = parts;
    this.gripper = keyOf(parts.config.gripper);
  }

  /** Takes the lock for the run and keeps it; a sentence when somebody else has it. */
  takeLock(): string | null {
    const { robot, loop, caller } = this.parts;
    if (!robot.holdsLock(caller)) {
      const refusal = loop.apply({ kind: 'lock', caller });
      if (refusal) return `the robot lock is not to be had: ${sentence(refusal)}`;
      this.tookLock = true;
    }
    this.renewal();
    this.keepLock();
    return null;
  }

  private keepLock(): void {
    const { loop, timers, caller } = this.parts;
    loop.apply({ kind: 'renew_lock', caller });
    this.renewal = timers.at(tickOf(loop.now_s + RENEWAL_S), () => this.keepLock());
  }

  /** Gives the lock back when the run has taken it. */
  releaseLock(): void {
    const { loop, caller } = this.parts;
    this.renewal();
    if (this.tookLock) loop.apply({ kind: 'release_lock', caller });
    this.tookLock = false;
  }

  private get isClosed(): boolean {
    const { robot, config } = this.parts;
    return robot.memory.io.outputs[this.gripper] === config.gripper.closed;
  }

  private open(): void {
    const { loop, caller, config } = this.parts;
    const value = !config.gripper.closed;
    loop.apply({ kind: 'globals', caller, changes: [{ key: `outputs.${this.gripper}`, value }] });
  }

  begin({ toolpath, holding }: MoveOrder, observer: MoveObserver): string | null {
    const { loop, caller } = this.parts;
    const locked = this.takeLock();
    if (locked) return locked;
    if (!holding && this.isClosed) this.open();
    const refusal =
      loop.apply({ kind: 'load', caller, toolpath: toolpath! }) ??
      loop.apply({ kind: 'run', caller, mode: 'automatic', loop: 1 });
    if (refusal) return `the arm cannot move: ${sentence(refusal)}`;
    this.busy = true;
    this.phase = holding ? 'carrying' : 'fetching';
    this.observer = observer;
    return null;
  }

  watch(): void {
    if (!this.busy) return;
    const { memory } = this.parts.robot;
    if (this.phase === 'fetching' && this.isClosed) {
      this.phase = 'carrying';
      this.observer!.onPicked();
    } else if (this.phase === 'carrying' && !this.isClosed) {
      this.phase = 'leaving';
      this.observer!.onPlaced();
    }
    if (memory.state === 'error') this.fail(memory.error ?? 'the arm reports an error');
    else if (memory.state === 'collision') this.fail('collision');
    else if (memory.state === 'disabled') this.fail('emergency stop');
    else if (memory.activity === null) this.end();
  }

  private end(): void {
    if (this.phase !== 'leaving') {
      this.fail('the motion was cancelled');
      return;
    }
    this.busy = false;
    this.observer!.onDone();
  }

  private fail(reason: string): void {
    this.busy = false;
    this.observer!.onFailed(reason);
  }

  halt(): void {
    const { loop, caller } = this.parts;
    if (this.busy) loop.apply({ kind: 'pause', caller });
  }

  async goOn(): Promise<string | null> {
    const { robot, loop, planner, caller } = this.parts;
    const locked = this.takeLock();
    if (locked) return locked;
    if (!this.busy || robot.memory.state !== 'paused') return null;
    const halt = robot.halt;
    const profile = halt ? await planner.resume(halt) : null;
    const refusal = loop.apply({ kind: 'resume', caller, profile });
    return refusal ? `the arm cannot go on: ${sentence(refusal)}` : null;
  }

  get isStill(): boolean {
    return !this.busy || !this.parts.robot.isMoving;
  }

  abandon(): void {
    this.busy = false;
    this.renewal();
    this.tookLock = false;
  }

  drop(): void {
    const { loop, caller } = this.parts;
    if (!this.busy) return;
    this.busy = false;
    loop.apply({ kind: 'pause', caller });
    loop.apply({ kind: 'cancel', caller });
  }
}
