/**
 * One way through a toolpath on one time axis, as plain data that crosses the worker's border:
 * what the page plays, plots and draws. The preview (preview.ts) makes it; the page samples it.
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { createPathSample, type JointPath, samplePath } from '../../physics/motion/path.ts';
import {
  createProfilePoint,
  sampleProfile,
  type TimeProfile,
} from '../../physics/motion/time-profile.ts';

export type MotionKind = 'joint_space' | 'linear' | 'spline';

/** Something wrong, or worth knowing, at a place of the toolpath. */
export interface Finding {
  readonly kind: 'error' | 'warning';
  readonly code: MotionError;
  /** A sentence that says what is wrong and what to do. */
  readonly message: string;
  /** JSON pointer of the action. */
  readonly at: string;
  /** Branches to take so that a run comes by; see Choices. */
  readonly choices: Choices;
  /** Tool point (m) where it begins; null where no run comes by. */
  readonly tip_m: readonly [number, number, number] | null;
}

/** Which branch is taken at each `if`, by its JSON pointer; none where it is missing. */
export type Choices = Readonly<Record<string, number>>;

/** What goes wrong within a stretch, from when on (s after its start). */
export interface StretchProblem {
  readonly code: MotionError;
  readonly message: string;
  readonly from_s: number;
}

/** A part of the time axis that belongs to one action. */
export interface Stretch {
  /** JSON pointer of the action. */
  readonly at: string;
  /** Pointers of the routine calls around it, outermost first. */
  readonly calls: readonly string[];
  /** Numbers of the grid cells around it, innermost last. */
  readonly cell: readonly number[];
  readonly kind: MotionKind | 'wait' | 'output' | 'restart' | 'blocked';
  readonly start_s: number;
  readonly duration_s: number;
  /** Where the arm goes; a rest holds one pose. */
  readonly path: JointPath;
  readonly profile: TimeProfile;
  readonly problem: StretchProblem | null;
}

/** Samples of the whole way for plots and lines; each stretch has its own first and last. */
export interface Track {
  readonly count: number;
  readonly times_s: Float64Array;
  /** Six numbers a sample: rad, rad/s. */
  readonly joints: Float32Array;
  readonly velocities: Float32Array;
  /** Tool point, three numbers a sample (m). */
  readonly tips: Float32Array;
  /** Speed of the tool point (m/s). */
  readonly speeds: Float32Array;
  /** Index of the stretch of each sample. */
  readonly stretches: Uint32Array;
}

export interface Way {
  readonly choices: Choices;
  readonly duration_s: number;
  readonly stretches: readonly Stretch[];
  readonly track: Track;
}

/** Index of the stretch that is under way at a time; of several, the last that has begun. */
export function stretchAt(way: Way, time_s: number): number {
  const { stretches } = way;
  let low = 0;
  let high = stretches.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (stretches[middle]!.start_s <= time_s) low = middle;
    else high = middle - 1;
  }
  return low;
}

const point = createProfilePoint();
const sample = createPathSample();

/** Joint angles and their rates within a stretch, `time_s` after its start. */
export interface StretchMoment {
  readonly joints: Float64Array;
  readonly velocities: Float64Array;
}

/** Room for one moment of `sampleStretch` and `sampleWay`. */
export function createStretchMoment(): StretchMoment {
  return { joints: new Float64Array(6), velocities: new Float64Array(6) };
}

/** Writes where the arm is, and how fast it turns, `time_s` after the stretch begins. */
export function sampleStretch(stretch: Stretch, time_s: number, out: StretchMoment): void {
  sampleProfile(stretch.profile, time_s, point);
  samplePath(stretch.path, point.s, sample);
  out.joints.set(sample.q);
  for (let j = 0; j < 6; j++) out.velocities[j] = sample.q1[j]! * point.v;
}

/** Writes where the arm is at a time of the way (s). */
export function sampleWay(way: Way, time_s: number, out: StretchMoment): void {
  const stretch = way.stretches[stretchAt(way, time_s)];
  if (stretch) sampleStretch(stretch, time_s - stretch.start_s, out);
}
