/**
 * Forces of the environment on the arm as joint torques (Jᵀ F): a force at the flange, and contacts
 * with obstacles and the floor through penalty springs. The engines do not know them, so both
 * plants behave alike and each obstacle sets its own contact stiffness. The floor supports an arm
 * in gravity compensation or without motor torque.
 */
import { JOINT_COUNT, PAYLOAD_BALL, TURNS_ABOUT_Z } from '../arm/arm-model.ts';
import { TOOL_LINK } from '../arm/geometry.ts';
import {
  ballBody,
  type CapsuleBody,
  closestToBox,
  createBoxContact,
  cylinderBody,
  isFar,
  LINK_BODIES,
  placeBodyCapsule,
} from '../collision/contact.ts';
import { compileBox } from '../collision/zones.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import type { Numbers } from '../math/vector.ts';

/** A box that the arm can collide with. */
export interface PlantObstacle {
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

const UP = Float64Array.of(0, 0, 1);
/** Stiffness of the floor (N/m). */
const FLOOR_STIFFNESS_N_PER_M = 25_000;
/** Links 1 to 6, tool and load can contact obstacles; links 2 to 6, tool and load the floor. */
const FIRST_LINK = 1;
const FIRST_LINK_OVER_FLOOR = 2;
/** Number of the load among the bodies of the arm; the tool comes before it, the links first. */
export const LOAD_BODY = TOOL_LINK + 1;
const BODY_COUNT = LOAD_BODY + 1;

/** Contact of a body of the arm with an obstacle or the floor in the last step. */
export interface ContactPoint {
  /** Force (N); 0 without contact. */
  force_n: number;
  /** Where the force acts (world, m). */
  readonly point_m: Float64Array;
  /** Direction of the force on the arm (world, unit vector). */
  readonly normal: Float64Array;
}

function createContacts(count: number): ContactPoint[] {
  return Array.from({ length: count }, () => ({
    force_n: 0,
    point_m: new Float64Array(3),
    normal: new Float64Array(3),
  }));
}

export class EnvironmentForces {
  /** Torque of the environment on each joint in the last step (N m). */
  readonly torque = new Float64Array(JOINT_COUNT);
  private readonly flangeForce = new Float64Array(3);
  private readonly frames = createFrames();
  private readonly contact = createBoxContact();
  private readonly ends = new Float64Array(6);
  private readonly point = new Float64Array(3);
  private readonly force = new Float64Array(3);
  private boxes: Float64Array[] = [];
  private stiffness = new Float64Array(0);
  /** Links, tool and load; null for a tool or load that is not there. */
  private readonly bodies: (CapsuleBody | null)[] = [...LINK_BODIES, null, null];
  private carries = false;
  /** Contacts of each body with each obstacle, and with the floor last. */
  private contacts = createContacts(BODY_COUNT);
  private active = false;
  /** True while any contact has a force. */
  isTouching = false;

  /** Sets the force at the flange centre (N, robot frame) until the next call. */
  setFlangeForce(force_n: Numbers): void {
    for (let k = 0; k < 3; k++) this.flangeForce[k] = force_n[k]!;
  }

  /** True while a flange force is set or a contact exerts torque. */
  get isActing(): boolean {
    if (this.flangeForce.some((part) => part !== 0)) return true;
    return this.active && this.torque.some((part) => part !== 0);
  }

  setObstacles(obstacles: readonly PlantObstacle[]): void {
    this.boxes = obstacles.map(({ position, half, orientation }) =>
      compileBox({ centre: position, half, orientation }),
    );
    this.stiffness = Float64Array.from(obstacles, (obstacle) => obstacle.stiffness_n_per_m);
    this.contacts = createContacts(BODY_COUNT * (obstacles.length + 1));
  }

  /** Sets the tool from the flange centre to its tip (flange frame, m), or none. */
  setTool(tip_m: Numbers | null, radius_m: number): void {
    this.setBody(TOOL_LINK, tip_m && cylinderBody(tip_m, radius_m));
  }

  /** Sets the centre of the carried load (flange frame, m), a ball, or none. */
  setLoad(centre_m: Numbers | null): void {
    this.setBody(LOAD_BODY, centre_m && ballBody(centre_m, PAYLOAD_BALL.radius_m));
  }

  private setBody(number: number, body: CapsuleBody | null): void {
    this.bodies[number] = body;
    this.carries = this.bodies[TOOL_LINK] !== null || this.bodies[LOAD_BODY] !== null;
  }

  /** Number of obstacles; the floor follows as one more. */
  get obstacleCount(): number {
    return this.boxes.length;
  }

  /**
   * Contact in the last step of obstacle `i`, in the given order, or of the floor, and link 1..6,
   * the tool (7) or the load (8).
   */
  contactOf(i: number, body: number): ContactPoint {
    return this.contacts[i * BODY_COUNT + body]!;
  }

  /** Speed (m/s) at which a point of a body approaches what pushes it along `normal`. */
  approachSpeed(contact: ContactPoint, body: number, rates: Numbers): number {
    for (let k = 0; k < 3; k++) {
      this.point[k] = contact.point_m[k]!;
      this.force[k] = contact.normal[k]!;
    }
    let speed = 0;
    for (let j = 0; j < Math.min(body, JOINT_COUNT); j++) speed -= this.momentAbout(j) * rates[j]!;
    return speed;
  }

  /** Clears the forces of the last step. */
  clear(): void {
    this.torque.fill(0);
    this.isTouching = false;
    for (let i = 0; i < this.contacts.length; i++) this.contacts[i]!.force_n = 0;
  }

