/**
 * What a gripper adds to the arm: capsules of its fingers or cup and of what it holds, in the
 * flange frame, and the load. The capsules lie inside of the bodies and reach their faces.
 */
import { type CapsuleBody, flangeBody } from '../collision/contact.ts';
import { BOX_CENTRE, BOX_HALF, BOX_HIGH, BOX_LOW, compileBox } from '../collision/scene.ts';
import { ballLoad, type Load, sumLoads } from '../dynamics/inertia.ts';
import { cos, PI, sin } from '../math/portable.ts';
import { length3, quaternionToMatrix } from '../math/rotation.ts';
import type { ArmOverlap, EnvironmentForces } from '../plant/environment-forces.ts';
import type { MovableBox } from '../plant/joint-forces.ts';
import { type CellModel, loadOfBody } from './cell-model.ts';
import type { Gripper } from './grippers.ts';
import { type BodyStates, type LooseBodies, pushStiffness, VELOCITY_SIZE } from './loose-bodies.ts';
import { compose, SOLID_POSE, type Solid } from './solids.ts';

/** Radius of the capsules of fingers and cups, and greatest one in a held body (m; own). */
const FINGER_RADIUS_M = 0.004;
const FILL_RADIUS_M = 0.005;
/** Greatest distance between two capsules in a held body (m; own). */
const FILL_SPACING_M = 0.02;
/** Pads give way by this much before they push (m; own). */
const PAD_GIVE_M = 5e-4;
/** Length of a finger or cup above its tip (m; own). */
const FINGER_LENGTH_M = 0.04;
/** Nearest point of a finger to the flange (m): link 6 reaches so far. */
const FLANGE_CLEARANCE_M = 0.015;

/** Capsules as they are collected: ends (flange frame) and radii. */
interface Bundle {
  readonly ends: number[];
  readonly radii: number[];
}

const placed = new Float64Array(SOLID_POSE);
const spot = new Float64Array(SOLID_POSE);
spot[3] = 1;

function addPoint(frame: Float64Array, x: number, y: number, z: number, out: number[]): void {
  spot[0] = x;
  spot[1] = y;
  spot[2] = z;
  compose(frame, 0, spot, 0, placed);
  out.push(placed[0]!, placed[1]!, placed[2]!);
}

/** Coordinates from -half to half, inset by the radius, at most the spacing apart. */
function rows(half: number, radius: number): number[] {
  const inner = half - radius;
  if (inner < 1e-6) return [0];
  const count = Math.max(1, Math.ceil((2 * inner) / FILL_SPACING_M));
  return Array.from({ length: count + 1 }, (_, i) => -inner + (2 * inner * i) / count);
}

/** Capsules along the longest axis of a box, over its cross-section. */
function fillBox(half: ArrayLike<number>, frame: Float64Array, { ends, radii }: Bundle): void {
  const longest = [0, 1, 2].reduce((best, k) => (half[k]! > half[best]! ? k : best), 0);
  const [b, c] = [(longest + 1) % 3, (longest + 2) % 3];
  const radius = Math.min(FILL_RADIUS_M, half[0]!, half[1]!, half[2]!);
  const reach = half[longest]! - radius;
  for (const u of rows(half[b]!, radius)) {
    for (const v of rows(half[c]!, radius)) {
      for (const along of [-reach, reach]) {
        const point = [0, 0, 0];
        point[longest] = along;
        point[b] = u;
        point[c] = v;
        addPoint(frame, point[0]!, point[1]!, point[2]!, ends);
      }
      radii.push(radius);
    }
  }
}

/** Capsules along the axis of a cylinder: one in the middle, a ring at its side. */
function fillCylinder(half: ArrayLike<number>, frame: Float64Array, bundle: Bundle): void {
  const radius = Math.min(FILL_RADIUS_M, half[0]!, half[2]!);
  const ring = half[0]! - radius;
  const count = ring < 1e-6 ? 0 : Math.max(6, Math.ceil((2 * PI * ring) / FILL_SPACING_M));
  const reach = half[2]! - radius;
  const add = (x: number, y: number) => {
    for (const along of [-reach, reach]) addPoint(frame, x, y, along, bundle.ends);
    bundle.radii.push(radius);
  };
  add(0, 0);
  for (let i = 0; i < count; i++) {
    const angle = (2 * PI * i) / count;
    add(ring * cos(angle), ring * sin(angle));
  }
}

function fill(solid: Solid, frame: Float64Array, bundle: Bundle): void {
  if (solid.isRound) fillCylinder(solid.half, frame, bundle);
  else fillBox(solid.half, frame, bundle);
}

/** Fingers at the present opening, or the cup. */
function addGripper({ model, opening }: Gripper, { ends, radii }: Bundle): void {
  const { description, frame } = model;
  const isJaws = description.kind === 'jaws';
  const radius = isJaws ? FINGER_RADIUS_M : Math.min(FINGER_RADIUS_M, description.radius_m);
  const low = isJaws ? description.pad_height_m / 2 - radius : -radius;
  const high = -Math.min(FINGER_LENGTH_M, Math.max(0, frame[2]! - FLANGE_CLEARANCE_M));
  if (high >= low) return;
  const across = isJaws ? Math.max(0, description.pad_width_m / 2 - radius) : 0;
  const beside = isJaws ? [-1, 1].map((side) => side * (opening / 2 + PAD_GIVE_M + radius)) : [0];
  for (const x of beside) {
    for (const y of across > 0 ? [-across, 0, across] : [0]) {
      addPoint(frame, x, y, high, ends);
      addPoint(frame, x, y, low, ends);
      radii.push(radius);
    }
  }
}

function bodyOf({ ends, radii }: Bundle): CapsuleBody | null {
  return radii.length === 0 ? null : flangeBody(ends, radii);
}

/** Bodies and load of all grippers with what they hold. */
export function armBodies(
  model: CellModel,
  grippers: readonly Gripper[],
): {
  readonly gripper: CapsuleBody | null;
  readonly held: CapsuleBody | null;
  readonly load: Load;
} {
  const fingers: Bundle = { ends: [], radii: [] };
  const carried: Bundle = { ends: [], radii: [] };
  const loads: Load[] = [];
  for (const gripper of grippers) {
    addGripper(gripper, fingers);
    const { mass_kg = 0, tip_m } = gripper.model.description;
    const centre_of_mass_m = [tip_m.x / 2, tip_m.y / 2, tip_m.z / 2];
    loads.push({ ...ballLoad(mass_kg), centre_of_mass_m });
    if (gripper.holds < 0) continue;
    const body = model.bodies[gripper.holds]!;
    // What stands on a surface between jaws too weak for it neither moves with them nor loads them.
    const stays = gripper.isRelieved && !gripper.isSucking;
    if (!stays) fill(body, gripper.held, carried);
    if (!gripper.isRelieved) loads.push(loadOfBody(body, gripper.held));
  }
  return { gripper: bodyOf(fingers), held: bodyOf(carried), load: sumLoads(loads) };
}

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

  private isMet(i: number): boolean {
    const isFalling = this.isFallFree && this.states.velocities[VELOCITY_SIZE * i + 2] !== 0;
    return this.states.isLoose(i) && !isFalling;
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
