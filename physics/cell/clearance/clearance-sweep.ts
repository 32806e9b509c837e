/**
 * Sweeps what moves along a path through what stands, by conservative advancement: each pair has
 * a way that it may still go before it can be near, which every step uses up by the greatest speed
 * of its moving part. So a step cannot pass through a thin wall, and most pairs are measured
 * seldom. Pairs that are near stay open until they part, with the depth that they reach.
 */

import { raiseSpeedBounds } from '../../collision/speed-bounds.ts';
import { createFrames, FRAME_SIZE, forward } from '../../kinematics/forward.ts';
import { matrixToQuaternion } from '../../math/rotation.ts';
import { length3 } from '../../math/vector.ts';
import { createPathSample, type JointPath, samplePath } from '../../motion/joint-path.ts';
import { SOLID_POSE } from '../pose.ts';
import { PLACE_SIZE, solidDistance } from '../solids/distance.ts';
import { overlapDepth } from '../solids/overlap.ts';
import type { MovingSolid } from './moving-solid.ts';
import type { StandingSolid } from './standing-solid.ts';

/** Parts nearer than this are a contact (m): the margin of the planner. */
export const NEAR_M = 0.001;
/**
 * Distance at which a step may end (m). Farther from the margin than in path-check.ts: grippers go
 * along nests at a constant small distance, in steps as long as what is between both.
 */
const STEP_DISTANCE_M = 0.0005;
/** A ball farther away than this is far enough to go by (m). */
const FAR_M = 0.02;
/** Less than this of a pair's way is rounding (m). */
const USED_UP_M = 1e-12;
/** The greatest way between two looks at an open contact (m). */
const LOOK_M = 0.004;
/** Path table intervals that share one bound of the joint speeds. */
const BLOCK_INTERVALS = 8;
/** Steps of the search for the nearest points of two parts. */
const PROJECTIONS = 64;

/** A moving part that is near a standing one. */
export interface Near {
  readonly moving: MovingSolid;
  readonly standing: StandingSolid;
  /** Penetration (m); negative while there is a gap. */
  readonly depth_m: number;
  /** A point of the standing part nearest to the moving one now (world, m). */
  readonly point: () => readonly [number, number, number];
}

/** What follows contacts as they open, deepen and end; `s` is the position on the path. */
export interface ContactWatch {
  /** Whether this pair never counts: a part and what it is meant to hold. */
  readonly ignores: (moving: MovingSolid, standing: StandingSolid) => boolean;
  /** Whether an open pair may be near at any depth: then only its end counts. */
  readonly isFree: (moving: MovingSolid, standing: StandingSolid) => boolean;
  /** A pair is near at this depth; called at each look. */
  readonly near: (near: Near, s: number) => void;
  /** The group of a moving part is apart from a standing one again. */
  readonly apart: (moving: MovingSolid, standing: StandingSolid) => void;
}

export class ClearanceSweep {
  private readonly moving: readonly MovingSolid[];
  private readonly standing: readonly StandingSolid[];
  /** World places of the moving parts. */
  private readonly places: Float64Array;
  private readonly speeds: Float64Array;
  /** What each pair could go when its moving part was last looked at (m); 0: it is near. */
  private readonly slack: Float64Array;
  /** The least of them for each moving part, and how far that may have gone since (m). */
  private readonly least: Float64Array;
  private readonly used: Float64Array;
  /** Where on the path each moving part was last looked at, and where it must be again. */
  private readonly since: Float64Array;
  private readonly until: Float64Array;
  /** 1 for each open pair. */
  private readonly open: Uint8Array;
  private readonly placed: Uint8Array;
  private readonly frames = createFrames();
  private readonly sample = createPathSample();
  private readonly jointSpeeds = new Float64Array(6);
  private readonly relative = new Float64Array(PLACE_SIZE);
  private readonly pose = new Float64Array(SOLID_POSE);

  constructor(moving: readonly MovingSolid[], standing: readonly StandingSolid[]) {
    this.moving = moving;
    this.standing = standing;
    this.places = new Float64Array(PLACE_SIZE * moving.length);
    this.speeds = new Float64Array(moving.length);
    this.least = new Float64Array(moving.length);
    this.used = new Float64Array(moving.length);
    this.since = new Float64Array(moving.length);
    this.until = new Float64Array(moving.length);
    this.placed = new Uint8Array(moving.length);
    this.slack = new Float64Array(moving.length * standing.length);
    this.open = new Uint8Array(moving.length * standing.length);
  }

