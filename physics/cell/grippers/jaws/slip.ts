/**
 * The slip of a held body along the pads of jaws: by inertia and weight, by a surface that presses
 * it, or because it stands on a surface while the jaws move on.
 */

import { PLANT_STEP_S } from '../../../dynamics/plant-step.ts';
import { length3 } from '../../../math/vector.ts';
import { compose, relate, SOLID_POSE, turn } from '../../pose.ts';
import type { Need } from '../force-text.ts';
import { CALM_STEPS } from '../gripper.ts';
import { GRIPPER_NUMBERS } from '../gripper-numbers.ts';
import type { GripperWorld } from '../gripper-world.ts';

const { at: AT } = GRIPPER_NUMBERS;
/** A standing body has slipped once the pads have moved along it by this much (m; own). */
const SLIPPED_M = 1e-3;
/** A body no longer slips below this speed (m/s). */
const STICK_M_S = 1e-4;

/** The direction in which jaws close, in the grasp frame. */
const CLOSING = [1, 0, 0];

const point = new Float64Array(3);
const target = new Float64Array(SOLID_POSE);

/** What a slip knows of the gripper whose held body it moves. */
export interface SlippingGrip {
  /** The state of the gripper, as GRIPPER_NUMBERS orders it. */
  readonly memory: Float64Array<ArrayBuffer>;
  /** Pose of the grasp centre in the flange frame. */
  readonly frame: Float64Array;
  /** Pose of the grasp centre in this step. */
  readonly grasp: Float64Array;
  /** Force that moves the held body, in the grasp frame (N). */
  readonly force: Float64Array;
  /** The body has slipped upwards in this step (m). */
  readonly onSlip: (up_m: number) => void;
  /** Says that the body has begun to slip, and what it would have needed. */
  readonly report: (world: GripperWorld, need: Need) => void;
}

export class Slip {
  private readonly grip: SlippingGrip;
  private readonly memory: Float64Array<ArrayBuffer>;
  /** Velocity along the pads, in the grasp frame (m/s). */
  private readonly velocity: Float64Array;
  /** Pose of the held body in the flange frame. */
  private readonly held: Float64Array;
  /** Where the held body was in the flange frame when it began to stand. */
  private readonly stood: Float64Array;

  constructor(grip: SlippingGrip) {
    const { slip, held, stood } = GRIPPER_NUMBERS.views(grip.memory);
    this.grip = grip;
    this.memory = grip.memory;
    this.velocity = slip;
    this.held = held;
    this.stood = stood;
  }

  /** True while the body moves along the pads. */
  get isSlipping(): boolean {
    return this.velocity[1] !== 0 || this.velocity[2] !== 0 || this.memory[AT.yielded] === 1;
  }

  /** Where the held body is among the poses. */
  private get place(): number {
    return SOLID_POSE * this.memory[AT.holds]!;
  }

  /**
   * A surface carries what the jaws cannot: it stays, and follows them only where they push. True
   * once the pads have moved along it. `depth_m` is how deep it lies in the surface.
   */
  stand(world: GripperWorld, depth_m: number, weight: Need): boolean {
    const { poses } = world.states;
    const { held, memory, stood } = this;
    const at = this.place;
    if (memory[AT.stands] === 0) stood.set(held.subarray(0, 3));
    this.velocity.fill(0);
    compose(world.flange, 0, held, 0, target);
    turn(this.grip.grasp, 3, CLOSING, point);
    let pushed_m = 0;
    for (let k = 0; k < 3; k++) pushed_m += (target[k]! - poses[at + k]!) * point[k]!;
    for (let k = 0; k < 2; k++) poses[at + k]! += pushed_m * point[k]!;
    poses[at + 2]! += depth_m;
    relate(world.flange, 0, poses, at, held);
    for (let k = 0; k < 3; k++) point[k] = held[k]! - stood[k]!;
    const slid_m = length3(point[0]!, point[1]!, point[2]!);
    if (slid_m <= SLIPPED_M) return false;
    this.begin(world, weight);
    return true;
  }

  /** A surface presses harder than the pads hold: the body gives way along them (m). */
  giveWay(world: GripperWorld, need: Need, depth_m: number): void {
    this.begin(world, need);
    this.memory[AT.yielded] = 1;
    this.velocity.fill(0);
    const at = this.place;
    const up_m = depth_m * (1 - need.most_n / need.needed_n);
    world.states.poses[at + 2]! += up_m;
    this.grip.onSlip(up_m);
    world.carried.slip(up_m);
    relate(world.flange, 0, world.states.poses, at, this.held);
  }

  /** Slips along the pads (y, z of the grasp frame) under the force; false if the pads hold. */
  slide(world: GripperWorld, need: Need): boolean {
    const { velocity } = this;
    const { force, frame } = this.grip;
    const { needed_n: needed, most_n: most } = need;
    const mass_kg = world.model.bodies[this.memory[AT.holds]!]!.mass_kg + world.carried.mass_kg;
    const speed = Math.sqrt(velocity[1]! * velocity[1]! + velocity[2]! * velocity[2]!);
    if (speed === 0 && needed <= most) {
      this.memory[AT.calm]! += 1;
      return false;
    }
    if (speed === 0) this.begin(world, need);
    else this.memory[AT.calm] = 0;
    for (let k = 1; k < 3; k++) {
      const against = speed > 0 ? velocity[k]! / speed : -force[k]! / needed;
      velocity[k]! += ((-force[k]! - most * against) / mass_kg) * PLANT_STEP_S;
    }
    const after = Math.sqrt(velocity[1]! * velocity[1]! + velocity[2]! * velocity[2]!);
    if (needed <= most && (after < STICK_M_S || after > speed)) velocity.fill(0);
    turn(frame, 3, [0, velocity[1]!, velocity[2]!], point);
    for (let k = 0; k < 3; k++) this.held[k]! += point[k]! * PLANT_STEP_S;
    compose(world.flange, 0, this.held, 0, world.states.poses, this.place);
    return true;
  }

  /** The body slips in this step, which is reported after enough calm ones. */
  private begin(world: GripperWorld, need: Need): void {
    if (this.memory[AT.calm]! >= CALM_STEPS) this.grip.report(world, need);
    this.memory[AT.calm] = 0;
  }
}
