/** How late ticks come against their schedule, and how fast twin time passes; bounded memory. */
import type { ClockFigures } from './clock.ts';
import type { WallClock } from './wall-clock.ts';

/** Samples kept: eight seconds of ticks. */
const KEPT = 2048;
/** Stretch over which the real-time factor is taken (ms). */
const FACTOR_WINDOW_MS = 1000;

export class Lateness {
  private readonly samples = new Float64Array(KEPT);
  private count = 0;
  private mark_wall_ms = 0;
  private mark_twin_ms = 0;
  private factor = 0;
  private readonly wall: WallClock;

  constructor(wall: WallClock) {
    this.wall = wall;
  }

  /** Forgets the past: the pace has changed. */
  restart(): void {
    this.mark_wall_ms = 0;
  }

  add(late_ms: number): void {
    this.samples[this.count++ % KEPT] = late_ms;
  }

  /** Notes that twin time stands at `twin_ms`. */
  progress(twin_ms: number): void {
    const now_ms = this.wall.now_ms();
    if (this.mark_wall_ms === 0) {
      this.mark_wall_ms = now_ms;
      this.mark_twin_ms = twin_ms;
    } else if (now_ms - this.mark_wall_ms >= FACTOR_WINDOW_MS) {
      this.factor = (twin_ms - this.mark_twin_ms) / (now_ms - this.mark_wall_ms);
      this.mark_wall_ms = now_ms;
      this.mark_twin_ms = twin_ms;
    }
  }

  figures(): ClockFigures {
    const kept = this.samples.slice(0, Math.min(this.count, KEPT)).sort();
    const at = (share: number) => kept[Math.floor(share * (kept.length - 1))] ?? 0;
    return {
      lateness_p50_ms: at(0.5),
      lateness_p99_ms: at(0.99),
      real_time_factor: this.factor,
    };
  }
}
