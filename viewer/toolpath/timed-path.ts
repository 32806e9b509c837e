/**
 * One path through a toolpath on a time axis, as plain data that is transferred from the worker.
 * The page plays, plots and draws it. Pure.
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { createPathSample, type JointPath, samplePath } from '../../physics/motion/joint-path.ts';
import {
  createProfilePoint,
  sampleProfile,
  type TimeProfile,
} from '../../physics/motion/time-profile.ts';

export type MotionKind = 'joint_space' | 'linear' | 'spline';

/** Number of the taken branch of each `if`, by JSON pointer; a missing one takes no branch. */
export type BranchChoices = Readonly<Record<string, number>>;

/** A problem within a segment, from a time on (s after its start). */
export interface SegmentProblem {
  readonly code: MotionError;
  readonly message: string;
  readonly from_s: number;
}

/** A part of the time axis that belongs to one action. */
export interface TimedSegment {
  /** JSON pointer of the action. */
  readonly at: string;
  /** Pointers of the routine calls around it, outermost first. */
  readonly calls: readonly string[];
  /** Numbers of the grid cells around it, innermost last. */
  readonly cell: readonly number[];
  readonly kind: MotionKind | 'wait' | 'output' | 'restart' | 'blocked';
  readonly start_s: number;
  readonly duration_s: number;
  /** Geometric path of the joints; a rest has a single pose. */
  readonly path: JointPath;
  readonly profile: TimeProfile;
  readonly problem: SegmentProblem | null;
}

/**
 * Samples of the whole path for plots and lines; each segment has its own first and last sample.
 */
export interface PathSamples {
  readonly count: number;
  readonly times_s: Float64Array;
  /** Six numbers per sample: rad, rad/s. */
  readonly joints: Float32Array;
  readonly velocities: Float32Array;
  /** Tool point, three numbers per sample (m). */
  readonly tips: Float32Array;
  /** Speed of the tool point (m/s). */
  readonly speeds: Float32Array;
  /** Index of the segment of each sample. */
  readonly segmentIndex: Uint32Array;
}

export interface TimedPath {
  readonly choices: BranchChoices;
  readonly duration_s: number;
  readonly segments: readonly TimedSegment[];
  readonly samples: PathSamples;
  /** Of a recording: the spans in which nothing was heard of the arm (s). */
  readonly unheard?: readonly (readonly [from: number, to: number])[];
}

/** Whether two choices of branches are the same. */
export function sameChoices(a: BranchChoices, b: BranchChoices): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => a[key] === b[key]);
}

/** The path of a toolpath that cannot be built. */
export const EMPTY_PATH: TimedPath = {
  choices: {},
  duration_s: 0,
  segments: [],
  samples: {
    count: 0,
    times_s: new Float64Array(),
    joints: new Float32Array(),
    velocities: new Float32Array(),
    tips: new Float32Array(),
    speeds: new Float32Array(),
    segmentIndex: new Uint32Array(),
  },
};

/** Index of the segment at a time; of several, the last that has started. */
export function segmentAt(path: TimedPath, time_s: number): number {
  const { segments } = path;
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (segments[middle]!.start_s <= time_s) low = middle;
    else high = middle - 1;
  }
  return low;
}

const point = createProfilePoint();
const sample = createPathSample();

/** Joint angles and velocities within a segment, `time_s` after its start. */
export interface TrajectoryPoint {
  readonly joints: Float64Array;
  readonly velocities: Float64Array;
}

/** Creates a buffer for `sampleSegment` and `sampleTimedPath`. */
export function createTrajectoryPoint(): TrajectoryPoint {
  return { joints: new Float64Array(6), velocities: new Float64Array(6) };
}

/** Writes joint angles and velocities `time_s` after the start of a segment. */
export function sampleSegment(segment: TimedSegment, time_s: number, out: TrajectoryPoint): void {
  sampleProfile(segment.profile, time_s, point);
  samplePath(segment.path, point.s, sample);
  out.joints.set(sample.q);
  for (let j = 0; j < 6; j++) out.velocities[j] = sample.q1[j]! * point.v;
}

/** Writes joint angles and velocities at a time of the path (s). */
export function sampleTimedPath(path: TimedPath, time_s: number, out: TrajectoryPoint): void {
  const segment = path.segments[segmentAt(path, time_s)];
  if (segment) sampleSegment(segment, time_s - segment.start_s, out);
}
