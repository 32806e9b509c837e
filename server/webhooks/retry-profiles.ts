/** The retry profiles: timeouts and the attempt schedule (docs/decisions). */

export type RetryProfileName = 'ci' | 'standard' | 'off';

export interface RetryProfile {
  readonly timeout_ms: number;
  /** Earliest start of each attempt (ms after the first); never before the previous one failed. */
  readonly at_ms: readonly number[];
  /** Largest random delay, as a share of the start time. */
  readonly jitter: number;
  /** Wait between attempts to reach a receiver that refuses connections, at most (ms). */
  readonly parked_ms: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Start times from the waits between attempts. */
function cumulative(waits_ms: readonly number[]): number[] {
  let at_ms = 0;
  return waits_ms.map((wait_ms) => {
    at_ms += wait_ms;
    return at_ms;
  });
}

export const RETRY_PROFILES: { readonly [Name in Exclude<RetryProfileName, 'off'>]: RetryProfile } =
  {
    ci: {
      timeout_ms: 5 * SECOND_MS,
      at_ms: [0, 1, 2, 5, 10, 30].map((seconds) => seconds * SECOND_MS),
      jitter: 0,
      parked_ms: 5 * SECOND_MS,
    },
    standard: {
      timeout_ms: 15 * SECOND_MS,
      at_ms: cumulative([
        0,
        5 * SECOND_MS,
        5 * MINUTE_MS,
        30 * MINUTE_MS,
        2 * HOUR_MS,
        5 * HOUR_MS,
        10 * HOUR_MS,
        14 * HOUR_MS,
        20 * HOUR_MS,
        24 * HOUR_MS,
      ]),
      jitter: 0.1,
      parked_ms: 5 * MINUTE_MS,
    },
  };
