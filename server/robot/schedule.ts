/**
 * The daily schedule (§4.5, decision D33): the loaded toolpath starts at start_time and stops
 * after the loop that is running at end_time, in the robot's local time.
 */

import { type Refusal, refuse } from '../../contract/refusal.ts';
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

/** Sets the schedule; refuses equal times, and times together with `enabled: false`. */
export function setSchedule(
  schedule: ScheduleMemory,
  request: ScheduleRequest,
  moment: ScheduleMoment,
): Refusal<'invalid_arguments'> | null {
  if (!request.enabled) {
    if (request.start_time !== undefined || request.end_time !== undefined) {
      return timesRefusal('', 'must give start_time and end_time with enabled: true only');
    }
    Object.assign(schedule, createSchedule());
    return null;
  }
  const { start_time, end_time } = request;
  if (start_time === undefined || end_time === undefined) {
    return timesRefusal('', 'must give start_time and end_time when enabling');
  }
  if (start_time === end_time) {
    return timesRefusal('/end_time', 'must differ from start_time');
  }
  schedule.enabled = true;
  schedule.start_time = start_time;
  schedule.stop_time = end_time;
  reschedule(schedule, moment);
  return null;
}

/** Text of the reply's details (decision D33). */
export function scheduleDetails(schedule: ScheduleMemory): string {
  if (!schedule.enabled) return 'Scheduler disabled';
  return `Scheduler enabled from ${schedule.start_time} to ${schedule.stop_time}`;
}
