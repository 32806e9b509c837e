/**
 * Moves labware with the twin's arm through the ordinary robot commands. Pick-up and put-down are
 * detected from the gripper and the robot state, not from the plan (docs/decisions).
 */

import type { Refusal } from '../../contract/refusal.ts';
import type { TransportConfig } from '../../contract/types.ts';
import { largestDifference } from '../../physics/math/vector.ts';
import type { TimeProfile } from '../../physics/motion/time-profile.ts';
import type { Timers } from '../../server/clock/timers.ts';
import { tickOf } from '../../server/clock/twin-time.ts';
import type { Cancel } from '../../server/clock/wall-clock.ts';
import type { Planner } from '../../server/planning/planner.ts';
import type { Caller } from '../../server/robot/caller.ts';
import type { Command, PlannedMotion } from '../../server/robot/commands.ts';
import { ioKey } from '../../server/robot/io.ts';
import type { LoadedToolpath } from '../../server/robot/loaded-toolpath.ts';
import type { ControlLoop } from '../../server/robot/loop.ts';
import type { Robot } from '../../server/robot/robot.ts';
import { isSamePause, type PausedMotion } from '../../server/robot/trajectory-player.ts';
import { type CarryState, CarryWatch } from './carry-watch.ts';
import type { CurrentCell } from './cell-deck.ts';
import type { LabwareTransporter, MoveObserver, MoveOrder } from './labware-transporter.ts';
import type { NamedStation } from './stations.ts';
import { planHomeway, planWithdrawal } from './withdrawal.ts';

export interface ArmTransporterParts {
  readonly config: TransportConfig;
  readonly robot: Robot;
  readonly loop: ControlLoop;
  readonly timers: Timers;
  readonly planner: Planner;
  /** The user who started the run and holds the robot lock. */
  readonly caller: Caller;
  readonly cell: CurrentCell;
  /** All stations that the arm can stand in. */
  readonly workcells: { readonly stations: readonly NamedStation[] };
}

/** One of the motions of a move, which follow each other. */
interface MotionStep {
  /** Where the arm stands before it (rad). */
  readonly start: Float64Array;
  readonly commands: readonly Command[];
}

