/**
 * The movable bodies of a cell on the fast plant, quasi-static: a body flies along a parabola, past
 * nothing that is in its way, onto the highest support beneath it, and slides there until friction
 * has stopped it. Where its weight, with that of what stands on it, acts beyond the edge of the
 * support, it tips about that edge and falls to the next one; an inclined body turns onto the face
 * to which gravity turns it. It rides on belts, and slides where the arm pushes it.
 */

import { GRAVITY_M_S2 } from '../dynamics/gravity.ts';
import { PLANT_STEP_S } from '../dynamics/plant-step.ts';
import { length3, type Numbers } from '../math/vector.ts';
import { BODY_STATUS, type BodyStates, REST_EVENT, VELOCITY_SIZE } from './body-states.ts';
import type { CellModel } from './cell-model.ts';
import { FastSupports } from './fast-supports.ts';
import { DOUBTS, FastTipping } from './fast-tipping.ts';
import type { LooseBodies } from './loose-bodies.ts';
import { SOLID_POSE } from './pose.ts';
import { pushStiffness } from './push-stiffness.ts';
import { extentAlong, leastDepth, overlapDepth, type Posed } from './solids/overlap.ts';
import { heightOf, type Solid } from './solids/solids.ts';
import type { Support } from './support.ts';

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
/** A body that slides more slowly than this stops (m/s; own). */
const STOPPED_M_S = 0.01;
/** A level speed at which what falls onto a face may tumble (m/s; own). */
const TUMBLES_M_S = 0.15;
/** What is met by more of its normal than this is the ground, or a ceiling. */
const LEVEL_COSINE = 0.7;
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
  private readonly supports: FastSupports;
  /** Steps for which each blocked body still waits. */
  private waits: number[];
  /** Steps after which each pushed body rests if nothing pushes it again. */
  private pushed: number[];
  /** Steps since the start: what is beneath a sliding body is looked up every few of them. */
  private steps = 0;
  /** Where each body was (x, y) when it last moved enough to count (m). */
  private readonly anchors: Float64Array;
  /** 1 for each body that slides after a landing. */
  private gliding: number[];
  private readonly tipping: FastTipping;
  /** Whether the arm has pushed a body since the last step. */
  private wasPushed = false;
  /** 1 for each belt that ran in the last step. */
  private readonly running: Float64Array;

  constructor(model: CellModel, states: BodyStates) {
    this.model = model;
    this.states = states;
    this.supports = new FastSupports(model, states);
    this.gliding = model.bodies.map(() => 0);
    this.tipping = new FastTipping({ model, states, supports: this.supports });
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
    return this.supports.find(i);
  }

  doubtOf(i: number): string {
    return this.tipping.doubts[i]!;
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
    const belt = this.supports.look(i)?.belt ?? -1;
    if (belt >= 0 && running[belt] === 1) this.states.status[i] = BODY_STATUS.moving;
  }

  /** A body that something holds back on a running belt rests, and tries again a little later. */
  private wait(i: number, running: Float64Array): void {
    this.waits[i]! -= 1;
    const isCarried = running[this.supports.of(i)?.belt ?? -1] === 1;
    if (!isCarried || !this.states.isLoose(i)) this.waits[i] = 0;
    else if (this.waits[i] === 0 && !this.tryRide(i)) this.waits[i] = WAIT_STEPS;
  }

  /** Starts to ride again where nothing blocks a body any more; false where something does. */
  private tryRide(i: number): boolean {
    const { by, states } = this;
    const { velocity } = this.model.belts[this.supports.of(i)!.belt]!;
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
    const height =
      (support?.height_m ?? 0) + heightOf(this.model.bodies[i]!, this.states.poses, SOLID_POSE * i);
    if (poses[at + 2]! > height + TOUCHING_M || velocities[v + 2]! > 0) {
      this.fall(i, { height, support, running });
      return true;
    }
    return this.ride(i, support, running);
  }

  /** What is beneath a moving body: of a body that slides as of a few steps ago. */
  private presentSupport(i: number): Support | null {
    const known = this.supports.of(i);
    const isFalling = this.fallOf(i) !== 0;
    if (known !== undefined && !isFalling && this.steps % LOOK_STEPS !== 0) return known;
    const found = this.supportOf(i);
    this.supports.set(i, found);
    return found;
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
    if (velocities[v] !== 0 || velocities[v + 1] !== 0 || velocities[v + 2]! > 0) this.meet(i);
    if (poses[at + 2]! > height || velocities[v + 2]! > 0) return;
    poses[at + 2] = height;
    const beneath_m_s = support && support.body >= 0 ? this.fallOf(support.body) : 0;
    if (beneath_m_s !== 0) {
      // It stands on what falls as well, and lands after it.
      velocities[v + 2] = beneath_m_s;
      return;
    }
    const belt = support?.belt ?? -1;
    if ((belt < 0 || running[belt] !== 1) && this.glides(i, support)) return;
    velocities.fill(0, v, v + VELOCITY_SIZE);
    if (belt < 0 || running[belt] !== 1) this.land(i, support);
  }

  /** A flying body does not pass what is in its way: it loses its speed towards that. */
  private meet(i: number): void {
    const { poses, velocities } = this.states;
    const [at, v] = [SOLID_POSE * i, VELOCITY_SIZE * i];
    if (this.inTheWayOf(i) === NOTHING) return;
    const [x = 0, y = 0, z = 0] = leastDepth;
    // What it comes down on is its support.
    if (Math.abs(z) > LEVEL_COSINE && velocities[v + 2]! <= 0) return;
    const { pose, at: from } = this.other;
    const normal = [x, y, z] as const;
    let [speed, towards] = [0, 0];
    for (let k = 0; k < 3; k++) {
      speed += velocities[v + k]! * normal[k]!;
      towards += (pose[from + k]! - poses[at + k]!) * normal[k]!;
    }
    if (speed * towards <= 0) return;
    for (let k = 0; k < 3; k++) {
      poses[at + k]! -= speed * normal[k]! * PLANT_STEP_S;
      velocities[v + k]! -= speed * normal[k]!;
    }
    this.tipping.doubts[i] = DOUBTS.bounce;
  }

  /**
   * A body has come down with a level speed: its impact brakes it by friction, and it slides on
   * with what is left, or tumbles over its leading edge; false where neither is so.
   */
  private glides(i: number, support: Support | null): boolean {
    const { poses, velocities } = this.states;
    const v = VELOCITY_SIZE * i;
    const [x, y, fall_m_s] = [velocities[v]!, velocities[v + 1]!, -velocities[v + 2]!];
    const speed = length3(x, y, 0);
    if (speed < STOPPED_M_S) return false;
    const friction = this.supports.frictionOn(i, support);
    const left = speed - friction * fall_m_s;
    const way = [x / speed, y / speed, 0] as const;
    if (speed > TUMBLES_M_S && fall_m_s > TUMBLES_M_S) this.tipping.doubts[i] ||= DOUBTS.impact;
    velocities.fill(0, v, v + VELOCITY_SIZE);
    const solid = this.model.bodies[i]!;
    const ahead_m = extentAlong(solid, poses, SOLID_POSE * i, way);
    const height_m = heightOf(this.model.bodies[i]!, this.states.poses, SOLID_POSE * i);
    const corner_m = Math.sqrt(ahead_m * ahead_m + height_m * height_m);
    const isTall = friction * height_m > ahead_m;
    if (isTall && speed * speed > 2 * GRAVITY_M_S2 * (corner_m - height_m)) {
      const at = SOLID_POSE * i;
      const edge = [poses[at]! + ahead_m * way[0], poses[at + 1]! + ahead_m * way[1]] as const;
      if (this.tipping.tipOver(i, [i], { edge, height_m: poses[at + 2]! - height_m, way }))
        return true;
    }
    if (left < STOPPED_M_S) return false;
    for (let k = 0; k < 2; k++) velocities[v + k] = way[k]! * left;
    this.gliding[i] = 1;
    return true;
  }

  /** Slides a body that came down, for a step; false once it stands. */
  private glide(i: number, support: Support | null): boolean {
    const { velocities } = this.states;
    const v = VELOCITY_SIZE * i;
    if (support?.isStable === false) return false;
    const speed = length3(velocities[v]!, velocities[v + 1]!, 0);
    const loss = this.supports.frictionOn(i, support) * GRAVITY_M_S2 * PLANT_STEP_S;
    const share = speed > loss ? (speed - loss) / speed : 0;
    for (let k = 0; k < 2; k++) {
      velocities[v + k]! *= share;
      this.by[k] = velocities[v + k]! * PLANT_STEP_S;
    }
    this.by[2] = 0;
    if (share > 0 && speed * share > STOPPED_M_S / 2 && this.slide(i, this.by)) return true;
    if (share > 0 && speed > 2 * STOPPED_M_S) this.tipping.doubts[i] = DOUBTS.bounce;
    this.gliding[i] = 0;
    return false;
  }

  private fallOf(i: number): number {
    return this.states.velocities[VELOCITY_SIZE * i + 2]!;
  }

  private land(i: number, support: Support | null): void {
    const { poses, status, velocities } = this.states;
    const height =
      (support?.height_m ?? 0) + heightOf(this.model.bodies[i]!, this.states.poses, SOLID_POSE * i);
    // A gripper may have pressed it into what carries it.
    if (poses[SOLID_POSE * i + 2]! < height - TOUCHING_M) poses[SOLID_POSE * i + 2] = height;
    velocities.fill(0, VELOCITY_SIZE * i, VELOCITY_SIZE * (i + 1));
    this.pushed[i] = 0;
    this.gliding[i] = 0;
    this.anchor(i);
    this.supports.set(i, support);
    if (this.tipping.tips(i)) return;
    const isLeaning = support?.isLevel === true && this.tipping.lay(i, support);
    if (status[i] === BODY_STATUS.moving && this.supports.of(i) === undefined) return;
    const hasFallen = this.tipping.end(i);
    status[i] = hasFallen || isLeaning ? BODY_STATUS.tipped : BODY_STATUS.resting;
    if (support && support.body >= 0) this.tipping.tipsBelow(support.body);
  }

  /** Rides on a belt, or comes to rest; false in the steps between. */
  private ride(i: number, support: Support | null, running: Float64Array): boolean {
    const belt = support?.belt ?? -1;
    if (belt < 0 || running[belt] !== 1) {
      if (this.gliding[i] === 1 && this.glide(i, support)) return true;
      return this.settle(i, support);
    }
    this.gliding[i] = 0;
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
    const riders = this.supports.ridersOf(i);
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
    const below = this.states.isLoose(i) ? (this.supports.look(i)?.body ?? -1) : -1;
    this.wakeAbove(i);
    this.states.status[i] = BODY_STATUS.held;
    this.pushed[i] = 0;
    // It may have kept what it stood on from tipping.
    if (below >= 0) this.tipping.tipsBelow(below);
  }

  /**
   * A body leaves: what stands on it looks for another support, and falls where there is none; what
   * leans may have lost what it leans on.
   */
  private wakeAbove(i: number): void {
    const { status, announced } = this.states;
    for (let j = 0; j < status.length; j++) {
      const stands = this.supports.standsOn(j, i);
      if (!stands && (j === i || !this.tipping.leans(j))) continue;
      this.gliding[j] = 0;
      this.tipping.begin(j);
      status[j] = BODY_STATUS.moving;
      if (stands) announced[j] = REST_EVENT.always;
      this.supports.forget(j);
    }
  }

  /** A body has slid: what stands on it comes along, unless something blocks it. */
  private carryAbove(riders: readonly number[], i: number, by: Numbers): void {
    const { status, velocities } = this.states;
    for (const j of riders) {
      this.pushed[j] = PUSH_STEPS;
      status[j] = BODY_STATUS.moving;
      const hasSlid = this.slide(j, by);
      if (!hasSlid) this.supports.forget(j);
      const [from, to] = [VELOCITY_SIZE * i, VELOCITY_SIZE * j];
      for (let k = 0; k < 2; k++) velocities[to + k] = hasSlid ? velocities[from + k]! : 0;
    }
  }

  release(i: number, turns = false): void {
    this.gliding[i] = 0;
    this.tipping.begin(i);
    if (turns) this.tipping.doubts[i] = DOUBTS.turn;
    this.states.status[i] = BODY_STATUS.moving;
    this.supports.forget(i);
    const [x, y] = this.states.velocities.subarray(VELOCITY_SIZE * i, VELOCITY_SIZE * i + 2);
    this.gliding[i] = length3(x!, y!, 0) > STOPPED_M_S ? 1 : 0;
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
    const belt = this.supports.look(i)?.belt ?? -1;
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
  push(i: number, force: Numbers, point: Numbers): void {
    const [x, y] = [force[0]!, force[1]!];
    const size = Math.sqrt(x * x + y * y);
    if (this.tipping.givesWay(i, -force[2]!, point)) this.giveWay(i);
    else if (size > this.frictionOf(i)) {
      this.slideRow(this.rowBefore(i, force, size));
      this.announcePush(i);
      this.wasPushed = true;
    }
    this.holdBack(i, x, y);
  }

  /** A body that is pressed beyond its edge bears nothing there: the arm goes through it. */
  private giveWay(i: number): void {
    this.release(i);
    this.tipping.doubts[i] = DOUBTS.press;
    this.states.inArm[i] = 1;
    this.states.announced[i] = REST_EVENT.always;
    this.pushed[i] = PUSH_STEPS;
    this.wasPushed = true;
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
    const riders = row.map((i) => this.supports.ridersOf(i).filter((j) => !row.includes(j)));
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
    const { steps, waits, pushed, gliding } = this;
    const anchors = Array.from(this.anchors);
    const running = Array.from(this.running);
    const supports = this.supports.save();
    const moves = { waits, pushed, gliding, tipping: this.tipping.save() };
    const state = { steps, ...moves, running, anchors, supports };
    return new TextEncoder().encode(JSON.stringify(state));
  }

  load(bytes: Uint8Array): void {
    const saved = JSON.parse(new TextDecoder().decode(bytes));
    const { steps, waits, pushed, running, supports, anchors } = saved;
    this.gliding = saved.gliding;
    this.tipping.load(saved.tipping);
    this.anchors.set(anchors);
    this.steps = steps;
    this.running.set(running);
    this.waits = waits;
    this.pushed = pushed;
    this.supports.load(supports);
  }

  free(): void {}
}
