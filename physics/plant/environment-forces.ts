/**
 * Forces of the environment on the arm as joint torques (Jᵀ F): a force at the flange, and
 * contacts with obstacles and the floor through penalty springs. The engines know none of them.
 * The floor supports an arm in gravity compensation or without torque.
 */

import { JOINT_COUNT, PAYLOAD_BALL } from '../arm/arm-model.ts';
import { TOOL_LINK } from '../arm/geometry.ts';
import { closestToBox, closestToMovable, createBoxContact } from '../collision/box-contact.ts';
import { compileBox } from '../collision/boxes.ts';
import {
  ballBody,
  type CapsuleBody,
  cylinderBody,
  LINK_BODIES,
} from '../collision/capsule-body.ts';
import { FLANGE_FRAME, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { BYTES_PER_NUMBER, doublesOf } from '../math/byte-sections.ts';
import { Layout } from '../math/layout.ts';
import type { Numbers } from '../math/vector.ts';
import { type ContactPoint, createContacts } from './contact-point.ts';
import { ContactSchedule } from './contact-schedule.ts';
import { FloorSupport } from './floor-support.ts';
import { JointForces } from './joint-forces.ts';
import type { MovableBox, PlantObstacle } from './obstacle.ts';

const UP = Float64Array.of(0, 0, 1);
/** Links 1 to 6 can contact obstacles, and what link 6 carries. */
const FIRST_LINK = 1;
/** Number of the load among the bodies of the arm; the tool comes before it, the links first. */
export const LOAD_BODY = TOOL_LINK + 1;
/** Number of the gripper of a cell among the bodies of the arm. */
export const GRIPPER_BODY = LOAD_BODY + 1;
const BODY_COUNT = GRIPPER_BODY + 1;
/** Penetration that is rounding for bodies of a cell, which start in contact (m). */
const ROUNDING_M = 1e-9;

/** Numbers of a saved state. */
const SAVED = new Layout({ flangeForce: 3, torque: JOINT_COUNT, isActive: 1 });
/** Size of a saved state. */
export const ENVIRONMENT_BYTES = BYTES_PER_NUMBER * SAVED.size;

export interface ArmOverlap {
  readonly depth_m: number;
  readonly top_m: number;
}

/** A body of the arm near a box, by their numbers as of `contactOf`. */
export interface NearBox {
  readonly box: number;
  readonly body: number;
  /** Below zero where they overlap. */
  readonly distance_m: number;
}

export class EnvironmentForces {
  /** Torque of the environment on each joint in the last step (N m). */
  readonly torque = new Float64Array(JOINT_COUNT);
  private readonly flangeForce = new Float64Array(3);
  private readonly joints = new JointForces(this.torque);
  private readonly frames = this.joints.frames;
  private readonly contact = createBoxContact();
  private readonly point = this.joints.point;
  private readonly force = this.joints.force;
  private boxes: Float64Array[] = [];
  private stiffness = new Float64Array(0);
  private readonly floor = new FloorSupport(this.joints, (body, force_n) =>
    this.record(this.boxes.length, body, force_n, this.point, UP),
  );
  private movables: readonly MovableBox[] = [];
  private readonly watch = new ContactSchedule(BODY_COUNT);
  /** Links, tool, load and gripper; null for what is not there. */
  private readonly bodies: (CapsuleBody | null)[] = [...LINK_BODIES, null, null, null];
  /** True while a cell says what the gripper holds; the load then has no ball. */
  private hasCell = false;
  /** Sum of the contact forces on the load in the last step (N). */
  readonly forceOnLoad = new Float64Array(3);
  private carries = false;
  /** Contacts of each body with each obstacle, and with the floor last. */
  private contacts = createContacts(BODY_COUNT);
  private active = false;
  /** True while any contact has a force. */
  isTouching = false;

  constructor() {
    this.watch.setBodies(this.bodies);
  }

  /** Sets the force at the flange centre (N, robot frame) until the next call. */
  setFlangeForce(force_n: Numbers): void {
    for (let k = 0; k < 3; k++) this.flangeForce[k] = force_n[k]!;
  }

  /** True while a flange force is set or a contact exerts torque. */
  get isActing(): boolean {
    if (this.flangeForce.some((part) => part !== 0)) return true;
    return this.active && this.torque.some((part) => part !== 0);
  }

  /** Sets the static boxes, and the movable ones, which follow them in number. */
  setObstacles(
    obstacles: readonly PlantObstacle[],
    movables: readonly MovableBox[] = this.movables,
  ): void {
    const fixed = obstacles.map(({ position, half, orientation }) =>
      compileBox({ centre: position, half, orientation }),
    );
    this.boxes = [...fixed, ...movables.map(({ box }) => box)];
    this.movables = movables;
    this.stiffness = Float64Array.from([...obstacles, ...movables], (one) => one.stiffness_n_per_m);
    this.contacts = createContacts(BODY_COUNT * (this.boxes.length + 1));
    this.watch.setBoxCount(this.boxes.length);
  }

  /** Looks at a movable box in the next step, because it is new or came back. */
  watchMovable(i: number): void {
    this.watch.watch(this.boxes.length - this.movables.length + i);
  }

  /** A movable box has moved, by this much at most. */
  movableMoved(i: number, travel_m: number): void {
    this.watch.approach(this.boxes.length - this.movables.length + i, travel_m);
  }

  /** Says whether a cell has grippers; their load is then a body of its own shape, not a ball. */
  setCell(hasGripper: boolean): void {
    if (hasGripper !== this.hasCell) this.setBody(LOAD_BODY, null);
    this.hasCell = hasGripper;
    this.watch.watch();
    if (!hasGripper) this.setBody(GRIPPER_BODY, null);
  }

  /** Sets the body of the gripper and of what it holds (flange frame), or none. */
  setGripper(gripper: CapsuleBody | null, held: CapsuleBody | null): void {
    this.setBody(GRIPPER_BODY, gripper);
    this.setBody(LOAD_BODY, held);
  }

  /** Sets the tool from the flange centre to its tip (flange frame, m), or none. */
  setTool(tip_m: Numbers | null, radius_m: number): void {
    this.setBody(TOOL_LINK, tip_m && cylinderBody(tip_m, radius_m));
  }

  /** Sets the centre of the carried load (flange frame, m), a ball, or none. */
  setLoad(centre_m: Numbers | null): void {
    if (this.hasCell) return;
    this.setBody(LOAD_BODY, centre_m && ballBody(centre_m, PAYLOAD_BALL.radius_m));
  }

  private setBody(number: number, body: CapsuleBody | null): void {
    this.bodies[number] = body;
    this.carries = this.bodies.slice(TOOL_LINK).some((one) => one !== null);
    this.watch.setBodies(this.bodies);
  }

  /** Number of static and movable boxes; the floor follows as one more. */
  get obstacleCount(): number {
    return this.boxes.length;
  }
  /** Bodies of the arm are numbered below this. */
  readonly bodyCount = BODY_COUNT;

  /**
   * Contact in the last step of box `i`, in the given order, or of the floor, and link 1..6, the
   * tool (7), the load (8) or the gripper (9).
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
    return -this.joints.speedAlong(body, rates);
  }

  /** Clears the forces of the last step; the next one looks at everything. */
  clear(): void {
    this.watch.watch();
    this.clearForces();
  }

  private clearForces(): void {
    this.torque.fill(0);
    this.forceOnLoad.fill(0);
    if (!this.isTouching) return;
    this.isTouching = false;
    for (let i = 0; i < this.contacts.length; i++) this.contacts[i]!.force_n = 0;
  }

  /**
   * Computes the torques at `q` and the rates `velocity`, which damp contacts with movable boxes;
   * for the links the floor counts only when `floor` is set. No allocation, and no work in a step
   * in which nothing can touch the arm.
   */
  update(q: Float64Array, velocity: Numbers, floor: boolean): void {
    const hasFlangeForce =
      this.flangeForce[0] !== 0 || this.flangeForce[1] !== 0 || this.flangeForce[2] !== 0;
    if (this.active) this.clearForces();
    const isDue = this.watch.advance(q);
    this.active = hasFlangeForce || floor || isDue;
    if (!this.active) return;
    forward(q, this.frames);
    if (hasFlangeForce) this.addFlangeForce();
    if (isDue) this.addBoxContacts(velocity);
    if (floor) this.floor.addLinks(this.bodies);
    if (isDue) this.addCarried();
  }

  private addFlangeForce(): void {
    const at = FLANGE_FRAME * FRAME_SIZE + 9;
    for (let k = 0; k < 3; k++) {
      this.point[k] = this.frames[at + k]!;
      this.force[k] = this.flangeForce[k]!;
    }
    this.joints.add(JOINT_COUNT);
  }

  private addBoxContacts(velocity: Numbers): void {
    const { boxes, movables, watch } = this;
    const first = boxes.length - movables.length;
    watch.place(this.frames, this.bodies, FIRST_LINK);
    for (let i = 0; i < boxes.length; i++) {
      if (!watch.isDue(i)) continue;
      const movable = i < first ? null : movables[i - first]!;
      // A box that is not there is due again as soon as it comes back.
      const isOff = movable?.isOn === false;
      let gap = isOff ? Number.POSITIVE_INFINITY : watch.armGap(boxes[i]!);
      if (gap === 0) gap = this.addBoxContact(i, movable, velocity);
      watch.postpone(i, gap);
    }
  }

  /**
   * How deep a box would lie in the arm at `q`, and the height above which it would be clear (m);
   * null where they do not meet. With `gripper`, that one is at the flange, and it holds nothing.
   */
  meets(q: Float64Array, box: Float64Array, gripper?: CapsuleBody | null): ArmOverlap | null {
    const { contact, frames, watch } = this;
    const bodies = gripper === undefined ? this.bodies : [...LINK_BODIES, null, null, gripper];
    forward(q, frames);
    watch.place(frames, bodies, FIRST_LINK);
    let [depth_m, top_m] = [0, 0];
    for (let number = FIRST_LINK; number < BODY_COUNT; number++) {
      const body = bodies[number]!;
      if (body === null || !this.touchesMovables(number)) continue;
      if (watch.bodyGap(number, box) > 0) continue;
      closestToMovable(frames, body, box, contact);
      if (contact.distance_m >= -ROUNDING_M) continue;
      depth_m = Math.max(depth_m, -contact.distance_m);
      top_m = Math.max(top_m, watch.topOf(number));
    }
    return depth_m > 0 ? { depth_m, top_m } : null;
  }

  /**
   * The body of the arm and the box that are nearest to each other at `q`, where they are nearer
   * than `within_m`; else null.
   */
  nearestAt(q: Float64Array, within_m: number): NearBox | null {
    const { bodies, boxes, contact, frames, movables, watch } = this;
    const first = boxes.length - movables.length;
    forward(q, frames);
    watch.place(frames, bodies, FIRST_LINK);
    let least: NearBox | null = null;
    for (let box = 0; box < boxes.length; box++) {
      const movable = movables[box - first];
      if (movable?.isOn === false || watch.armGap(boxes[box]!) > Math.max(within_m, 0)) continue;
      for (let number = FIRST_LINK; number < BODY_COUNT; number++) {
        const body = bodies[number]!;
        if (body === null || (movable && !this.touchesMovables(number))) continue;
        const limit_m = least?.distance_m ?? within_m;
        if (watch.bodyGap(number, boxes[box]!) > Math.max(limit_m, 0)) continue;
        closestToBox(frames, body, boxes[box]!, contact);
        if (contact.distance_m < limit_m) {
          least = { box, body: number, distance_m: contact.distance_m };
        }
      }
    }
    return least;
  }

  /** Supports what the arm carries on the floor; ends the looks of the step. */
  private addCarried(): void {
    const { boxes, watch } = this;
    if (watch.isDue(boxes.length)) {
      const height = this.carries ? watch.heightFrom(TOOL_LINK) : Number.POSITIVE_INFINITY;
      if (height <= 0) this.floor.addCarried(this.bodies);
      watch.postpone(boxes.length, height);
    }
    watch.end();
  }

  /** Adds the contacts of one box; returns a distance within which no body of the arm is (m). */
  private addBoxContact(i: number, movable: MovableBox | null, velocity: Numbers): number {
    const { contact } = this;
    const box = this.boxes[i]!;
    const slack = this.hasCell || movable ? ROUNDING_M : 0;
    let least = Number.POSITIVE_INFINITY;
    for (let number = FIRST_LINK; number < BODY_COUNT; number++) {
      const body = this.bodies[number]!;
      if (body === null || (movable && !this.touchesMovables(number))) continue;
      const gap = this.watch.bodyGap(number, box);
      if (gap === 0) (movable ? closestToMovable : closestToBox)(this.frames, body, box, contact);
      const distance = gap > 0 ? gap : contact.distance_m;
      least = Math.min(least, Math.max(0, distance));
      if (distance >= -slack) continue;
      let size = -this.stiffness[i]! * contact.distance_m;
      if (movable) size += this.dampingForce(movable, number, velocity);
      if (size <= 0) continue;
      this.record(i, number, size, contact.point, contact.normal);
      this.addContactForce(number, size);
    }
    return least;
  }

  /** Jaws and cup touch objects in place of the tool's cylinder. */
  private touchesMovables(body: number): boolean {
    return body !== TOOL_LINK || !this.hasCell;
  }

  private dampingForce(movable: MovableBox, body: number, velocity: Numbers): number {
    const { contact, force, point } = this;
    let closing = 0;
    for (let k = 0; k < 3; k++) {
      force[k] = contact.normal[k]!;
      point[k] = contact.point[k]!;
      closing += movable.velocity[k]! * contact.normal[k]!;
    }
    return movable.damping_n_s_per_m * (closing - this.joints.speedAlong(body, velocity));
  }

  private addContactForce(body: number, size: number): void {
    const { contact, force, point } = this;
    for (let k = 0; k < 3; k++) {
      point[k] = contact.point[k]!;
      force[k] = size * contact.normal[k]!;
      if (body === LOAD_BODY) this.forceOnLoad[k]! += force[k]!;
    }
    this.joints.add(body);
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

  /**
   * Returns the flange force and the last torques as bytes. When the next step looks at boxes again
   * is no part of them: it affects no result.
   */
  save(): Uint8Array {
    const numbers = SAVED.create();
    const { flangeForce, torque, isActive } = SAVED.views(numbers);
    flangeForce.set(this.flangeForce);
    torque.set(this.torque);
    isActive[0] = this.torque.some((part) => part !== 0) ? 1 : 0;
    return new Uint8Array(numbers.buffer);
  }

  /** Restores the state of `save`. */
  load(bytes: Uint8Array): void {
    const { flangeForce, torque, isActive } = SAVED.views(doublesOf(bytes));
    this.clear();
    this.flangeForce.set(flangeForce);
    this.torque.set(torque);
    this.active = isActive[0] === 1;
  }
}
