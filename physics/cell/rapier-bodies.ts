/**
 * The movable bodies of a cell in a Rapier world of their own: they rest, slide, tip, fall and push
 * each other. The arm is not in it: it pushes them with the forces of its own contacts, and what a
 * gripper holds leaves the world. It is stepped only while a body moves: once in 4 ms, in 8 ms
 * while all stand against something, and at 1 kHz while one is fast or the arm or jaws push.
 */
import { BYTES_PER_NUMBER, ByteLayout, doublesOf } from '../math/byte-sections.ts';
import { Layout } from '../math/layout.ts';
import { length3, type Numbers } from '../math/vector.ts';
import type { Rapier } from '../plant/rapier-loader.ts';
import { BODY_STATUS, type BodyStates, REST_EVENT, VELOCITY_SIZE } from './body-states.ts';
import type { CellModel } from './cell-model.ts';
import type { LooseBodies } from './loose-bodies.ts';
import { SOLID_POSE, turn } from './pose.ts';
import { CellWorld } from './rapier-cell-world.ts';
import { mayRoll, resistRolling } from './rolling.ts';
import { overlapDepth } from './solids/overlap.ts';
import { type Support, supportBeneath } from './support.ts';
import { hasTipped } from './tipping.ts';

/** A body slower than this (m/s, rad/s) for so many steps has come to rest. */
const STILL_M_S = 2e-3;
const STILL_RAD_S = 5e-2;
const STILL_STEPS = 100;
const STILL = [0, 0, 0];
/** Bodies may touch in the next step when they are this close (m). */
const NEAR_M = 5e-3;
/** Bodies this close touch: one may carry or lean on the other (m). */
const TOUCHING_M = 1e-3;
/** Plant steps that the engine takes at once while every body is slower than this (m/s). */
const COARSE_STEPS = 4;
const COARSE_M_S = 0.25;
/** Plant steps that the engine takes at once while every body is still. */
const STILL_COARSE_STEPS = 8;
/** Plant steps for which the engine stays at 1 kHz after the arm or a gripper moved a body. */
const FINE_STEPS = 50;

/** Numbers of a saved state beside that of the engine. */
function savedNumbers({ bodies: { length: bodies }, belts }: CellModel) {
  return new Layout({
    pending: 1,
    fine: 1,
    fastest: 1,
    still: bodies,
    upright: bodies,
    fixed: bodies,
    running: belts.length,
  });
}

export class RapierBodies implements LooseBodies {
  readonly isFallFree = false;
  private readonly model: CellModel;
  private readonly states: BodyStates;
  private readonly world: CellWorld;
  /** Steps at rest of each body, and how upright it was when it began to move. */
  private readonly still: Float64Array<ArrayBuffer>;
  private readonly upright: Float64Array<ArrayBuffer>;
  private readonly axis = new Float64Array(3);
  private readonly saved: ReturnType<typeof savedNumbers>;
  /** The parts of a snapshot; that of the engine is the rest. */
  private readonly snapshot: ByteLayout<'numbers'>;
  /** Radii of the balls around the bodies (m). */
  private readonly radii: Float64Array;
  /** Plant steps that the engine has yet to take, and for which it stays at 1 kHz. */
  private pending = 0;
  private fine = 0;
  /** Speed of the fastest body (m/s). */
  private fastest = 0;
  /** True while the caller has not seen what the engine did. */
  private isUnseen = false;

  constructor(rapier: Rapier, model: CellModel, states: BodyStates) {
    this.model = model;
    this.states = states;
    this.still = new Float64Array(model.bodies.length);
    this.upright = new Float64Array(model.bodies.length);
    this.radii = Float64Array.from(model.bodies, ({ half }) =>
      length3(half[0]!, half[1]!, half[2]!),
    );
    this.world = new CellWorld(rapier, model, states);
    this.saved = savedNumbers(model);
    this.snapshot = new ByteLayout({ numbers: BYTES_PER_NUMBER * this.saved.size });
    model.bodies.forEach((_, i) => {
      this.upright[i] = this.uprightOf(i);
    });
  }

  get isActive(): boolean {
    return this.isUnseen || this.states.status.includes(BODY_STATUS.moving);
  }

  step(running: Float64Array): boolean {
    this.setBelts(running);
    if (this.states.status.includes(BODY_STATUS.moving)) {
      this.pending += 1;
      if (this.pending >= this.stepsAtOnce) this.catchUp();
    }
    if (this.fine > 0) this.fine -= 1;
    const hasMoved = this.isUnseen;
    this.isUnseen = false;
    return hasMoved;
  }

  private get stepsAtOnce(): number {
    if (this.fine > 0 || this.fastest > COARSE_M_S) return 1;
    return this.fastest > STILL_M_S ? COARSE_STEPS : STILL_COARSE_STEPS;
  }

