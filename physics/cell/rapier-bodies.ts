/**
 * The movable bodies of a cell in a Rapier world of their own, at 1 kHz: they rest, slide, tip,
 * fall and push each other. The arm is not in it: it pushes them with the forces of its own
 * contacts, and what a gripper holds leaves the world. It is stepped only while a body moves.
 */
import type { RigidBody, World } from '@dimforge/rapier3d-compat';
import type { Numbers } from '../math/vector.ts';
import type { Rapier } from '../plant/rapier-arm.ts';
import type { CellModel } from './cell-model.ts';
import { BODY_STATUS, type BodyStates, type LooseBodies, VELOCITY_SIZE } from './loose-bodies.ts';
import { buildCellWorld, rapierPose, setSolver } from './rapier-cell-world.ts';
import { SOLID_POSE, turn } from './solids.ts';
import { type Support, supportBeneath } from './support.ts';

/** A body slower than this (m/s, rad/s) for so many steps has come to rest. */
const STILL_M_S = 2e-3;
const STILL_RAD_S = 5e-2;
const STILL_STEPS = 100;
/** A body at rest whose own z axis points less upwards than it did by this has fallen over. */
const TIPPED_COSINE = 0.9;
/** Bodies this close to one that leaves are woken (m). */
const NEAR_M = 5e-3;

export class RapierBodies implements LooseBodies {
  private readonly rapier: Rapier;
  private readonly model: CellModel;
  private readonly states: BodyStates;
  private world: World;
  /** Handles of the bodies, and of the belts by number. */
  private readonly handles: readonly number[];
  private readonly belts: readonly number[];
  /** Steps at rest of each body, and how upright it was when it began to move. */
  private readonly still: Float64Array<ArrayBuffer>;
  private readonly upright: Float64Array<ArrayBuffer>;
  private readonly running: Float64Array;
  private readonly axis = new Float64Array(3);

  constructor(rapier: Rapier, model: CellModel, states: BodyStates) {
    this.rapier = rapier;
    this.model = model;
    this.states = states;
    this.still = new Float64Array(model.bodies.length);
    this.upright = new Float64Array(model.bodies.length);
    this.running = new Float64Array(model.belts.length);
    const { world, handles, belts } = buildCellWorld(rapier, model, states.poses);
    this.world = world;
    this.handles = handles;
    this.belts = belts;
    model.bodies.forEach((_, i) => {
      this.upright[i] = this.uprightOf(i);
    });
  }

  private bodyOf(i: number): RigidBody {
    return this.world.getRigidBody(this.handles[i]!);
  }

  /** Writes pose and velocity of a body to the engine. */
  private writeBody(i: number): void {
    const { velocities, poses } = this.states;
    const body = this.bodyOf(i);
    const { position, rotation } = rapierPose(poses, SOLID_POSE * i);
    const v = VELOCITY_SIZE * i;
    body.setTranslation(position, false);
    body.setRotation(rotation, false);
    body.setLinvel({ x: velocities[v]!, y: velocities[v + 1]!, z: velocities[v + 2]! }, false);
    body.setAngvel({ x: velocities[v + 3]!, y: velocities[v + 4]!, z: velocities[v + 5]! }, false);
  }

  private readBody(i: number, body: RigidBody): void {
    const { velocities, poses } = this.states;
    const at = SOLID_POSE * i;
    const v = VELOCITY_SIZE * i;
    const [p, q, l, a] = [body.translation(), body.rotation(), body.linvel(), body.angvel()];
    poses.set([p.x, p.y, p.z, q.w, q.x, q.y, q.z], at);
    velocities.set([l.x, l.y, l.z, a.x, a.y, a.z], v);
  }

  get isActive(): boolean {
    return this.states.status.includes(BODY_STATUS.moving);
  }

  step(running: Float64Array): void {
    const hasStarted = running.some((runs, belt) => runs > this.running[belt]!);
    this.running.set(running);
    const isRiding = running.includes(1);
    if (!this.isActive && !isRiding) return;
    this.moveBelts(hasStarted);
    this.world.step();
    if (isRiding) this.returnBelts();
    const { status } = this.states;
    for (let i = 0; i < status.length; i++) {
      if (!this.states.isLoose(i)) continue;
      const body = this.bodyOf(i);
      body.resetForces(false);
      body.resetTorques(false);
      if (!body.isSleeping()) this.follow(i, body);
      else if (status[i] === BODY_STATUS.moving) this.rest(i, body);
    }
  }

  /** Belts move for the step and are put back after it: only their surface moves. */
  private moveBelts(hasStarted: boolean): void {
    this.belts.forEach((handle, belt) => {
      const { velocity } = this.model.belts[belt]!;
      const share = this.running[belt]!;
      const body = this.world.getRigidBody(handle);
      const [x, y, z] = [velocity[0]! * share, velocity[1]! * share, velocity[2]! * share];
      body.setLinvel({ x, y, z }, false);
    });
    if (!hasStarted) return;
    const { status } = this.states;
    for (let i = 0; i < status.length; i++) {
      if (!this.states.isLoose(i) || status[i] !== BODY_STATUS.resting) continue;
      if (this.isOnRunningBelt(i)) this.wake(i);
    }
  }

