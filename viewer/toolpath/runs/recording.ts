/**
 * Decodes a recording into a timed path of alternating motion and rest segments, so that the page
 * plays, plots and draws it like a planned toolpath.
 */
import type { RecordedMotion, RecordingDocument } from '../../../contract/export-document.ts';
import { JOINT_COUNT } from '../../../physics/arm/arm-model.ts';
import { createTool } from '../../../physics/kinematics/tool.ts';
import type { JointPath } from '../../../physics/motion/joint-path.ts';
import type { OpenedToolpath } from '../build-messages.ts';
import { samplePathSegments } from '../path-samples.ts';
import type { TimedPath, TimedSegment } from '../timed-path.ts';

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

/** The joint angles (rad) of each sample, and its time (s). */
export function decodeSamples({
  times_s,
  position_rad,
}: RecordedMotion): { at_s: number; joints: Float64Array }[] {
  const all = decodeFloats(position_rad);
  return times_s.map((at_s, i) => ({
    at_s,
    joints: all.subarray(JOINT_COUNT * i, JOINT_COUNT * (i + 1)),
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
  const cut = (numbers: Float64Array) =>
    numbers.slice(JOINT_COUNT * first, JOINT_COUNT * (last + 1));
  const rates = cut(velocities);
  const accelerations = rates.map((_, at) => {
    const sample = Math.floor(at / JOINT_COUNT);
    const [before, after] = [Math.max(sample - 1, 0), Math.min(sample + 1, last - first)];
    const joint = at % JOINT_COUNT;
    const change = rates[JOINT_COUNT * after + joint]! - rates[JOINT_COUNT * before + joint]!;
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
  const joints = velocities.subarray(JOINT_COUNT * sample, JOINT_COUNT * (sample + 1));
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
  const unheard = recorded.unheard_s ?? [];
  const duration_s = motion.times_s.at(-1) ?? 0;
  const path = { choices: {}, duration_s, segments, samples, unheard };
  if (!metadata) return { path, opened: null };
  const toolpath = { metadata, timeline: [], waypoints: [] };
  return {
    path,
    opened: {
      kind: 'opened',
      toolpath,
      notes: [],
      findings: [],
      checkedAgainst: [],
      path,
      took_ms: 0,
    },
  };
}