  /** Lets the engine take the steps that have passed. */
  private catchUp(): void {
    if (this.pending === 0) return;
    const steps = this.pending;
    this.pending = 0;
    this.world.step(steps);
    this.isUnseen = true;
    const { status } = this.states;
    this.fastest = 0;
    for (let i = 0; i < status.length; i++) {
      if (!this.states.isLoose(i)) continue;
      if (!this.world.isAsleep(i)) this.follow(i, steps);
      else if (status[i] === BODY_STATUS.moving) this.rest(i);
    }
    for (let i = 0; i < status.length; i++) {
      if (status[i] === BODY_STATUS.moving) this.freeAround(i);
    }
  }

  /** Starts and stops belts; one that starts takes along what rests on it. */
  private setBelts(running: Float64Array): void {
    let hasStarted = false;
    for (let belt = 0; belt < running.length; belt++) {
      const share = running[belt]!;
      if (share === this.world.running[belt]) continue;
      this.catchUp();
      this.world.runBelt(belt, share);
      hasStarted ||= share === 1;
    }
    if (!hasStarted) return;
    const { status } = this.states;
    for (let i = 0; i < status.length; i++) {
      if (status[i] === BODY_STATUS.resting && this.runningBeltUnder(i) >= 0) this.wake(i);
    }
  }

  /** Reads a body that the engine moved for `steps`; marks it as resting once it stands. */
  private follow(i: number, steps: number): void {
    const { status } = this.states;
    const isMoving = status[i] === BODY_STATUS.moving;
    if (isMoving) this.world.readBody(i);
    else this.world.readVelocity(i);
    const { velocities } = this.states;
    const v = VELOCITY_SIZE * i;
    const speed = length3(velocities[v]!, velocities[v + 1]!, velocities[v + 2]!);
    const turning = length3(velocities[v + 3]!, velocities[v + 4]!, velocities[v + 5]!);
    this.fastest = Math.max(this.fastest, speed);
    if (isMoving && mayRoll(this.states, this.model.bodies[i]!, i)) this.resist(i, steps);
    const isStill = speed < STILL_M_S && turning < STILL_RAD_S;
    this.still[i] = isStill ? this.still[i]! + steps : 0;
    if (!isMoving) velocities.fill(0, v, v + VELOCITY_SIZE);
    if (this.still[i]! >= STILL_STEPS) {
      if (this.isCarried(i, speed)) this.still[i] = 0;
      else this.rest(i);
    } else if (!isMoving && !isStill) this.wake(i);
  }

  /** Rolling resistance on a lying cylinder. */
  private resist(i: number, steps: number): void {
    const solid = this.model.bodies[i]!;
    resistRolling(this.states, { solid, i, surface: this.surfaceBeneath(i) }, steps);
    this.world.writeVelocity(i);
  }

  /** Velocity of what a body lies on (m/s). */
  private surfaceBeneath(i: number): Numbers {
    const { belt = -1, body = -1 } = this.supportOf(i) ?? {};
    if (body >= 0) return this.states.velocities.subarray(VELOCITY_SIZE * body);
    return belt >= 0 && this.world.running[belt] === 1 ? this.model.belts[belt]!.velocity : STILL;
  }

  /** The running belt that a body lies on; -1 without any. */
  private runningBeltUnder(i: number): number {
    const belt = this.supportOf(i)?.belt ?? -1;
    return belt >= 0 && this.world.running[belt] === 1 ? belt : -1;
  }

  /** Whether a body of this speed (m/s) rides on a slow belt; one at a stop does not. */
  private isCarried(i: number, speed: number): boolean {
    const belt = this.runningBeltUnder(i);
    if (belt < 0) return false;
    const [x, y, z] = this.model.belts[belt]!.velocity;
    return speed > length3(x!, y!, z!) / 2;
  }

  private rest(i: number): void {
    const { status } = this.states;
    if (status[i] !== BODY_STATUS.moving) return;
    this.world.readBody(i);
    this.states.velocities.fill(0, VELOCITY_SIZE * i, VELOCITY_SIZE * (i + 1));
    const now = this.uprightOf(i);
    status[i] = hasTipped(this.upright[i]!, now) ? BODY_STATUS.tipped : BODY_STATUS.resting;
    this.fix(i);
  }

  /** Bodies that stand together are fixed together, so that they do not creep. */
  private fix(i: number): void {
    const { status } = this.states;
    const group = [i];
    for (const member of group) {
      for (let j = 0; j < status.length; j++) {
        if (group.includes(j) || !this.isNear(member, j)) continue;
        if (status[j] === BODY_STATUS.moving) return;
        group.push(j);
      }
    }
    for (const member of group) {
      if (this.world.fixed[member] === 1) continue;
      this.world.readBody(member);
      this.states.velocities.fill(0, VELOCITY_SIZE * member, VELOCITY_SIZE * (member + 1));
      this.world.fix(member);
    }
  }

