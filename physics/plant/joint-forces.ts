/**
 * Forces at points of the arm as joint torques (Jᵀ F), and what causes them: obstacles, movable
 * boxes of a cell, contact points, the floor; and when each of these can touch the arm next. SI
 * units, robot frame.
 */
import { JOINT_COUNT, TURNS_ABOUT_Z } from '../arm/arm-model.ts';
import { TOOL_LINK } from '../arm/geometry.ts';
import { type CapsuleBody, placeBodyCapsule } from '../collision/contact.ts';
import { BOX_HIGH, BOX_LOW } from '../collision/scene.ts';
import { createFrames, FRAME_SIZE } from '../kinematics/forward.ts';
import type { Numbers } from '../math/rotation.ts';

/** A box that the arm can collide with. */
export interface PlantObstacle {
  /** Centre of the box (m), its half sizes (m) and its orientation (unit quaternion). */
  readonly position: { readonly x: number; readonly y: number; readonly z: number };
  readonly half: { readonly x: number; readonly y: number; readonly z: number };
  readonly orientation: {
    readonly w: number;
    readonly x: number;
    readonly y: number;
    readonly z: number;
  };
  readonly stiffness_n_per_m: number;
}

/** A movable box of a cell; its owner moves it between steps. */
export interface MovableBox {
  /** As of `compileBox`. */
  readonly box: Float64Array;
  readonly stiffness_n_per_m: number;
  readonly damping_n_s_per_m: number;
  /** Linear velocity of the box (m/s). */
  readonly velocity: Float64Array;
  /** False while it is not there for the arm. */
  isOn: boolean;
}

/** Contact of a body of the arm with an obstacle or the floor in the last step. */
export interface ContactPoint {
  /** Force (N); 0 without contact. */
  force_n: number;
  /** Where the force acts (world, m). */
  readonly point_m: Float64Array;
  /** Direction of the force on the arm (world, unit vector). */
  readonly normal: Float64Array;
}

/** Creates contact points without contact. */
export function createContacts(count: number): ContactPoint[] {
  return Array.from({ length: count }, () => ({
    force_n: 0,
    point_m: new Float64Array(3),
    normal: new Float64Array(3),
  }));
}

/** Sums the joint torques of forces that act at points of the arm. No allocation. */
export class JointForces {
  /** Frames of the joints, which the caller writes. */
  readonly frames = createFrames();
  /** The force (N) and where it acts (m), which the caller writes. */
  readonly force = new Float64Array(3);
  readonly point = new Float64Array(3);
  private readonly torque: Float64Array;

  constructor(torque: Float64Array) {
    this.torque = torque;
  }

  /** Adds the joint torques of `force` at `point` on a body: a link, or what link 6 carries. */
  add(body: number): void {
    const links = Math.min(body, JOINT_COUNT);
    for (let j = 0; j < links; j++) this.torque[j]! += this.momentAbout(j);
  }

  /** Speed along `force`, times its size, of `point` on a body at joint rates (rad/s). */
  speedAlong(body: number, rates: Numbers): number {
    let speed = 0;
    for (let j = 0; j < Math.min(body, JOINT_COUNT); j++) speed += this.momentAbout(j) * rates[j]!;
    return speed;
  }

  /** Moment of `force` at `point` about joint `j`. */
  momentAbout(j: number): number {
    const { force, frames, point } = this;
    const at = (j + 1) * FRAME_SIZE;
    const x = point[0]! - frames[at + 9]!;
    const y = point[1]! - frames[at + 10]!;
    const z = point[2]! - frames[at + 11]!;
    const mx = y * force[2]! - z * force[1]!;
    const my = z * force[0]! - x * force[2]!;
    const mz = x * force[1]! - y * force[0]!;
    const column = TURNS_ABOUT_Z[j] ? 2 : 1;
    const part =
      frames[at + column]! * mx + frames[at + 3 + column]! * my + frames[at + 6 + column]! * mz;
    return TURNS_ABOUT_Z[j] ? part : -part;
  }
}

/** A body of the arm comes at most this far per step (m). */
const TRAVEL_MAX_M = 0.01;
/** A movable box that moves by less than this per step needs no look of its own (m). */
export const BOX_TRAVEL_MAX_M = 0.005;

