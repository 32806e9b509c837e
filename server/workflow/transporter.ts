/**
 * Transporters move labware, one piece at a time: with the twin's arm through the ordinary robot
 * commands, or on a timer if a workflow has no stations. Pick-up and put-down are detected from the
 * gripper and the robot state, not from the plan (docs/decisions).
 */

import type { Refusal } from '../../contract/refusal.ts';
import type { TransportConfig } from '../../contract/types.ts';
import type { TimeProfile } from '../../physics/motion/jerk-phases.ts';
import type { Cancel } from '../clock/clock.ts';
import { type Timers, tickOf } from '../clock/twin-time.ts';
import type { Planner } from '../planning/planner.ts';
import type { Caller, LoadedToolpath } from '../robot/commands.ts';
import { ioKey } from '../robot/io.ts';
import type { ControlLoop } from '../robot/loop.ts';
import type { Robot } from '../robot/robot.ts';
import type { PausedMotion } from '../robot/trajectory-player.ts';
import {
  type CarriedLabware,
  type CarryState,
  CarryWatch,
  type CurrentCell,
} from './workcell-binding.ts';

/** Receives the events of a move. */
export interface MoveObserver {
  onPicked(): void;
  onPlaced(): void;
  /** The arm is home again, or the time has passed. */
  onDone(): void;
  /** The move has failed; the arm no longer moves. */
  onFailed(reason: string): void;
}

export interface MoveOrder {
  /** Null if the arm does not move. */
  readonly toolpath: LoadedToolpath | null;
  readonly time_s: number;
  /** True if the piece is already in the gripper. */
  readonly isHolding: boolean;
  /** The piece and where it goes, as a cell knows them. */
  readonly labware: CarriedLabware;
}

export interface LabwareTransporter {
  readonly isBusy: boolean;
  /** False while the arm comes to rest after a cancelled motion: no move can start yet. */
  readonly isReady: boolean;
  /** Starts a move; returns a message if that is not possible. */
  start(order: MoveOrder, observer: MoveObserver): string | null;
  /** Reads the robot state after a tick. */
  update(): void;
  /** Pauses the move in progress. */
  pause(): void;
  /**
   * Plans how a paused move goes on, or checks that the arm can take the piece in the gripper to
   * its place. Returns a message if that is not possible.
   */
  prepareResume(rest: { readonly isHolding: boolean }): Promise<string | null>;
  /** Goes on with a paused move as prepared; returns a message if not possible. */
  resume(): string | null;
  /** Whether all motion has ended after a pause. */
  readonly isAtRest: boolean;
  /** Cancels the move in progress without calling the observer. */
  cancel(): void;
  /** Ends observation without a robot command: the twin was restored to another state. */
  detach(): void;
}

/** Transporter whose moves only take time. */
export class TimedTransporter implements LabwareTransporter {
  isBusy = false;
  private cancelTimer: Cancel = () => {};
  private due_s = 0;
  /** Time left of a paused move (s); null unless it is paused. */
  private remaining_s: number | null = null;
  private observer: MoveObserver | null = null;
  private readonly loop: ControlLoop;
  private readonly timers: Timers;

  constructor(loop: ControlLoop, timers: Timers) {
    this.loop = loop;
    this.timers = timers;
  }

  start({ time_s, isHolding }: MoveOrder, observer: MoveObserver): null {
    this.isBusy = true;
    this.observer = observer;
    if (!isHolding) observer.onPicked();
    this.wait(time_s);
    return null;
  }

  private wait(time_s: number): void {
    this.remaining_s = null;
    this.due_s = this.loop.now_s + time_s;
    this.cancelTimer = this.timers.at(tickOf(this.due_s), () => {
      this.isBusy = false;
      this.observer!.onPlaced();
      this.observer!.onDone();
    });
  }

  update(): void {}

  pause(): void {
    if (!this.isBusy || this.remaining_s !== null) return;
    this.cancelTimer();
    this.remaining_s = Math.max(0, this.due_s - this.loop.now_s);
  }

