/**
 * The robot's state machine. `apply` executes a command and `tick` advances by one control period;
 * both are synchronous and use no clock, socket or file. The robot reaches the joints only through
 * feedback and setpoints, so it behaves the same on simulated and real joints. Also: the wire
 * format of its snapshot (§2.10).
 */

import { type Feedback, SETPOINT_SAMPLES, type Setpoint, TICK_S } from '../../bridge/arm-driver.ts';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { type ArmRange, TELEMETRY } from '../../physics/arm/arm-model.ts';
import { PI } from '../../physics/math/portable.ts';
import { isInside } from '../../physics/motion/limits.ts';
import type { JointPath } from '../../physics/motion/segment.ts';
import {
  type Caller,
  type Command,
  type CommandResult,
  type LoopEvent,
  type SectionChanges,
  STATE_TABLE_NAMES,
} from './commands.ts';
import {
  enterError,
  monitorJoints,
  monitorLock,
  monitorSchedule,
  nextDeadline_tick,
} from './control-commands.ts';
import { effects, followWiredEstop, publishedPose } from './hardware-commands.ts';
import { openInputs, readInput } from './io.ts';
import {
  completeAtStandstill,
  continueActivity,
  createMemory,
  holdsLock,
  RobotContext,
  type RobotMemory,
  type RobotOptions,
  stateRefusal,
} from './robot-context.ts';
import { reschedule } from './schedule.ts';
import type { PausedMotion, TrajectoryPlayerMemory } from './trajectory-player.ts';

