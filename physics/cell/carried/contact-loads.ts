/**
 * What the contacts beneath carried bodies have to transmit: the force and the moment that move all
 * that is above each contact as the held body moves, against what friction and weight can do.
 */

import { GRAVITY_M_S2 } from '../../dynamics/gravity.ts';
import { length3, type Numbers } from '../../math/vector.ts';
import type { BodyStates } from '../body-states.ts';
import type { CellModel } from '../cell-model.ts';
import type { Balance } from '../grippers/force-text.ts';
import { SOLID_POSE, turn, turnBack } from '../pose.ts';
import { type CarriedStates, SLIDE_SIZE } from './carried-states.ts';
import { alongOf, axisOf, type ContactArea, type Face, sideOf } from './contact-area.ts';

/** What a contact needs along its face to hold, and what it holds (N). */
export interface ContactNeed {
  /** Forces along the two axes of the face, and the moment about its normal over its radius. */
  readonly along: readonly [number, number, number];
  readonly needed_n: number;
  readonly most_n: number;
}

const part = new Float64Array(3);
const local = new Float64Array(3);

/** Adds a × b to `out` at `to`. */
function addCross(a: Numbers, b: Numbers, i: number, out: Float64Array, to: number): void {
  const [x, y, z] = [b[i]!, b[i + 1]!, b[i + 2]!];
  out[to]! += a[1]! * z - a[2]! * y;
  out[to + 1]! += a[2]! * x - a[0]! * z;
  out[to + 2]! += a[0]! * y - a[1]! * x;
}

const dot = (a: Numbers, i: number, b: Numbers, j: number) =>
  a[i]! * b[j]! + a[i + 1]! * b[j + 1]! + a[i + 2]! * b[j + 2]!;

/** Numbers of the axes of a contact: two along the face, then its normal. */
const [U, V, N] = [0, 3, 6];
const AXES = 9;

export class ContactLoads {
  private readonly model: CellModel;
  private readonly states: BodyStates;
  private readonly carried: CarriedStates;
  /** The contact of each carried body; null for a sealed one. */
  readonly areas: (ContactArea | null)[];
  /** Axes and middle of each contact (world). */
  private readonly axes: Float64Array;
  private readonly middles: Float64Array;
  /** Acceleration of each body, and of what it adds to its carrier's (m/s²). */
  private readonly accelerations: Float64Array;
  private readonly shifts: Float64Array;
  /** Rate of each slide, as of SLIDE_SIZE (m/s², rad/s²). */
  readonly slideRates: Float64Array;
  /**
   * What would move each body, and all above it that does not slide, with the held body, and hold
   * against what slides above it (N).
   */
  private readonly wanted: Float64Array;
  /** What of that is friction of what slides above (N). */
  private readonly dragged: Float64Array;
  /** Mass of each body with all above it, and with what of that does not slide (kg). */
  private readonly borne: Float64Array;
  private readonly moved: Float64Array;
  /** Force and moment on each body at its contact (N, N m; world, about its middle). */
  private readonly forces: Float64Array;
  private readonly moments: Float64Array;

  constructor(model: CellModel, states: BodyStates, carried: CarriedStates) {
    const n = model.bodies.length;
    this.model = model;
    this.states = states;
    this.carried = carried;
    this.areas = model.bodies.map(() => null);
    this.axes = new Float64Array(AXES * n);
    this.middles = new Float64Array(3 * n);
    this.accelerations = new Float64Array(3 * n);
    this.shifts = new Float64Array(3 * n);
    this.slideRates = new Float64Array(SLIDE_SIZE * n);
    this.wanted = new Float64Array(3 * n);
    this.dragged = new Float64Array(3 * n);
    this.borne = new Float64Array(n);
    this.moved = new Float64Array(n);
    this.forces = new Float64Array(3 * n);
    this.moments = new Float64Array(3 * n);
  }

  /** Computes all loads, where the poses are those of now. */
  update(): void {
    const { order, heldForces, heldMass, heldBorne } = this.carried;
    for (const i of order) this.begin(i);
    for (let k = order.length - 1; k >= 0; k--) this.sumWanted(order[k]!);
    for (const i of order) this.accelerate(i);
    this.forces.fill(0);
    this.moments.fill(0);
    heldForces.fill(0);
    heldMass.fill(0);
    heldBorne.fill(0);
    for (let k = order.length - 1; k >= 0; k--) this.transmit(order[k]!);
  }

  isSliding(i: number): boolean {
    const { slides } = this.carried;
    const at = SLIDE_SIZE * i;
    return slides[at] !== 0 || slides[at + 1] !== 0 || slides[at + 2] !== 0;
  }

