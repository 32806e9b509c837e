/**
 * The file format of `armtwin record`, one JSON text per line. The time of a capture is that of
 * the host's clock when the arm sent a message. SI units.
 */

export const CAPTURE_FORMAT = 1;

/** The first line of a capture file. */
export interface CaptureHead {
  readonly kind: 'head';
  readonly armtwin_capture: typeof CAPTURE_FORMAT;
  readonly arm: string;
  readonly robot: string;
  readonly url: string;
  readonly method: 'stream' | 'snapshots';
  /** Date of time 0. */
  readonly started: string;
  /** Pace of the arm's time: 1 for a real arm, the clock of a twin. */
  readonly clock: number;
}

/** The lines after it; `t` is the time since the start by the host's clock (s). */
export type CaptureLine =
  | { readonly kind: 'snapshot'; readonly t: number; readonly sections: Sections }
  | { readonly kind: 'change'; readonly t: number; readonly sections: Sections }
  /** A call that measures the clock: sent, answered, and the date of the answer (ms). */
  | { readonly kind: 'probe'; readonly t: number; readonly back: number; readonly date: number }
  | { readonly kind: 'lost'; readonly t: number; readonly until: number; readonly why: string }
  | ({ readonly kind: 'end'; readonly t: number } & ClockSync);

export type Sections = Readonly<Record<string, unknown>>;

/** How well the clocks of arm and host are known. */
export interface ClockSync {
  /** Shortest time of a call (s); half of it is the delay of a message. */
  readonly round_trip_s: number;
  /** The arm's clock minus the host's (s): bounds at the middle of the capture. */
  readonly ahead_s: readonly [number, number] | null;
  readonly probes: number;
}

/** A call that measured the clocks. */
export type Probe = Extract<CaptureLine, { readonly kind: 'probe' }>;
