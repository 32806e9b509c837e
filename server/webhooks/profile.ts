/** How patient deliveries are: time-outs and the times of their attempts (facts: delivery). */

export type ProfileName = 'ci' | 'standard' | 'off';

export interface Profile {
  readonly timeout_ms: number;
  /** When each attempt is made (ms after the first), or once the one before has failed. */
  readonly at_ms: readonly number[];
  /** Share by which such a time is put off at random. */
  readonly jitter: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Times from the waits between them. */
function oneAfterTheOther(waits_ms: readonly number[]): number[] {
  let at_ms = 0;
  return waits_ms.map((wait_ms) => {
    at_ms += wait_ms;
    return at_ms;
  });
}

export const PROFILES: { readonly [Name in Exclude<ProfileName, 'off'>]: Profile } = {
  ci: {
    timeout_ms: 5 * SECOND_MS,
    at_ms: [0, 1, 2, 5, 10, 30].map((seconds) => seconds * SECOND_MS),
    jitter: 0,
  },
  standard: {
    timeout_ms: 15 * SECOND_MS,
    at_ms: oneAfterTheOther([
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
  },
};
