/** Where the bodies of a cell are: in a nest, on a surface, on each other. */

import { BODY_STATUS, type BodyStates, VELOCITY_SIZE } from './body-states.ts';
import type { CellModel } from './cell-model.ts';
import type { LooseBodies } from './loose-bodies.ts';
import { nestFrame } from './nests.ts';
import { SOLID_POSE } from './pose.ts';
import { bottomOf } from './solids/solids.ts';

/** Bodies this close to a nest are in it (m). */
const NEST_M = 0.01;

/** A nest or a surface, the surface, and the body below, or -1. */
interface Rest {
  readonly at: string | null;
  readonly on: string | null;
  readonly body: number;
}

const NOWHERE: Rest = { at: null, on: null, body: -1 };
const frame = new Float64Array(SOLID_POSE);
const bottom = new Float64Array(3);

/** The nest in which body `i` is, or null, and its distance from it (m). */
function nearestNest(
  model: CellModel,
  poses: Float64Array,
  i: number,
): { readonly name: string; readonly on: string; readonly distance_m: number } | null {
  let best: { name: string; on: string; distance_m: number } | null = null;
  bottomOf(model.bodies[i]!, poses, SOLID_POSE * i, bottom);
  for (const nest of model.nests) {
    if (nest.owner === i) continue;
    nestFrame(nest, model.bodies, poses, frame);
    const [x, y, z] = [bottom[0]! - frame[0]!, bottom[1]! - frame[1]!, bottom[2]! - frame[2]!];
    const distance_m = Math.sqrt(x * x + y * y + z * z);
    if (!best || distance_m < best.distance_m) best = { name: nest.name, on: nest.on, distance_m };
  }
  return best;
}

/** What slides moves up or down by less than this (m/s), and is so near to what carries it (m). */
const [LEVEL_M_S, CARRIED_M] = [0.05, 0.002];

export class Places {
  private readonly model: CellModel;
  private readonly states: BodyStates;
  private readonly bodies: LooseBodies;
  private readonly rests: Rest[];

  constructor(model: CellModel, states: BodyStates, bodies: LooseBodies) {
    this.model = model;
    this.states = states;
    this.bodies = bodies;
    this.rests = model.bodies.map((_, i) => this.restOf(i));
  }

  /** Nest or surface at which a body rests; null once it has moved, or is held. */
  of(i: number): string | null {
    return this.rests[i]!.at;
  }

  /** Looks up where a body came to rest. */
  arrive(i: number): void {
    this.rests[i] = this.restOf(i);
  }

  /** Body `i` goes along with the body that it stands on. */
  ride(i: number, carrier: number): void {
    const { model, states } = this;
    const nests = model.nests.filter(({ owner }) => owner === carrier);
    const nest = nearestNest({ ...model, nests }, states.poses, i);
    const on = model.bodies[carrier]!.name;
    const isInNest = nest !== null && nest.distance_m <= NEST_M;
    this.rests[i] = { at: isInNest ? nest.name : on, on, body: carrier };
  }

  /** A body is no longer where it was. */
  leave(i: number): void {
    this.rests[i] = NOWHERE;
  }

  /** Whether it is known where a body rests. */
  isKnown(i: number): boolean {
    return this.rests[i] !== NOWHERE;
  }

  private restOf(i: number): Rest {
    const support = this.bodies.supportOf(i);
    const nest = nearestNest(this.model, this.states.poses, i);
    const on = support?.name ?? null;
    const isInNest = nest !== null && nest.distance_m <= NEST_M;
    return { at: isInNest ? nest.name : on, on, body: support?.body ?? -1 };
  }

  /** Mass of what a fixture carries, directly or below other bodies (kg). */
  weightOn(fixture: string): number {
    const carried = this.rests.map((rest, i) => (rest === NOWHERE ? this.slidesOn(i) : rest));
    let sum = 0;
    for (let i = 0; i < carried.length; i++) {
      let at = i;
      for (let depth = 0; depth < carried.length && carried[at]!.body >= 0; depth++) {
        at = carried[at]!.body;
      }
      if (carried[at]!.on === fixture) sum += this.model.bodies[i]!.mass_kg;
    }
    return sum;
  }

  /** What carries a body that slides, rides or is pushed, and does not fall or rise. */
  private slidesOn(i: number): Rest {
    const { poses, status, velocities } = this.states;
    const isLevel = Math.abs(velocities[VELOCITY_SIZE * i + 2]!) < LEVEL_M_S;
    if (status[i] !== BODY_STATUS.moving || !isLevel) return NOWHERE;
    const support = this.bodies.supportOf(i);
    bottomOf(this.model.bodies[i]!, poses, SOLID_POSE * i, bottom);
    if (!support || bottom[2]! - support.height_m > CARRIED_M) return NOWHERE;
    return { at: null, on: support.name, body: support.body };
  }

  /** Distance of a body from a nest (m); null for an unknown nest. */
  distanceFrom(nest: string, i: number): number | null {
    const nests = this.model.nests.filter(({ name }) => name === nest);
    if (nests.length === 0) return null;
    return nearestNest({ ...this.model, nests }, this.states.poses, i)?.distance_m ?? null;
  }

  /** Whether a body rests on the fixture, conveyor or object `name`, or in one of its nests. */
  isOn(name: string, i: number): boolean {
    const { at, on } = this.rests[i]!;
    if (at === name || on === name) return true;
    return this.model.nests.some((nest) => nest.name === at && nest.on === name);
  }

  save(): unknown {
    return this.rests;
  }

  load(rests: readonly Rest[]): void {
    const isNowhere = ({ at, on, body }: Rest) => at === null && on === null && body < 0;
    const known = rests.map((rest) => (isNowhere(rest) ? NOWHERE : rest));
    this.rests.splice(0, this.rests.length, ...known);
  }
}
