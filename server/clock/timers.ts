/**
 * Timers on twin time: lock and session expiry, the daily schedule, updates. They fire between
 * ticks in the order of due time, then of creation, so that every pace gives the same result. The
 * loop reads `nextDue_tick` to skip idle time.
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
