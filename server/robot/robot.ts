/**
 * The robot's state machine. `apply` executes a command and `tick` advances by one control period;
 * both are synchronous and use no clock, socket or file. The robot reaches the joints only through
 * feedback and setpoints, so it behaves the same on simulated and real joints.
 */

import { type Feedback, SETPOINT_SAMPLES, type Setpoint } from '../../bridge/arm-driver.ts';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { type ArmRange, isComingBack, isInside } from '../../physics/arm/arm-range.ts';
import type { JointPath } from '../../physics/motion/joint-path.ts';
import type { Caller } from './caller.ts';
import { effects } from './command-effects.ts';
import { type Command, type CommandResult, STATE_TABLE_NAMES } from './commands.ts';
import { followWiredEstop } from './emergency-stop.ts';
import { openInputs } from './io.ts';
import { enterError, monitorJoints } from './joint-faults.ts';
import { holdsLock } from './lock.ts';
import type { LoopEvent, SectionChanges } from './loop-event.ts';
import { monitorLock } from './lost-lock.ts';
import { nextDeadline_tick } from './next-deadline.ts';
import { continueActivity } from './program-runner.ts';
import { RobotContext, type RobotOptions } from './robot-context.ts';
import { monitorSchedule } from './schedule-monitor.ts';
import {
  DISCRETE_SECTIONS,
  SnapshotDifference,
  type SnapshotSections,
  type SnapshotSource,
  TELEMETRY_SECTIONS,
  takeSnapshot,
} from './snapshot-message.ts';
import { completeAtStandstill } from './standstill.ts';
import { stateRefusal } from './state-refusal.ts';
import {
  type RobotStateSnapshot,
  restoreStateSnapshot,
  takeStateSnapshot,
} from './state-snapshot.ts';
import type { PausedMotion } from './trajectory-player.ts';

/** Tolerance of setpoints against the joint limits: covers rounding and starts on the limit. */
const LIMIT_TOLERANCE_RAD = 1e-3;
/** How far a joint on its way back into its range may be ahead of its command (rad). */
const FALLEN_TOLERANCE_RAD = 0.15;

const lockCommands = new Set<Command['kind']>(['lock', 'renew_lock', 'release_lock']);

export class Robot {
  /** Incremented with every change that may affect the snapshot. */
  version = 0;
  private readonly context: RobotContext;
  private difference: SnapshotDifference | null = null;
  /** The last played tick: of it are the readings of open inputs, whatever happens after it. */
  private played_tick = 0;
  private readonly samples = new Float64Array(6 * SETPOINT_SAMPLES);
  /** Without the row of the last tick. */
  private readonly comingSamples = this.samples.subarray(6);
  /** Reused by all ticks: a tick allocates nothing. */
  private readonly setpoint: { -readonly [Key in keyof Setpoint]: Setpoint[Key] } = {
    mode: 'hold',
    samples: this.samples,
    payload_kg: 0,
    detection: null,
  };

  constructor(options: RobotOptions) {
    this.context = new RobotContext(options);
  }

  /**
   * Executes one command before the tick `tick`. Returns the refusal, or null. The next
   * `takeEvents` returns the events.
   */
  apply<Given extends Command>(command: Given, tick: number): CommandResult<Given['kind']> {
    this.context.tick = tick;
    this.version += 1;
    const refusal = this.refusalOf(command);
    if (refusal) return refusal as CommandResult<Given['kind']>;
    const before = this.context.memory.lock;
    const effect = effects[command.kind] as (
      context: RobotContext,
      command: Command,
    ) => CommandResult<Given['kind']>;
    const result = effect(this.context, command);
    completeAtStandstill(this.context);
    if (lockCommands.has(command.kind) && before !== this.context.memory.lock) {
      this.context.events.push({ kind: 'lock_status', holder: this.lockHolder });
    }
    return result;
  }

  /** The refusal of a command, or null: checks the lock, then the state (decision D6). */
  refusalOf(
    command: Pick<Command, 'kind'> & { readonly caller?: Caller },
  ): Refusal<'lock_not_held' | 'wrong_state'> | null {
    const { memory } = this.context;
    const name = STATE_TABLE_NAMES[command.kind];
    if (!name) return null;
    if (command.caller && !holdsLock(memory, command.caller)) return refuse('lock_not_held');
    return stateRefusal(memory, name);
  }

  /** Advances by one tick: takes the feedback, returns the next setpoint. */
  tick(feedback: Feedback, tick: number): Setpoint {
    const { context } = this;
    context.feedback = feedback;
    context.tick = tick;
    this.played_tick = tick;
    this.version += 1;
    followWiredEstop(context);
    monitorJoints(context);
    monitorLock(context);
    monitorSchedule(context);
    completeAtStandstill(context);
    if (!context.player.moving) continueActivity(context);
    return this.nextSetpoint();
  }

  /** Follows what a person did before the tick `tick`: nothing drives the inputs `open` now. */
  followWorld(open: readonly string[], tick: number): void {
    const { context } = this;
    context.tick = tick;
    this.version += 1;
    openInputs(context.memory.io, open);
    followWiredEstop(context);
    completeAtStandstill(context);
  }

  /** Takes a feedback that is newer than the one of the last tick. */
  observe(feedback: Feedback): void {
    this.context.feedback = feedback;
    this.version += 1;
  }

  /**
   * Sets the tick after idle ticks were skipped. Precondition: nothing moves.
   */
  skipTo(feedback: Feedback, tick: number): void {
    this.context.feedback = feedback;
    this.context.tick = tick;
    this.played_tick = tick - 1;
  }

