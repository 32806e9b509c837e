/**
 * Wall time as the bus needs it: a servo answers in real milliseconds whatever clock the twin runs
 * on. It stands apart so that tests hand in a clock that they step.
 */

export interface BusClock {
  /** Monotonic milliseconds. */
  now_ms(): number;
  /** Calls back once after `delay_ms`; answers how to cancel that, harmless when it has run. */
  after(delay_ms: number, callback: () => void): () => void;
}

/** The machine's own clock; what waits on it does not keep the process alive. */
export const systemBusClock: BusClock = {
  now_ms: () => performance.now(),
  after(delay_ms, callback) {
    const timer = setTimeout(callback, delay_ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delay_ms`. */
export function pause(clock: BusClock, delay_ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delay_ms, resolve);
  });
}