  async prepareResume(): Promise<null> {
    return null;
  }

  resume(): null {
    // A run that paused for another reason has left the move in progress.
    if (this.isBusy && this.remaining_s !== null) this.wait(this.remaining_s);
    return null;
  }

  readonly isAtRest = true;
  readonly isReady = true;
  cancel(): void {
    this.cancelTimer();
    this.isBusy = false;
  }

  detach(): void {
    this.cancel();
  }
}

export interface ArmTransporterParts {
  readonly config: TransportConfig;
  readonly robot: Robot;
  readonly loop: ControlLoop;
  readonly timers: Timers;
  readonly planner: Planner;
  /** The user who started the run and holds the robot lock. */
  readonly caller: Caller;
  readonly cell: CurrentCell;
}

const RENEWAL_S = 60;

function refusalText({ refused, details }: Refusal): string {
  return typeof details === 'string' ? details : refused.replaceAll('_', ' ');
}

function startFault(refusal: Refusal | null): string | null {
  return refusal && `the arm cannot move: ${refusalText(refusal)}`;
}

/** Transporter that uses the twin's arm. */
export class ArmTransporter implements LabwareTransporter {
  isBusy = false;
  private phase: 'fetching' | 'carrying' | 'releasing' | 'returning' = 'fetching';
  /** What a cell shows of the carry; null without a cell that has the piece. */
  private watch: CarryWatch | null = null;
  private observer: MoveObserver | null = null;
  private cancelRenewal: Cancel = () => {};
  private ownsLock = false;
  /** How the paused motion goes on; null if that is not planned. */
  private planned: { readonly motion: PausedMotion; readonly profile: TimeProfile } | null = null;
  private readonly parts: ArmTransporterParts;
  private readonly gripper: string;

  constructor(parts: ArmTransporterParts) {
    this.parts = parts;
    this.gripper = ioKey(parts.config.gripper);
  }

  /** Acquires and renews the robot lock; returns a message if another user holds it. */
  acquireLock(): string | null {
    const { robot, loop, caller } = this.parts;
    if (!robot.holdsLock(caller)) {
      const refusal = loop.apply({ kind: 'lock', caller });
      if (refusal) return `could not acquire the robot lock: ${refusalText(refusal)}`;
      this.ownsLock = true;
    }
    this.cancelRenewal();
    this.renewLock();
    return null;
  }

  private renewLock(): void {
    const { loop, timers, caller } = this.parts;
    loop.apply({ kind: 'renew_lock', caller });
    this.cancelRenewal = timers.at(tickOf(loop.now_s + RENEWAL_S), () => this.renewLock());
  }

  /** Releases the lock if this run has acquired it. */
  releaseLock(): void {
    const { loop, caller } = this.parts;
    this.cancelRenewal();
    if (this.ownsLock) loop.apply({ kind: 'release_lock', caller });
    this.ownsLock = false;
  }

  private get isGripperClosed(): boolean {
    return this.parts.robot.memory.io.outputs[this.gripper] === this.parts.config.gripper.closed;
  }

  private setGripper(isClosed: boolean): void {
    const { loop, caller, config } = this.parts;
    const value = config.gripper.closed === isClosed;
    loop.apply({ kind: 'globals', caller, changes: [{ key: `outputs.${this.gripper}`, value }] });
  }

  start({ toolpath, isHolding, labware }: MoveOrder, observer: MoveObserver): string | null {
    const { loop, caller } = this.parts;
    const lockFault = this.acquireLock();
    if (lockFault) return lockFault;
    // After a restart of the twin its outputs are off, although the gripper holds a piece.
    if (this.isGripperClosed !== isHolding) this.setGripper(isHolding);
    const refusal =
      loop.apply({ kind: 'load', caller, toolpath: toolpath! }) ??
      loop.apply({ kind: 'run', caller, mode: 'automatic', loop: 1 });
    if (refusal) return startFault(refusal);
    this.isBusy = true;
    this.phase = isHolding ? 'carrying' : 'fetching';
    this.watch = CarryWatch.of(this.parts.cell, labware);
    this.observer = observer;
    return null;
  }

