/**
 * Captures of an arm: its measured joints over time, from `armtwin record`, a recording of a twin,
 * or MCAP. This file holds the common form, the file format of `armtwin record` and its clock: the
 * time of a capture is that of the host's clock when the arm sent a message. SI units.
 */
import { JOINT_COUNT, jointName } from '../../physics/arm/arm-model.ts';

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
 * Time between two measurements of the clocks (ms): the golden section of the step of dates, so
 * that each one falls into the largest gap between the phases of those before.
 */
export const PROBE_MS = 618;

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

/** What was recorded and lost, and how well the clocks are known, as lines of text. */
export function captureSummary(
  { samples, lost_s }: { readonly samples: number; readonly lost_s: number },
  {
    duration_s,
    ahead_s,
    round_trip_s,
  }: Omit<ClockSync, 'probes'> & { readonly duration_s: number },
): string {
  const milliseconds = (seconds: number) => `${(1000 * seconds).toFixed(1)} ms`;
  const middle_s = ahead_s ? (ahead_s[0] + ahead_s[1]) / 2 : 0;
  const clock = ahead_s
    ? `${middle_s.toFixed(3)} s ± ${milliseconds(ahead_s[1] - middle_s)}`
    : 'not known: a clock was set, or the arm sends no date';
  return [
    `recorded ${samples} samples in ${duration_s.toFixed(1)} s`,
    `lost     ${lost_s.toFixed(2)} s`,
    `clock    of the arm ahead by ${clock}; shortest call ${milliseconds(round_trip_s)}`,
  ].join('\n');
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
  const reason = `${jointName(joint)} is at ${value[joint]} rad, where no joint of this arm can be`;
  throw new CaptureError(source, place, reason);
}

/** Whether a change of a section waits for the stream's next beat; others are sent at once. */
export const isOnBeat = (section: string) =>
  section.startsWith('servos.telemetry.') || section === 'global.inputs';

/** Messages that are late by less than this share of the beat show its length. */
const BEAT_SHARE = 0.5;
/** Half of the messages are less late than this share of the beat, or there is no beat. */
const STEADY_SHARE = 0.25;
/** Messages over which the beat is measured, and those along which it is then refined first. */
const BEAT_SPANS = [1, 8, 32, 128];
const FIRST_PART = 64;
/** Fewest messages that show a slope. */
const SLOPE_MIN = 12;
/** Messages further apart than this many beats are of another motion. */
const BURST_BEATS = 6;

/**
 * The sending times of messages that arrive with jitter: within a burst they are sent at a steady
 * beat, and the earliest arrivals are the least delayed. Without a beat they stay as they are.
 * Messages that were sent at once, between two beats, keep their arrival as far as the order of
 * all messages allows; `atOnce` holds their places, ascending.
 */
export function steadyTimes(
  arrivals_s: Float64Array,
  atOnce: readonly number[] = [],
): { readonly t_s: Float64Array; readonly jitter_s: number; readonly beat_s: number } {
  const between = new Set(atOnce);
  const steadied = steadyBeats(arrivals_s.filter((_, i) => !between.has(i)));
  const t_s = Float64Array.from(arrivals_s);
  let next = 0;
  for (let i = 0; i < t_s.length; i++) {
    const least = t_s[i - 1] ?? Number.NEGATIVE_INFINITY;
    const most = steadied.t_s[next] ?? Number.POSITIVE_INFINITY;
    t_s[i] = between.has(i) ? Math.min(Math.max(t_s[i]!, least), most) : steadied.t_s[next++]!;
  }
  return { ...steadied, t_s };
}

function steadyBeats(t_s: Float64Array) {
  const beat_s = beatOf(t_s);
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

/**
 * The usual distance of two messages (s). That of neighbours depends on how they are sent and
 * held back; over many messages that averages out. Longer distances hold the ends of bursts.
 */
function beatOf(times: Float64Array): number {
  let beat_s = 0;
  for (const span of BEAT_SPANS) {
    const rows = Array.from(times.subarray(span), (t, i) => (t - times[i]!) / span);
    const inside = rows.filter((row) => beat_s === 0 || row < (1 + 2 / span) * beat_s);
    if (inside.length < SLOPE_MIN && beat_s > 0) break;
    beat_s = inside.sort((a, b) => a - b)[inside.length >> 1] ?? 0;
  }
  return beat_s;
}

/** Puts the times of one burst on their beat; returns how late each message was. */
function steady(times: Float64Array, usual_s: number): number[] {
  const count = times.length;
  const beats = new Float64Array(count);
  let beat_s = usual_s;
  let base = times[0]!;
  let late: number[] = [];
  const parts = [count, count];
  for (let part = FIRST_PART; part < count; part *= 2) parts.splice(-2, 0, part);
  for (const part of parts) {
    // From the end: of messages that arrive together all but the last are late.
    for (let i = part - 1; i >= 0; i--) {
      const own = Math.round((times[i]! - base) / beat_s);
      beats[i] = i === part - 1 ? own : Math.min(beats[i + 1]! - 1, own);
    }
    late = Array.from(times.subarray(0, part), (t, i) => t - beat_s * beats[i]!);
    base = tenth(late);
    const limit_s = base + BEAT_SHARE * beat_s;
    const slope = slopeOf(beats, times, (i) => i < part && late[i]! < limit_s);
    if (slope === null) continue;
    beat_s = slope;
    late = Array.from(times.subarray(0, part), (t, i) => t - beat_s * beats[i]!);
    base = tenth(late);
  }
  late = late.map((each) => each - base);
  const sorted = [...late].sort((a, b) => a - b);
  // Messages without a beat would be late by any share of it.
  const spread = sorted[Math.floor(0.5 * count)]! - sorted[Math.floor(0.1 * count)]!;
  if (spread > STEADY_SHARE * beat_s) return late.map(Math.abs);
  for (let i = 0; i < count; i++) times[i] = base + beat_s * beats[i]!;
  return late.map(Math.abs);
}

/** The value that a tenth of the values are below. */
function tenth(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 10)]!;
}

/** Slope of the points that count; null where they are too few or too close. */
function slopeOf(
  x: Float64Array,
  y: Float64Array,
  counts: (index: number) => boolean,
): number | null {
  const points = Array.from(x, (_, i) => i).filter(counts);
  const mean = (values: Float64Array) =>
    points.reduce((sum, i) => sum + values[i]!, 0) / points.length;
  const [mx, my] = [mean(x), mean(y)];
  let [top, bottom] = [0, 0];
  for (const i of points) {
    top += (x[i]! - mx) * (y[i]! - my);
    bottom += (x[i]! - mx) * (x[i]! - mx);
  }
  return points.length < SLOPE_MIN || bottom === 0 || top <= 0 ? null : top / bottom;
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