/** Tolerance of setpoints against the joint limits: covers rounding and starts on the limit. */
const LIMIT_TOLERANCE_RAD = 1e-3;

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
    return isInside(this.range, this.comingSamples, LIMIT_TOLERANCE_RAD);
  }

  /** Events since the last call; state changes only while change tracking is on. */
  takeEvents(): LoopEvent[] {
    const { context } = this;
    if (this.difference) {
      const due = context.tick % limits.stream_telemetry_ticks === 0;
      const names = due ? [...DISCRETE_SECTIONS, ...TELEMETRY_SECTIONS] : DISCRETE_SECTIONS;
      const changes = this.takeChanges(names);
      if (changes) context.events.push({ kind: 'state_change', changes });
    }
    const { events } = context;
    if (events.length > 0) context.events = [];
    return events;
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

/**
 * The wire format of the robot's snapshot (§2.10): flat section names, telemetry quantised like the
 * arm's sensors (rad, rad/s, °C). `SnapshotDifference` computes the changes since its last call,
 * section by section. Also: the complete state for resets, named snapshots and recordings.
 */

export type SnapshotSection = Record<string, unknown>;
export type SnapshotSections = Record<string, SnapshotSection | number[]>;

/** Input of the section builders. */
export interface SnapshotSource {
  readonly memory: RobotMemory;
  readonly feedback: Feedback;
  /** The last played tick. */
  readonly tick: number;
  readonly seed: number;
}

/** Velocity is rounded to 0.001 °/s; the later division by 1000 keeps the decimals short. */
const MILLIDEGREES_PER_RAD = 180_000 / PI;

function round(value: number, step: number): number {
  return Math.round(value / step) * step;
}

function control({ memory }: SnapshotSource): SnapshotSection {
  const moving = memory.activity !== null;
  return {
    state: memory.state,
    loop_count: memory.loop_count,
    loop_target: memory.loop_target,
    toolpath_name: memory.loaded?.name ?? '',
    toolpath_hash: memory.loaded?.hash ?? '',
    run_mode: moving ? memory.activity!.mode : 'not_running',
  };
}

function inputs({ memory, tick, seed }: SnapshotSource): SnapshotSection {
  const section: SnapshotSection = {};
  for (const key of Object.keys(memory.io.inputs)) {
    section[key] = readInput(memory.io, key, tick, seed);
  }
  return section;
}

function temperatures({ feedback }: SnapshotSource): number[] {
  const quantum = TELEMETRY.temperature_quantum_c;
  return Array.from(feedback.temperature_c, (value) => {
    return Math.trunc(round(value, quantum) * 100) / 100;
  });
}

function velocities({ feedback }: SnapshotSource): number[] {
  return Array.from(
    feedback.velocity_rad_s,
    (rate) => Math.round(rate * MILLIDEGREES_PER_RAD) / 1000 + 0,
  );
}

/** Builders of all sections, in the order of §2.10. */
const sections: Readonly<Record<string, (source: SnapshotSource) => SnapshotSection | number[]>> = {
  collision_detection: ({ memory }) => ({ ...memory.detection }),
  control,
  global: ({ memory }) => ({ estop: memory.estop }),
  'global.inputs': inputs,
  'global.outputs': ({ memory }) => ({ ...memory.io.outputs }),
  scheduler: ({ memory: { schedule } }) => ({
    enabled: schedule.enabled,
    start_time: schedule.start_time,
    stop_time: schedule.stop_time,
  }),
  'servos.telemetry.position': ({ feedback }) => publishedPose(feedback),
  'servos.telemetry.temperature': temperatures,
  'servos.telemetry.velocity': velocities,
};

/** Sections that change by commands and events alone. */
export const DISCRETE_SECTIONS: readonly string[] = Object.keys(sections).slice(0, 6);
/** Sections that change as the arm moves and warms. */
export const TELEMETRY_SECTIONS: readonly string[] = Object.keys(sections).slice(6);

/** The whole snapshot. */
export function takeSnapshot(source: SnapshotSource): SnapshotSections {
  const snapshot: SnapshotSections = {};
  for (const [name, build] of Object.entries(sections)) snapshot[name] = build(source);
  return snapshot;
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function changedKeys(before: SnapshotSection, after: SnapshotSection): SnapshotSection | null {
  let changes: SnapshotSection | null = null;
  for (const key of Object.keys(after)) {
    if (after[key] === before[key]) continue;
    changes ??= {};
    changes[key] = after[key];
  }
  return changes;
}

/** Computes the changes since the last call: changed fields only, arrays whole (D36). */
class SnapshotDifference {
  private last: SnapshotSections;

  constructor(source: SnapshotSource) {
    this.last = takeSnapshot(source);
  }

  /** Changes of the named sections since the last call; null for none. */
  take(source: SnapshotSource, names: readonly string[]): SectionChanges | null {
    let changes: SectionChanges | null = null;
    for (const name of names) {
      const after = sections[name]!(source);
      const before = this.last[name]!;
      const change = Array.isArray(after)
        ? sameNumbers(after, before as number[])
          ? null
          : after
        : changedKeys(before as SnapshotSection, after);
      if (change === null) continue;
      this.last[name] = after;
      changes ??= {};
      changes[name] = change;
    }
    return changes;
  }
}

/**
 * The robot's complete state as one value, for resets, named snapshots and recordings. Plain data
 * and typed arrays only, so that it can be written to a file; the field names are part of the file
 * formats. Taken and restored between two ticks.
 */

export interface RobotStateSnapshot {
  readonly memory: RobotMemory;
  readonly mover: TrajectoryPlayerMemory;
  /** Tick at which it was taken. */
  readonly tick: number;
  /** Inputs of dates, local times and noise. */
  readonly epoch_ms: number;
  readonly timezone: string;
  readonly seed: number;
}

/** Shares the loaded program, which is immutable and may be large; copies the rest. */
function copyMemory({ loaded, ...memory }: RobotMemory): RobotMemory {
  return { ...structuredClone(memory), loaded };
}

/** Takes a snapshot of the robot between two ticks. */
function takeStateSnapshot(context: RobotContext, tick: number): RobotStateSnapshot {
  const { epoch_ms, timezone, seed } = context.options;
  return {
    memory: copyMemory(context.memory),
    mover: context.player.save(),
    tick,
    epoch_ms,
    timezone,
    seed,
  };
}

/** Shifts all deadlines by `ticks`, so that the remaining times stay the same. */
function shiftDeadlines(context: RobotContext, ticks: number): void {
  const { memory, options, date_ms } = context;
  const { lock, activity, schedule } = memory;
  memory.paused_tick += ticks;
  if (lock) lock.expires_tick += ticks;
  const started_s = activity?.cursor.wait_started_s ?? null;
  if (activity && started_s !== null) activity.cursor.wait_started_s = started_s + ticks * TICK_S;
  reschedule(schedule, { now_ms: date_ms, timezone: options.timezone });
}

/** Restores the robot; emits `lock_status` when the lock's holder changes. */
function restoreStateSnapshot(
  context: RobotContext,
  snapshot: RobotStateSnapshot,
  tick: number,
): void {
  const { epoch_ms, timezone, seed } = snapshot;
  const before = context.memory.lock?.holder.token_id;
  context.options = { ...context.options, epoch_ms, timezone, seed };
  context.tick = tick;
  context.complete(refuse('wrong_state', 'The state of the twin was restored'));
  context.memory = { ...createMemory(), ...copyMemory(snapshot.memory) };
  if (tick !== snapshot.tick) shiftDeadlines(context, tick - snapshot.tick);
  context.player.restore(snapshot.mover);
  const holder = context.memory.lock?.holder ?? null;
  if (before !== holder?.token_id) context.events.push({ kind: 'lock_status', holder });
}
