/** Encodes the motion of a run at regular times, for a recording. */
import type { RecordedMotion } from '../../../contract/export-document.ts';
import { base64 } from '../base64.ts';

/** The arm reports its pose at this period of its own time (s). */
export const POSE_PERIOD_S = 0.02;
/** Without a report for this long the arm stood (s). */
export const STOOD_S = 0.1;

/** A pose of the arm and its time. */
export interface RunSample {
  readonly at_s: number;
  readonly joints: readonly number[];
}

const samePose = (a: RunSample | undefined, b: RunSample) =>
  a?.joints.every((angle, j) => angle === b.joints[j]) === true;

/**
 * Samples in the order of their times, at least a report's period apart: late reports arrive in
 * bursts, the last of which is on time. A rest has a sample at either end.
 */
export function regularSamples(arrived: readonly RunSample[]): RunSample[] {
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
  const timed = late.reverse();
  const first_s = Math.min(timed[0]?.at_s ?? 0, 0);
  const rested = timed.flatMap((sample, i) => {
    const last = timed[i - 1];
    const stood = last && sample.at_s - last.at_s > STOOD_S && !samePose(last, sample);
    return stood ? [{ at_s: sample.at_s - POSE_PERIOD_S, joints: last.joints }, sample] : [sample];
  });
  return rested
    .filter((sample, i) => !samePose(rested[i - 1], sample) || !samePose(rested[i + 1], sample))
    .map(({ at_s, joints }) => ({ at_s: Number((at_s - first_s).toFixed(4)), joints }));
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
 * Encodes the samples of a run as they arrived; their times are stretched to the duration of the
 * run (s) where it is known.
 */
export function encodeMotion(
  arrived: readonly RunSample[],
  duration_s: number | null,
): RecordedMotion {
  const regular = regularSamples(arrived);
  const share = duration_s === null ? 1 : duration_s / regular.at(-1)!.at_s;
  const samples = regular.map(({ at_s, joints }) => ({ at_s: at_s * share, joints }));
  return {
    times_s: samples.map(({ at_s }) => Number(at_s.toFixed(4))),
    position_rad: base64(samples.flatMap(({ joints }) => joints)),
    velocity_rad_s: base64(velocitiesOf(samples)),
  };
}
