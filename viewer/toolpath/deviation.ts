/**
 * How far an arm that runs a planned way is from it. Each pose that comes in is held against the
 * nearest point of the way a little further on, not against a clock: waits for inputs take as long
 * as they take, and a pause is no deviation. Pure.
 */
import type { Tool } from '../../physics/kinematics/tool.ts';
import { tipOf } from './track.ts';
import { createStretchMoment, sampleWay, stretchAt, type Way } from './way.ts';

/** Where on the way the arm was, and how far from it. */
export interface Deviation {
  readonly time_s: number;
  /** Distance of the tool points (m), and the largest angle between two joints (rad). */
  readonly tool_m: number;
  readonly joint_rad: number;
}

/** An arm's next pose lies within this much motion (s); poses come many times a second. */
const AHEAD_S = 1;
/** Poses further away than this have gone on elsewhere: another loop, another branch (rad). */
const ASTRAY_RAD = 0.05;
/** An arm that comes this near has joined the way: before, it is still on its way there (rad). */
const JOINED_RAD = 2e-3;
/** The last of an approach is no deviation: what counts begins this much further on (s). */
const UNDER_WAY_S = 0.1;
/** Places this much further off by the track's samples may be nearer in truth (rad). */
const ABOUT_RAD = 1e-3;
/** Of places as near as this, the first is the right one: a way may be retraced (rad). */
const SAME_RAD = 1e-5;
const REFINEMENTS = 4;
/** Samples of a track lie no further apart than this (s). */
const REFINED_S = 0.02;

const moment = createStretchMoment();

interface Place {
  readonly time_s: number;
  readonly away_rad: number;
}

export class DeviationTrace {
  readonly deviations: Deviation[] = [];
  private readonly way: Way;
  private readonly tool: Tool;
  private time_s = 0;
  /** Where on the way the arm joined it. */
  private joined_s: number | null = null;

  constructor(way: Way, tool: Tool) {
    this.way = way;
    this.tool = tool;
  }

  /** The largest so far; null before the first. */
  most(): Deviation | null {
    return this.deviations.reduce<Deviation | null>(
      (most, one) => (most && most.tool_m >= one.tool_m ? most : one),
      null,
    );
  }

  /** Takes a pose of the arm (rad); null while it is not under way on this way. */
  take(joints: ArrayLike<number>): Deviation | null {
    const found = this.find(joints);
    if (!found) return null;
    if (found.time_s < this.time_s) {
      // The way has begun anew: the last pass has been seen.
      this.deviations.length = 0;
      this.time_s = 0;
      this.joined_s = found.time_s;
    }
    const { time_s } = found;
    this.time_s = time_s;
    this.joined_s ??= time_s;
    if (time_s < this.joined_s + UNDER_WAY_S) return null;
    sampleWay(this.way, time_s, moment);
    const [actual, planned] = [tipOf(joints, this.tool), tipOf(moment.joints, this.tool)];
    const deviation = {
      time_s,
      tool_m: Math.hypot(...actual.map((value, axis) => value - planned[axis]!)),
      joint_rad: found.away_rad,
    };
    this.deviations.push(deviation);
    return deviation;
  }

  /** Where the arm is on the way: near where it was, else wherever it has joined it again. */
  private find(joints: ArrayLike<number>): Place | null {
    const ahead = this.joined_s === null ? null : this.nearest(joints, this.time_s, this.horizon());
    if (ahead && ahead.away_rad <= JOINED_RAD) return ahead;
    const anywhere = this.nearest(joints, 0, Infinity);
    if (anywhere.away_rad <= JOINED_RAD) return anywhere;
    return ahead && ahead.away_rad <= ASTRAY_RAD ? ahead : null;
  }

  /** Until when the next pose may lie: rests do not count, they take as long as they take. */
  private horizon(): number {
    const { stretches } = this.way;
    let left_s = AHEAD_S;
    let until_s = this.time_s;
    for (let i = stretchAt(this.way, this.time_s); i < stretches.length && left_s > 0; i++) {
      const { kind, start_s, duration_s } = stretches[i]!;
      const whole_s = start_s + duration_s - until_s;
      const taken_s = kind === 'wait' ? whole_s : Math.min(whole_s, left_s);
      if (kind !== 'wait') left_s -= taken_s;
      until_s += taken_s;
    }
    return until_s;
  }

