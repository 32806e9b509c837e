/** What carries each body on the fast plant, as it was last looked up, and what stands on it. */

import type { BodyStates } from './body-states.ts';
import { VELOCITY_SIZE } from './body-states.ts';
import type { CellModel } from './cell-model.ts';
import { SOLID_POSE } from './pose.ts';
import type { Point } from './solids/convex-polygon.ts';
import { type Support, supportBeneath } from './support.ts';

const NONE: readonly number[] = [];
/** Friction of the floor: that of the other plant. */
const FLOOR_FRICTION = 0.5;

export class FastSupports {
  private readonly model: CellModel;
  private readonly states: BodyStates;
  /** Support of each body at rest; undefined: not looked up yet. */
  private known: (Support | null | undefined)[];

  constructor(model: CellModel, states: BodyStates) {
    this.model = model;
    this.states = states;
    this.known = model.bodies.map(() => undefined);
  }

  /** What is beneath a body now; `centre` is where the weight on it acts, its own unless given. */
  find(i: number, centre?: Point): Support | null {
    const { model, states } = this;
    const isSolid = (j: number) => states.isLoose(j);
    return supportBeneath({ model, poses: states.poses, isSolid }, i, centre);
  }

  /** The support that is known; undefined where it must be looked up. */
  of(i: number): Support | null | undefined {
    return this.known[i];
  }

  /** The support as known, or as found now. */
  look(i: number): Support | null {
    const known = this.known[i];
    if (known !== undefined) return known;
    const found = this.find(i);
    this.known[i] = found;
    return found;
  }

  set(i: number, support: Support | null): void {
    this.known[i] = support;
  }

  /** What carries a body must be looked up again. */
  forget(i: number): void {
    this.known[i] = undefined;
  }

  /** Whether a body stands on another one, and does not fall. */
  standsOn(j: number, i: number): boolean {
    const { states } = this;
    if (j === i || !states.isLoose(j) || states.velocities[VELOCITY_SIZE * j + 2] !== 0) {
      return false;
    }
    const support = this.look(j);
    return support?.body === i || support?.spans.includes(i) === true;
  }

  /** The bodies that stand on a body. */
  ridersOf(i: number): readonly number[] {
    let riders = NONE;
    for (let j = 0; j < this.known.length; j++) {
      if (this.standsOn(j, i)) riders = [...riders, j];
    }
    return riders;
  }

  /**
   * A body and all that stands on it, at any height. What lies across it and others presses on it
   * above it, and tips nothing.
   */
  stackOn(i: number): readonly number[] {
    const stack = [i];
    for (const k of stack) {
      for (const j of this.ridersOf(k)) {
        if (!stack.includes(j) && this.look(j)?.spans.length === 0) stack.push(j);
      }
    }
    return stack;
  }

  /** Where the weight of a stack acts (x, y; m). */
  centreOf(stack: readonly number[]): Point {
    const { bodies } = this.model;
    let [x, y, mass_kg] = [0, 0, 0];
    for (const i of stack) {
      const own_kg = bodies[i]!.mass_kg;
      x += own_kg * this.states.poses[SOLID_POSE * i]!;
      y += own_kg * this.states.poses[SOLID_POSE * i + 1]!;
      mass_kg += own_kg;
    }
    return [x / mass_kg, y / mass_kg];
  }

  /** Friction between a body and its support. */
  frictionOn(i: number, support: Support | null): number {
    const { bodies, statics } = this.model;
    const { body = -1, name = '' } = support ?? {};
    const under = body >= 0 ? bodies[body] : statics.find((solid) => solid.name === name);
    return Math.min(bodies[i]!.friction, under?.friction ?? FLOOR_FRICTION);
  }

  save(): readonly (Support | null | 0)[] {
    // JSON has no undefined.
    return this.known.map((support) => (support === undefined ? 0 : support));
  }

  load(saved: readonly (Support | null | 0)[]): void {
    this.known = saved.map((support) => (support === 0 ? undefined : support));
  }
}
