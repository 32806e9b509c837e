/**
 * Times the control loop. Its first ticks after process start are late on a busy machine, so
 * watchdogs are armed only once it has settled, or with the first motion. It also reports stalls.
 */
import type { BusClock } from '../../transport/bus-clock.ts';

/** Time to settle after the first exchange (ms). */
const SETTLE_MS = 1000;
/** After a longer stall of this program no motion goes on; as the servos' watchdogs (s). */
export const STALL_MAX_S = 0.3;

export class LoopMonitor {
  /** True after the first exchange. */
  driven = false;
  private readonly clock: BusClock;
  private settled_ms = 0;
  private last_ms = 0;

  constructor(clock: BusClock) {
    this.clock = clock;
  }

  /** Called at each exchange, `moving` during a motion; returns the time since the last (s). */
  onExchange(moving: boolean): number {
    const now_ms = this.clock.now_ms();
    if (!this.driven) this.settled_ms = now_ms + SETTLE_MS;
    if (moving) this.settled_ms = Math.min(this.settled_ms, now_ms);
    const since_s = this.driven ? (now_ms - this.last_ms) / 1000 : 0;
    this.last_ms = now_ms;
    this.driven = true;
    return since_s;
  }

  /** True once the loop has settled, or the arm moves. */
  get settled(): boolean {
    return this.driven && this.clock.now_ms() >= this.settled_ms;
  }
}
