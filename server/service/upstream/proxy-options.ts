import type { WallClock } from '../../clock/wall-clock.ts';

export interface UpstreamProxyOptions {
  /** Base URL of the arm, without a trailing slash. */
  readonly upstream: URL;
  readonly wall: WallClock;
  /** The X-Armtwin header for replies without one. */
  readonly banner: string;
  /** The entry of this proxy in Via. */
  readonly id: string;
}