  /**
   * Computes the torques at `q`; for the links the floor counts only when `floor` is set. No
   * allocation.
   */
  update(q: Float64Array, floor: boolean): void {
    const hasFlangeForce =
      this.flangeForce[0] !== 0 || this.flangeForce[1] !== 0 || this.flangeForce[2] !== 0;
    const wasActive = this.active;
    this.active = hasFlangeForce || floor || this.carries || this.boxes.length > 0;
    if (wasActive) this.clear();
    if (!this.active) return;
    forward(q, this.frames);
    if (hasFlangeForce) this.addFlangeForce();
    for (let i = 0; i < this.boxes.length; i++) this.addBoxContact(i);
    if (floor) this.addLinksOnFloor();
    if (this.carries) this.addLowestPoints();
  }

  private addFlangeForce(): void {
    const at = FLANGE_FRAME * FRAME_SIZE + 9;
    for (let k = 0; k < 3; k++) {
      this.point[k] = this.frames[at + k]!;
      this.force[k] = this.flangeForce[k]!;
    }
    this.addForce(JOINT_COUNT);
  }

  private addBoxContact(i: number): void {
    const { contact, force, point } = this;
    const box = this.boxes[i]!;
    for (let number = FIRST_LINK; number < BODY_COUNT; number++) {
      const body = this.bodies[number]!;
      if (body === null || isFar(this.frames, body, box)) continue;
      closestToBox(this.frames, body, box, contact);
      if (contact.distance_m >= 0) continue;
      const size = -this.stiffness[i]! * contact.distance_m;
      this.record(i, number, size, contact.point, contact.normal);
      for (let k = 0; k < 3; k++) {
        point[k] = contact.point[k]!;
        force[k] = size * contact.normal[k]!;
      }
      this.addForce(number);
    }
  }

  private record(i: number, body: number, force_n: number, point: Numbers, normal: Numbers): void {
    const contact = this.contacts[i * BODY_COUNT + body]!;
    this.isTouching = true;
    contact.force_n += force_n;
    for (let k = 0; k < 3; k++) {
      contact.point_m[k] = point[k]!;
      contact.normal[k] = normal[k]!;
    }
  }

  private addLinksOnFloor(): void {
    for (let link = FIRST_LINK_OVER_FLOOR; link <= JOINT_COUNT; link++) {
      const body = this.bodies[link]!;
      for (let i = 0; i < body.radius_m.length; i++) {
        placeBodyCapsule(this.frames, body, i, this.ends);
        this.addFloorForce(link, 0, body.radius_m[i]!);
        this.addFloorForce(link, 3, body.radius_m[i]!);
      }
    }
  }

  /** Supports tool and load at their lowest point. */
  private addLowestPoints(): void {
    const { ends } = this;
    for (let number = TOOL_LINK; number <= LOAD_BODY; number++) {
      const body = this.bodies[number]!;
      if (body === null) continue;
      const height = this.frames[body.frame * FRAME_SIZE + 11]!;
      if (height > 0 && height * height > body.reachSquared_m2) continue;
      let deepest = 0;
      let at = -1;
      for (let i = 0; i < body.radius_m.length; i++) {
        placeBodyCapsule(this.frames, body, i, ends);
        const end = ends[5]! < ends[2]! ? 3 : 0;
        const depth = body.radius_m[i]! - ends[end + 2]!;
        if (depth <= deepest) continue;
        deepest = depth;
        at = 6 * i + end;
      }
      if (at < 0) continue;
      const capsule = (at - (at % 6)) / 6;
      placeBodyCapsule(this.frames, body, capsule, ends);
      this.addFloorForce(number, at % 6, body.radius_m[capsule]!);
    }
  }

  /** Supports the axis end at `ends[end]`, a ball of this radius, where it is in the floor. */
  private addFloorForce(body: number, end: number, radius_m: number): void {
    const { ends, force, point } = this;
    const depth = radius_m - ends[end + 2]!;
    if (depth <= 0) return;
    point[0] = ends[end]!;
    point[1] = ends[end + 1]!;
    point[2] = 0;
    force[0] = 0;
    force[1] = 0;
    force[2] = FLOOR_STIFFNESS_N_PER_M * depth;
    this.record(this.boxes.length, body, force[2]!, point, UP);
    this.addForce(body);
  }

  /** Adds the joint torques of `force` at `point` on a body. */
  private addForce(body: number): void {
    const links = Math.min(body, JOINT_COUNT);
    for (let j = 0; j < links; j++) this.torque[j]! += this.momentAbout(j);
  }

  /** Moment of `force` at `point` about joint `j`. */
  private momentAbout(j: number): number {
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

  /** Returns the flange force and the last torques as bytes. */
  save(): Uint8Array {
    const numbers = new Float64Array(3 + JOINT_COUNT + 1);
    numbers.set(this.flangeForce, 0);
    numbers.set(this.torque, 3);
    numbers[9] = this.active ? 1 : 0;
    return new Uint8Array(numbers.buffer);
  }

  /** Restores the state of `save` and returns the remaining bytes. */
  load(bytes: Uint8Array): Uint8Array {
    const length = 8 * (3 + JOINT_COUNT + 1);
    const numbers = new Float64Array(bytes.slice(0, length).buffer);
    this.flangeForce.set(numbers.subarray(0, 3));
    this.torque.set(numbers.subarray(3, 9));
    this.active = numbers[9] === 1;
    return bytes.subarray(length);
  }
}
