import { Layout } from '../../math/layout.ts';
import type { CellModel } from '../cell-model.ts';
import { SOLID_POSE } from '../pose.ts';
import { RIGID_MOTION, RigidMotion } from './rigid-motion.ts';

/** Numbers of a slide: along the two axes of the face (m/s), and about its normal (rad/s). */
export const SLIDE_SIZE = 3;

/** Which body stands on which, where and how it slides, as views of one array. */
export class CarriedStates {
  readonly memory: Float64Array<ArrayBuffer>;
  /** Number + 1 of the body that each body stands on; 0 for one that nothing held carries. */
  readonly carrier: Float64Array;
  /** Number of the gripper that carries each body. */
  readonly gripper: Float64Array;
  /** The face of the carrier. */
  readonly face: Float64Array;
  /** 1 for a body that is sealed to its carrier. */
  readonly isSealed: Float64Array;
  /** Poses in the frame of the carrier. */
  readonly places: Float64Array;
  /** SLIDE_SIZE numbers each. */
  readonly slides: Float64Array;
  /** Steps since each body last slid. */
  readonly calm: Float64Array;
  /** How far each body has slid since it is carried (m), and what that needed at most (N). */
  readonly way: Float64Array;
  readonly most: Float64Array;
  /** 1 for a body that came off: nothing carries it before it has rested. */
  readonly isOff: Float64Array;
  /**
   * What stands on the held body of each gripper: the force on it (N, world), its mass, and that of
   * it which does not slide (kg).
   */
  readonly heldForces: Float64Array;
  readonly heldBorne: Float64Array;
  readonly heldMass: Float64Array;
  /** The motion of what each gripper holds. */
  readonly motions: readonly RigidMotion[];
  /** Carried bodies, each after its carrier. */
  order: readonly number[] = [];

  constructor({ bodies: { length: n }, grippers }: CellModel) {
    const layout = new Layout({
      carrier: n,
      gripper: n,
      face: n,
      isSealed: n,
      places: n * SOLID_POSE,
      slides: n * SLIDE_SIZE,
      calm: n,
      way: n,
      most: n,
      isOff: n,
      heldForces: grippers.length * 3,
      heldBorne: grippers.length,
      heldMass: grippers.length,
      motions: grippers.length * RIGID_MOTION.size,
    });
    this.memory = layout.create();
    const views = layout.views(this.memory);
    this.carrier = views.carrier;
    this.gripper = views.gripper;
    this.face = views.face;
    this.isSealed = views.isSealed;
    this.places = views.places;
    this.slides = views.slides;
    this.calm = views.calm;
    this.way = views.way;
    this.most = views.most;
    this.isOff = views.isOff;
    this.heldForces = views.heldForces;
    this.heldBorne = views.heldBorne;
    this.heldMass = views.heldMass;
    const { size } = RIGID_MOTION;
    this.motions = grippers.map(
      (_, g) => new RigidMotion(views.motions.subarray(g * size, (g + 1) * size)),
    );
  }

  /** Number of the body that body `i` stands on, or -1. */
  carrierOf(i: number): number {
    return this.carrier[i]! - 1;
  }

  isCarried(i: number): boolean {
    return this.carrier[i] !== 0;
  }

  /** Orders the carried bodies: those on held bodies first, then those on them, by number. */
  sort(): void {
    const order: number[] = [];
    const isNext = (i: number) => this.isCarried(i) && !order.includes(i);
    for (let found = -1; found !== order.length; ) {
      found = order.length;
      for (let i = 0; i < this.carrier.length; i++) {
        const carrier = this.carrierOf(i);
        if (isNext(i) && (!this.isCarried(carrier) || order.includes(carrier))) order.push(i);
      }
    }
    this.order = order;
    const isBearing = (g: number) => order.some((i) => this.gripper[i] === g);
    this.motions.forEach((_, g) => {
      if (!isBearing(g)) this.unload(g);
    });
  }

  /** Nothing stands on what a gripper holds. */
  private unload(gripper: number): void {
    this.heldForces.fill(0, 3 * gripper, 3 * gripper + 3);
    this.heldBorne[gripper] = 0;
    this.heldMass[gripper] = 0;
  }

  /** What stands on body `i`, at any height. */
  above(i: number): readonly number[] {
    const found = [i];
    for (const j of this.order) if (found.includes(this.carrierOf(j))) found.push(j);
    return found.slice(1);
  }

  load(memory: Float64Array): void {
    this.memory.set(memory);
    this.sort();
  }
}