  /** Axes and middle of the contact, and what would move the body with the held one. */
  private begin(i: number): void {
    const { carried, model, states } = this;
    const { poses } = states;
    const carrier = carried.carrierOf(i);
    const at = SOLID_POSE * carrier;
    const face = carried.face[i]! as Face;
    const [u, v] = alongOf(face);
    const area = this.areas[i] ?? null;
    for (const [k, axis] of [u, v, axisOf(face)].entries()) {
      local.fill(0);
      local[axis] = k === 2 ? sideOf(face) : 1;
      turn(poses, at + 3, local, part);
      this.axes.set(part, AXES * i + 3 * k);
    }
    if (area) {
      local[u] = area.centre[0];
      local[v] = area.centre[1];
      local[axisOf(face)] = sideOf(face) * model.bodies[carrier]!.half[axisOf(face)]!;
      turn(poses, at + 3, local, part);
      for (let k = 0; k < 3; k++) this.middles[3 * i + k] = poses[at + k]! + part[k]!;
    } else for (let k = 0; k < 3; k++) this.middles[3 * i + k] = poses[SOLID_POSE * i + k]!;
    carried.motions[carried.gripper[i]!]!.writeAccelerationAt(
      poses,
      SOLID_POSE * i,
      this.accelerations,
      3 * i,
    );
    const { mass_kg } = model.bodies[i]!;
    this.borne[i] = mass_kg;
    this.moved[i] = mass_kg;
    for (let k = 0; k < 3; k++) {
      const gravity = k === 2 ? GRAVITY_M_S2 : 0;
      this.wanted[3 * i + k] = mass_kg * (this.accelerations[3 * i + k]! + gravity);
      this.dragged[3 * i + k] = 0;
    }
  }

  /** Adds to what a carrier needs: all of what goes with it, only friction of what slides on it. */
  private sumWanted(i: number): void {
    const { borne, carried, dragged, moved, wanted } = this;
    const carrier = carried.carrierOf(i);
    if (!carried.isCarried(carrier)) return;
    borne[carrier]! += borne[i]!;
    const to = 3 * carrier;
    if (this.isSliding(i)) {
      this.addFriction(i, to);
      return;
    }
    moved[carrier]! += moved[i]!;
    for (let k = 0; k < 3; k++) {
      wanted[to + k]! += wanted[3 * i + k]!;
      dragged[to + k]! += dragged[3 * i + k]!;
    }
  }

  /** A carrier gives what slides on it no more than pressure and friction. */
  private addFriction(i: number, to: number): void {
    const { axes, carried, dragged, wanted } = this;
    const [at, from] = [AXES * i, SLIDE_SIZE * i];
    const pressure_n = dot(axes, at + N, wanted, 3 * i);
    const friction_n = this.frictionOf(i) * Math.max(0, pressure_n);
    const [u, v] = [carried.slides[from]!, carried.slides[from + 1]!];
    const speed = length3(u, v, carried.slides[from + 2]! * this.areas[i]!.radius_m);
    for (let k = 0; k < 3; k++) {
      const way = (u * axes[at + U + k]! + v * axes[at + V + k]!) / speed;
      dragged[to + k]! -= friction_n * way;
      wanted[to + k]! += pressure_n * axes[at + N + k]! - friction_n * way;
    }
  }

  /** Friction between a body and what it stands on. */
  private frictionOf(i: number): number {
    const { bodies } = this.model;
    return Math.min(bodies[i]!.friction, bodies[this.carried.carrierOf(i)]!.friction);
  }

  /** Moment of inertia of a body about the normal of its contact (kg m²). */
  private inertiaOf(i: number): number {
    const { moments_kg_m2: m } = this.model.bodies[i]!;
    part.set(this.axes.subarray(AXES * i + N, AXES * i + N + 3));
    turnBack(this.states.poses, SOLID_POSE * i + 3, part, part);
    return m[0] * part[0]! * part[0]! + m[1] * part[1]! * part[1]! + m[2] * part[2]! * part[2]!;
  }

  /** The acceleration of a body: that of its carrier, and what its own slide adds. */
  private accelerate(i: number): void {
    const { carried, shifts, axes, slideRates } = this;
    const carrier = carried.carrierOf(i);
    const isOnHeld = !carried.isCarried(carrier);
    for (let k = 0; k < 3; k++) shifts[3 * i + k] = isOnHeld ? 0 : shifts[3 * carrier + k]!;
    slideRates.fill(0, SLIDE_SIZE * i, SLIDE_SIZE * (i + 1));
    if (this.isSliding(i)) {
      this.slide(i);
      for (let k = 0; k < 3; k++) {
        const own =
          axes[AXES * i + U + k]! * slideRates[3 * i]! +
          axes[AXES * i + V + k]! * slideRates[3 * i + 1]!;
        shifts[3 * i + k]! += own;
      }
    }
    for (let k = 0; k < 3; k++) this.accelerations[3 * i + k]! += shifts[3 * i + k]!;
  }

  /** The rates of a slide, which friction brakes. `shifts` has those of the carrier. */
  private slide(i: number): void {
    const { slides } = this.carried;
    const at = SLIDE_SIZE * i;
    const { along, most_n } = this.needOf(i);
    const radius = this.areas[i]!.radius_m;
    const speeds = [slides[at]!, slides[at + 1]!, slides[at + 2]! * radius] as const;
    const speed = length3(...speeds);
    const inertia = this.inertiaOf(i);
    for (let k = 0; k < 3; k++) {
      const force = -along[k]! - (most_n * speeds[k]!) / speed;
      this.slideRates[at + k] = k < 2 ? force / this.moved[i]! : (force * radius) / inertia;
    }
  }

