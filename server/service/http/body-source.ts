/** Where the body of a request comes from, and the limits on it. */
import type { Refusal } from '../../../contract/refusal.ts';
import type { WallClock } from '../../clock/wall-clock.ts';

/** Limits on the size of a body and on the time to receive it. */
export interface BodyBounds {
  readonly limit_bytes: number;
  /** Bytes from the start that are kept; all others are counted and dropped. */
  readonly kept_bytes: number;
  readonly limit_s: number;
  readonly wall: WallClock;
  /** How long no more of a large body is to be received after these bytes of it (ms). */
  readonly pause_ms: (bytes: number) => number;
}

export interface BodySource {
  /** Receives the body: its kept bytes in pieces, at least one. Called once. */
  readBody(bounds: BodyBounds): Promise<readonly Buffer[] | Refusal>;
}
