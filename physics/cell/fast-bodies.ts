/**
 * The movable bodies of a cell on the fast plant, without free dynamics: a body falls along a
 * parabola onto the highest support beneath it, rides on belts, and slides where the arm pushes it;
 * where it would fall over, it is marked as tipped and stays.
 */

import { GRAVITY_M_S2 } from '../dynamics/gravity.ts';
import { PLANT_STEP_S } from '../dynamics/plant-step.ts';
import type { Numbers } from '../math/vector.ts';
import { BODY_STATUS, type BodyStates, REST_EVENT, VELOCITY_SIZE } from './body-states.ts';
import type { CellModel } from './cell-model.ts';
import type { LooseBodies } from './loose-bodies.ts';
import { SOLID_POSE } from './pose.ts';
import { pushStiffness } from './push-stiffness.ts';
import { overlapDepth, type Posed } from './solids/overlap.ts';
import type { Solid } from './solids/solids.ts';
import { type Support, supportBeneath } from './support.ts';
import { wouldFallOver } from './tipping.ts';

/** A gap that is no fall (m). */
const TOUCHING_M = 1e-6;
/** A body that rides on a belt is shifted once in so many steps: a control tick. */
const RIDE_STEPS = 4;
/** A sliding body looks for what is beneath it once in so many steps. */
const LOOK_STEPS = 20;
/** A body that is blocked on a running belt tries again after so many steps. */
const WAIT_STEPS = 50;
/** A pushed or blocked body rests once it has not moved for so many steps. */
const PUSH_STEPS = 50;
/** A push that moves a body by less than this since it came to rest does not count (m; own). */
const STILL_M = 1e-4;
/** Overlap at which a sliding body is blocked (m). */
const BLOCKED_M = 1e-5;
/** Nothing, and something that does not give way, in place of a body's number. */
const [NOTHING, FIXED] = [-1, -2];

type Writable<T> = { -readonly [K in keyof T]: T[K] };
const NONE: readonly number[] = [];
const NO_SOLID: Solid = { isRound: false, half: new Float64Array(3) };

/** Mechanics of the fast plant. */
export class FastBodies implements LooseBodies {
  readonly isFallFree = true;
  private readonly model: CellModel;
  private readonly states: BodyStates;
  /** Two bodies that are compared. */
  private readonly own: Writable<Posed>;
  private readonly other: Writable<Posed>;
  private readonly by = new Float64Array(3);
  /** Support of each body at rest; undefined: not looked up yet. */
  private supports: (Support | null | undefined)[];
  /** Steps for which each blocked body still waits. */
  private waits: number[];
  /** Steps after which each pushed body rests if nothing pushes it again. */
  private pushed: number[];
  /** Steps since the start: what is beneath a sliding body is looked up every few of them. */
  private steps = 0;
  /** Where each body was (x, y) when it last moved enough to count (m). */
  private readonly anchors: Float64Array;
  /** Whether the arm has pushed a body since the last step. */
  private wasPushed = false;
  /** 1 for each belt that ran in the last step. */
  private readonly running: Float64Array;

  constructor(model: CellModel, states: BodyStates) {
    this.model = model;
    this.states = states;
    this.supports = model.bodies.map(() => undefined);
    this.waits = model.bodies.map(() => 0);
    this.pushed = model.bodies.map(() => 0);
    this.anchors = new Float64Array(2 * model.bodies.length);
    model.bodies.forEach((_, i) => {
      this.anchor(i);
    });
    this.running = new Float64Array(model.belts.length);
    this.own = { solid: NO_SOLID, pose: states.poses, at: 0 };
    this.other = { ...this.own };
  }

  get isActive(): boolean {
    return this.states.status.includes(BODY_STATUS.moving) || this.waits.some((left) => left > 0);
  }

  supportOf(i: number): Support | null {
    const { model, states } = this;
    const isSolid = (j: number) => states.isLoose(j);
    return supportBeneath({ model, poses: states.poses, isSolid }, i);
  }

