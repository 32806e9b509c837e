import { TICK_S } from '../../bridge/arm-driver.ts';

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
