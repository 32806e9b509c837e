/**
 * Forces of the environment on the arm as joint torques (Jᵀ F): a force at the flange, and contacts
 * with obstacles and the floor through penalty springs. The engines do not know them, so both
 * plants behave alike and each obstacle sets its own contact stiffness. The floor supports an arm
 * in gravity compensation or without motor torque.
 */
import { JOINT_COUNT, TURNS_ABOUT_Z } from '../arm/arm-model.ts';
import { CAPSULE_ENDS_M, CAPSULE_RADIUS_M, FIRST_CAPSULE } from '../arm/geometry.ts';
import { closestToBox, createBoxContact } from '../collision/contact.ts';
import { placeCapsule } from '../collision/scene.ts';
import { BOX_HIGH, BOX_LOW, compileBox } from '../collision/zones.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { length3, type Numbers } from '../math/vector.ts';

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

/** Stiffness of the floor (N/m). */
const FLOOR_STIFFNESS_N_PER_M = 25_000;
/** Links 1 to 6 can contact obstacles, links 2 to 6 the floor. */
const FIRST_LINK = 1;
const FIRST_LINK_OVER_FLOOR = 2;

/** Squared radius of each link around its frame's origin (m²). */
const REACH_SQUARED = Float64Array.from({ length: JOINT_COUNT + 1 }, (_, link) => {
  let reach = 0;
  for (let i = FIRST_CAPSULE[link]!; i < FIRST_CAPSULE[link + 1]!; i++) {
    for (let end = 6 * i; end < 6 * i + 6; end += 3) {
      const [x, y, z] = [0, 1, 2].map((k) => CAPSULE_ENDS_M[end + k]!);
      reach = Math.max(reach, length3(x!, y!, z!) + CAPSULE_RADIUS_M[i]!);
    }
  }
  return reach * reach;
});

/**
 * True when the bounding ball of a link cannot intersect the bounds of a box, which is so for most
 * pairs.
 */
function isFar(frames: Numbers, link: number, box: Float64Array): boolean {
  let squared = 0;
  for (let k = 0; k < 3; k++) {
    const x = frames[link * FRAME_SIZE + 9 + k]!;
    const below = box[BOX_LOW + k]! - x;
    const above = x - box[BOX_HIGH + k]!;
    const away = below > 0 ? below : Math.max(above, 0);
    squared += away * away;
  }
  return squared > REACH_SQUARED[link]!;
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
  private forces = new Float64Array(0);
  private active = false;

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
    this.forces = new Float64Array(obstacles.length * (JOINT_COUNT + 1));
  }

  /** Force (N) between obstacle `i`, in the given order, and link 1..6 in the last step. */
  contactForce(i: number, link: number): number {
    return this.forces[i * (JOINT_COUNT + 1) + link]!;
  }

  /** Clears the forces of the last step. */
  clear(): void {
    this.torque.fill(0);
    this.forces.fill(0);
  }

  /** Computes the torques at `q`; the floor counts only when `floor` is set. No allocation. */
  update(q: Float64Array, floor: boolean): void {
    const hasFlangeForce =
      this.flangeForce[0] !== 0 || this.flangeForce[1] !== 0 || this.flangeForce[2] !== 0;
    const wasActive = this.active;
    this.active = hasFlangeForce || floor || this.boxes.length > 0;
    if (wasActive) this.clear();
    if (!this.active) return;
    forward(q, this.frames);
    if (hasFlangeForce) this.addFlangeForce();
    for (let i = 0; i < this.boxes.length; i++) this.addBoxContact(i);
    if (floor) this.addFloorContact();
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
    for (let link = FIRST_LINK; link <= JOINT_COUNT; link++) {
      if (isFar(this.frames, link, box)) continue;
      closestToBox(this.frames, link, box, contact);
      if (contact.distance_m >= 0) continue;
      const size = -this.stiffness[i]! * contact.distance_m;
      this.forces[i * (JOINT_COUNT + 1) + link] = size;
      for (let k = 0; k < 3; k++) {
        point[k] = contact.point[k]!;
        force[k] = size * contact.normal[k]!;
      }
      this.addForce(link);
    }
  }

  private addFloorContact(): void {
    const { ends, force, point } = this;
    for (let link = FIRST_LINK_OVER_FLOOR; link <= JOINT_COUNT; link++) {
      for (let i = FIRST_CAPSULE[link]!; i < FIRST_CAPSULE[link + 1]!; i++) {
        placeCapsule(this.frames, i, ends, 0);
        for (let end = 0; end < 6; end += 3) {
          const depth = CAPSULE_RADIUS_M[i]! - ends[end + 2]!;
          if (depth <= 0) continue;
          point[0] = ends[end]!;
          point[1] = ends[end + 1]!;
          point[2] = 0;
          force[0] = 0;
          force[1] = 0;
          force[2] = FLOOR_STIFFNESS_N_PER_M * depth;
          this.addForce(link);
        }
      }
    }
  }

  /** Adds the joint torques of `force` at `point` on `link`. */
  private addForce(link: number): void {
    const { force, frames, point } = this;
    for (let j = 0; j < link; j++) {
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
      this.torque[j]! += TURNS_ABOUT_Z[j] ? part : -part;
    }
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
