/**
 * The clock port: it decides when ticks happen. Motion, lock, sessions, schedule and waits depend
 * on the tick count only; the pace never changes a result, only when it is available. Also: wall
 * time; no other module of the server reads it.
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

/**
 * Wall time; the only module that reads it. Startup, sockets, pacing and timeouts receive it as an
 * argument; everything else runs on ticks.
 */

/** Cancels a scheduled callback; has no effect after it ran. */
export type Cancel = () => void;

export interface WallClock {
  /** Monotonic milliseconds; immune to changes of the system's date. */
  now_ms(): number;
  /** Date and time as milliseconds since 1970 (UTC). */
  epoch_ms(): number;
  /** Calls back once after `delay_ms`; keeps the process alive until then. */
  after(delay_ms: number, callback: () => void): Cancel;
  /** As `after`, without keeping the process alive. */
  afterUnreferenced(delay_ms: number, callback: () => void): Cancel;
  /** Calls back once the event loop has served its sockets. */
  soon(callback: () => void): Cancel;
}

/** As they are at start: tests that fake the timers of their process must not stop a twin in it. */
const { setTimeout, clearTimeout, setImmediate, clearImmediate } = globalThis;
const monotonic_ms = performance.now.bind(performance);

/** The machine's own clock. */
export const systemClock: WallClock = {
  now_ms: monotonic_ms,
  epoch_ms: () => Date.now(),
  after(delay_ms, callback) {
    const timer = setTimeout(callback, delay_ms);
    return () => clearTimeout(timer);
  },
  afterUnreferenced(delay_ms, callback) {
    const timer = setTimeout(callback, delay_ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  soon(callback) {
    const handle = setImmediate(callback);
    return () => clearImmediate(handle);
  },
};

/** Resolves after `delay_ms` of wall time. */
export function wait(clock: WallClock, delay_ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delay_ms, resolve);
  });
}

/** As `wait`, without keeping the process alive. */
export function waitUnreferenced(clock: WallClock, delay_ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.afterUnreferenced(delay_ms, resolve);
  });
}
