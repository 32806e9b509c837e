/**
 * Forces at points of the arm as joint torques (Jᵀ F), and what causes them: obstacles, movable
 * boxes of a cell, contact points, the floor. SI units, robot frame.
 */
import { JOINT_COUNT, TURNS_ABOUT_Z } from '../arm/arm-model.ts';
import { TOOL_LINK } from '../arm/geometry.ts';
import { type CapsuleBody, placeBodyCapsule } from '../collision/contact.ts';
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
