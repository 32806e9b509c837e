/**
 * Deviation of a running arm from its planned path. Each pose is compared with the nearest point
 * of the path a little ahead, not with a clock: waits for inputs take any time, and a pause is no
 * deviation.
 */

import { createTool, type Tool } from '../../physics/kinematics/tool.ts';
import type { OpenedToolpath } from './build-messages.ts';
import { toolTipAt } from './path-samples.ts';
import { createTrajectoryPoint, sampleTimedPath, segmentAt, type TimedPath } from './timed-path.ts';

/** Position on the path (time in s), and the distance from it. */
export interface Deviation {
  readonly time_s: number;
  /** The time on the axis of the timeline: that of a replayed run, else the one on the path (s). */
  readonly at_s: number;
  /** Distance of the tool points (m), and the largest joint angle difference (rad). */
  readonly tool_m: number;
  readonly joint_rad: number;
}

/** The next pose lies within this much motion (s); poses arrive many times a second. */
const AHEAD_S = 1;
/** A pose farther away than this is elsewhere: another loop or branch (rad). */
const OFF_PATH_RAD = 0.05;
/** An arm within this distance has joined the path; before, it is still approaching (rad). */
const JOINED_RAD = 2e-3;
/** Deviations count from this time after joining, so that the approach does not count (s). */
const SETTLED_AFTER_S = 0.1;
/** Candidates within this of the nearest sample are refined; one of them may be nearer (rad). */
const ABOUT_RAD = 1e-3;
/**
 * Of candidates within this of the nearest, the first is right: a path may retrace itself (rad).
 */
const SAME_RAD = 1e-5;
const REFINEMENTS = 4;
/** Deviation of a run from its plan, in the order of its times. */
export interface RunDeviation {
  readonly deviations: readonly Deviation[];
  /** The largest; null where there is none, as `why` says. */
  readonly most: Deviation | null;
  readonly why: string;
}

/** The deviation of a run that has none. */
export const noDeviation = (why: string): RunDeviation => ({ deviations: [], most: null, why });

/** Poses compared before the page may draw again. */
const POSES_AT_ONCE = 100;

/** Maximum distance between path samples (s). */
const REFINED_S = 0.02;

const trajectoryPoint = createTrajectoryPoint();

interface PathPosition {
  readonly time_s: number;
  readonly away_rad: number;
}

export class DeviationTrace {
  readonly deviations: Deviation[] = [];
  private most: Deviation | null = null;
  private readonly path: TimedPath;
  private readonly tool: Tool;
  private time_s = 0;
  /** Time at which the arm joined the path. */
  private joined_s: number | null = null;

  constructor(path: TimedPath, tool: Tool) {
    this.path = path;
    this.tool = tool;
  }

  /** The largest deviation so far; null before the first. */
  max(): Deviation | null {
    return this.most;
  }

  /** Adds a pose of the arm (rad); returns null while the arm is not on the path. */
  addPose(joints: ArrayLike<number>): Deviation | null {
    const found = this.locate(joints);
    if (!found) return null;
    if (found.time_s < this.time_s) {
      // The path has restarted.
      this.deviations.length = 0;
      this.most = null;
      this.time_s = 0;
      this.joined_s = found.time_s;
    }
    const { time_s } = found;
    this.time_s = time_s;
    this.joined_s ??= time_s;
    if (time_s < this.joined_s + SETTLED_AFTER_S) return null;
    sampleTimedPath(this.path, time_s, trajectoryPoint);
    const [actual, planned] = [
      toolTipAt(joints, this.tool),
      toolTipAt(trajectoryPoint.joints, this.tool),
    ];
    const deviation = {
      time_s,
      at_s: time_s,
      tool_m: Math.hypot(...actual.map((value, axis) => value - planned[axis]!)),
      joint_rad: found.away_rad,
    };
    this.deviations.push(deviation);
    if (!this.most || deviation.tool_m > this.most.tool_m) this.most = deviation;
    return deviation;
  }

  /** Position of the arm on the path: near the last one, otherwise wherever it has joined again. */
  private locate(joints: ArrayLike<number>): PathPosition | null {
    const ahead = this.joined_s === null ? null : this.nearest(joints, this.time_s, this.horizon());
    if (ahead && ahead.away_rad <= JOINED_RAD) return ahead;
    const anywhere = this.nearest(joints, 0, Infinity);
    if (anywhere.away_rad <= JOINED_RAD) return anywhere;
    return ahead && ahead.away_rad <= OFF_PATH_RAD ? ahead : null;
  }

  /** Latest time at which the next pose may lie. Rests do not count, because they take any time. */
  private horizon(): number {
    const { segments } = this.path;
    let left_s = AHEAD_S;
    let until_s = this.time_s;
    for (let i = segmentAt(this.path, this.time_s); i < segments.length && left_s > 0; i++) {
      const { kind, start_s, duration_s } = segments[i]!;
      const whole_s = start_s + duration_s - until_s;
      const taken_s = kind === 'wait' ? whole_s : Math.min(whole_s, left_s);
      if (kind !== 'wait') left_s -= taken_s;
      until_s += taken_s;
    }
    return until_s;
  }

