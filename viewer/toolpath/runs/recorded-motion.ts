/** Encodes the motion of a run at regular times, for a recording. */
import type { RecordedMotion } from '../../../contract/export-document.ts';
import { base64 } from '../base64.ts';

/** The arm reports its pose at this period of its own time (s). */
export const POSE_PERIOD_S = 0.02;
/** Without a report for this long the arm stood (s). */
export const STOOD_S = 0.1;

/** The page reads the pose of a resting arm more often than this (s). */
const SILENT_S = 0.5;
/** An arm that starts from rest comes less far than this before its first report (rad). */
const LEAP_RAD = 0.02;
/** An arm at rest is within this of its place, and one that goes on comes this part of its way. */
const STILL_RAD = 1e-3;
const WAY_SHARE = 0.3;

/** A pose of the arm and its time. */
export interface RunSample {
  readonly at_s: number;
  readonly joints: readonly number[];
}

const samePose = (a: RunSample | undefined, b: RunSample) =>
  a?.joints.every((angle, j) => angle === b.joints[j]) === true;

const leap_rad = (a: RunSample, b: RunSample) =>
  Math.max(...b.joints.map((angle, j) => Math.abs(angle - a.joints[j]!)));

/**
 * How far the arm would have come by a time if it had gone on as before (rad); zero where it stood,
 * or where nothing was heard of it before.
 */
function wayOn_rad(before: RunSample | undefined, last: RunSample, until_s: number): number {
  if (!before || last.at_s - before.at_s > STOOD_S) return 0;
  const rate_rad_s = leap_rad(before, last) / (last.at_s - before.at_s);
  return rate_rad_s * (until_s - last.at_s);
}

/**
 * Whether nothing was heard of the arm before a sample: a silence that no rest explains. What the arm
 * did meanwhile is unknown, and neither a rest nor a motion. `pace` is that of its clock.
 */
function isUnheardBefore(timed: readonly RunSample[], i: number, pace: number): boolean {
  const [last, sample] = [timed[i - 1], timed[i]!];
  if (!last) return false;
  const silence_s = sample.at_s - last.at_s;
  if (silence_s > SILENT_S * pace) return true;
  if (silence_s <= STOOD_S * pace) return false;
  const leap = leap_rad(last, sample);
  const way = wayOn_rad(timed[i - 2], last, sample.at_s);
  // An arm that comes to rest has become slow before; one that goes on comes as far as it would.
  return leap > LEAP_RAD || (way > STILL_RAD && leap > WAY_SHARE * way);
}

/**
 * The reports of an arm in the order of their times, at least a report's period apart: late ones
 * arrive in bursts, the last of which is on time.
 */
function timedReports(arrived: readonly RunSample[]): RunSample[] {
  const late: RunSample[] = [];
  let before_s = Number.POSITIVE_INFINITY;
  // A repeated pose is no report: the page also reads the pose without one.
  const reports = arrived.filter((sample, i) => {
    const last = arrived[i - 1];
    return !last || !samePose(last, sample) || sample.at_s - last.at_s > STOOD_S;
  });
  for (const { at_s, joints } of reports.reverse()) {
    before_s = Math.min(at_s, before_s - POSE_PERIOD_S);
    late.push({ at_s: before_s, joints });
  }
  return late.reverse();
}

/** A time of a run that begins with its first sample; whole tenths of milliseconds (s). */
const sinceFirst = (timed: readonly RunSample[]) => {
  const first_s = Math.min(timed[0]?.at_s ?? 0, 0);
  return (at_s: number) => Number((at_s - first_s).toFixed(4));
};

/** The spans in which nothing was heard of an arm (s), by the samples as they arrived. */
export function unheardSpans(
  arrived: readonly RunSample[],
  pace = 1,
): (readonly [from: number, to: number])[] {
  const timed = timedReports(arrived);
  const time = sinceFirst(timed);
  return timed.flatMap((sample, i) => {
    if (!isUnheardBefore(timed, i, pace)) return [];
    return [[time(timed[i - 1]!.at_s), time(sample.at_s)] as const];
  });
}

/** Samples in the order of their times. A rest has a sample at either end; a silence is none. */
export function regularSamples(arrived: readonly RunSample[], pace = 1): RunSample[] {
  const timed = timedReports(arrived);
  const time = sinceFirst(timed);
  const rested = timed.flatMap((sample, i) => {
    const last = timed[i - 1];
    const stood = last && sample.at_s - last.at_s > STOOD_S && !samePose(last, sample);
    if (!stood || isUnheardBefore(timed, i, pace)) return [sample];
    return [{ at_s: sample.at_s - POSE_PERIOD_S, joints: last.joints }, sample];
  });
  return rested
    .filter((sample, i) => !samePose(rested[i - 1], sample) || !samePose(rested[i + 1], sample))
    .map(({ at_s, joints }) => ({ at_s: time(at_s), joints }));
}

/** Joint velocities at each sample, from its neighbours (rad/s). */
function velocitiesOf(samples: readonly RunSample[]): number[] {
  return samples.flatMap((sample, i) => {
    const [before, after] = [samples[i - 1] ?? sample, samples[i + 1] ?? sample];
    const span_s = after.at_s - before.at_s;
    const rests = samePose(before, sample) || samePose(after, sample);
    return sample.joints.map((_, j) =>
      rests ? 0 : (after.joints[j]! - before.joints[j]!) / span_s,
    );
  });
}

/**
 * Encodes the samples of a run as they arrived, at the pace of the arm's clock; their times are
 * stretched to the duration of the run (s) where it is known.
 */
export function encodeMotion(
  arrived: readonly RunSample[],
  duration_s: number | null,
  pace = 1,
): RecordedMotion {
  const regular = regularSamples(arrived, pace);
  const share = duration_s === null ? 1 : duration_s / regular.at(-1)!.at_s;
  const samples = regular.map(({ at_s, joints }) => ({ at_s: at_s * share, joints }));
  const unheard = unheardSpans(arrived, pace).map(([from, to]) => {
    return [Number((from * share).toFixed(4)), Number((to * share).toFixed(4))] as const;
  });
  return {
    ...(unheard.length > 0 && { unheard_s: unheard }),
    times_s: samples.map(({ at_s }) => Number(at_s.toFixed(4))),
    position_rad: base64(samples.flatMap(({ joints }) => joints)),
    velocity_rad_s: base64(velocitiesOf(samples)),
  };
}
