/** Moments in Foxglove's messages. */

/** A moment of Foxglove's messages. */
export interface Stamp {
  readonly sec: number;
  readonly nsec: number;
}

/** A moment as nanoseconds since 1970, from milliseconds. */
export function nanosecondsOf(epoch_ms: number): bigint {
  return BigInt(Math.round(epoch_ms * 1000)) * 1000n;
}

/** A moment from milliseconds since 1970. */
export function stampOf(epoch_ms: number): Stamp {
  const microseconds = Math.round(epoch_ms * 1000);
  const sec = Math.floor(microseconds / 1e6);
  return { sec, nsec: (microseconds - sec * 1e6) * 1000 };
}
