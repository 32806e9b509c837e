/** Formats numbers, times and clock rates: fixed decimals by unit, U+2212 as minus. Pure. */
import type { SimClock } from '../../contract/types.generated.ts';

/** Relative difference below which the measured clock rate counts as the set one. */
const RATE_TOLERANCE = 0.03;

/** A pace as the server reports it (`1`, `max`, `stepped`), as text. */
export function paceText(pace: string): string {
  const factor = Number(pace);
  return Number.isFinite(factor) ? `${factor.toFixed(2)}× real time` : `${pace} clock`;
}

/** The rate of a clock; includes the measured rate where it differs from the set one. */
export function clockRateText({ pace, paused, real_time_factor }: SimClock): string {
  if (paused) return 'clock paused';
  const measured = `${real_time_factor.toFixed(2)}× real time`;
  if (pace === 'stepped') return 'stepped clock';
  if (pace === 'max') return `max clock, ${measured}`;
  const asSet = Math.abs(real_time_factor / pace - 1) < RATE_TOLERANCE;
  return asSet ? paceText(String(pace)) : `${measured}, set to ${pace}×`;
}

/** The name of an input or output on the wire as the Live page has it: `ee_d0` is "Tool i0". */
export function ioName(key: string, side: 'input' | 'output'): string {
  return key.replace(/^ee_([da])(?=\d)/, (_, type) => `Tool ${type === 'd' ? side[0] : type}`);
}

const MINUS = '−';
const DEGREES = 180 / Math.PI;

/** `value` with a fixed number of decimals and a true minus sign; never "-0.00". */
export function decimal(value: number, digits: number): string {
  const text = value.toFixed(digits);
  if (!text.startsWith('-')) return text;
  return Number(text) === 0 ? text.slice(1) : MINUS + text.slice(1);
}

/** An angle in degrees. */
export function degrees(angle_rad: number): number {
  return angle_rad * DEGREES;
}

/** A joint angle in degrees, two decimals. */
export function angleText(angle_rad: number): string {
  return decimal(degrees(angle_rad), 2);
}

/** An age, as in "3.2 s": one decimal under a minute, then minutes, then hours. */
export function ageText(age_ms: number): string {
  if (!Number.isFinite(age_ms)) return 'an unknown time';
  const age_s = age_ms / 1000;
  if (age_s < 60) return `${decimal(age_s, 1)} s`;
  return age_s < 3600 ? `${Math.floor(age_s / 60)} min` : `${Math.floor(age_s / 3600)} h`;
}

/** Whole seconds with their minutes, and hours if there are any: 0:42, 1:02:05. */
export function clockText(whole_s: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole_s / 3600), Math.floor(whole_s / 60) % 60];
  const start = hours > 0 ? `${hours}:${two(minutes)}` : `${minutes}`;
  return `${start}:${two(whole_s % 60)}`;
}

/** Minutes and seconds, and hours if there are any, rounded up: 0:42, 1:02:05. */
export function minutesText(time_s: number): string {
  return clockText(Math.max(Math.ceil(time_s), 0));
}

/** A duration: 6.4 s, and from a minute on minutes and seconds, as in 1:06. */
export function lengthText(time_s: number): string {
  return time_s < 60 ? `${decimal(time_s, 1)} s` : minutesText(time_s);
}

/** Minutes, seconds and hundredths, and hours if there are any: 0:04.24, 1:02:05.00. */
export function cursorText(time_s: number): string {
  const hundredths = Math.round(time_s * 100);
  const rest = String(hundredths % 100).padStart(2, '0');
  return `${clockText(Math.floor(hundredths / 100))}.${rest}`;
}

/** A time of ISO 8601 in UTC for a record, as in 2026-11-25 22:37:22 UTC. */
export function recordTimeText(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2 UTC');
}

/** Hours, minutes, seconds and tenths of a run, as in 0:00:29.4. */
export function runTimeText(time_s: number): string {
  const tenths = Math.floor(time_s * 10);
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(tenths / 600);
  const seconds = Math.floor(tenths / 10) % 60;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds)}.${tenths % 10}`;
}

/** Local time of day with milliseconds, as in 10:41:22.480. */
export function timeOfDayText(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
  return `${time}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

/** Local date and time of an RFC 3339 text, as in 2026-11-21 10:41; other text is unchanged. */
export function dateText(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return text;
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