  step(running: Float64Array): boolean {
    const { status } = this.states;
    this.steps += 1;
    const hasStarted = this.setBelts(running);
    let hasMoved = hasStarted || this.wasPushed;
    this.wasPushed = false;
    for (let i = 0; i < status.length; i++) {
      if (hasStarted && status[i] === BODY_STATUS.resting) this.startRide(i, running);
      else if (this.waits[i]! > 0) this.wait(i, running);
      if (status[i] === BODY_STATUS.moving && this.advance(i, running)) hasMoved = true;
    }
    return hasMoved;
  }

  /** True when a belt starts. */
  private setBelts(running: Float64Array): boolean {
    let hasStarted = false;
    for (let belt = 0; belt < running.length; belt++) {
      hasStarted ||= running[belt]! > this.running[belt]!;
      this.running[belt] = running[belt]!;
    }
    return hasStarted;
  }

  private startRide(i: number, running: Float64Array): void {
    if (this.supports[i] === undefined) this.supports[i] = this.supportOf(i);
    const belt = this.supports[i]?.belt ?? -1;
    if (belt >= 0 && running[belt] === 1) this.states.status[i] = BODY_STATUS.moving;
  }

  /** A body that something holds back on a running belt rests, and tries again a little later. */
  private wait(i: number, running: Float64Array): void {
    this.waits[i]! -= 1;
    const isCarried = running[this.supports[i]?.belt ?? -1] === 1;
    if (!isCarried || !this.states.isLoose(i)) this.waits[i] = 0;
    else if (this.waits[i] === 0 && !this.tryRide(i)) this.waits[i] = WAIT_STEPS;
  }

  /** Starts to ride again where nothing blocks a body any more; false where something does. */
  private tryRide(i: number): boolean {
    const { by, states } = this;
    const { velocity } = this.model.belts[this.supports[i]!.belt]!;
    for (let k = 0; k < 3; k++) by[k] = velocity[k]! * (RIDE_STEPS * PLANT_STEP_S);
    if (this.obstacleTo(i, NONE) !== NOTHING) return false;
    states.status[i] = BODY_STATUS.moving;
    return true;
  }

  /** Advances a moving body by a step; false when nothing of it changes. */
  private advance(i: number, running: Float64Array): boolean {
    const { poses, velocities } = this.states;
    const at = SOLID_POSE * i;
    const v = VELOCITY_SIZE * i;
    const support = this.presentSupport(i);
    const height = (support?.height_m ?? 0) + this.heightOf(i);
    if (poses[at + 2]! > height + TOUCHING_M || velocities[v + 2]! > 0) {
      this.fall(i, { height, support, running });
      return true;
    }
    return this.ride(i, support, running);
  }

  /** What is beneath a moving body: of a body that slides as of a few steps ago. */
  private presentSupport(i: number): Support | null {
    const known = this.supports[i];
    const isFalling = this.fallOf(i) !== 0;
    if (known !== undefined && !isFalling && this.steps % LOOK_STEPS !== 0) return known;
    const found = this.supportOf(i);
    this.supports[i] = found;
    return found;
  }

  /** Height of the centre above the lowest point. */
  private heightOf(i: number): number {
    const { half, isRound } = this.model.bodies[i]!;
    const { poses } = this.states;
    const at = SOLID_POSE * i + 3;
    const w = poses[at]!;
    const x = poses[at + 1]!;
    const y = poses[at + 2]!;
    const z = poses[at + 3]!;
    const up = Math.abs(1 - 2 * (x * x + y * y));
    if (isRound) return half[0]! * Math.sqrt(Math.max(0, 1 - up * up)) + half[2]! * up;
    const along = half[0]! * Math.abs(2 * (x * z - w * y));
    return along + half[1]! * Math.abs(2 * (y * z + w * x)) + half[2]! * up;
  }

