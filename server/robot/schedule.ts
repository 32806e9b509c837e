/**
 * The daily schedule (§4.5, decision D33): the loaded toolpath starts at start_time and stops after
 * the loop that is running at end_time, in the robot's local time. Computes the dates of the next
 * start and stop.
 */
import { type Refusal, refuse } from '../../contract/refusal.ts';

export interface ScheduleMemory {
  enabled: boolean;
  start_time: string;
  stop_time: string;
  /** Twin dates (ms) of the next start and stop; Infinity while disabled. */
  next_start_ms: number;
  next_stop_ms: number;
}

const DAY_MS = 86_400_000;

export function createSchedule(): ScheduleMemory {
  return {
    enabled: false,
    start_time: '00:00:00',
    stop_time: '00:00:00',
    next_start_ms: Number.POSITIVE_INFINITY,
    next_stop_ms: Number.POSITIVE_INFINITY,
  };
}

/** Offset of local time from UTC at a date (ms). */
function offset_ms(timezone: string, date_ms: number): number {
  if (timezone === 'UTC') return 0;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const parts: Record<string, number> = {};
  for (const part of format.formatToParts(new Date(date_ms))) parts[part.type] = Number(part.value);
  const local = Date.UTC(
    parts['year']!,
    parts['month']! - 1,
    parts['day']!,
    parts['hour']!,
    parts['minute']!,
    parts['second']!,
  );
  return local - Math.floor(date_ms / 1000) * 1000;
}

function timeOfDay_ms(time: string): number {
  const [hours, minutes, seconds] = time.split(':').map(Number);
  return ((hours! * 60 + minutes!) * 60 + seconds!) * 1000;
}

/**
 * The first date after `now_ms` at which the clock on the wall shows `local`: the earlier one of a
 * time that comes twice when clocks go back. A time that clocks skip has the moment of the change.
 */
function dateOfLocal_ms(local: number, now_ms: number, timezone: string): number {
  const late = local - offset_ms(timezone, local - DAY_MS);
  const early = local - offset_ms(timezone, local + DAY_MS);
  const shown = [late, early].filter((date) => date + offset_ms(timezone, date) === local);
  const next = shown.filter((date) => date > now_ms);
  if (next.length > 0) return Math.min(...next);
  let [before, after] = [Math.min(early, late), Math.max(early, late)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (middle + offset_ms(timezone, middle) < local) before = middle;
    else after = middle;
  }
  return after;
}

/** The first date after `now_ms` at which local time is `time` (ms since 1970). */
export function nextMoment_ms(time: string, now_ms: number, timezone: string): number {
  const local = now_ms + offset_ms(timezone, now_ms);
  let moment = Math.floor(local / DAY_MS) * DAY_MS + timeOfDay_ms(time);
  while (moment <= local) moment += DAY_MS;
  return dateOfLocal_ms(moment, now_ms, timezone);
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
