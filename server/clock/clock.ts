/**
 * The clock port: it decides when ticks happen. Motion, lock, sessions, schedule and waits depend
 * on the tick count only; the pace never changes a result, only when it is available.
 */

/** The loop that a clock drives. */
export interface ClockedLoop {
  readonly tick: number;
  /** True when the arm rests and no run is active: ticks may be skipped. */
  readonly idle: boolean;
  /** True while what it simulates has failed: no time passes until that is replaced. */
  readonly halted: boolean;
  /** Runs ticks up to `target` or until `stop()` is true; skips idle time if `jump` is set. */
  runTo(target: number, options: { readonly jump: boolean; readonly stop: () => boolean }): void;
}

/** The speed of twin time relative to wall time. */
export type Pace =
  | { readonly kind: 'scaled'; readonly factor: number }
  | { readonly kind: 'max' }
  | { readonly kind: 'stepped' };

/** The name of a pace in the X-Armtwin header and on the command line: 1, 10, max, stepped. */
export function paceName(pace: Pace): string {
  return pace.kind === 'scaled' ? String(pace.factor) : pace.kind;
}

/** Statistics of the clock, for /metrics and /sim/v1. */
export interface ClockStatistics {
  readonly lateness_p50_ms: number;
  readonly lateness_p99_ms: number;
  /** Twin seconds per wall second over the last second. */
  readonly real_time_factor: number;
}

export interface Clock {
  readonly pace: Pace;
  readonly paused: boolean;
  /** Starts twin time; a stepped clock waits for `advance`. */
  start(loop: ClockedLoop): void;
  stop(): void;
  setPace(pace: Pace): void;
  setPaused(paused: boolean): void;
  /** Runs `ticks` now, at any pace, in slices so that sockets are served. */
  advance(ticks: number, until?: () => boolean): Promise<void>;
  statistics(): ClockStatistics;
}