  /** Nearest position within a time span; of equal ones the first. */
  private nearest(joints: ArrayLike<number>, from_s: number, to_s: number): PathPosition {
    const minima = this.localMinima(joints, from_s, to_s);
    const least_rad = Math.min(...minima.map(({ away_rad }) => away_rad));
    const places = minima
      .filter(({ away_rad }) => away_rad <= least_rad + ABOUT_RAD)
      .map(({ time_s }) => this.refined(joints, time_s, from_s));
    const nearest_rad = Math.min(...places.map(({ away_rad }) => away_rad));
    const found = places.find(({ away_rad }) => away_rad <= nearest_rad + SAME_RAD);
    return found ?? { time_s: from_s, away_rad: Infinity };
  }

  /** All local minima of the distance within a time span. */
  private localMinima(joints: ArrayLike<number>, from_s: number, to_s: number): PathPosition[] {
    const minima: PathPosition[] = [];
    let last: PathPosition | null = null;
    let falling = true;
    for (let i = this.segmentAt(from_s); i + 1 < this.path.samples.count; i++) {
      if (this.path.samples.times_s[i]! > to_s) break;
      const place = this.placeBetween(joints, i, from_s);
      const closer = last === null || place.away_rad < last.away_rad;
      if (last && falling && !closer) minima.push(last);
      falling = closer;
      last = place;
    }
    return last && falling ? [...minima, last] : minima;
  }

  /** Index of the first sample interval that ends at or after a time. */
  private segmentAt(time_s: number): number {
    const { times_s, count } = this.path.samples;
    let i = 0;
    while (i + 1 < count && times_s[i + 1]! < time_s) i++;
    return i;
  }

  private placeBetween(joints: ArrayLike<number>, i: number, from_s: number): PathPosition {
    const { samples } = this.path;
    const { share, away_rad } = nearestBetween(joints, samples.joints, 6 * i);
    const reached_s = samples.times_s[i]! + share * (samples.times_s[i + 1]! - samples.times_s[i]!);
    return { time_s: Math.max(reached_s, from_s), away_rad };
  }

  /** Exact position near a time, not before `from_s`: between samples the path is not a chord. */
  private refined(joints: ArrayLike<number>, near_s: number, from_s: number): PathPosition {
    let time_s = near_s;
    for (let round = 0; round < REFINEMENTS; round++) {
      sampleTimedPath(this.path, time_s, trajectoryPoint);
      let [along, square] = [0, 0];
      for (let j = 0; j < 6; j++) {
        const rate = trajectoryPoint.velocities[j]!;
        along += (joints[j]! - trajectoryPoint.joints[j]!) * rate;
        square += rate * rate;
      }
      if (square < 1e-12) break;
      const step_s = Math.min(Math.max(along / square, -REFINED_S), REFINED_S);
      // Never backwards: a path that retraces itself would be followed in the wrong direction.
      time_s = Math.min(Math.max(time_s + step_s, from_s), this.path.duration_s);
    }
    sampleTimedPath(this.path, time_s, trajectoryPoint);
    return { time_s, away_rad: awayFrom(joints, trajectoryPoint.joints) };
  }
}

function awayFrom(joints: ArrayLike<number>, planned: Float64Array): number {
  return planned.reduce((most, angle, j) => Math.max(most, Math.abs(joints[j]! - angle)), 0);
}

/**
 * The nearest point between one sample and the next: share of the interval, 0 to 1, and largest
 * joint angle difference (rad).
 */
function nearestBetween(joints: ArrayLike<number>, samples: ArrayLike<number>, at: number) {
  let [along, square, away_rad] = [0, 0, 0];
  for (let j = 0; j < 6; j++) {
    const step = samples[at + 6 + j]! - samples[at + j]!;
    along += (joints[j]! - samples[at + j]!) * step;
    square += step * step;
  }
  const share = square === 0 ? 0 : Math.min(Math.max(along / square, 0), 1);
  for (let j = 0; j < 6; j++) {
    const planned = samples[at + j]! + share * (samples[at + 6 + j]! - samples[at + j]!);
    away_rad = Math.max(away_rad, Math.abs(joints[j]! - planned));
  }
  return { share, away_rad };
}

/** The deviation of a whole run from its plan, at the times of the run (s). */
export async function deviationOf(
  { path, toolpath }: Pick<OpenedToolpath, 'path' | 'toolpath'>,
  samples: readonly { readonly at_s: number; readonly joints: ArrayLike<number> }[],
): Promise<RunDeviation> {
  const trace = new DeviationTrace(path, createTool(toolpath.metadata.tcp_config));
  const deviations: Deviation[] = [];
  let most: Deviation | null = null;
  for (const [i, { at_s, joints }] of samples.entries()) {
    const found = trace.addPose(joints);
    if (found) {
      const deviation = { ...found, at_s };
      deviations.push(deviation);
      if (!most || found.tool_m > most.tool_m) most = deviation;
    }
    if (i % POSES_AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve));
  }
  return { deviations, most, why: most ? '' : 'The arm was never on the plan of this run.' };
}
