import type { WallClock } from './wall-clock.ts';

/** Statistics of the clock, for /metrics and /sim/v1. */
export interface ClockStatistics {
  readonly lateness_p50_ms: number;
  readonly lateness_p99_ms: number;
  /** Twin seconds per wall second over the last second. */
  readonly real_time_factor: number;
}

/** Number of lateness samples: eight seconds of ticks. */
const SAMPLES = 2048;
/** Window of the real-time factor (ms). */
const FACTOR_WINDOW_MS = 1000;

/** Lateness of ticks against the schedule, and the real-time factor; bounded memory. */
export class TickLateness {
  private readonly samples = new Float64Array(SAMPLES);
  private count = 0;
  /** Where the present window of the factor began; null before the clock starts. */
  private mark: { readonly wall_ms: number; readonly twin_ms: number } | null = null;
  private twin_ms = 0;
  private factor = 0;
  private readonly wall: WallClock;

  constructor(wall: WallClock) {
    this.wall = wall;
  }

  /** Begins a window of the factor after a change of pace, or of the twin's time. */
  restart(twin_ms: number): void {
    this.progress(this.twin_ms);
    this.twin_ms = twin_ms;
    this.mark = { wall_ms: this.wall.now_ms(), twin_ms };
  }

  add(late_ms: number): void {
    this.samples[this.count++ % SAMPLES] = late_ms;
  }

  /** Records the current twin time. Also called where it stands: then the factor becomes 0. */
  progress(twin_ms: number): void {
    const now_ms = this.wall.now_ms();
    this.twin_ms = twin_ms;
    this.mark ??= { wall_ms: now_ms, twin_ms };
    const passed_ms = now_ms - this.mark.wall_ms;
    if (passed_ms < FACTOR_WINDOW_MS) return;
    this.factor = (twin_ms - this.mark.twin_ms) / passed_ms;
    this.mark = { wall_ms: now_ms, twin_ms };
  }

  statistics(): ClockStatistics {
    const kept = this.samples.slice(0, Math.min(this.count, SAMPLES)).sort();
    const at = (share: number) => kept[Math.floor(share * (kept.length - 1))] ?? 0;
    return {
      lateness_p50_ms: at(0.5),
      lateness_p99_ms: at(0.99),
      real_time_factor: this.factor,
    };
  }
}