  /**
   * What a contact needs to move its body with its carrier, and all above it that does not slide,
   * and what friction holds there. Turning counts by an ellipse: friction that moves does not hold a turn as well.
   */
  needOf(i: number): ContactNeed {
    const { axes, carried, moved, shifts, wanted } = this;
    const carrier = carried.carrierOf(i);
    const isOnHeld = !carried.isCarried(carrier);
    for (let k = 0; k < 3; k++) {
      const shift = isOnHeld ? 0 : shifts[3 * carrier + k]!;
      part[k] = wanted[3 * i + k]! + moved[i]! * shift;
    }
    const [u, v, n] = [U, V, N].map((k) => dot(axes, AXES * i + k, part, 0));
    const { angular } = carried.motions[carried.gripper[i]!]!;
    const turning = this.inertiaOf(i) * dot(axes, AXES * i + N, angular, 0);
    const along = [u!, v!, turning / this.areas[i]!.radius_m] as const;
    return { along, needed_n: length3(...along), most_n: this.frictionOf(i) * Math.max(0, n!) };
  }

  /** What the needed force of a contact is made of. */
  balanceOf(i: number, { along, needed_n }: ContactNeed): Balance {
    let [weight_n, contact_n] = [0, 0];
    for (let k = 0; k < 2; k++) {
      const axis = AXES * i + 3 * k;
      const share = along[k]! / needed_n;
      weight_n += share * this.moved[i]! * GRAVITY_M_S2 * this.axes[axis + 2]!;
      contact_n += share * dot(this.axes, axis, this.dragged, 3 * i);
    }
    return { weight_n, inertia_n: needed_n - weight_n - contact_n, contact_n };
  }

  /** Adds the inertia of a body to what its contact transmits, and passes that on. */
  private transmit(i: number): void {
    const { carried, forces, middles, moments, model, states } = this;
    const { poses } = states;
    const { mass_kg, moments_kg_m2: m } = model.bodies[i]!;
    const { spin, angular } = carried.motions[carried.gripper[i]!]!;
    const at = 3 * i;
    for (let k = 0; k < 3; k++) {
      const gravity = k === 2 ? GRAVITY_M_S2 : 0;
      part[k] = mass_kg * (this.accelerations[at + k]! + gravity);
      local[k] = poses[SOLID_POSE * i + k]! - middles[at + k]!;
      forces[at + k]! += part[k]!;
    }
    addCross(local, part, 0, moments, at);
    // I α + ω × I ω, in the axes of the body.
    turnBack(poses, SOLID_POSE * i + 3, spin, local);
    const [a, b, c] = [local[0]!, local[1]!, local[2]!];
    turnBack(poses, SOLID_POSE * i + 3, angular, local);
    local[0] = m[0] * local[0]! + (m[2] - m[1]) * b * c;
    local[1] = m[1] * local[1]! + (m[0] - m[2]) * c * a;
    local[2] = m[2] * local[2]! + (m[1] - m[0]) * a * b;
    turn(poses, SOLID_POSE * i + 3, local, local);
    for (let k = 0; k < 3; k++) moments[at + k]! += local[k]!;
    this.passOn(i);
  }

  private passOn(i: number): void {
    const { carried, forces, middles, moments } = this;
    const carrier = carried.carrierOf(i);
    const at = 3 * i;
    if (!carried.isCarried(carrier)) {
      const gripper = carried.gripper[i]!;
      for (let k = 0; k < 3; k++) carried.heldForces[3 * gripper + k]! += forces[at + k]!;
      carried.heldBorne[gripper]! += this.borne[i]!;
      if (!this.isSliding(i)) carried.heldMass[gripper]! += this.moved[i]!;
      return;
    }
    const to = 3 * carrier;
    for (let k = 0; k < 3; k++) {
      local[k] = middles[at + k]! - middles[to + k]!;
      forces[to + k]! += forces[at + k]!;
      moments[to + k]! += moments[at + k]!;
    }
    addCross(local, forces, at, moments, to);
  }

  /**
   * Where the carrier would have to press on a body to carry it, in the axes of the face (m), and
   * by which force (N); the place means nothing where that is not above 0.
   */
  pressureOn(i: number): { readonly force_n: number; readonly at: readonly [number, number] } {
    const { axes, forces, moments } = this;
    const force_n = dot(axes, AXES * i + N, forces, 3 * i);
    // The moment that remains about the normal alone: middle + (normal × moment) / force.
    const [x, y] = this.areas[i]!.centre;
    const u = -dot(axes, AXES * i + V, moments, 3 * i) / force_n;
    const v = dot(axes, AXES * i + U, moments, 3 * i) / force_n;
    const side = sideOf(this.carried.face[i]!);
    return { force_n, at: [x + side * u, y + side * v] };
  }
}
