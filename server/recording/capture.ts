/**
 * Captures of an arm: its measured joints over time, from `armtwin record`, a recording of a twin,
 * or MCAP. This file holds the common form, the file format of `armtwin record` and its clock: the
 * time of a capture is that of the host's clock when the arm sent a message. SI units.
 */
import { JOINT_COUNT } from '../../physics/arm/arm-model.ts';

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

/** Resolution of the date in a reply (s). */
const DATE_STEP_S = 1;

/**
 * Bounds of the difference of the clocks that agree with every probe: the arm read its clock, which
 * shows whole seconds, between the sending of the call and its answer. No bounds when a clock was
 * set meanwhile.
 */
export function synchronise(probes: readonly Probe[], started_ms: number): ClockSync {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let round_trip_s = Number.POSITIVE_INFINITY;
  for (const { t, back, date } of probes) {
    const shown_s = (date - started_ms) / 1000;
    low = Math.max(low, shown_s - back);
    high = Math.min(high, shown_s + DATE_STEP_S - t);
    round_trip_s = Math.min(round_trip_s, back - t);
  }
  const ahead_s = low <= high && probes.length > 0 ? ([low, high] as const) : null;
  return { round_trip_s: probes.length > 0 ? round_trip_s : 0, ahead_s, probes: probes.length };
}

/** An angle beyond this is not one of this arm (rad). */
const ANGLE_MAX_RAD = 3.3;

/** Whether a value is six finite numbers. */
export function isSixNumbers(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.length === JOINT_COUNT &&
    value.every((each) => typeof each === 'number' && Number.isFinite(each))
  );
}

/** Throws unless `value` is six numbers that this arm can have. */
export function checkAngles(value: unknown, source: string, place: string): number[] {
  if (!isSixNumbers(value)) {
    const count = Array.isArray(value) ? value.length : 0;
    const reason =
      count === JOINT_COUNT
        ? 'has an angle that is not a number'
        : `has ${count} joints; this arm has ${JOINT_COUNT}`;
    throw new CaptureError(source, place, reason);
  }
  const joint = value.findIndex((angle) => Math.abs(angle) > ANGLE_MAX_RAD);
  if (joint < 0) return value;
  const reason = `joint ${joint} is at ${value[joint]} rad, where no joint of this arm can be`;
  throw new CaptureError(source, place, reason);
}

/** The largest share of the messages' distance by which they arrive late and still show a beat. */
const BEAT_SHARE = 0.5;
/** Messages further apart than this many beats are of another motion. */
const BURST_BEATS = 6;

/**
 * The sending times of messages that arrive with jitter: within a burst they are sent at a steady
 * beat, and the earliest arrivals are the least delayed. Without a beat they stay as they are.
 */
export function steadyTimes(arrivals_s: Float64Array): {
  readonly t_s: Float64Array;
  readonly jitter_s: number;
  readonly beat_s: number;
} {
  const t_s = Float64Array.from(arrivals_s);
  const steps = Array.from(t_s.subarray(1), (t, i) => t - t_s[i]!).sort((a, b) => a - b);
  const beat_s = steps[steps.length >> 1] ?? 0;
  const late: number[] = [];
  let from = 0;
  for (let i = 1; i <= t_s.length; i++) {
    if (i < t_s.length && t_s[i]! - t_s[i - 1]! < BURST_BEATS * beat_s) continue;
    if (i - from >= 8) late.push(...steady(t_s.subarray(from, i), beat_s));
    from = i;
  }
  late.sort((a, b) => a - b);
  return { t_s, jitter_s: late[Math.floor(0.95 * late.length)] ?? 0, beat_s };
}

/** Puts the times of one burst on their beat; returns how late each message was. */
function steady(times: Float64Array, median_s: number): number[] {
  const count = times.length;
  const beats = new Float64Array(count);
  let beat_s = median_s;
  let late: number[] = [];
  let base = times[0]!;
  for (let round = 0; round < 3; round++) {
    for (let i = 1; i < count; i++) {
      const next = Math.round((times[i]! - base) / beat_s);
      beats[i] = Math.max(beats[i - 1]! + 1, next);
    }
    const span = beats[count - 1]!;
    const slope = slopeOf(beats, times);
    if (span > 20 && slope > 0) beat_s = slope;
    late = Array.from(times, (t, i) => t - beat_s * beats[i]!);
    base = [...late].sort((a, b) => a - b)[Math.floor(count / 10)]!;
  }
  late = late.map((each) => each - base);
  const sorted = [...late].sort((a, b) => a - b);
  const spread = sorted[Math.floor(0.9 * count)]! - sorted[Math.floor(0.1 * count)]!;
  if (spread > BEAT_SHARE * beat_s) return late.map(Math.abs);
  for (let i = 0; i < count; i++) times[i] = base + beat_s * beats[i]!;
  return late.map(Math.abs);
}

function slopeOf(x: Float64Array, y: Float64Array): number {
  const count = x.length;
  const [mx, my] = [x, y].map((each) => each.reduce((sum, value) => sum + value, 0) / count);
  let [top, bottom] = [0, 0];
  for (let i = 0; i < count; i++) {
    top += (x[i]! - mx!) * (y[i]! - my!);
    bottom += (x[i]! - mx!) * (x[i]! - mx!);
  }
  return bottom > 0 ? top / bottom : 0;
}

/** One sample of the six joints. */
export interface JointSample {
  readonly q: ArrayLike<number>;
  readonly rates: ArrayLike<number>;
  readonly torque?: ArrayLike<number> | undefined;
}

/** Growing columns of samples. */
export class Samples {
  readonly times: number[] = [];
  readonly q: number[] = [];
  readonly rates: number[] = [];
  readonly torque: number[] = [];

  /** Adds a sample; all of a capture have torques, or none. */
  add(t_s: number, { q, rates, torque }: JointSample): void {
    this.times.push(t_s);
    for (let j = 0; j < JOINT_COUNT; j++) {
      this.q.push(q[j]!);
      this.rates.push(rates[j]!);
      if (torque) this.torque.push(torque[j]!);
    }
  }

  columns(): Pick<Capture, 't_s' | 'q' | 'rates' | 'torque'> {
    const hasTorque = this.torque.length === this.q.length && this.q.length > 0;
    return {
      t_s: Float64Array.from(this.times),
      q: Float64Array.from(this.q),
      rates: Float64Array.from(this.rates),
      torque: hasTorque ? Float64Array.from(this.torque) : null,
    };
  }
}
