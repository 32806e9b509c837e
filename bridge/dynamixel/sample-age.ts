export type Freshness = 'fresh' | 'old' | 'restarted';

const WRAP_MS = 32_768;
/** After a silence this long the counter is meaningless, because it wraps. */
const FORGET_MS = 15_000;
/** Maximum lead of the counter of the servo over the clock of the driver after a delay (ms). */
const AHEAD_MS = 1000;
/** A counter below this may belong to a servo that has just started (ms). */
const YOUNG_MS = 2000;
/** Maximum relative drift between the clocks of servo and driver. */
const DRIFT = 0.002;

/**
 * The age of the samples of one servo, from the millisecond counter of the servo that each sample
 * carries. The counter shows delayed and repeated replies as old, and reveals a restart of the
 * servo.
 */
export class SampleAge {
  private last_tick = -1;
  private last_now_ms = 0;
  /** The counter of the servo without wraps (ms). */
  servo_ms = 0;
  /** Smallest difference of the clocks so far, which is that of the quickest reply (ms). */
  private offset_ms = 0;
  /** Time of the latest sample, by the clock of the driver (ms). */
  taken_ms = Number.NEGATIVE_INFINITY;

  /** Takes the counter (ms, wraps at 32768) of a sample received at `now_ms`. */
  take(tick: number, now_ms: number): Freshness {
    const elapsed_ms = now_ms - this.last_now_ms;
    if (this.last_tick < 0 || elapsed_ms > FORGET_MS) return this.restart(tick, now_ms);
    const step_ms = (tick - this.last_tick + WRAP_MS) % WRAP_MS;
    if (step_ms === 0) return 'old';
    if (step_ms > WRAP_MS / 2) {
      return tick >= YOUNG_MS && WRAP_MS - step_ms < YOUNG_MS ? 'old' : 'restarted';
    }
    // Compared with the time of the last sample, which may have been read late.
    if (step_ms > now_ms - this.taken_ms + AHEAD_MS) return 'restarted';
    this.last_tick = tick;
    this.last_now_ms = now_ms;
    this.servo_ms += step_ms;
    const offset_ms = now_ms - this.servo_ms;
    this.offset_ms = Math.min(offset_ms, this.offset_ms + DRIFT * elapsed_ms);
    this.taken_ms = now_ms - (offset_ms - this.offset_ms);
    return 'fresh';
  }

  /** Treats the next sample as the first one, after a restart of the servo. */
  reset(): void {
    this.last_tick = -1;
  }

  private restart(tick: number, now_ms: number): Freshness {
    this.last_tick = tick;
    this.last_now_ms = now_ms;
    this.servo_ms = tick;
    this.offset_ms = now_ms - tick;
    this.taken_ms = now_ms;
    return 'fresh';
  }
}
