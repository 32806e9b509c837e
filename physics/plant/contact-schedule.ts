import { FLANGE_M, JOINT_COUNT, OFFSETS_M } from '../arm/arm-model.ts';
import { BOX_HIGH, BOX_LOW } from '../collision/boxes.ts';
import type { CapsuleBody } from '../collision/capsule-body.ts';
import { FRAME_SIZE } from '../kinematics/forward.ts';
import { length3, type Numbers } from '../math/vector.ts';

/** A gap that rounding may have lengthened by less than this (m). */
const GAP_ROUNDING_M = 1e-6;

/** Distance from each frame to the next one of the chain (m). */
const FRAME_DISTANCES_M: readonly number[] = [
  ...OFFSETS_M.map((offset) => length3(offset[0]!, offset[1]!, offset[2]!)),
  FLANGE_M,
];

/**
 * When each box, and the floor as one more, is looked at again: not before the arm and the box
 * have come as far as the gap between them. Most steps look at nothing; a look compares a box with
 * the bounds of the arm, then with the balls around its bodies. No allocation in a step.
 */
export class ContactSchedule {
  /** Way of the arm at which each box is due, and the least of them (m). */
  private due = new Float64Array(1);
  private nextDue = 0;
  /** Bound of the way that a point of the arm has come since the start (m). */
  private way = 0;
  private readonly last = new Float64Array(JOINT_COUNT);
  /** Greatest distance of a body's point from the axis of each joint (m). */
  private readonly reach = new Float64Array(JOINT_COUNT);
  /** Centres and radii of the bounding balls; the radius of a body that is not there is -1. */
  private readonly centres: Float64Array;
  private readonly radii: Float64Array;
  private readonly low = new Float64Array(3);
  private readonly high = new Float64Array(3);

  constructor(bodyCount: number) {
    this.centres = new Float64Array(3 * bodyCount);
    this.radii = new Float64Array(bodyCount).fill(-1);
  }

  /** Watches this many boxes, all due now. */
  setBoxCount(count: number): void {
    this.due = new Float64Array(count + 1).fill(this.way);
    this.nextDue = this.way;
  }

  /** Watches other bodies: everything is due in the next step. */
  setBodies(bodies: readonly (CapsuleBody | null)[]): void {
    this.reach.fill(0);
    for (const body of bodies) {
      if (body === null) continue;
      const { centre_m: c, frame } = body;
      let reach = length3(c[0]!, c[1]!, c[2]!) + Math.sqrt(body.reachSquared_m2);
      for (let joint = frame - 1; joint >= 0; joint--) {
        // The frame of a joint is the one after it; the flange turns with the last joint.
        if (joint < JOINT_COUNT) this.reach[joint] = Math.max(this.reach[joint]!, reach);
        reach += FRAME_DISTANCES_M[joint]!;
      }
    }
    this.watch();
  }

  /** Makes box `i` due in the next step; without a number, everything. */
  watch(i?: number): void {
    if (i === undefined) this.due.fill(this.way);
    else this.due[i] = this.way;
    this.nextDue = this.way;
  }

  /** Box `i` has moved by this much. */
  approach(i: number, travel_m: number): void {
    this.due[i]! -= travel_m;
    if (this.due[i]! < this.nextDue) this.nextDue = this.due[i]!;
  }

  /** Advances to the angles of a step unless nothing can be met; true when something is due. */
  advance(q: Float64Array): boolean {
    const { last, reach } = this;
    if (this.nextDue === Number.POSITIVE_INFINITY) return false;
    for (let j = 0; j < JOINT_COUNT; j++) {
      this.way += Math.abs(q[j]! - last[j]!) * reach[j]!;
      last[j] = q[j]!;
    }
    return this.way >= this.nextDue;
  }

  isDue(i: number): boolean {
    return this.due[i]! <= this.way;
  }

  /** Places the balls of the bodies at `frames`; bodies below `first` do not count. */
  place(frames: Numbers, bodies: readonly (CapsuleBody | null)[], first: number): void {
    const { centres, radii, low, high } = this;
    low.fill(Number.POSITIVE_INFINITY);
    high.fill(Number.NEGATIVE_INFINITY);
    for (let number = first; number < bodies.length; number++) {
      const body = bodies[number]!;
      radii[number] = body === null ? -1 : Math.sqrt(body.reachSquared_m2);
      if (body === null) continue;
      const at = body.frame * FRAME_SIZE;
      const { centre_m: c } = body;
      for (let k = 0; k < 3; k++) {
        const row = at + 3 * k;
        const x =
          frames[at + 9 + k]! +
          frames[row]! * c[0]! +
          frames[row + 1]! * c[1]! +
          frames[row + 2]! * c[2]!;
        centres[3 * number + k] = x;
        low[k] = Math.min(low[k]!, x - radii[number]!);
        high[k] = Math.max(high[k]!, x + radii[number]!);
      }
    }
  }

  /** Distance between the bounds of the arm and those of a box (m); 0 where they meet. */
  armGap(box: Float64Array): number {
    let squared = 0;
    for (let k = 0; k < 3; k++) {
      const below = box[BOX_LOW + k]! - this.high[k]!;
      const above = this.low[k]! - box[BOX_HIGH + k]!;
      const away = below > 0 ? below : Math.max(above, 0);
      squared += away * away;
    }
    return squared === 0 ? 0 : Math.sqrt(squared);
  }

  /** Distance between the ball of a body and the bounds of a box (m); 0 where they meet. */
  bodyGap(body: number, box: Float64Array): number {
    let squared = 0;
    for (let k = 0; k < 3; k++) {
      const x = this.centres[3 * body + k]!;
      const below = box[BOX_LOW + k]! - x;
      const above = x - box[BOX_HIGH + k]!;
      const away = below > 0 ? below : Math.max(above, 0);
      squared += away * away;
    }
    const radius = this.radii[body]!;
    return squared <= radius * radius ? 0 : Math.sqrt(squared) - radius;
  }

  /** Least height of the balls of the bodies from `first` on (m); infinite without one. */
  heightFrom(first: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (let number = first; number < this.radii.length; number++) {
      const radius = this.radii[number]!;
      if (radius >= 0) least = Math.min(least, this.centres[3 * number + 2]! - radius);
    }
    return least;
  }

  /** Height of the ball of a body (m). */
  topOf(body: number): number {
    return this.centres[3 * body + 2]! + this.radii[body]!;
  }

  /** Box `i` lies `gap_m` from the arm: it is due when both have come so far. */
  postpone(i: number, gap_m: number): void {
    this.due[i] = this.way + Math.max(0, gap_m - GAP_ROUNDING_M);
  }

  /** Ends the looks of a step. */
  end(): void {
    this.nextDue = this.due.reduce((least, due) => Math.min(least, due));
  }
}
