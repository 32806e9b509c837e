/**
 * All that the robot remembers as one value: for resets, named states, recordings. Plain data and
 * typed arrays alone, so that it can be written to a file; apart from robot.ts because it changes
 * the robot past its two verbs, between two ticks and on behalf of the hand on the twin.
 */
import { TICK_S } from '../../bridge/arm-driver.ts';
import type { RobotCore } from './core.ts';
import type { RobotMemory } from './memory.ts';
import type { MoverMemory } from './mover.ts';
import { nextMoment_ms } from './schedule.ts';

export interface RobotImage {
  readonly memory: RobotMemory;
  readonly mover: MoverMemory;
  /** When it was taken. */
  readonly tick: number;
  /** What dates, local times and noise are made of. */
  readonly epoch_ms: number;
  readonly timezone: string;
  readonly seed: number;
}

/** A loaded program is never changed and may be large: it is shared, not copied. */
function copyOf({ loaded, ...memory }: RobotMemory): RobotMemory {
  return { ...structuredClone(memory), loaded };
}

/** The robot as it is between two ticks. */
export function takeImage(core: RobotCore, tick: number): RobotImage {
  const { epoch_ms, timezone, seed } = core.options;
  return {
    memory: copyOf(core.memory),
    mover: core.mover.save(),
    tick,
    epoch_ms,
    timezone,
    seed,
  };
}

/** Everything that the memory dates is as far away as it was. */
function moveMoments(core: RobotCore, ticks: number): void {
  const { memory, options, date_ms } = core;
  const { lock, activity, schedule } = memory;
  memory.paused_tick += ticks;
  if (lock) lock.expires_tick += ticks;
  const started_s = activity?.cursor.wait_started_s ?? null;
  if (activity && started_s !== null) activity.cursor.wait_started_s = started_s + ticks * TICK_S;
  if (!schedule.enabled) return;
  schedule.next_start_ms = nextMoment_ms(schedule.start_time, date_ms, options.timezone);
  schedule.next_stop_ms = nextMoment_ms(schedule.stop_time, date_ms, options.timezone);
}

/** Puts the robot back; a lock that changed hands by that is told. */
export function restoreImage(core: RobotCore, image: RobotImage, tick: number): void {
  const { epoch_ms, timezone, seed } = image;
  const before = core.memory.lock?.holder.token_id;
  core.options = { ...core.options, epoch_ms, timezone, seed };
  core.tick = tick;
  core.memory = copyOf(image.memory);
  if (tick !== image.tick) moveMoments(core, tick - image.tick);
  core.mover.restore(image.mover);
  const holder = core.memory.lock?.holder ?? null;
  if (before !== holder?.token_id) core.events.push({ kind: 'lock_status', holder });
}