  /** Looks at all pairs at a pose (rad). */
  look(q: Float64Array, watch: ContactWatch): void {
    this.slack.fill(0);
    this.used.fill(0);
    this.place(q);
    for (let m = 0; m < this.moving.length; m++) this.lookAround(m, 0, watch);
  }

  /** Goes along a path. */
  follow(path: JointPath, watch: ContactWatch): void {
    if (path.kind === 'line') {
      samplePath(path, 0, this.sample);
      for (let j = 0; j < 6; j++) this.jointSpeeds[j] = Math.abs(this.sample.q1[j]!);
      this.advance(path, 0, 1, watch);
      return;
    }
    const intervals = path.s.length - 1;
    for (let first = 0; first < intervals; first += BLOCK_INTERVALS) {
      const end = Math.min(first + BLOCK_INTERVALS, intervals);
      this.jointSpeeds.fill(0);
      for (let i = first; i < end; i++) raiseSpeedBounds(path, i, this.jointSpeeds);
      this.advance(path, path.s[first]!, path.s[end]!, watch);
    }
  }

  /** Goes from `from` to `to`, where `jointSpeeds` bounds the speeds of the joints. */
  private advance(path: JointPath, from: number, to: number, watch: ContactWatch): void {
    const { moving, speeds, since, until } = this;
    for (let m = 0; m < moving.length; m++) {
      const { reach_m } = moving[m]!;
      let speed = 0;
      for (let j = 0; j < 6; j++) speed += this.jointSpeeds[j]! * reach_m[j]!;
      speeds[m] = speed;
      since[m] = from;
      const left = this.least[m]! - this.used[m]!;
      until[m] = left > USED_UP_M ? from + left / speed : from;
    }
    for (let s = from; ; ) {
      samplePath(path, s, this.sample);
      this.place(this.sample.q);
      let next = to;
      for (let m = 0; m < moving.length; m++) {
        if (until[m]! <= s) this.renew(m, s, watch);
        if (until[m]! < next) next = until[m]!;
      }
      if (s >= to) break;
      s = next;
    }
    for (let m = 0; m < moving.length; m++) this.used[m]! += speeds[m]! * (to - since[m]!);
  }

  /** Looks around a moving part at `s`, and notes until where it need not look again. */
  private renew(m: number, s: number, watch: ContactWatch): void {
    const speed = this.speeds[m]!;
    this.used[m]! += speed * (s - this.since[m]!);
    this.since[m] = s;
    this.lookAround(m, s, watch);
    const left = this.least[m]!;
    this.until[m] = s + (left > USED_UP_M ? left : LOOK_M) / speed;
  }

  private place(q: Float64Array): void {
    forward(q, this.frames);
    this.placed.fill(0);
  }

  /** Looks at the pairs of a moving part that may be near. */
  private lookAround(m: number, s: number, watch: ContactWatch): void {
    const { standing, slack } = this;
    const used = this.used[m]!;
    let least = Number.POSITIVE_INFINITY;
    for (let o = 0; o < standing.length; o++) {
      const pair = standing.length * m + o;
      let left = slack[pair]! - used;
      if (left <= USED_UP_M) left = this.measure(m, o, s, watch);
      slack[pair] = left;
      if (left < least) least = left;
    }
    this.used[m] = 0;
    this.least[m] = least;
  }

  /** Measures a pair, and returns how far it may go before the next look (m). */
  private measure(m: number, o: number, s: number, watch: ContactWatch): number {
    const a = this.moving[m]!;
    const b = this.standing[o]!;
    if (watch.ignores(a, b)) return Number.POSITIVE_INFINITY;
    const far = this.relate(m, b) - a.ball_m - STEP_DISTANCE_M;
    const pair = this.standing.length * m + o;
    if (far > FAR_M && this.open[pair] === 0) return far;
    const isFree = this.open[pair] === 1 && watch.isFree(a, b);
    const core_m = solidDistance(a.solid, this.relative, b.solid);
    const distance_m = core_m - a.radius_m;
    if (distance_m < NEAR_M) {
      this.open[pair] = 1;
      if (isFree) return 0;
      const depth_m = core_m > 0 ? -distance_m : this.depth(m, b) + a.radius_m;
      watch.near({ moving: a, standing: b, depth_m, point: () => this.nearest(m, b) }, s);
      return 0;
    }
    if (this.open[pair] === 1) {
      this.open[pair] = 0;
      if (!this.isOpen(a, o)) watch.apart(a, b);
    }
    return distance_m - STEP_DISTANCE_M;
  }

