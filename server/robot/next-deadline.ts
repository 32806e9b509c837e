import { TICK_S } from '../../bridge/arm-driver.ts';
import { nextReading_tick } from './io.ts';
import type { RobotContext } from './robot-context.ts';

/** Tick of the next timed event while nothing moves. */
export function nextDeadline_tick(context: RobotContext): number {
  const { lock, schedule, activity, loaded, state } = context.memory;
  const tickOfDate = (date_ms: number) =>
    Math.ceil((date_ms - context.options.epoch_ms) / (TICK_S * 1000) - 1e-9);
  let due = Math.min(tickOfDate(schedule.next_start_ms), tickOfDate(schedule.next_stop_ms));
  if (lock) due = Math.min(due, lock.expires_tick);
  const waiting = activity?.kind === 'run' && (state === 'running' || state === 'stopping');
  const step = waiting ? loaded?.program.steps[activity.cursor.step] : undefined;
  if (step?.kind !== 'wait') return due;
  if (step.condition.type !== 'time') return Math.min(due, nextReading_tick(context.tick));
  const since_s = activity!.cursor.wait_started_s ?? context.now_s;
  return Math.min(due, Math.ceil((since_s + step.condition.duration) / TICK_S - 1e-9));
}
