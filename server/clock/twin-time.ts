/** Twin time: ticks of 4 ms since the start, and the date of the start (D38). */
import { TICK_S } from '../../bridge/arm-driver.ts';

export interface TwinTime {
  /** Ticks since the twin's start. */
  readonly tick: number;
  /** Seconds since the twin's start. */
  readonly now_s: number;
  /** Date and time of the twin as milliseconds since 1970 (UTC). */
  readonly epoch_ms: number;
}

/** Start date of stepped clocks: 2020-01-01T00:00:00Z. */
export const STEPPED_EPOCH_MS = 1_577_836_800_000;

/** Ticks in a second. */
export const TICKS_PER_S = Math.round(1 / TICK_S);

/** First tick at or after `seconds` since the start. */
export function tickOf(seconds: number): number {
  return Math.ceil(seconds / TICK_S - 1e-9);
}

/** The last date of RFC 3339, whose years have four digits (ms since 1970). */
const LAST_DATE_MS = Date.UTC(10_000, 0) - 1;

/** Whole ticks that are left before the last date. */
export function ticksLeft(time: TwinTime): number {
  return Math.max(0, Math.floor((LAST_DATE_MS - time.epoch_ms) / (TICK_S * 1000)));
}

const DAY_MS = 86_400_000;

/** The time of day of a twin at a tick (s since midnight, UTC). */
export function clockAt_s({ tick, epoch_ms }: Pick<TwinTime, 'tick' | 'epoch_ms'>, at: number) {
  const at_ms = epoch_ms + (at - tick) * TICK_S * 1000;
  return (((at_ms % DAY_MS) + DAY_MS) % DAY_MS) / 1000;
}

/** RFC 3339 form of a twin date, e.g. 2020-01-01T00:00:00.000Z; at most the last date. */
export function timestamp(time: TwinTime): string {
  return new Date(Math.min(time.epoch_ms, LAST_DATE_MS)).toISOString();
}
