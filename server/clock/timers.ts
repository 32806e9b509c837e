/**
 * Timers on the twin's time: lock and session expiry, the daily schedule, updates. They fire at
 * tick borders in the order of their due time, then of their making, so that every pace gives the
 * same result. The loop asks `nextDue_tick` to jump over idle time.
 */
import type { Cancel } from './wall-clock.ts';

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
  private made = 0;

  /** Calls back at the first tick at or after `due_tick`. */
  at(due_tick: number, callback: () => void): Cancel {
    const entry: Entry = { due_tick, order: this.made++, callback };
    let index = this.entries.length;
    while (index > 0 && before(entry, this.entries[index - 1]!)) index--;
    this.entries.splice(index, 0, entry);
    return () => {
      const place = this.entries.indexOf(entry);
      if (place >= 0) this.entries.splice(place, 1);
    };
  }

  /** Tick of the earliest timer, or Infinity when there is none. */
  nextDue_tick(): number {
    return this.entries[0]?.due_tick ?? Number.POSITIVE_INFINITY;
  }

  /** Fires what is due at `tick`; a callback may add timers, due ones fire in the same call. */
  fire(tick: number): void {
    while (this.entries.length > 0 && this.entries[0]!.due_tick <= tick) {
      this.entries.shift()!.callback();
    }
  }

  /** Time was set back or forward by so many ticks: every timer is as far away as before. */
  shift(ticks: number): void {
    for (const entry of this.entries) entry.due_tick += ticks;
  }

  /** Drops every timer. */
  clear(): void {
    this.entries = [];
  }
}