/**
 * When each box, and the floor as one more, is looked at again: not before a body of the arm could
 * have reached it. Most steps look at nothing; a look first compares a box with the bounds of the
 * whole arm, then with the bounding balls of its bodies. No allocation in a step.
 */
export class ContactSchedule {
  /** Number of the step in which each box is due, and the least of them. */
  private due = new Float64Array(1);
  private nextDue = 0;
  private steps = 0;
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
    this.due = new Float64Array(count + 1);
    this.nextDue = 0;
  }

  /** Makes box `i` due in the next step; without a number, everything. */
  watch(i?: number): void {
    if (i === undefined) this.due.fill(0);
    else this.due[i] = 0;
    this.nextDue = 0;
  }

  /** Counts a step; true when something is due in it. */
  advance(): boolean {
    this.steps += 1;
    return this.steps >= this.nextDue;
  }

  isDue(i: number): boolean {
    return this.due[i]! <= this.steps;
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

  /** Box `i` lies `gap_m` from the arm: it is due when the arm could have come so far. */
  postpone(i: number, gap_m: number, isMovable = false): void {
    const travel = isMovable ? TRAVEL_MAX_M + BOX_TRAVEL_MAX_M : TRAVEL_MAX_M;
    this.due[i] = this.steps + 1 + (gap_m > 0 ? Math.floor(gap_m / travel) : 0);
  }

  /** Ends the looks of a step. */
  end(): void {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.due.length; i++) least = Math.min(least, this.due[i]!);
    this.nextDue = least;
  }
}

/** Stiffness of the floor (N/m). */
const FLOOR_STIFFNESS_N_PER_M = 25_000;
/** Links 2 to 6 can lie on the floor, and what link 6 carries. */
const FIRST_LINK_OVER_FLOOR = 2;

/** The floor under the arm: links by all axis ends, carried bodies by their lowest point. */
export class FloorSupport {
  private readonly joints: JointForces;
  private readonly record: (body: number, force_n: number) => void;
  private readonly ends = new Float64Array(6);

  /** `record` is called for each force, while `point` of the joints says where it acts. */
  constructor(joints: JointForces, record: (body: number, force_n: number) => void) {
    this.joints = joints;
    this.record = record;
  }

  addLinks(bodies: readonly (CapsuleBody | null)[]): void {
    for (let link = FIRST_LINK_OVER_FLOOR; link <= JOINT_COUNT; link++) {
      const body = bodies[link]!;
      for (let i = 0; i < body.radius_m.length; i++) {
        placeBodyCapsule(this.joints.frames, body, i, this.ends);
        this.addForce(link, 0, body.radius_m[i]!);
        this.addForce(link, 3, body.radius_m[i]!);
      }
    }
  }

  /** Supports tool, load and gripper at their lowest point. */
  addCarried(bodies: readonly (CapsuleBody | null)[]): void {
    const { ends } = this;
    const { frames } = this.joints;
    for (let number = TOOL_LINK; number < bodies.length; number++) {
      const body = bodies[number]!;
      if (body === null) continue;
      let deepest = 0;
      let at = -1;
      for (let i = 0; i < body.radius_m.length; i++) {
        placeBodyCapsule(frames, body, i, ends);
        const end = ends[5]! < ends[2]! ? 3 : 0;
        const depth = body.radius_m[i]! - ends[end + 2]!;
        if (depth <= deepest) continue;
        deepest = depth;
        at = 6 * i + end;
      }
      if (at < 0) continue;
      const capsule = (at - (at % 6)) / 6;
      placeBodyCapsule(frames, body, capsule, ends);
      this.addForce(number, at % 6, body.radius_m[capsule]!);
    }
  }

  /** Supports the axis end at `ends[end]`, a ball of this radius, where it is in the floor. */
  private addForce(body: number, end: number, radius_m: number): void {
    const { ends } = this;
    const { force, point } = this.joints;
    const depth = radius_m - ends[end + 2]!;
    if (depth <= 0) return;
    point[0] = ends[end]!;
    point[1] = ends[end + 1]!;
    point[2] = 0;
    force[0] = 0;
    force[1] = 0;
    force[2] = FLOOR_STIFFNESS_N_PER_M * depth;
    this.record(body, force[2]!);
    this.joints.add(body);
  }
}