  /** Where in a span of time the pose is nearest; of places as near, the first. */
  private nearest(joints: ArrayLike<number>, from_s: number, to_s: number): Place {
    const dips = this.dips(joints, from_s, to_s);
    const least_rad = Math.min(...dips.map(({ away_rad }) => away_rad));
    const places = dips
      .filter(({ away_rad }) => away_rad <= least_rad + ABOUT_RAD)
      .map(({ time_s }) => this.refined(joints, time_s, from_s));
    const nearest_rad = Math.min(...places.map(({ away_rad }) => away_rad));
    const found = places.find(({ away_rad }) => away_rad <= nearest_rad + SAME_RAD);
    return found ?? { time_s: from_s, away_rad: Infinity };
  }

  /** Every place in a span of time to whose left and right the track is further away. */
  private dips(joints: ArrayLike<number>, from_s: number, to_s: number): Place[] {
    const dips: Place[] = [];
    let last: Place | null = null;
    let falling = true;
    for (let i = this.segmentAt(from_s); i + 1 < this.way.track.count; i++) {
      if (this.way.track.times_s[i]! > to_s) break;
      const place = this.placeBetween(joints, i, from_s);
      const closer = last === null || place.away_rad < last.away_rad;
      if (last && falling && !closer) dips.push(last);
      falling = closer;
      last = place;
    }
    return last && falling ? [...dips, last] : dips;
  }

  /** The first stretch between two samples that ends at a time or later. */
  private segmentAt(time_s: number): number {
    const { times_s, count } = this.way.track;
    let i = 0;
    while (i + 1 < count && times_s[i + 1]! < time_s) i++;
    return i;
  }

  private placeBetween(joints: ArrayLike<number>, i: number, from_s: number): Place {
    const { track } = this.way;
    const { share, away_rad } = nearestBetween(joints, track.joints, 6 * i);
    const reached_s = track.times_s[i]! + share * (track.times_s[i + 1]! - track.times_s[i]!);
    return { time_s: Math.max(reached_s, from_s), away_rad };
  }

  /** The exact place near a time, not before `from_s`: between samples the track is a chord. */
  private refined(joints: ArrayLike<number>, near_s: number, from_s: number): Place {
    let time_s = near_s;
    for (let round = 0; round < REFINEMENTS; round++) {
      sampleWay(this.way, time_s, moment);
      let [along, square] = [0, 0];
      for (let j = 0; j < 6; j++) {
        const rate = moment.velocities[j]!;
        along += (joints[j]! - moment.joints[j]!) * rate;
        square += rate * rate;
      }
      if (square < 1e-12) break;
      const step_s = Math.min(Math.max(along / square, -REFINED_S), REFINED_S);
      // Never back: a way that is retraced would be followed in the wrong sense.
      time_s = Math.min(Math.max(time_s + step_s, from_s), this.way.duration_s);
    }
    sampleWay(this.way, time_s, moment);
    return { time_s, away_rad: awayFrom(joints, moment.joints) };
  }
}

function awayFrom(joints: ArrayLike<number>, planned: Float64Array): number {
  return planned.reduce((most, angle, j) => Math.max(most, Math.abs(joints[j]! - angle)), 0);
}

/**
 * The nearest point between one sample and the next: how far along it lies, 0 to 1, and the largest
 * angle from it (rad).
 */
function nearestBetween(joints: ArrayLike<number>, track: ArrayLike<number>, at: number) {
  let [along, square, away_rad] = [0, 0, 0];
  for (let j = 0; j < 6; j++) {
    const step = track[at + 6 + j]! - track[at + j]!;
    along += (joints[j]! - track[at + j]!) * step;
    square += step * step;
  }
  const share = square === 0 ? 0 : Math.min(Math.max(along / square, 0), 1);
  for (let j = 0; j < 6; j++) {
    const planned = track[at + j]! + share * (track[at + 6 + j]! - track[at + j]!);
    away_rad = Math.max(away_rad, Math.abs(joints[j]! - planned));
  }
  return { share, away_rad };
}
