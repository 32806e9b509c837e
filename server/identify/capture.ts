/** A capture of an arm: its measured joints over time. SI units. */

/** Time series of an arm. */
export interface Capture {
  /** The file. */
  readonly source: string;
  readonly kind: 'stream' | 'snapshots' | 'recording' | 'mcap';
  /** Name of the robot; null where the file does not state it. */
  readonly robot: string | null;
  /** Time of each sample (s), rising. */
  readonly t_s: Float64Array;
  /** Six angles (rad) and rates (rad/s) a sample. */
  readonly q: Float64Array;
  readonly rates: Float64Array;
  /** Six motor torques (N m) a sample; null where the arm does not report them. */
  readonly torque: Float64Array | null;
  /** Changes of the robot's state. */
  readonly states: readonly { readonly t_s: number; readonly state: string }[];
  /** What is missing, and other remarks for the report. */
  readonly notes: readonly string[];
}

/** An error of a capture, with file, place and reason. */
export class CaptureError extends Error {
  constructor(source: string, place: string, reason: string) {
    super(`${source}: ${place}${reason}`);
  }
}
