/**
 * Dates at which the local time of a place is a given time of day, also where clocks change
 * (decision D33).
 */

const DAY_MS = 86_400_000;

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