  private nextSetpoint(): Setpoint {
    const { context, samples, setpoint } = this;
    const { memory, player } = context;
    const moving = player.moving;
    if (moving) {
      player.advance(samples);
      const inside = memory.state === 'collision' || this.insideLimits();
      if (!inside) enterError(context, 'A setpoint is outside the joint limits');
    }
    const isBackdriving = memory.state === 'backdriving' && !memory.button_released;
    const isFollowing = moving && !context.feedback.fault;
    setpoint.mode = isBackdriving ? 'backdrive' : isFollowing ? 'follow' : 'hold';
    setpoint.payload_kg = memory.activity?.payload_kg ?? memory.loaded?.program.payload_kg ?? 0;
    setpoint.tool = memory.tool;
    const detects = memory.detection.enabled && !isBackdriving;
    setpoint.detection = detects ? memory.detection.sensitivity : null;
    return setpoint;
  }

  /** Range of the joints, narrower than the model's; null: the model's. */
  get range(): ArmRange | null {
    return this.context.options.range ?? null;
  }

  private insideLimits(): boolean {
    const { range, comingSamples: rows } = this;
    if (isInside(range, rows, LIMIT_TOLERANCE_RAD)) return true;
    // An arm that fell out of its range comes back by a motion into it.
    return isComingBack(range, rows, this.context.feedback.position_rad, FALLEN_TOLERANCE_RAD);
  }

  /** Events since the last call; state changes only while change tracking is on. */
  takeEvents(): LoopEvent[] {
    const { context } = this;
    if (this.difference) {
      const names = this.isTelemetryDue
        ? [...DISCRETE_SECTIONS, ...TELEMETRY_SECTIONS]
        : DISCRETE_SECTIONS;
      const changes = this.takeChanges(names);
      if (changes) context.events.push({ kind: 'state_change', changes });
    }
    const { events } = context;
    if (events.length > 0) context.events = [];
    return events;
  }

  /** Whether what is published now has telemetry; it comes every few ticks. */
  get isTelemetryDue(): boolean {
    return this.context.tick % limits.stream_telemetry_ticks === 0;
  }

  /** The changes since the last call; a new state comes with the telemetry of its tick. */
  private takeChanges(names: readonly string[]): SectionChanges | null {
    const changes = this.difference!.take(this.source, names);
    const hasNewState = names === DISCRETE_SECTIONS && changes?.['control'] !== undefined;
    if (!hasNewState) return changes;
    return { ...changes, ...this.difference!.take(this.source, TELEMETRY_SECTIONS) };
  }

  /** Turns change tracking on or off; it costs time on every tick. */
  trackChanges(enabled: boolean): void {
    if (!enabled) this.difference = null;
    else this.difference ??= this.createDifference();
  }

  /** A new difference tracker, starting at the present snapshot. */
  createDifference(): SnapshotDifference {
    return new SnapshotDifference(this.source);
  }

  get source(): SnapshotSource {
    const { memory, feedback, options } = this.context;
    return { memory, feedback, tick: this.played_tick, seed: options.seed };
  }

  snapshot(): SnapshotSections {
    return takeSnapshot(this.source);
  }

  /** The holder of the lock, or null. */
  get lockHolder(): Caller | null {
    return this.context.memory.lock?.holder ?? null;
  }

  holdsLock(caller: Caller): boolean {
    return holdsLock(this.context.memory, caller);
  }

  /** Start pose of the next motion (rad). */
  get restPose(): Float64Array {
    return this.context.player.restPose;
  }

  /** Reference of the joints at the end of the last tick (rad). */
  get reference(): Float64Array {
    return this.context.player.reference;
  }

  /** The path of the active motion; null at rest and in an emergency stop. */
  get plannedPath(): JointPath | null {
    return this.context.player.plannedPath;
  }

  /** Identity of the present change tracking; null while changes are not tracked. */
  get changeTracker(): object | null {
    return this.difference;
  }

  /** The paused motion that a resume has to be planned for, or null. */
  get pausedMotion(): PausedMotion | null {
    return this.context.player.pausedMotion;
  }

  /** Planned time (s) until the active or paused motion ends; 0 without one. */
  get remainingMotion_s(): number {
    return this.context.player.remaining_s;
  }

  /** True while an accepted command waits for the arm to stand. */
  get isCommandAwaited(): boolean {
    return this.context.memory.awaited !== null;
  }

  /** True while a motion is played or is coming to rest. */
  get isMoving(): boolean {
    return this.context.player.moving;
  }

  /** True when ticks may be skipped: nothing moves or changes before the next deadline. */
  get idle(): boolean {
    const { memory, player, feedback } = this.context;
    // While the arm moves, this is asked at each tick and answered by the first condition.
    if (player.moving || !feedback.at_rest || memory.state === 'backdriving') return false;
    return memory.activity === null || memory.state === 'paused' || this.waiting;
  }

  private get waiting(): boolean {
    const { activity, loaded } = this.context.memory;
    return activity?.kind === 'run' && loaded?.program.steps[activity.cursor.step]?.kind === 'wait';
  }

  /** Tick of the next timed event. */
  get nextDeadline_tick(): number {
    return nextDeadline_tick(this.context);
  }

  /** An independent copy of the robot's state before the tick `tick`. */
  save(tick: number): RobotStateSnapshot {
    return takeStateSnapshot(this.context, tick);
  }

  /** Restores a copy made by `save`, of this or another process, as of the tick `tick`. */
  restore(snapshot: RobotStateSnapshot, tick: number): void {
    this.version += 1;
    this.played_tick = Math.max(0, tick - 1);
    restoreStateSnapshot(this.context, snapshot, tick);
  }

  /** Read-only view for metrics, reports and services. */
  get memory(): Readonly<RobotContext['memory']> {
    return this.context.memory;
  }
}
