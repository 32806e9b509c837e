/**
 * Moves labware with the twin's arm through the ordinary robot commands. Pick-up and put-down are
 * detected from the gripper and the robot state, not from the plan (docs/decisions).
 */

import type { Refusal } from '../../contract/refusal.ts';
import type { RobotState } from '../../contract/robot-states.ts';
import type { TransportConfig } from '../../contract/types.generated.ts';
import { largestDifference } from '../../physics/math/vector.ts';
import type { Timers } from '../../server/clock/timers.ts';
import { type TwinTime, tickOf } from '../../server/clock/twin-time.ts';
import type { Cancel } from '../../server/clock/wall-clock.ts';
import type { Caller } from '../../server/robot/caller.ts';
import type { LoadedToolpath } from '../../server/robot/loaded-toolpath.ts';
import type { ArmHold, ArmMotion, ArmPort, PlannedRest } from '../arm-port.ts';
import { type CarryState, CarryWatch } from './carry-watch.ts';
import type { CurrentCell } from './cell-deck.ts';
import type { LabwareTransporter, MoveObserver, MoveOrder } from './labware-transporter.ts';
import type { NamedStation } from './stations.ts';
import { planHomeway, planWithdrawal } from './withdrawal.ts';

export interface ArmTransporterParts {
  readonly config: TransportConfig;
  readonly arm: ArmPort;
  readonly time: TwinTime;
  readonly timers: Timers;
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
  readonly begin: () => Refusal | null;
}

/** An arm that stands farther from the start of a motion has been moved by another (rad). */
const MOVED_RAD = 1e-3;
const RENEWAL_S = 60;

/** Why a move ends in a state of the arm; the other states let it go on. */
const STATE_FAULTS: { readonly [State in RobotState]?: (error: string | null) => string } = {
  error: (error) => error ?? 'the arm reports an error',
  collision: () => 'collision',
  disabled: () => 'emergency stop',
  shutting_down: () => 'the arm is shutting down',
};

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
  private rest: PlannedRest | null = null;
  /** Motions of the move that have not begun, and the time before which none begins (s). */
  private steps: readonly MotionStep[] = [];
  private due_s = 0;
  private isPaused = false;
  private hasLostPower = false;
  private readonly parts: ArmTransporterParts;
  private readonly hold: ArmHold;

  constructor(parts: ArmTransporterParts) {
    this.parts = parts;
    this.hold = parts.arm.holdFor(parts.caller, parts.config.gripper);
  }

  /** Acquires and renews the robot lock; returns a message if another user holds it. */
  acquireLock(): string | null {
    if (!this.hold.hasLock) {
      const refusal = this.hold.lock();
      if (refusal) return `could not acquire the robot lock: ${refusalText(refusal)}`;
      this.ownsLock = true;
    }
    this.cancelRenewal();
    this.renewLock();
    return null;
  }

  private renewLock(): void {
    const { time, timers } = this.parts;
    this.hold.renewLock();
    this.cancelRenewal = timers.at(tickOf(time.now_s + RENEWAL_S), () => this.renewLock());
  }

  /** Releases the lock if this run has acquired it. */
  releaseLock(): void {
    this.cancelRenewal();
    if (this.ownsLock) this.hold.unlock();
    this.ownsLock = false;
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
    if (this.hold.isGripperClosed !== mustClose) this.hold.setGripper(mustClose);
    const refused = this.due_s > this.parts.time.now_s ? null : this.startMotion();
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
    const { hold } = this;
    const { arm, time, config, workcells } = this.parts;
    const way = planWithdrawal(arm, workcells.stations, config.default_max_speed);
    if (way && 'fault' in way) return `the arm cannot move: ${way.fault}`;
    const goTo = (motion: ArmMotion): MotionStep => {
      return { start: motion.start, begin: () => hold.goTo(motion) };
    };
    const steps = way ? [goTo(way.motion)] : [];
    const start = Float64Array.from(way?.station.approach ?? arm.restPose);
    if (toolpath) steps.push({ start, begin: () => hold.run(toolpath) });
    else {
      const home = planHomeway(arm, { start, config });
      if ('fault' in home) return `the arm cannot go home: ${home.fault}`;
      steps.push(goTo(home));
    }
    this.steps = steps;
    this.due_s = time.now_s + (way ? config.gripper.settle_s : 0);
    return null;
  }

  /** Starts the next motion; returns a message if that is not possible. */
  private startMotion(): string | null {
    const [step, ...rest] = this.steps;
    this.steps = rest;
    const isMoved = largestDifference(step!.start, this.parts.arm.restPose) > MOVED_RAD;
    if (isMoved) return 'the arm was moved, or its motion was cancelled';
    return startFault(step!.begin());
  }

  /** Goes on after a motion has ended, or while the jaws come to rest before the first one. */
  private goOn(): void {
    if (this.steps.length === 0) this.finish();
    else if (!this.isPaused && this.parts.time.now_s >= this.due_s) {
      const fault = this.startMotion();
      if (fault) this.fail(fault);
    }
  }

  update(): void {
    if (!this.isBusy) return;
    // The gripper opens, but does not put its piece down.
    if (this.hasLostPower) this.fail('the power of the arm was cycled');
    if (!this.isBusy || !this.advancePhase()) return;
    const { arm } = this.parts;
    const fault = STATE_FAULTS[arm.state];
    if (fault) this.fail(fault(arm.error));
    else if (arm.isIdle) this.goOn();
  }

  /** Follows gripper and cell; false once the move has failed. */
  private advancePhase(): boolean {
    const { watch } = this;
    const { isGripperClosed } = this.hold;
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
    this.hold.stop();
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
    if (!this.isBusy) return;
    this.isPaused = true;
    this.hold.pause();
  }

  async prepareResume({ isHolding }: { readonly isHolding: boolean }): Promise<string | null> {
    const lockFault = this.acquireLock();
    if (lockFault) return lockFault;
    this.rest = null;
    // With the arm in an error the run would only pause again at its next move.
    const mustBeReady = isHolding || this.parts.arm.state === 'error';
    if (mustBeReady) return startFault(this.hold.refusal);
    const rest = this.isBusy ? this.hold.planRest() : null;
    if (rest) this.rest = await rest;
    return null;
  }

  resume(): string | null {
    this.isPaused = false;
    if (!this.isBusy || this.parts.arm.state !== 'paused') return null;
    const refusal = this.hold.resume(this.rest);
    return refusal ? `the arm cannot resume: ${refusalText(refusal)}` : null;
  }

  get isAtRest(): boolean {
    return !this.isBusy || this.parts.arm.isAtRest;
  }

  get isReady(): boolean {
    return this.parts.arm.isReady;
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
    if (!this.isBusy) return;
    this.isBusy = false;
    this.hold.stop();
  }
}
