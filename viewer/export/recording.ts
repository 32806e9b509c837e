/**
 * Encodes the motion of a run, and decodes a recording into a timed path of alternating motion and
 * rest segments, so that the page plays, plots and draws it like a planned toolpath.
 */
import type {
  RecordedCellChange,
  RecordedMotion,
  RecordingDocument,
} from '../../contract/export-document.ts';
import { createTool } from '../../physics/kinematics/forward.ts';
import type { JointPath } from '../../physics/motion/segment.ts';
import type { CellView } from '../link/arm-store.ts';
import { cellOf, mergeCell } from '../link/sim-link.ts';
import type { OpenedToolpath } from '../toolpath/build-queue.ts';
import { samplePathSegments, type TimedPath, type TimedSegment } from '../toolpath/timed-path.ts';

const JOINTS = 6;

/** Decodes base64 text of 32-bit little-endian floats; six numbers per sample. */
function decodeFloats(base64: string): Float64Array {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float64Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

interface JointMotion {
  readonly times_s: readonly number[];
  readonly joints: Float64Array;
  readonly velocities: Float64Array;
}

function decodeMotion({ times_s, position_rad, velocity_rad_s }: RecordedMotion): JointMotion {
  return { times_s, joints: decodeFloats(position_rad), velocities: decodeFloats(velocity_rad_s) };
}

/** The joint angles of each sample (rad). */
export function decodeJoints({ position_rad }: RecordedMotion): { joints: Float64Array }[] {
  const all = decodeFloats(position_rad);
  return Array.from({ length: all.length / JOINTS }, (_, i) => ({
    joints: all.subarray(JOINTS * i, JOINTS * (i + 1)),
  }));
}

/**
 * The samples `first` to `last` as a path through the recorded angles with the recorded velocities.
 * The accelerations are finite differences of the velocities.
 */
function pathOf(
  { times_s, joints, velocities }: JointMotion,
  first: number,
  last: number,
): JointPath {
  const start_s = times_s[first]!;
  const duration_s = times_s[last]! - start_s;
  const cut = (numbers: Float64Array) => numbers.slice(JOINTS * first, JOINTS * (last + 1));
  const rates = cut(velocities);
  const accelerations = rates.map((_, at) => {
    const sample = Math.floor(at / JOINTS);
    const [before, after] = [Math.max(sample - 1, 0), Math.min(sample + 1, last - first)];
    const joint = at % JOINTS;
    const change = rates[JOINTS * after + joint]! - rates[JOINTS * before + joint]!;
    return change / (times_s[first + after]! - times_s[first + before]!);
  });
  return {
    kind: 'table',
    s: Float64Array.from(times_s.slice(first, last + 1), (t_s) => (t_s - start_s) / duration_s),
    q: cut(joints),
    q1: rates.map((rate) => rate * duration_s),
    q2: accelerations.map((rate) => rate * duration_s * duration_s),
    q3_left: new Float64Array(rates.length),
    q3_right: new Float64Array(rates.length),
  };
}

/** Below this speed a joint is at rest (rad/s). */
const REST_RAD_S = 1e-3;

function movesAt({ velocities }: JointMotion, sample: number): boolean {
  const joints = velocities.subarray(JOINTS * sample, JOINTS * (sample + 1));
  return joints.some((velocity) => Math.abs(velocity) > REST_RAD_S);
}

/** Whether the arm moves between a sample and the next. */
function movesAfter(motion: JointMotion, sample: number): boolean {
  return movesAt(motion, sample) || movesAt(motion, sample + 1);
}

function segmentOf(motion: JointMotion, first: number, last: number): TimedSegment {
  const moving = movesAfter(motion, first);
  const start_s = motion.times_s[first]!;
  const duration_s = motion.times_s[last]! - start_s;
  return {
    at: '',
    calls: [],
    cell: [],
    kind: moving ? 'joint_space' : 'wait',
    start_s,
    duration_s,
    path: pathOf(motion, first, last),
    profile: {
      duration_s,
      knots_s: Float64Array.of(0, duration_s),
      coefficients: Float64Array.of(0, 1 / duration_s, 0, 0),
    },
    problem: null,
  };
}

/** Segments of motion and of rest, in turn. */
function segmentsOf(motion: JointMotion): TimedSegment[] {
  const segments: TimedSegment[] = [];
  let first = 0;
  for (let sample = 1; sample < motion.times_s.length; sample++) {
    const moving = movesAfter(motion, first);
    const last = sample === motion.times_s.length - 1;
    if (!last && movesAt(motion, sample) === moving) continue;
    segments.push(segmentOf(motion, first, sample));
    first = sample;
  }
  return segments;
}

/** A recording as the page shows it. */
export interface ShownRecording {
  readonly path: TimedPath;
  /** Tool and zones as a toolpath without steps; null if no toolpath was loaded. */
  readonly opened: OpenedToolpath | null;
}

/** Decodes the recording of a document. */
export function decodeRecording({ motion: recorded, metadata }: RecordingDocument): ShownRecording {
  const motion = decodeMotion(recorded);
  const segments = segmentsOf(motion);
  const samples = samplePathSegments(segments, createTool(metadata?.tcp_config));
  const path = { choices: {}, duration_s: motion.times_s.at(-1) ?? 0, segments, samples };
  if (!metadata) return { path, opened: null };
  const toolpath = { metadata, timeline: [], waypoints: [] };
  return { path, opened: { kind: 'opened', toolpath, notes: [], findings: [], path, took_ms: 0 } };
}

/** The cell of a recording at a time (s); times mostly ascend. */
export function createCellAt(
  changes: readonly RecordedCellChange[],
): (time_s: number) => CellView | null {
  let next = 0;
  let view: CellView | null = null;
  return (time_s) => {
    const last = changes[next - 1];
    if (last && last.at_s > time_s) {
      next = 0;
      view = null;
    }
    for (; next < changes.length && changes[next]!.at_s <= time_s + 1e-9; next++) {
      const { cell, state } = changes[next]!;
      if (cell !== undefined) view = cell && cellOf(cell, null);
      if (state) view = mergeCell(view, state);
    }
    return view;
  };
}

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

function base64(numbers: readonly number[]): string {
  const bytes = new DataView(new ArrayBuffer(4 * numbers.length));
  for (const [i, value] of numbers.entries()) bytes.setFloat32(4 * i, value, true);
  const letters = Array.from(new Uint8Array(bytes.buffer), (byte) => String.fromCharCode(byte));
  return btoa(letters.join(''));
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
