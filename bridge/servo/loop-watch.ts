/**
 * Tells a bus that is silent from a loop that did not ask: samples that aged because nobody looked
 * say nothing about the servos. After such a pause there is a short while to look again, in which
 * the arm holds.
 */
import type { BusClock } from '../transport/bus-clock.ts';

/** A machine that is coming up may be this late with its first ticks (ms). */
const START_GRACE_MS = 1000;
/** A loop that was away for longer than this has stalled, and has so long to look again (ms). */
const STALL_MS = 50;
const STALL_GRACE_MS = 100;

export class LoopWatch {
  /** Somebody exchanges setpoints. */
  driven = false;
  private readonly clock: BusClock;
  private exchanged_ms = 0;
  private grace_until_ms = 0;
  /** A grace has been given, and no fresh sample has come since: there is no second one. */
  private looking = false;

  constructor(clock: BusClock) {
    this.clock = clock;
  }

  /** At each exchange: notices that the ones before stayed away. */
  notice(): void {
    const now_ms = this.clock.now_ms();
    const gap_ms = now_ms - this.exchanged_ms;
    if (!this.driven) this.lookFor(START_GRACE_MS, now_ms);
    else if (gap_ms > STALL_MS && !this.looking) this.lookFor(STALL_GRACE_MS, now_ms);
    this.driven = true;
    this.exchanged_ms = now_ms;
  }

  private lookFor(grace_ms: number, now_ms: number): void {
    this.looking = true;
    this.grace_until_ms = now_ms + grace_ms;
  }

  /** Fresh samples are here: from now on age counts. */
  seen(): void {
    this.looking = false;
    this.grace_until_ms = 0;
  }

  /** True while the loop has only just come back. */
  get waiting(): boolean {
    return this.clock.now_ms() < this.grace_until_ms;
  }
}
