/**
 * The wire format of the robot's snapshot (§2.10): flat section names, telemetry quantised like the
 * arm's sensors (rad, rad/s, °C). `SnapshotDifference` computes the changes since its last call,
 * section by section. Also: the complete state for resets, named snapshots and recordings.
 */
import { type Feedback, TICK_S } from '../../bridge/arm-driver.ts';
import { refuse } from '../../contract/refusal.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD, TELEMETRY } from '../../physics/arm/arm-model.ts';
import { PI } from '../../physics/math/portable.ts';
import type { SectionChanges } from './commands.ts';
import { readInput } from './io.ts';
import { createMemory, type RobotContext, type RobotMemory } from './robot-context.ts';
import { nextMoment_ms } from './schedule.ts';
import type { TrajectoryPlayerMemory } from './trajectory-player.ts';

export type SnapshotSection = Record<string, unknown>;
export type SnapshotSections = Record<string, SnapshotSection | number[]>;

/** Input of the section builders. */
export interface SnapshotSource {
  readonly memory: RobotMemory;
  readonly feedback: Feedback;
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

function positions({ feedback }: SnapshotSource): number[] {
  const quantum = TELEMETRY.position_quantum_rad;
  return Array.from(feedback.position_rad, (angle, joint) => {
    const rounded = round(angle, quantum) + 0;
    // A joint within its limits is not published beyond them.
    if (rounded > JOINT_MAX_RAD[joint]! && angle <= JOINT_MAX_RAD[joint]!) return rounded - quantum;
    if (rounded < JOINT_MIN_RAD[joint]! && angle >= JOINT_MIN_RAD[joint]!) return rounded + quantum;
    return rounded;
  });
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
  'servos.telemetry.position': positions,
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
export class SnapshotDifference {
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
export function takeStateSnapshot(context: RobotContext, tick: number): RobotStateSnapshot {
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
  if (!schedule.enabled) return;
  schedule.next_start_ms = nextMoment_ms(schedule.start_time, date_ms, options.timezone);
  schedule.next_stop_ms = nextMoment_ms(schedule.stop_time, date_ms, options.timezone);
}

/** Restores the robot; emits `lock_status` when the lock's holder changes. */
export function restoreStateSnapshot(
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