/** An arm that stands farther from the start of a motion has been moved by another (rad). */
const MOVED_RAD = 1e-3;
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
  /** Motions of the move that have not begun, and the time before which none begins (s). */
  private steps: readonly MotionStep[] = [];
  private due_s = 0;
  private isPaused = false;
  private hasLostPower = false;
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
    const lockFault = this.acquireLock();
    if (lockFault) return lockFault;
    const watch = CarryWatch.of(this.parts.cell, labware);
    const isPlaced = isHolding && watch?.isPlaced === true;
    const fault = this.prepareMotions(isPlaced ? null : toolpath!);
    if (fault) return fault;
    // After a restart of the twin its outputs are off, although the gripper holds a piece.
    const mustClose = isHolding && !isPlaced;
    if (this.isGripperClosed !== mustClose) this.setGripper(mustClose);
    const refused = this.due_s > this.parts.loop.now_s ? null : this.startMotion();
    if (refused) return refused;
    this.isBusy = true;
    this.isPaused = false;
    this.hasLostPower = false;
    this.phase = isPlaced ? 'releasing' : isHolding ? 'carrying' : 'fetching';
    this.watch = watch;
    this.observer = observer;
    return null;
  }

  /**
   * Plans the motions of a move: out of the station in which the arm stands, once the jaws are at
   * rest, then the toolpath. Without a toolpath the arm goes home. Returns a message if there is no
   * way.
   */
  private prepareMotions(toolpath: LoadedToolpath | null): string | null {
    const { robot, loop, caller, config, workcells } = this.parts;
    const way = planWithdrawal(robot, workcells.stations, config.default_max_speed);
    if (way && 'fault' in way) return `the arm cannot move: ${way.fault}`;
    const goTo = (motion: PlannedMotion): MotionStep => {
      const go_to = { kind: 'go_to', caller, mode: 'automatic', motion } as const;
      return { start: motion.start, commands: [go_to] };
    };
    const steps = way ? [goTo(way.motion)] : [];
    const start = Float64Array.from(way?.station.approach ?? robot.restPose);
    if (toolpath) {
      const run = { kind: 'run', caller, mode: 'automatic', loop: 1 } as const;
      steps.push({ start, commands: [{ kind: 'load', caller, toolpath }, run] });
    } else {
      const home = planHomeway(robot, { start, config });
      if ('fault' in home) return `the arm cannot go home: ${home.fault}`;
      steps.push(goTo(home));
    }
    this.steps = steps;
    this.due_s = loop.now_s + (way ? config.gripper.settle_s : 0);
    return null;
  }

  /** Starts the next motion; returns a message if that is not possible. */
  private startMotion(): string | null {
    const { robot, loop } = this.parts;
    const [step, ...rest] = this.steps;
    this.steps = rest;
    const isMoved = largestDifference(step!.start, robot.restPose) > MOVED_RAD;
    if (isMoved) return 'the arm was moved, or its motion was cancelled';
    for (const command of step!.commands) {
      const refusal = loop.apply(command);
      if (refusal) return startFault(refusal);
    }
    return null;
  }

  /** Goes on after a motion has ended, or while the jaws come to rest before the first one. */
  private goOn(): void {
    if (this.steps.length === 0) this.finish();
    else if (!this.isPaused && this.parts.loop.now_s >= this.due_s) {
      const fault = this.startMotion();
      if (fault) this.fail(fault);
    }
  }

  update(): void {
    if (!this.isBusy) return;
    // The gripper opens, but does not put its piece down.
    if (this.hasLostPower) this.fail('the power of the arm was cycled');
    if (!this.isBusy || !this.advancePhase()) return;
    const { memory } = this.parts.robot;
    if (memory.state === 'error') this.fail(memory.error ?? 'the arm reports an error');
    else if (memory.state === 'collision') this.fail('collision');
    else if (memory.state === 'disabled') this.fail('emergency stop');
    else if (memory.state === 'shutting_down') this.fail('the arm is shutting down');
    else if (memory.activity === null) this.goOn();
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
    if (!this.isBusy) return;
    this.isPaused = true;
    loop.apply({ kind: 'pause', caller });
  }

  async prepareResume({ isHolding }: { readonly isHolding: boolean }): Promise<string | null> {
    const { robot, planner, caller } = this.parts;
    const lockFault = this.acquireLock();
    if (lockFault) return lockFault;
    this.planned = null;
    // With the arm in an error the run would only pause again at its next move.
    const mustBeReady = isHolding || robot.memory.state === 'error';
    if (mustBeReady) return startFault(robot.refusalOf({ kind: 'load', caller }));
    const motion = this.isBusy ? robot.pausedMotion : null;
    if (motion) this.planned = { motion, profile: await planner.resume(motion) };
    return null;
  }

  resume(): string | null {
    const { robot, loop, caller } = this.parts;
    this.isPaused = false;
    if (!this.isBusy || robot.memory.state !== 'paused') return null;
    const refusal = loop.apply({ kind: 'resume', caller, profile: this.profileNow() });
    return refusal ? `the arm cannot resume: ${refusalText(refusal)}` : null;
  }

  /** The planned profile, if the motion still rests where it was planned from. */
  private profileNow(): TimeProfile | null {
    const { pausedMotion } = this.parts.robot;
    const { motion, profile } = this.planned ?? {};
    return isSamePause(pausedMotion, motion ?? null) && profile ? profile : null;
  }

  get isAtRest(): boolean {
    const { robot } = this.parts;
    return !this.isBusy || (!robot.isMoving && !robot.isCommandAwaited);
  }

  get isReady(): boolean {
    return this.parts.robot.memory.ending === null;
  }

  losePower(): void {
    this.hasLostPower = true;
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
