/**
 * Wall time; the only module of the server that reads it. Startup, sockets, pacing and timeouts
 * receive it as an argument; everything else runs on ticks.
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

/**
 * A date that counts on from that of the start. A change of the system's date neither shortens nor
 * lengthens what is measured with it, in one process.
 */
export function steadyDate(wall: Pick<WallClock, 'now_ms' | 'epoch_ms'>): () => number {
  const zero_ms = wall.epoch_ms() - wall.now_ms();
  return () => zero_ms + wall.now_ms();
}

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
