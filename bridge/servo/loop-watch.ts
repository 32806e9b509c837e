/**
 * Tells a process that is coming up from one that runs: the first ticks come late on a busy
 * machine, and nothing moves before. Apart from the driver: it looks at the calls to it alone.
 */
import type { BusClock } from '../transport/bus-clock.ts';

/** By then a process is up and running (ms). */
const SETTLE_MS = 1000;

export class LoopWatch {
  /** Somebody exchanges setpoints. */
  driven = false;
  private readonly clock: BusClock;
  private settled_ms = 0;

  constructor(clock: BusClock) {
    this.clock = clock;
  }

  /** At each exchange, in a motion or out of one. */
  notice(moving: boolean): void {
    const now_ms = this.clock.now_ms();
    if (!this.driven) this.settled_ms = now_ms + SETTLE_MS;
    if (moving) this.settled_ms = Math.min(this.settled_ms, now_ms);
    this.driven = true;
  }

  /** True once the process is up and running, or the arm moves. */
  get settled(): boolean {
    return this.driven && this.clock.now_ms() >= this.settled_ms;
  }
}