  private fall(
    i: number,
    onto: { height: number; support: Support | null; running: Float64Array },
  ): void {
    const { height, support, running } = onto;
    const { poses, velocities } = this.states;
    const at = SOLID_POSE * i;
    const v = VELOCITY_SIZE * i;
    if (velocities[v + 2] === 0) this.wakeAbove(i);
    velocities[v + 2]! -= GRAVITY_M_S2 * PLANT_STEP_S;
    for (let k = 0; k < 3; k++) poses[at + k]! += velocities[v + k]! * PLANT_STEP_S;
    if (poses[at + 2]! > height || velocities[v + 2]! > 0) return;
    poses[at + 2] = height;
    const beneath_m_s = support && support.body >= 0 ? this.fallOf(support.body) : 0;
    if (beneath_m_s !== 0) {
      // It stands on what falls as well, and lands after it.
      velocities[v + 2] = beneath_m_s;
      return;
    }
    const belt = support?.belt ?? -1;
    velocities.fill(0, v, v + VELOCITY_SIZE);
    if (belt < 0 || running[belt] !== 1) this.land(i, support);
  }

  private fallOf(i: number): number {
    return this.states.velocities[VELOCITY_SIZE * i + 2]!;
  }

  private land(i: number, support: Support | null): void {
    const { poses, status, velocities } = this.states;
    const height = (support?.height_m ?? 0) + this.heightOf(i);
    // A gripper may have pressed it into what carries it.
    if (poses[SOLID_POSE * i + 2]! < height - TOUCHING_M) poses[SOLID_POSE * i + 2] = height;
    velocities.fill(0, VELOCITY_SIZE * i, VELOCITY_SIZE * (i + 1));
    this.pushed[i] = 0;
    this.anchor(i);
    this.supports[i] = support;
    const falls = support?.isStable === false || wouldFallOver(this.model.bodies[i]!, poses, i);
    status[i] = falls ? BODY_STATUS.tipped : BODY_STATUS.resting;
  }

  /** Rides on a belt, or comes to rest; false in the steps between. */
  private ride(i: number, support: Support | null, running: Float64Array): boolean {
    const belt = support?.belt ?? -1;
    if (belt < 0 || running[belt] !== 1) {
      return this.settle(i, support);
    }
    if (this.waits[i]! > 0) return this.settle(i, support);
    if (this.steps % RIDE_STEPS !== 0) return false;
    const { velocity } = this.model.belts[belt]!;
    const { by } = this;
    for (let k = 0; k < 3; k++) by[k] = velocity[k]! * (RIDE_STEPS * PLANT_STEP_S);
    this.states.velocities.set(velocity, VELOCITY_SIZE * i);
    if (!this.slide(i, by)) {
      this.land(i, support);
      this.waits[i] = WAIT_STEPS;
    }
    return true;
  }

  /** Counts the steps in which a body stays where it is; it rests after enough of them. */
  private settle(i: number, support: Support | null): boolean {
    const left = this.pushed[i]!;
    if (left === 0) this.land(i, support);
    else this.pushed[i] = left - 1;
    return left === 0 || left === PUSH_STEPS;
  }

  /** Slides a body; false where something blocks it. */
  private slide(i: number, by: Numbers): boolean {
    const { poses } = this.states;
    const at = SOLID_POSE * i;
    const [x, y, z] = [poses[at]!, poses[at + 1]!, poses[at + 2]!];
    const riders = this.ridersOf(i);
    for (let k = 0; k < 3; k++) poses[at + k]! += by[k]!;
    if (this.inTheWayOf(i) === NOTHING) {
      this.carryAbove(riders, i, by);
      return true;
    }
    poses[at] = x;
    poses[at + 1] = y;
    poses[at + 2] = z;
    return false;
  }

