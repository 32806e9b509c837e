/**
 * Motions in a capture: cuts the samples into motions from rest to rest and finds those along a
 * straight joint line, which show the limits of an arm's planner. SI units; s is the position on
 * the line, 0..1.
 */

import {
  createFrames,
  FLANGE_FRAME,
  FRAME_SIZE,
  forward,
} from '../../physics/kinematics/forward.ts';
import type { Capture } from './capture.ts';

/** A straight joint motion from rest to rest. */
export interface Motion {
  readonly source: string;
  /** Start (rad) and travel (rad) of the joints. */
  readonly start: Float64Array;
  readonly travel: Float64Array;
  /** Times of the samples (s, of the capture) and their positions on the line. */
  readonly t_s: Float64Array;
  readonly s: Float64Array;
  /** Largest travel of a joint (rad): the residuals are in its angle. */
  readonly reach_rad: number;
  /** Time between two marks near the ends of the line (s). */
  readonly span_s: number;
  /** Largest speed of the flange (m/s). */
  readonly flange_m_s: number;
  /** When the state of the robot became `running` (s, of the capture); null where unknown. */
  readonly running_s: number | null;
}

/** What became of the samples of a capture. */
export interface MotionCount {
  readonly motions: readonly Motion[];
  readonly curved: number;
  readonly small: number;
  readonly broken: number;
}

/** All joints slower than this are at rest (rad/s): above the noise of rates. */
const REST_RAD_S = 0.03;
/** Shorter motions show little. */
const TRAVEL_MIN_RAD = 0.05;
/** Fewest samples of a motion. */
const SAMPLES_MIN = 10;
/** Samples beyond the ends of a motion that are kept (s). */
const MARGIN_S = 0.15;
/** A gap between two samples in a motion: samples were lost (s). */
const GAP_S = 0.2;
/** Largest distance from the line (rad), and as a share of the travel. */
const OFF_LINE_RAD = 0.003;
const OFF_LINE_SHARE = 0.01;
/** Positions between which the span of a motion is measured. */
const FIRST_MARK = 0.01;
const LAST_MARK = 0.99;

function isMoving({ rates }: Capture, i: number): boolean {
  for (let j = 0; j < 6; j++) if (Math.abs(rates[6 * i + j]!) > REST_RAD_S) return true;
  return false;
}

/** The straight motions of a capture. */
export function motionsOf(capture: Capture): MotionCount {
  const { t_s } = capture;
  const motions: Motion[] = [];
  const left = { curved: 0, small: 0, broken: 0 };
  for (let i = 0; i < t_s.length; ) {
    if (!isMoving(capture, i)) {
      i++;
      continue;
    }
    let end = i;
    let isBroken = false;
    while (end < t_s.length && isMoving(capture, end)) {
      if (end > i && t_s[end]! - t_s[end - 1]! > GAP_S) isBroken = true;
      end++;
    }
    // A motion that the capture begins or ends in has no rest on that side.
    if (i === 0 || end === t_s.length) isBroken = true;
    const found = isBroken ? 'broken' : motionOf(capture, i, end);
    if (typeof found === 'string') left[found]++;
    else motions.push(found);
    i = end;
  }
  return { motions, ...left };
}

/** The first sample within the margin before `at`, at rest; the same after it with `step` 1. */
function withMargin(capture: Capture, at: number, step: 1 | -1): number {
  const { t_s } = capture;
  let found = at;
  for (let i = at; i >= 0 && i < t_s.length; i += step) {
    if (Math.abs(t_s[i]! - t_s[at]!) > MARGIN_S || (i !== at && isMoving(capture, i))) break;
    found = i;
  }
  return found;
}

function motionOf(capture: Capture, from: number, end: number): Motion | 'curved' | 'small' {
  const { q, t_s } = capture;
  const first = withMargin(capture, from - 1, -1);
  const last = withMargin(capture, end, 1);
  const rest = restPose(capture, first, from);
  const goal = restPose(capture, end, last + 1);
  const travel = goal.map((angle, j) => angle - rest[j]!);
  const square = travel.reduce((sum, d) => sum + d * d, 0);
  const reach_rad = travel.reduce((most, d) => Math.max(most, Math.abs(d)), 0);
  if (reach_rad < TRAVEL_MIN_RAD || end - from < SAMPLES_MIN) {
    return reach_rad < TRAVEL_MIN_RAD && end - from > SAMPLES_MIN * 5 ? 'curved' : 'small';
  }
  const s = new Float64Array(last - first + 1);
  for (let i = first; i <= last; i++) {
    let along = 0;
    for (let j = 0; j < 6; j++) along += (q[6 * i + j]! - rest[j]!) * travel[j]!;
    s[i - first] = along / square;
    for (let j = 0; j < 6; j++) {
      const off = Math.abs(q[6 * i + j]! - rest[j]! - s[i - first]! * travel[j]!);
      if (off > OFF_LINE_RAD + OFF_LINE_SHARE * reach_rad) return 'curved';
    }
  }
  const times = t_s.slice(first, last + 1);
  const running_s = runningSince(capture, t_s[from]!);
  return {
    source: capture.source,
    start: rest,
    travel,
    t_s: times,
    s,
    reach_rad,
    span_s: spanOf(times, s),
    flange_m_s: flangeSpeed(capture, from, end),
    running_s,
  };
}

/** A motion starts at most this long after the robot says so (s). */
const START_DELAY_S = 0.5;

/** When the robot began to run for a motion whose first sample is at `from_s`; null if unknown. */
function runningSince({ states }: Capture, from_s: number): number | null {
  const found = states.findLast(
    ({ t_s, state }) => state === 'running' && t_s <= from_s + 0.1 && t_s > from_s - START_DELAY_S,
  );
  return found?.t_s ?? null;
}

/** Mean pose of samples at rest. */
function restPose({ q }: Capture, from: number, end: number): Float64Array {
  const mean = new Float64Array(6);
  for (let i = from; i < end; i++) {
    for (let j = 0; j < 6; j++) mean[j]! += q[6 * i + j]! / (end - from);
  }
  return mean;
}

/** When the positions first reach `mark` (s), between the samples. */
export function crossing(t_s: Float64Array, s: Float64Array, mark: number): number {
  for (let i = 1; i < s.length; i++) {
    if (s[i]! < mark) continue;
    const rise = s[i]! - s[i - 1]!;
    const share = rise > 0 ? (mark - s[i - 1]!) / rise : 1;
    return t_s[i - 1]! + Math.min(Math.max(share, 0), 1) * (t_s[i]! - t_s[i - 1]!);
  }
  return t_s.at(-1)!;
}

export function spanOf(t_s: Float64Array, s: Float64Array): number {
  return crossing(t_s, s, LAST_MARK) - crossing(t_s, s, FIRST_MARK);
}

const frames = createFrames();

/** Samples over which the speed of the flange is measured. */
const FLANGE_STEPS = 3;

function flangeSpeed({ q, t_s }: Capture, from: number, end: number): number {
  const at = FLANGE_FRAME * FRAME_SIZE + 9;
  const place = (i: number) => {
    forward(q.subarray(6 * i, 6 * i + 6), frames);
    return [frames[at]!, frames[at + 1]!, frames[at + 2]!] as const;
  };
  let fastest = 0;
  for (let i = from; i + FLANGE_STEPS < end; i++) {
    const [a, b] = [place(i), place(i + FLANGE_STEPS)];
    const way = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    fastest = Math.max(fastest, way / (t_s[i + FLANGE_STEPS]! - t_s[i]!));
  }
  return fastest;
}
