/**
 * The daily schedule (§4.5, decision D33): the loaded toolpath starts at start_time and stops
 * after the loop that is running at end_time, in the robot's local time.
 */

import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { SchedulerState } from '../../contract/types.generated.ts';
import { nextMoment_ms } from './local-time.ts';

export interface ScheduleMemory {
  enabled: boolean;
  start_time: string;
  stop_time: string;
  /** Twin dates (ms) of the next start and stop; Infinity while disabled. */
  next_start_ms: number;
  next_stop_ms: number;
}

export function createSchedule(): ScheduleMemory {
  return {
    enabled: false,
    start_time: '00:00:00',
    stop_time: '00:00:00',
    next_start_ms: Number.POSITIVE_INFINITY,
    next_stop_ms: Number.POSITIVE_INFINITY,
  };
}

/** The date and the place that a schedule follows. */
export interface ScheduleMoment {
  readonly now_ms: number;
  readonly timezone: string;
}

/** Computes the next start and stop again, after the date was set. */
export function reschedule(schedule: ScheduleMemory, { now_ms, timezone }: ScheduleMoment): void {
  if (!schedule.enabled) return;
  schedule.next_start_ms = nextMoment_ms(schedule.start_time, now_ms, timezone);
  schedule.next_stop_ms = nextMoment_ms(schedule.stop_time, now_ms, timezone);
}

interface ScheduleRequest {
  readonly enabled: boolean;
  readonly start_time?: string;
  readonly end_time?: string;
}

function timesRefusal(path: string, problem: string): Refusal<'invalid_arguments'> {
  return refuse('invalid_arguments', [{ path, problem }]);
}

/** The schedule of a request; refuses equal times, and times together with `enabled: false`. */
export function scheduleOf(
  request: ScheduleRequest,
): SchedulerState | Refusal<'invalid_arguments'> {
  const { enabled, start_time, end_time } = request;
  if (!enabled) {
    if (start_time !== undefined || end_time !== undefined) {
      return timesRefusal('', 'must give start_time and end_time with enabled: true only');
    }
    const { start_time: start, stop_time } = createSchedule();
    return { enabled, start_time: start, stop_time };
  }
  if (start_time === undefined || end_time === undefined) {
    return timesRefusal('', 'must give start_time and end_time when enabling');
  }
  if (start_time === end_time) {
    return timesRefusal('/end_time', 'must differ from start_time');
  }
  return { enabled, start_time, stop_time: end_time };
}

/** Takes over a schedule from a moment on. */
export function adoptSchedule(
  schedule: ScheduleMemory,
  { enabled, start_time, stop_time }: SchedulerState,
  moment: ScheduleMoment,
): void {
  Object.assign(schedule, createSchedule(), { enabled, start_time, stop_time });
  reschedule(schedule, moment);
}

/** Sets the schedule as requested; refuses what `scheduleOf` refuses. */
export function setSchedule(
  schedule: ScheduleMemory,
  request: ScheduleRequest,
  moment: ScheduleMoment,
): Refusal<'invalid_arguments'> | null {
  const next = scheduleOf(request);
  if ('refused' in next) return next;
  adoptSchedule(schedule, next, moment);
  return null;
}

/** Text of the reply's details (decision D33). */
export function scheduleDetails(schedule: ScheduleMemory): string {
  if (!schedule.enabled) return 'Scheduler disabled';
  return `Scheduler enabled from ${schedule.start_time} to ${schedule.stop_time}`;
}
