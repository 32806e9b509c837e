/**
 * The clock port: it decides when ticks happen. Motion, lock, sessions, schedule and waits depend
 * on the tick count only; the pace never changes a result, only when it is available.
 */

import type { ClockStatistics } from './tick-lateness.ts';
import type { Cancel } from './wall-clock.ts';

/** The loop that a clock drives. */
export interface ClockedLoop {
  readonly tick: number;
  /** How often the time was set back. */
  readonly setbacks: number;
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

/** A change of the clock; what is absent stays. */
export type ClockChange = {
  readonly pace?: Pace | undefined;
  readonly paused?: boolean | undefined;
};

export interface Clock {
  readonly pace: Pace;
  readonly paused: boolean;
  /** True while twin time runs faster than wall time by itself, not because of `advance`. */
  readonly outrunsWall: boolean;
  /** Starts twin time; a stepped clock waits for `advance`. */
  start(loop: ClockedLoop): void;
  stop(): void;
  setPace(pace: Pace): void;
  setPaused(paused: boolean): void;
  /** Changes pace and pause together: no tick passes with one of them alone. */
  set(change: ClockChange): void;
  /**
   * Runs `ticks` now, at any pace, in slices so that sockets are served. Resolves early when the
   * clock stops or its time is set back; rejects with what a tick threw or `fail` was given.
   */
  advance(ticks: number, until?: () => boolean): Promise<void>;
  /** Calls back while time passes by `advance` alone: now, or once stepped or paused. */
  whileHeld(callback: () => void): Cancel;
  /** Ends the `advance` in progress with a failure; without one, it goes to the process. */
  fail(failure: Error): void;
  statistics(): ClockStatistics;
}
