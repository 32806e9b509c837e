/**
 * Twin time: ticks of 4 ms since the start, and the date of the start (D38). Also: timers on it,
 * how late ticks are against the schedule of a clock, where that schedule is best placed, and how
 * fast the twin's time passes.
 */
import { TICK_S } from '../../bridge/arm-driver.ts';
import type { Cancel, WallClock } from './clock.ts';

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

/** RFC 3339 form of a twin date, e.g. 2020-01-01T00:00:00.000Z; at most the last date. */
export function timestamp(time: TwinTime): string {
  return new Date(Math.min(time.epoch_ms, LAST_DATE_MS)).toISOString();
}

/**
 * Timers on twin time: lock and session expiry, the daily schedule, updates. They fire between
 * ticks in the order of due time, then of creation, so that every pace gives the same result. The
 * loop reads `nextDue_tick` to skip idle time.
 */

interface Entry {
  due_tick: number;
  readonly order: number;
  readonly callback: () => void;
}

function before(a: Entry, b: Entry): boolean {
  return a.due_tick < b.due_tick || (a.due_tick === b.due_tick && a.order < b.order);
}

export class Timers {
  private entries: Entry[] = [];
  private created = 0;

  /** Calls back at the first tick at or after `due_tick`. */
  at(due_tick: number, callback: () => void): Cancel {
    const entry: Entry = { due_tick, order: this.created++, callback };
    let index = this.entries.length;
    while (index > 0 && before(entry, this.entries[index - 1]!)) index--;
    this.entries.splice(index, 0, entry);
    return () => {
      const index = this.entries.indexOf(entry);
      if (index >= 0) this.entries.splice(index, 1);
    };
  }

  /** Tick of the earliest timer, or Infinity when there is none. */
  nextDue_tick(): number {
    return this.entries[0]?.due_tick ?? Number.POSITIVE_INFINITY;
  }

  /** Fires the timers due at `tick`, including due ones that a callback adds. */
  fire(tick: number): void {
    while (this.entries.length > 0 && this.entries[0]!.due_tick <= tick) {
      this.entries.shift()!.callback();
    }
  }

  /** Shifts all timers after twin time was changed, so that their remaining time is kept. */
  shift(ticks: number): void {
    for (const entry of this.entries) entry.due_tick += ticks;
  }

  /** Drops every timer. */
  clear(): void {
    this.entries = [];
  }
}

/** Statistics of the clock, for /metrics and /sim/v1. */
export interface ClockStatistics {
  readonly lateness_p50_ms: number;
  readonly lateness_p99_ms: number;
  /** Twin seconds per wall second over the last second. */
  readonly real_time_factor: number;
}

/** Number of lateness samples: eight seconds of ticks. */
const SAMPLES = 2048;
/** Window of the real-time factor (ms). */
const FACTOR_WINDOW_MS = 1000;

/** Lateness of ticks against the schedule, and the real-time factor; bounded memory. */
export class TickLateness {
  private readonly samples = new Float64Array(SAMPLES);
  private count = 0;
  /** Where the present window of the factor began; null before the clock starts. */
  private mark: { readonly wall_ms: number; readonly twin_ms: number } | null = null;
  private twin_ms = 0;
  private factor = 0;
  private readonly wall: WallClock;

  constructor(wall: WallClock) {
    this.wall = wall;
  }

  /** Begins a window of the factor after a change of pace, or of the twin's time. */
  restart(twin_ms: number): void {
    this.progress(this.twin_ms);
    this.twin_ms = twin_ms;
    this.mark = { wall_ms: this.wall.now_ms(), twin_ms };
  }

  add(late_ms: number): void {
    this.samples[this.count++ % SAMPLES] = late_ms;
  }

  /** Records the current twin time. Also called where it stands: then the factor becomes 0. */
  progress(twin_ms: number): void {
    const now_ms = this.wall.now_ms();
    this.twin_ms = twin_ms;
    this.mark ??= { wall_ms: now_ms, twin_ms };
    const passed_ms = now_ms - this.mark.wall_ms;
    if (passed_ms < FACTOR_WINDOW_MS) return;
    this.factor = (twin_ms - this.mark.twin_ms) / passed_ms;
    this.mark = { wall_ms: now_ms, twin_ms };
  }

  statistics(): ClockStatistics {
    const kept = this.samples.slice(0, Math.min(this.count, SAMPLES)).sort();
    const at = (share: number) => kept[Math.floor(share * (kept.length - 1))] ?? 0;
    return {
      lateness_p50_ms: at(0.5),
      lateness_p99_ms: at(0.99),
      real_time_factor: this.factor,
    };
  }
}

/** Milliseconds of a tick, the places that a schedule has. */
const PLACES = Math.round(TICK_S * 1000);
/** Ticks after which a place is judged: 1 s. */
const JUDGED_TICKS = 250;
/** Share of the latest second in what is known of a place. */
const LATEST_SHARE = 0.25;
/** Lateness of a timer of Node.js that nothing holds up (ms). */
const USUAL_MS = 2;
/** A tick that is later than this says nothing about the place (ms). */
const MOST_MS = PLACES + USUAL_MS;
/** By how much the best place is better than the present one, at least, to move there (ms). */
const BETTER_BY_MS = 0.02;

/**
 * Places a schedule in real time where its ticks are least late. Linux switches between threads 250
 * times a second as it is usually built, as often as ticks are due: while another thread computes,
 * a schedule that is due just after such a switch has each tick wait for the next one.
 */
export class SchedulePlace {
  /** Mean lateness above the usual one at each place, as last seen (ms). */
  private readonly late_ms = new Float64Array(PLACES);
  private sum_ms = 0;
  private count = 0;

  /** Adds a tick of a schedule that began at `anchor_ms`; returns how far it moves (ms). */
  add(late_ms: number, anchor_ms: number): number {
    this.sum_ms += Math.max(Math.min(late_ms, MOST_MS) - USUAL_MS, 0);
    this.count += 1;
    if (this.count < JUDGED_TICKS) return 0;
    const mean_ms = this.sum_ms / this.count;
    this.sum_ms = 0;
    this.count = 0;
    const { late_ms: known_ms } = this;
    const place = Math.floor(anchor_ms) % PLACES;
    known_ms[place]! += LATEST_SHARE * (mean_ms - known_ms[place]!);
    const best = known_ms.indexOf(Math.min(...known_ms));
    const gain_ms = known_ms[place]! - known_ms[best]!;
    return gain_ms > BETTER_BY_MS ? best - place : 0;
  }
}