  /** What body `i` would meet if it slid with the bodies `row`: a number of inTheWayOf. */
  private obstacleTo(i: number, row: readonly number[]): number {
    const { by } = this;
    const { poses } = this.states;
    const at = SOLID_POSE * i;
    const [x, y] = [poses[at]!, poses[at + 1]!];
    poses[at]! += by[0]!;
    poses[at + 1]! += by[1]!;
    const met = this.inTheWayOf(i, row);
    poses[at] = x;
    poses[at + 1] = y;
    return met;
  }

  private ridersOf(i: number): readonly number[] {
    let riders = NONE;
    for (let j = 0; j < this.supports.length; j++) {
      if (this.standsOn(j, i)) riders = [...riders, j];
    }
    return riders;
  }

  /** A loose body beside `row` that `i` overlaps; FIXED if it overlaps a fixture, else NOTHING. */
  private inTheWayOf(i: number, row: readonly number[] = NONE): number {
    const { states, own, other } = this;
    const { bodies, statics } = this.model;
    own.solid = bodies[i]!;
    own.at = SOLID_POSE * i;
    other.at = 0;
    for (let j = 0; j < statics.length; j++) {
      other.solid = statics[j]!;
      other.pose = statics[j]!.pose;
      if (overlapDepth(own, other, BLOCKED_M) > BLOCKED_M) return FIXED;
    }
    other.pose = states.poses;
    for (let j = 0; j < bodies.length; j++) {
      if (j === i || !states.isLoose(j) || row.includes(j)) continue;
      other.solid = bodies[j]!;
      other.at = SOLID_POSE * j;
      if (overlapDepth(own, other, BLOCKED_M) > BLOCKED_M) return j;
    }
    return NOTHING;
  }

  hold(i: number): void {
    this.wakeAbove(i);
    this.states.status[i] = BODY_STATUS.held;
    this.pushed[i] = 0;
  }

  /** Whether a body stands on another one, and does not fall. */
  private standsOn(j: number, i: number): boolean {
    const { states, supports } = this;
    if (j === i || !states.isLoose(j) || this.fallOf(j) !== 0) return false;
    if (supports[j] === undefined) supports[j] = this.supportOf(j);
    return supports[j]?.body === i;
  }

  /** A body leaves: what stands on it looks for another support, and falls where there is none. */
  private wakeAbove(i: number): void {
    const { status, announced } = this.states;
    for (let j = 0; j < status.length; j++) {
      if (!this.standsOn(j, i)) continue;
      status[j] = BODY_STATUS.moving;
      announced[j] = REST_EVENT.always;
      this.supports[j] = undefined;
    }
  }

  /** A body has slid: what stands on it comes along, unless something blocks it. */
  private carryAbove(riders: readonly number[], i: number, by: Numbers): void {
    const { status, velocities } = this.states;
    for (const j of riders) {
      this.pushed[j] = PUSH_STEPS;
      status[j] = BODY_STATUS.moving;
      const hasSlid = this.slide(j, by);
      if (!hasSlid) this.supports[j] = undefined;
      const [from, to] = [VELOCITY_SIZE * i, VELOCITY_SIZE * j];
      for (let k = 0; k < 2; k++) velocities[to + k] = hasSlid ? velocities[from + k]! : 0;
    }
  }

  release(i: number): void {
    this.states.status[i] = BODY_STATUS.moving;
    this.supports[i] = undefined;
  }

  place(i: number): void {
    this.states.velocities.fill(0, VELOCITY_SIZE * i, VELOCITY_SIZE * (i + 1));
    this.release(i);
  }

  shift(i: number, by: Numbers): void {
    this.slide(i, by);
    this.release(i);
  }

  /** A body that the arm holds back does not ride on. */
  private holdBack(i: number, x: number, y: number): void {
    if (!this.running.includes(1)) return;
    this.supports[i] ??= this.supportOf(i);
    const belt = this.supports[i]?.belt ?? -1;
    if (belt < 0 || this.running[belt] !== 1) return;
    const { velocity } = this.model.belts[belt]!;
    if (x * velocity[0]! + y * velocity[1]! >= 0) return;
    this.waits[i] = WAIT_STEPS;
    this.states.velocities.fill(0, VELOCITY_SIZE * i, VELOCITY_SIZE * i + 3);
  }

