/**
 * How old a servo's sample is, by the servo's own millisecond counter that comes with it. A reply
 * says nothing of when it was asked for: by this counter a delayed or doubled one is known as old,
 * and a servo that started anew is known too.
 */

export type Freshness = 'fresh' | 'old' | 'restarted';

const WRAP_MS = 32_768;
/** After a silence this long the counter says nothing. */
const FORGET_MS = 15_000;
/** The servo's counter may run ahead of the driver's clock by this much after a delay (ms). */
const AHEAD_MS = 1000;
/** A counter below this may be that of a servo that has just started (ms). */
const YOUNG_MS = 2000;
/** Crystals differ: so much of elapsed time may be the servo's clock running slow. */
const DRIFT = 0.002;

export class SampleAge {
  private last_tick = -1;
  private last_now_ms = 0;
  /** The servo's counter without its wraps (ms). */
  servo_ms = 0;
  /** Smallest difference of the clocks seen: that of the quickest reply (ms). */
  private offset_ms = 0;
  /** When the newest sample was taken, by the driver's clock (ms). */
  taken_ms = Number.NEGATIVE_INFINITY;

  /** Looks at a sample's counter (ms, wraps at 32768) that came in at `now_ms`. */
  take(tick: number, now_ms: number): Freshness {
    const elapsed_ms = now_ms - this.last_now_ms;
    if (this.last_tick < 0 || elapsed_ms > FORGET_MS) return this.begin(tick, now_ms);
    const step_ms = (tick - this.last_tick + WRAP_MS) % WRAP_MS;
    if (step_ms === 0) return 'old';
    if (step_ms > WRAP_MS / 2) {
      return tick >= YOUNG_MS && WRAP_MS - step_ms < YOUNG_MS ? 'old' : 'restarted';
    }
    // By when the last one was taken: it may have been read late, and this one in time.
    if (step_ms > now_ms - this.taken_ms + AHEAD_MS) return 'restarted';
    this.last_tick = tick;
    this.last_now_ms = now_ms;
    this.servo_ms += step_ms;
    const offset_ms = now_ms - this.servo_ms;
    this.offset_ms = Math.min(offset_ms, this.offset_ms + DRIFT * elapsed_ms);
    this.taken_ms = now_ms - (offset_ms - this.offset_ms);
    return 'fresh';
  }

  /** The next sample is the first of a servo that is known to have started anew. */
  forget(): void {
    this.last_tick = -1;
  }

  private begin(tick: number, now_ms: number): Freshness {
    this.last_tick = tick;
    this.last_now_ms = now_ms;
    this.servo_ms = tick;
    this.offset_ms = now_ms - tick;
    this.taken_ms = now_ms;
    return 'fresh';
  }
}
