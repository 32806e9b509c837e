/** The shifts of an instrument: times of day between which its tasks begin and end. */

/** A shift that repeats every day (s since midnight, UTC, or since the start of a plan). */
export interface Shift {
  readonly from_s: number;
  /** After `from_s`, by a day at most. */
  readonly to_s: number;
}

const DAY_S = 86_400;
const MINUTE_S = 60;

/** The seconds since midnight of a time of day such as 08:30. */
export function timeOfDay_s(text: string): number {
  const [hours, minutes] = text.split(':').map(Number);
  return hours! * 3600 + minutes! * MINUTE_S;
}

/** A time of day such as 08:30, of seconds since some midnight. */
export function timeOfDayText(time_s: number): string {
  const minutes = Math.round((((time_s % DAY_S) + DAY_S) % DAY_S) / MINUTE_S);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / MINUTE_S) % 24)}:${two(minutes % MINUTE_S)}`;
}

/** A shift between two times of day; one that ends no later than it begins goes on after midnight. */
export function shiftOf({ from, to }: { readonly from: string; readonly to: string }): Shift {
  const [from_s, to_s] = [timeOfDay_s(from), timeOfDay_s(to)];
  return { from_s, to_s: to_s > from_s ? to_s : to_s + DAY_S };
}

/** The shifts by a clock that is at 0 at a time of day (s). */
export function shiftsSince(shifts: readonly Shift[], clock_s: number): Shift[] {
  return shifts.map(({ from_s, to_s }) => ({ from_s: from_s - clock_s, to_s: to_s - clock_s }));
}

/** The first start from a time on at which work fits into a shift (s); Infinity if it fits in none. */
export function shiftStart_s(
  shifts: readonly Shift[],
  start_s: number,
  duration_s: number,
): number {
  let first_s = Number.POSITIVE_INFINITY;
  for (const { from_s, to_s } of shifts) {
    if (to_s - from_s < duration_s) continue;
    const day = Math.ceil((start_s + duration_s - to_s) / DAY_S);
    first_s = Math.min(first_s, Math.max(start_s, from_s + day * DAY_S));
  }
  return first_s;
}
