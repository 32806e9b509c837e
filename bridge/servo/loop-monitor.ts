/**
 * Detects when the control loop has settled after process start: its first ticks are late on a busy
 * machine, so watchdogs are armed only afterwards or with the first motion.
 */
import type { BusClock } from '../transport/bus-clock.ts';

/** Time to settle after the first exchange (ms). */
const SETTLE_MS = 1000;

export class LoopMonitor {
  /** True after the first exchange. */
  driven = false;
  private readonly clock: BusClock;
  private settled_ms = 0;

  constructor(clock: BusClock) {
    this.clock = clock;
  }

  /** Called at each exchange; `moving` is true during a motion. */
  onExchange(moving: boolean): void {
    const now_ms = this.clock.now_ms();
    if (!this.driven) this.settled_ms = now_ms + SETTLE_MS;
    if (moving) this.settled_ms = Math.min(this.settled_ms, now_ms);
    this.driven = true;
  }

  /** True once the loop has settled, or the arm moves. */
  get settled(): boolean {
    return this.driven && this.clock.now_ms() >= this.settled_ms;
  }
}