  /** Whether another part of the same group is still near. */
  private isOpen(part: MovingSolid, o: number): boolean {
    return this.moving.some(
      ({ group }, m) => group === part.group && this.open[this.standing.length * m + o] === 1,
    );
  }

  /** Writes the world place of a moving part. */
  private placeOne(m: number): void {
    if (this.placed[m] === 1) return;
    this.placed[m] = 1;
    const { frame, place } = this.moving[m]!;
    const { frames: f, places } = this;
    const from = frame * FRAME_SIZE;
    const to = PLACE_SIZE * m;
    for (let row = 0; row < 3; row++) {
      const x = f[from + 3 * row]!;
      const y = f[from + 3 * row + 1]!;
      const z = f[from + 3 * row + 2]!;
      for (let k = 0; k < 3; k++) {
        places[to + 3 * row + k] = x * place[k]! + y * place[3 + k]! + z * place[6 + k]!;
      }
      places[to + 9 + row] = x * place[9]! + y * place[10]! + z * place[11]! + f[from + 9 + row]!;
    }
  }

  /**
   * Writes the place of a moving part in the frame of a standing one; returns the distance of its
   * centre from a box around that.
   */
  private relate(m: number, { place, solid }: StandingSolid): number {
    this.placeOne(m);
    const { places, relative } = this;
    const at = PLACE_SIZE * m;
    const x = places[at + 9]! - place[9]!;
    const y = places[at + 10]! - place[10]!;
    const z = places[at + 11]! - place[11]!;
    let squared = 0;
    for (let k = 0; k < 3; k++) {
      const u = place[k]!;
      const v = place[3 + k]!;
      const w = place[6 + k]!;
      const along = u * x + v * y + w * z;
      relative[9 + k] = along;
      const beside = Math.abs(along) - solid.half[k]!;
      if (beside > 0) squared += beside * beside;
      for (let c = 0; c < 3; c++) {
        relative[3 * k + c] =
          u * places[at + c]! + v * places[at + 3 + c]! + w * places[at + 6 + c]!;
      }
    }
    return Math.sqrt(squared);
  }

  private depth(m: number, other: StandingSolid): number {
    const at = PLACE_SIZE * m;
    const { w, x, y, z } = matrixToQuaternion(this.places, at);
    for (let k = 0; k < 3; k++) this.pose[k] = this.places[at + 9 + k]!;
    this.pose.set([w, x, y, z], 3);
    return overlapDepth({ solid: this.moving[m]!.solid, pose: this.pose, at: 0 }, other);
  }

  /** A point of the standing part nearest to the moving one, by projecting back and forth. */
  private nearest(m: number, { place, solid }: StandingSolid): [number, number, number] {
    const own = this.moving[m]!.solid;
    const at = PLACE_SIZE * m;
    const point = [0, 1, 2].map((k) => this.places[at + 9 + k]!) as [number, number, number];
    for (let i = 0; i < PROJECTIONS; i++) {
      project(point, this.places, at, own);
      project(point, place, 0, solid);
    }
    return point;
  }
}

/** Moves a point to the nearest one of a solid at a place. */
function project(
  point: [number, number, number],
  place: Float64Array,
  at: number,
  { isRound, half }: StandingSolid['solid'],
): void {
  const local = [0, 1, 2].map((k) => {
    let along = 0;
    for (let r = 0; r < 3; r++) along += place[at + 3 * r + k]! * (point[r]! - place[at + 9 + r]!);
    return along;
  });
  const across = length3(local[0]!, local[1]!, 0);
  for (let k = 0; k < 3; k++) {
    const most = half[k]!;
    if (isRound && k < 2) local[k]! *= across > most ? most / across : 1;
    else local[k] = Math.min(most, Math.max(-most, local[k]!));
  }
  for (let r = 0; r < 3; r++) {
    const row = at + 3 * r;
    point[r] =
      place[at + 9 + r]! +
      place[row]! * local[0]! +
      place[row + 1]! * local[1]! +
      place[row + 2]! * local[2]!;
  }
}
