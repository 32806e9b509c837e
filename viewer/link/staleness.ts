/**
 * Knows how old the newest word from the robot is. Stale means: no message and no snapshot reply
 * for 500 ms of shown time; while the page is hidden the clock stands. Pure: time is an argument.
 */

export const STALE_AFTER_MS = 500;

export interface Staleness {
  /** Something arrived from the robot. */
  heard(now_ms: number): void;
  /** The page was hidden or shown again. */
  setHidden(hidden: boolean, now_ms: number): void;
  /** Age of the newest word in shown time; infinite before the first. */
  age_ms(now_ms: number): number;
  isStale(now_ms: number): boolean;
}

/** Begins stale: nothing has been heard yet. */
export function createStaleness(): Staleness {
  let heard_ms = Number.NEGATIVE_INFINITY;
  let hidden_ms: number | null = null;
  const age_ms = (now_ms: number) => (hidden_ms ?? now_ms) - heard_ms;
  return {
    heard(now_ms) {
      heard_ms = now_ms;
      if (hidden_ms !== null) hidden_ms = now_ms;
    },
    setHidden(hidden, now_ms) {
      if (hidden) hidden_ms ??= now_ms;
      else if (hidden_ms !== null) {
        heard_ms += now_ms - hidden_ms;
        hidden_ms = null;
      }
    },
    age_ms,
    isStale: (now_ms) => age_ms(now_ms) > STALE_AFTER_MS,
  };
}