  private returnBelts(): void {
    for (const solid of this.model.statics) {
      if (solid.belt < 0) continue;
      const { position } = rapierPose(solid.pose, 0);
      this.world.getRigidBody(this.belts[solid.belt]!).setTranslation(position, false);
    }
  }

  /** Reads a body that the engine moves; marks it as resting once it stands. */
  private follow(i: number, body: RigidBody): void {
    const { status } = this.states;
    const isMoving = status[i] === BODY_STATUS.moving;
    if (isMoving) this.readBody(i, body);
    const isStill = speedOf(body.linvel()) < STILL_M_S && speedOf(body.angvel()) < STILL_RAD_S;
    this.still[i] = isStill ? this.still[i]! + 1 : 0;
    if (this.still[i]! >= STILL_STEPS) {
      // A body that a stop holds back on a running belt still moves.
      if (this.isOnRunningBelt(i)) this.still[i] = 0;
      else this.rest(i, body);
    } else if (!isMoving && !isStill) this.wake(i);
  }

  private isOnRunningBelt(i: number): boolean {
    const belt = this.supportOf(i)?.belt ?? -1;
    return belt >= 0 && this.running[belt] === 1;
  }

  private rest(i: number, body: RigidBody): void {
    const { status } = this.states;
    if (status[i] !== BODY_STATUS.moving) return;
    this.readBody(i, body);
    this.states.velocities.fill(0, VELOCITY_SIZE * i, VELOCITY_SIZE * (i + 1));
    const now = this.uprightOf(i);
    const hasTipped = now < this.upright[i]! * TIPPED_COSINE - (1 - TIPPED_COSINE);
    status[i] = hasTipped ? BODY_STATUS.tipped : BODY_STATUS.resting;
  }

  private uprightOf(i: number): number {
    turn(this.states.poses, SOLID_POSE * i + 3, [0, 0, 1], this.axis);
    return this.axis[2]!;
  }

  private wake(i: number): void {
    this.states.status[i] = BODY_STATUS.moving;
    this.still[i] = 0;
    this.bodyOf(i).wakeUp();
  }

  /** Wakes the bodies near one that leaves its place. */
  private wakeAround(i: number): void {
    const { poses } = this.states;
    const reachOf = (j: number) => {
      const { half } = this.model.bodies[j]!;
      return Math.sqrt(half[0]! * half[0]! + half[1]! * half[1]! + half[2]! * half[2]!);
    };
    for (let j = 0; j < this.handles.length; j++) {
      if (j === i || !this.states.isLoose(j)) continue;
      let squared = 0;
      for (let k = 0; k < 3; k++) {
        const d = poses[SOLID_POSE * i + k]! - poses[SOLID_POSE * j + k]!;
        squared += d * d;
      }
      const near = reachOf(i) + reachOf(j) + NEAR_M;
      if (squared < near * near) this.wake(j);
    }
  }

  hold(i: number): void {
    this.wakeAround(i);
    this.states.status[i] = BODY_STATUS.held;
    this.bodyOf(i).setEnabled(false);
  }

  release(i: number): void {
    const body = this.bodyOf(i);
    body.setEnabled(true);
    this.writeBody(i);
    this.upright[i] = this.uprightOf(i);
    this.wake(i);
  }

  place(i: number): void {
    this.states.velocities.fill(0, VELOCITY_SIZE * i, VELOCITY_SIZE * (i + 1));
    this.release(i);
  }

  shift(i: number, by: Numbers): void {
    const { poses } = this.states;
    for (let k = 0; k < 3; k++) poses[SOLID_POSE * i + k]! += by[k]!;
    this.writeBody(i);
    this.wake(i);
  }

  push(i: number, force: Numbers, point: Numbers): void {
    const at = { x: point[0]!, y: point[1]!, z: point[2]! };
    this.bodyOf(i).addForceAtPoint({ x: force[0]!, y: force[1]!, z: force[2]! }, at, true);
    this.states.announced[i] = 1;
    if (this.states.status[i] !== BODY_STATUS.moving) this.wake(i);
  }

  supportOf(i: number): Support | null {
    const { model, states } = this;
    const isSolid = (j: number) => states.isLoose(j);
    return supportBeneath({ model, poses: states.poses, isSolid }, i);
  }

  save(): Uint8Array {
    const world = this.world.takeSnapshot();
    const own = new Float64Array([...this.still, ...this.upright, ...this.running]);
    const bytes = new Uint8Array(own.byteLength + world.length);
    bytes.set(new Uint8Array(own.buffer), 0);
    bytes.set(world, own.byteLength);
    return bytes;
  }

  load(bytes: Uint8Array): void {
    const n = this.still.length;
    const size = 8 * (2 * n + this.running.length);
    const own = new Float64Array(bytes.slice(0, size).buffer);
    this.still.set(own.subarray(0, n));
    this.upright.set(own.subarray(n, 2 * n));
    this.running.set(own.subarray(2 * n));
    this.world.free();
    this.world = this.rapier.World.restoreSnapshot(bytes.slice(size));
    setSolver(this.world);
  }

  free(): void {
    this.world.free();
  }
}

function speedOf(v: { readonly x: number; readonly y: number; readonly z: number }): number {
  return Math.sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}