  /** What a moving body could meet in the next step takes part. */
  private freeAround(i: number): void {
    for (let j = 0; j < this.world.fixed.length; j++) {
      if (this.world.fixed[j] === 1 && this.isNear(i, j)) this.world.free(j);
    }
  }

  private uprightOf(i: number): number {
    turn(this.states.poses, SOLID_POSE * i + 3, [0, 0, 1], this.axis);
    return this.axis[2]!;
  }

  private wake(i: number): void {
    this.states.status[i] = BODY_STATUS.moving;
    this.still[i] = 0;
    this.world.wake(i);
    this.freeAround(i);
  }

  /** Whether another loose body is so near that it may touch this one in the next step. */
  private isNear(i: number, j: number): boolean {
    if (j === i || !this.states.isLoose(j)) return false;
    const { poses } = this.states;
    let squared = 0;
    for (let k = 0; k < 3; k++) {
      const away = poses[SOLID_POSE * i + k]! - poses[SOLID_POSE * j + k]!;
      squared += away * away;
    }
    const reach = this.radii[i]! + this.radii[j]! + NEAR_M;
    return squared < reach * reach;
  }

  /** Whether another loose body touches this one. */
  private isMetBy(i: number, j: number): boolean {
    if (!this.isNear(i, j)) return false;
    const { bodies } = this.model;
    const pose = this.states.poses;
    const own = { solid: bodies[i]!, pose, at: SOLID_POSE * i };
    const other = { solid: bodies[j]!, pose, at: SOLID_POSE * j };
    return overlapDepth(own, other, -TOUCHING_M) > -TOUCHING_M;
  }

  hold(i: number): void {
    this.catchUp();
    for (let j = 0; j < this.radii.length; j++) if (this.isMetBy(i, j)) this.wake(j);
    this.states.status[i] = BODY_STATUS.held;
    this.world.setPresent(i, false);
  }

  release(i: number): void {
    this.catchUp();
    this.fine = FINE_STEPS;
    this.world.setPresent(i, true);
    this.world.write(i);
    this.upright[i] = this.uprightOf(i);
    this.wake(i);
  }

  place(i: number): void {
    this.states.velocities.fill(0, VELOCITY_SIZE * i, VELOCITY_SIZE * (i + 1));
    this.release(i);
  }

  shift(i: number, by: Numbers): void {
    this.catchUp();
    this.fine = FINE_STEPS;
    const { poses } = this.states;
    for (let k = 0; k < 3; k++) poses[SOLID_POSE * i + k]! += by[k]!;
    this.world.write(i);
    this.wake(i);
  }

  push(i: number, force: Numbers, point: Numbers): void {
    this.catchUp();
    this.fine = FINE_STEPS;
    if (this.states.status[i] !== BODY_STATUS.moving) this.wake(i);
    this.world.push(i, force, point);
    // The engine hides such a force: the body would hang where it is.
    if (!Number.isFinite(length3(force[0]!, force[1]!, force[2]!))) this.states.unreal.add(i);
    this.states.announced[i] ||= REST_EVENT.ofMove;
  }

  supportOf(i: number): Support | null {
    const { model, states } = this;
    const isSolid = (j: number) => states.isLoose(j);
    return supportBeneath({ model, poses: states.poses, isSolid }, i);
  }

  doubtOf(): string {
    return '';
  }

  save(): Uint8Array {
    const numbers = this.saved.create();
    const { pending, fine, fastest, still, upright, fixed, running } = this.saved.views(numbers);
    pending[0] = this.pending;
    fine[0] = this.fine;
    fastest[0] = this.fastest;
    still.set(this.still);
    upright.set(this.upright);
    fixed.set(this.world.fixed);
    running.set(this.world.running);
    return this.snapshot.join({ numbers: new Uint8Array(numbers.buffer), rest: this.world.save() });
  }

  load(bytes: Uint8Array): void {
    const { numbers, rest } = this.snapshot.split(bytes);
    const own = this.saved.views(doublesOf(numbers));
    this.pending = own.pending[0]!;
    this.fine = own.fine[0]!;
    this.fastest = own.fastest[0]!;
    this.still.set(own.still);
    this.upright.set(own.upright);
    this.world.fixed.set(own.fixed);
    this.world.running.set(own.running);
    this.world.load(rest);
    this.isUnseen = false;
  }

  free(): void {
    this.world.dispose();
  }
}
