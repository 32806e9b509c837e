/**
 * The wall clock of the servo bus: servos reply in real milliseconds, whatever clock the twin runs
 * on. Tests pass a stepped clock.
 */

export interface BusClock {
  /** Monotonic milliseconds. */
  now_ms(): number;
  /** Calls back once after `delay_ms`; returns a function that cancels the call. */
  after(delay_ms: number, callback: () => void): () => void;
}

/** The clock of the machine; pending calls keep the process alive, as a stop of the arm awaits. */
export const systemBusClock: BusClock = {
  now_ms: () => performance.now(),
  after(delay_ms, callback) {
    const timer = setTimeout(callback, delay_ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delay_ms`. */
export function delay(clock: BusClock, delay_ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delay_ms, resolve);
  });
}