  update(): void {
    if (!this.isBusy) return;
    if (!this.advancePhase()) return;
    const { memory } = this.parts.robot;
    if (memory.state === 'error') this.fail(memory.error ?? 'the arm reports an error');
    else if (memory.state === 'collision') this.fail('collision');
    else if (memory.state === 'disabled') this.fail('emergency stop');
    else if (memory.activity === null) this.finish();
  }

  /** Follows gripper and cell; false once the move has failed. */
  private advancePhase(): boolean {
    const { watch, isGripperClosed } = this;
    if (this.phase === 'fetching' && isGripperClosed) {
      if (!this.isReached(watch?.grasped())) return this.isBusy;
      this.phase = 'carrying';
      this.observer!.onPicked();
    } else if (this.phase === 'carrying' && isGripperClosed) {
      this.isReached(watch?.carried());
    } else if (this.phase === 'carrying') this.phase = 'releasing';
    if (this.phase === 'releasing' && this.isReached(watch?.placed())) {
      this.phase = 'returning';
      this.observer!.onPlaced();
    }
    return this.isBusy;
  }

  /** True when a phase is done; without a watch its output decides. Ends a carry that failed. */
  private isReached(state: CarryState = 'done'): boolean {
    if (typeof state === 'string') return state === 'done';
    const { loop, caller } = this.parts;
    loop.apply({ kind: 'abort_motion', caller });
    this.fail(state.reason);
    return false;
  }

  private finish(): void {
    if (this.phase === 'releasing') return;
    if (this.phase !== 'returning') {
      this.fail('the motion was cancelled');
      return;
    }
    this.isBusy = false;
    this.observer!.onDone();
  }

  private fail(reason: string): void {
    this.isBusy = false;
    this.observer!.onFailed(reason);
  }

  pause(): void {
    const { loop, caller } = this.parts;
    if (this.isBusy) loop.apply({ kind: 'pause', caller });
  }

  async prepareResume({ isHolding }: { readonly isHolding: boolean }): Promise<string | null> {
    const { robot, planner, caller } = this.parts;
    const lockFault = this.acquireLock();
    if (lockFault) return lockFault;
    this.planned = null;
    if (isHolding) return startFault(robot.refusalOf({ kind: 'load', caller }));
    const motion = this.isBusy ? robot.pausedMotion : null;
    if (motion) this.planned = { motion, profile: await planner.resume(motion) };
    return null;
  }

  resume(): string | null {
    const { robot, loop, caller } = this.parts;
    if (!this.isBusy || robot.memory.state !== 'paused') return null;
    const refusal = loop.apply({ kind: 'resume', caller, profile: this.profileNow() });
    return refusal ? `the arm cannot resume: ${refusalText(refusal)}` : null;
  }

  /** The planned profile, if the motion still rests where it was planned from. */
  private profileNow(): TimeProfile | null {
    const { pausedMotion } = this.parts.robot;
    const { motion, profile } = this.planned ?? {};
    const isSame = pausedMotion?.path === motion?.path && pausedMotion?.s === motion?.s;
    return isSame && profile ? profile : null;
  }

  get isAtRest(): boolean {
    const { robot } = this.parts;
    return !this.isBusy || (!robot.isMoving && !robot.isCommandAwaited);
  }

  get isReady(): boolean {
    return this.parts.robot.memory.ending === null;
  }

  detach(): void {
    this.isBusy = false;
    this.cancelRenewal();
    this.ownsLock = false;
  }

  cancel(): void {
    const { loop, caller } = this.parts;
    if (!this.isBusy) return;
    this.isBusy = false;
    loop.apply({ kind: 'abort_motion', caller });
  }
}
