import { BOX_CENTRE, BOX_HALF, BOX_HIGH, BOX_LOW, compileBox } from '../collision/boxes.ts';
import type { CapsuleBody } from '../collision/capsule-body.ts';
import { quaternionToMatrix } from '../math/rotation.ts';
import { length3 } from '../math/vector.ts';
import type { ArmOverlap, EnvironmentForces } from '../plant/environment-forces.ts';
import type { MovableBox } from '../plant/obstacle.ts';
import { type BodyStates, VELOCITY_SIZE } from './body-states.ts';
import type { CellModel } from './cell-model.ts';
import type { LooseBodies } from './loose-bodies.ts';
import { SOLID_POSE } from './pose.ts';
import { pushStiffness } from './push-stiffness.ts';

/** The box that the arm meets in place of a cylinder has this share of its radius as half sides. */
const ROUND_SHARE = 0.8;
/** Share of critical damping of the contact between arm and body, as an explicit step bears it. */
const DAMPING_SHARE = 0.5;

/** Boxes in place of the movable bodies, for the contact forces of the arm. */
export class ArmBoxes {
  readonly list: readonly MovableBox[];
  private readonly states: BodyStates;
  private readonly matrix = new Float64Array(9);
  private readonly point = new Float64Array(3);
  /** Poses of the bodies that the boxes have. */
  private readonly placed: Float64Array;
  private environment: EnvironmentForces | null = null;
  /** Whether what falls goes through the arm, which does not feel it. */
  private readonly isFallFree: boolean;

  constructor(model: CellModel, states: BodyStates, isFallFree = false) {
    this.states = states;
    this.isFallFree = isFallFree;
    this.placed = new Float64Array(SOLID_POSE * model.bodies.length);
    this.list = model.bodies.map(({ half, isRound, mass_kg }, i) => {
      const share = isRound ? ROUND_SHARE : 1;
      const stiffness = pushStiffness(mass_kg);
      return {
        box: compileBox({
          centre: { x: 0, y: 0, z: 0 },
          half: { x: half[0]! * share, y: half[1]! * share, z: half[2]! },
          orientation: { w: 1, x: 0, y: 0, z: 0 },
        }),
        stiffness_n_per_m: stiffness,
        damping_n_s_per_m: 2 * DAMPING_SHARE * Math.sqrt(stiffness * mass_kg),
        velocity: states.velocities.subarray(VELOCITY_SIZE * i, VELOCITY_SIZE * i + 3),
        isOn: true,
      };
    });
  }

  attach(environment: EnvironmentForces): void {
    this.environment = environment;
  }

  updateAll(): void {
    for (let i = 0; i < this.list.length; i++) {
      this.update(i);
      this.environment?.watchMovable(i);
    }
  }

  /**
   * How body `i` would meet the arm at angles `q` with these poses; null where it would not. With
   * `gripper`, that one is at the flange.
   */
  meets(
    i: number,
    poses: Float64Array,
    { q, gripper }: { readonly q: Float64Array; readonly gripper?: CapsuleBody | null },
  ): ArmOverlap | null {
    const own = this.list[i]!.box;
    const at = SOLID_POSE * i;
    const [x, y, z] = [poses[at]!, poses[at + 1]!, poses[at + 2]!];
    const [w, i1, j1, k1] = [poses[at + 3]!, poses[at + 4]!, poses[at + 5]!, poses[at + 6]!];
    const half = { x: own[BOX_HALF]!, y: own[BOX_HALF + 1]!, z: own[BOX_HALF + 2]! };
    const box = compileBox({ centre: { x, y, z }, half, orientation: { w, x: i1, y: j1, z: k1 } });
    return this.environment?.meets(q, box, gripper) ?? null;
  }

  /** Applies the reactions of the contacts of the arm to the bodies. */
  push(bodies: LooseBodies): void {
    const { environment, list, point } = this;
    if (!environment) return;
    const first = environment.obstacleCount - list.length;
    for (let i = 0; i < list.length; i++) {
      if (!list[i]!.isOn) continue;
      for (let body = 1; body < environment.bodyCount; body++) {
        const contact = environment.contactOf(first + i, body);
        if (contact.force_n === 0) continue;
        for (let k = 0; k < 3; k++) point[k] = -contact.force_n * contact.normal[k]!;
        bodies.push(i, point, contact.point_m);
      }
    }
  }

  /** Moves a box to its body, where that moved. */
  follow(i: number): void {
    const { isOn } = this.list[i]!;
    const { poses } = this.states;
    const at = SOLID_POSE * i;
    let hasMoved = isOn !== this.isMet(i);
    for (let k = 0; k < SOLID_POSE; k++) hasMoved ||= this.placed[at + k] !== poses[at + k];
    if (hasMoved) this.update(i);
  }

  /** What fell through the arm is not there for it until it is out of it. */
  private isMet(i: number): boolean {
    return this.states.isLoose(i) && this.states.inArm[i] !== 1;
  }

  /** True while something that the arm does not feel may lie in it. */
  get isPassing(): boolean {
    return this.states.inArm.includes(1);
  }

  /** Notes what falls through the arm, and what is out of it again at angles `q` (rad). */
  passThrough(q: Float64Array): void {
    const { inArm, poses, velocities } = this.states;
    for (let i = 0; i < inArm.length; i++) {
      const isLoose = this.states.isLoose(i);
      const isFalling = this.isFallFree && isLoose && velocities[VELOCITY_SIZE * i + 2] !== 0;
      if (isFalling === (inArm[i] === 1)) continue;
      if (!isFalling && isLoose && this.meets(i, poses, { q })) continue;
      inArm[i] = isFalling ? 1 : 0;
      this.follow(i);
    }
  }

  /** How far a point of body `i` went at most since its box was moved (m). */
  private travelOf(i: number): number {
    const { placed, states, list } = this;
    const at = SOLID_POSE * i;
    let shifted = 0;
    let turned = 0;
    for (let k = 0; k < SOLID_POSE; k++) {
      const off = states.poses[at + k]! - placed[at + k]!;
      if (k < 3) shifted += off * off;
      else turned += off * off;
    }
    const { box } = list[i]!;
    const radius = length3(box[BOX_HALF]!, box[BOX_HALF + 1]!, box[BOX_HALF + 2]!);
    // A point turns by at most twice the change of the quaternion.
    return Math.sqrt(shifted) + 2 * radius * Math.sqrt(turned);
  }

  /** Moves a box to its body. */
  private update(i: number): void {
    const { box } = this.list[i]!;
    const { poses } = this.states;
    const at = SOLID_POSE * i;
    const travel = this.travelOf(i);
    for (let k = 0; k < SOLID_POSE; k++) this.placed[at + k] = poses[at + k]!;
    const [w, x, y, z] = [poses[at + 3]!, poses[at + 4]!, poses[at + 5]!, poses[at + 6]!];
    quaternionToMatrix({ w, x, y, z }, this.matrix);
    for (let k = 0; k < 3; k++) {
      let extent = 0;
      for (let m = 0; m < 3; m++) {
        box[3 * k + m] = this.matrix[3 * k + m]!;
        extent += Math.abs(this.matrix[3 * k + m]!) * box[BOX_HALF + m]!;
      }
      const centre = poses[at + k]!;
      box[BOX_CENTRE + k] = centre;
      box[BOX_LOW + k] = centre - extent;
      box[BOX_HIGH + k] = centre + extent;
    }
    const isOn = this.isMet(i);
    if (isOn !== this.list[i]!.isOn) this.environment?.watchMovable(i);
    else this.environment?.movableMoved(i, travel);
    this.list[i]!.isOn = isOn;
  }
}
