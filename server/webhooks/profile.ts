/** How patient deliveries are: time-outs and the times of their attempts (facts: delivery). */

export type ProfileName = 'ci' | 'standard' | 'off';

export interface Profile {
  readonly timeout_ms: number;
  /** Wait before each attempt (ms), counted from the one before. */
  readonly waits_ms: readonly number[];
  /** Share by which a wait is lengthened at random. */
  readonly jitter: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export const PROFILES: { readonly [Name in Exclude<ProfileName, 'off'>]: Profile } = {
  // Attempts at 0, 1, 2, 5, 10 and 30 s.
  ci: {
    timeout_ms: 5 * SECOND_MS,
    waits_ms: [0, 1, 1, 3, 5, 20].map((seconds) => seconds * SECOND_MS),
    jitter: 0,
  },
  standard: {
    timeout_ms: 15 * SECOND_MS,
    waits_ms: [
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
    ],
    jitter: 0.1,
  },
};