  private frictionOf(i: number): number {
    const { mass_kg, friction } = this.model.bodies[i]!;
    return friction * mass_kg * GRAVITY_M_S2;
  }

  /** Slides a body, and what is in its way, until the arm's spring carries only their friction. */
  push(i: number, force: Numbers): void {
    const [x, y] = [force[0]!, force[1]!];
    const size = Math.sqrt(x * x + y * y);
    if (size > this.frictionOf(i)) {
      this.slideRow(this.rowBefore(i, force, size));
      this.announcePush(i);
      this.wasPushed = true;
    }
    this.holdBack(i, x, y);
  }

  /**
   * The bodies that a force of `size_n` on body `i` slides, and how far (this.by): those in its way
   * come along while the force exceeds the friction of all; none where something holds them.
   */
  private rowBefore(i: number, force: Numbers, size_n: number): readonly number[] {
    const { by } = this;
    const stiffness = pushStiffness(this.model.bodies[i]!.mass_kg);
    const row = [i];
    let excess_n = size_n - this.frictionOf(i);
    by[2] = 0;
    for (let k = 0; k < row.length; ) {
      if (excess_n <= 0) return NONE;
      const share = excess_n / (size_n * stiffness);
      by[0] = force[0]! * share;
      by[1] = force[1]! * share;
      const met = this.obstacleTo(row[k]!, row);
      if (met === FIXED) return NONE;
      if (met === NOTHING) {
        k += 1;
        continue;
      }
      row.push(met);
      excess_n -= this.frictionOf(met);
    }
    return row;
  }

  /** Slides bodies together by this.by; what stands on them comes along. */
  private slideRow(row: readonly number[]): void {
    const { by } = this;
    const { poses } = this.states;
    const riders = row.map((i) => this.ridersOf(i).filter((j) => !row.includes(j)));
    for (const i of row) {
      for (let k = 0; k < 2; k++) poses[SOLID_POSE * i + k]! += by[k]!;
      this.announcePush(i);
    }
    for (const [k, i] of row.entries()) this.carryAbove(riders[k]!, i, by);
  }

  private announcePush(i: number): void {
    const { poses } = this.states;
    const [at, from] = [SOLID_POSE * i, 2 * i];
    const [x, y] = [poses[at]! - this.anchors[from]!, poses[at + 1]! - this.anchors[from + 1]!];
    if (x * x + y * y < STILL_M * STILL_M) return;
    this.anchor(i);
    this.states.announced[i] ||= REST_EVENT.ofMove;
    this.release(i);
    this.pushed[i] = PUSH_STEPS;
  }

  /** Notes where a body is now. */
  private anchor(i: number): void {
    const at = SOLID_POSE * i;
    this.anchors.set(this.states.poses.subarray(at, at + 2), 2 * i);
  }

  save(): Uint8Array {
    const { steps, supports, waits, pushed } = this;
    const anchors = Array.from(this.anchors);
    const running = Array.from(this.running);
    const state = { steps, waits, pushed, running, anchors, supports: supports.map(asJson) };
    return new TextEncoder().encode(JSON.stringify(state));
  }

  load(bytes: Uint8Array): void {
    const saved = JSON.parse(new TextDecoder().decode(bytes));
    const { steps, waits, pushed, running, supports, anchors } = saved;
    this.anchors.set(anchors);
    this.steps = steps;
    this.running.set(running);
    this.waits = waits;
    this.pushed = pushed;
    this.supports = supports.map((one: Support | null | 0) => (one === 0 ? undefined : one));
  }

  free(): void {}
}

/** A support as JSON, which has no undefined. */
function asJson(support: Support | null | undefined): Support | null | 0 {
  return support === undefined ? 0 : support;
}
