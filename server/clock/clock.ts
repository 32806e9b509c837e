/**
 * The clock port: who decides when ticks happen. Motion, lock, sessions, schedule and waits know
 * only the tick count; a clock's pace never changes a result, only how soon it comes.
 */

/** What a clock drives: the loop. */
export interface Ticking {
  readonly tick: number;
  /** True when the arm rests and no run is on: time may pass without being worked through. */
  readonly idle: boolean;
  /** Runs ticks up to `target`, jumping over idle time when `jump` is set; returns early once
   * `stop()` says so. */
  runTo(target: number, options: { readonly jump: boolean; readonly stop: () => boolean }): void;
}

/** How fast twin time passes against wall time. */
export type Pace =
  | { readonly kind: 'scaled'; readonly factor: number }
  | { readonly kind: 'max' }
  | { readonly kind: 'stepped' };

/** As in the X-Armtwin header and on the command line: 1, 10, max, stepped. */
export function paceName(pace: Pace): string {
  return pace.kind === 'scaled' ? String(pace.factor) : pace.kind;
}

/** Figures of the real-time loop, for /metrics and /sim/v1. */
export interface ClockFigures {
  readonly lateness_p50_ms: number;
  readonly lateness_p99_ms: number;
  /** Twin seconds per wall second over the last second. */
  readonly real_time_factor: number;
}

export interface Clock {
  readonly pace: Pace;
  readonly paused: boolean;
  /** Starts the passing of time (a stepped clock waits for `advance`). */
  start(loop: Ticking): void;
  stop(): void;
  setPace(pace: Pace): void;
  setPaused(paused: boolean): void;
  /** Lets `ticks` pass now, whatever the pace, in slices that leave sockets alive. */
  advance(ticks: number, until?: () => boolean): Promise<void>;
  figures(): ClockFigures;
}
