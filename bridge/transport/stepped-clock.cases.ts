/** A bus clock for tests: time passes only by advance, which runs due callbacks in order. */
import type { BusClock } from './bus-clock.ts';

interface Due {
  readonly at_ms: number;
  readonly callback: () => void;
}

export class SteppedBusClock implements BusClock {
  private time_ms = 0;
  private due: Due[] = [];

  now_ms(): number {
    return this.time_ms;
  }

  after(delay_ms: number, callback: () => void): () => void {
    const entry = { at_ms: this.time_ms + Math.max(0, delay_ms), callback };
    this.due.push(entry);
    return () => {
      this.due = this.due.filter((one) => one !== entry);
    };
  }

  /** Advances time; due callbacks run at their own time, in order. */
  advance(by_ms: number): void {
    const end_ms = this.time_ms + by_ms;
    for (let next = this.nextUntil(end_ms); next; next = this.nextUntil(end_ms)) {
      this.due = this.due.filter((one) => one !== next);
      this.time_ms = Math.max(this.time_ms, next.at_ms);
      next.callback();
    }
    this.time_ms = end_ms;
  }

  private nextUntil(end_ms: number): Due | undefined {
    const ready = this.due.filter(({ at_ms }) => at_ms <= end_ms);
    return ready.sort((a, b) => a.at_ms - b.at_ms)[0];
  }

  /** Advances time in steps until a promise is settled. */
  async until<Type>(promise: Promise<Type>, step_ms = 1): Promise<Type> {
    let settled = false;
    const done = () => {
      settled = true;
    };
    promise.then(done, done);
    for (let i = 0; i < 100_000 && !settled; i++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!settled) this.advance(step_ms);
    }
    return promise;
  }
}
