/**
 * The robot's complete state as one value, for resets, named snapshots and recordings. Plain data
 * and typed arrays only, so that it can be written to a file; the field names are part of the file
 * formats. Taken and restored between two ticks.
 */

import { TICK_S } from '../../bridge/arm-driver.ts';
import { refuse } from '../../contract/refusal.ts';
import type { RobotMemory } from './memory.ts';
import type { RobotContext } from './robot-context.ts';
import { reschedule } from './schedule.ts';
import type { TrajectoryPlayerMemory } from './trajectory-player.ts';

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
  reschedule(schedule, { now_ms: date_ms, timezone: options.timezone });
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
  context.memory = copyMemory(snapshot.memory);
  if (tick !== snapshot.tick) shiftDeadlines(context, tick - snapshot.tick);
  context.player.restore(snapshot.mover);
  const holder = context.memory.lock?.holder ?? null;
  if (before !== holder?.token_id) context.events.push({ kind: 'lock_status', holder });
}
