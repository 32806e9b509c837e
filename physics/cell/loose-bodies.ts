/**
 * The movable bodies of a cell: their states, the port of the mechanics that moves them, and the
 * motion of one that a gripper holds. SI units, robot frame. Also: in which nest or on which
 * surface a body is.
 */
import { GRAVITY_M_S2 } from '../dynamics/arm-dynamics.ts';
import { PLANT_STEP_S } from '../dynamics/drives.ts';
import type { Numbers } from '../math/rotation.ts';
import { type CellModel, nestFrame } from './cell-model.ts';
import { bottomOf, SOLID_POSE, type Solid, turn } from './solids.ts';
import type { Support } from './support.ts';

/** Numbers of a velocity: linear (m/s), angular (rad/s). */
export const VELOCITY_SIZE = 6;

/**
 * Beyond this distance (m) or speed (m/s) the simulation of a body has failed. A body that falls
 * from cell_reach_m has 14 m/s; the engine moves none faster than 20 m/s.
 */
const FAR_M = 100;
const FAST_M_S = 15;

/** What a body does. Tipped: it fell over, or on the fast plant would. */
export const BODY_STATUS = { resting: 0, moving: 1, held: 2, tipped: 3, missing: 4 } as const;
export type Status = (typeof BODY_STATUS)[keyof typeof BODY_STATUS];

/** When the end of a movement is an event: after a fall or tip, where the body moved, always. */
export const REST_EVENT = { ofFall: 0, ofMove: 2, always: 1 } as const;

/** Poses, velocities and statuses of all bodies, as views of one array. */
export class BodyStates {
  readonly memory: Float64Array<ArrayBuffer>;
  /** Poses of the centres. */
  readonly poses: Float64Array;
  readonly velocities: Float64Array;
  readonly status: Float64Array;
  /** Whether the end of a movement is an event (REST_EVENT). */
  readonly announced: Float64Array;
  /** How far an injected fault put each body from its place (m). */
  readonly misplaced: Float64Array;
  /** Bodies that met a force that is not a number. */
  readonly unreal = new Set<number>();

  constructor(model: CellModel) {
    const n = model.bodies.length;
    this.memory = new Float64Array(n * (SOLID_POSE + VELOCITY_SIZE + 3));
    const view = (from: number, size: number) => this.memory.subarray(n * from, n * (from + size));
    this.poses = view(0, SOLID_POSE);
    this.velocities = view(SOLID_POSE, VELOCITY_SIZE);
    this.status = view(SOLID_POSE + VELOCITY_SIZE, 1);
    this.announced = view(SOLID_POSE + VELOCITY_SIZE + 1, 1);
    this.misplaced = view(SOLID_POSE + VELOCITY_SIZE + 2, 1);
    model.bodies.forEach(({ pose }, i) => {
      this.poses.set(pose, SOLID_POSE * i);
    });
  }

  /** Where body `i` is and how fast, once it has left every sensible bound; else null. */
  escapeOf(i: number): string | null {
    if (this.unreal.has(i)) return 'a force on it is not a number';
    for (let k = 0; k < 3; k++) {
      const far = Math.abs(this.poses[SOLID_POSE * i + k]!);
      const fast = Math.abs(this.velocities[VELOCITY_SIZE * i + k]!);
      if (!(far < FAR_M && fast < FAST_M_S)) return `${far} m away at ${fast} m/s`;
    }
    return null;
  }

  /** True while a body is there and no gripper has it. */
  isLoose(i: number): boolean {
    const status = this.status[i]!;
    return status !== BODY_STATUS.held && status !== BODY_STATUS.missing;
  }
}

/** Mechanics of the movable bodies. */
export interface LooseBodies {
  /** Whether what falls goes through the arm, which does not feel it. */
  readonly isFallFree: boolean;
  /** Advances by 1 ms; true when bodies moved. `running` holds 1 for each belt that runs. */
  step(running: Float64Array): boolean;
  /** A gripper takes a body: from now on the caller writes its pose. */
  hold(i: number): void;
  /** A body is free at its present pose and velocity. */
  release(i: number): void;
  /** A held body was put at its present pose, at rest; it settles there. */
  place(i: number): void;
  /** Shifts a body that jaws push (m). */
  shift(i: number, by: Numbers): void;
  /** A body of the arm pushes with a force (N) at a point (m) in this step. */
  push(i: number, force: Numbers, point: Numbers): void;
  /** What is beneath a body. */
  supportOf(i: number): Support | null;
  /** True while a body moves by itself. */
  readonly isActive: boolean;
  save(): Uint8Array;
  load(bytes: Uint8Array): void;
  free(): void;
}

/** Stiffness of the contact between arm and a fixture or heavy object (N/m): that of obstacles. */
const STIFFNESS_N_PER_M = 25_000;
/** Share of m/dt² that an explicit spring of a step dt may have to be stable. */
const STABLE_SHARE = 0.25;

/** Stiffness of the contact between the arm and a loose body (N/m): light ones are softer. */
export function pushStiffness(mass_kg: number): number {
  const stable = (STABLE_SHARE * mass_kg) / (PLANT_STEP_S * PLANT_STEP_S);
  return Math.min(STIFFNESS_N_PER_M, stable);
}

/** Share of a new velocity in the filtered one, per step: 4 ms. */
const FILTER_SHARE = 0.25;
/** Steps after which the filter is full. */
const FILTER_STEPS = 20;
/** Numbers of a motion's state. */
export const MOTION_SIZE = 10;

/** The motion of a held body: velocity and acceleration, filtered, from its positions. */
export class HeldMotion {
  private readonly memory: Float64Array;
  private readonly last: Float64Array;
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;

  /** Uses MOTION_SIZE numbers of `memory` from `at` for its whole state. */
  constructor(memory: Float64Array, at: number) {
    this.memory = memory.subarray(at, at + MOTION_SIZE);
    this.last = this.memory.subarray(0, 3);
    this.velocity = this.memory.subarray(3, 6);
    this.acceleration = this.memory.subarray(6, 9);
  }

  /** Starts at a position, at rest. */
  reset(position: Numbers): void {
    this.memory.fill(0);
    this.last.set([position[0]!, position[1]!, position[2]!]);
  }

  /** Time since the start (s). */
  get time_s(): number {
    return this.memory[9]! * PLANT_STEP_S;
  }

  /** True once velocity and acceleration are known. */
  get isKnown(): boolean {
    return this.memory[9]! > FILTER_STEPS;
  }

  /** Follows the position at `at` for one step. */
  update(poses: Numbers, at: number): void {
    for (let k = 0; k < 3; k++) {
      const raw = (poses[at + k]! - this.last[k]!) / PLANT_STEP_S;
      const before = this.velocity[k]!;
      const now = this.memory[9] === 0 ? raw : before + FILTER_SHARE * (raw - before);
      this.velocity[k] = now;
      this.acceleration[k] = (now - before) / PLANT_STEP_S;
      this.last[k] = poses[at + k]!;
    }
    this.memory[9]! += 1;
  }
}

/** Where the bodies of a cell are: in a nest, on a surface, on each other. */

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

/** Coefficient of rolling resistance: plastic on a bench (own). */
const ROLLING_RESISTANCE = 0.02;
/** A cylinder lies when the cosine of its axis to the vertical is below this. */
const LYING_COSINE = 0.5;
/** A cylinder that rises or falls faster than this rolls on nothing (m/s). */
const ROLLING_RISE_M_S = 0.05;
const UP = [0, 0, 1];
const axis = new Float64Array(3);

/** The part of `value` that a loss of at most `most` takes. */
function lossOf(value: number, most: number): number {
  return Math.min(Math.max(value, -most), most);
}

/** Whether body `i` is a cylinder that lies and does not fall: it may roll. */
export function mayRoll({ poses, velocities }: BodyStates, { isRound }: Solid, i: number): boolean {
  if (!isRound || Math.abs(velocities[VELOCITY_SIZE * i + 2]!) > ROLLING_RISE_M_S) return false;
  turn(poses, SOLID_POSE * i + 3, UP, axis);
  return Math.abs(axis[2]!) < LYING_COSINE;
}

/**
 * Takes spin and speed from body `i`, which may roll, as rolling resistance does: relative to what
 * it lies on, which moves at `surface` (m/s). Both are taken: speed without spin would roll it on.
 */
export function resistRolling(
  { poses, velocities }: BodyStates,
  { solid, i, surface }: { readonly solid: Solid; readonly i: number; readonly surface: Numbers },
  steps: number,
): void {
  turn(poses, SOLID_POSE * i + 3, UP, axis);
  const at = VELOCITY_SIZE * i;
  const most_m_s = ROLLING_RESISTANCE * GRAVITY_M_S2 * steps * PLANT_STEP_S;
  let spin = 0;
  for (let k = 0; k < 3; k++) spin += velocities[at + 3 + k]! * axis[k]!;
  const spinLoss = lossOf(spin, most_m_s / solid.half[0]!);
  for (let k = 0; k < 3; k++) velocities[at + 3 + k]! -= spinLoss * axis[k]!;
  // Its axis, seen from above, is square to the way on which it rolls.
  const level = Math.sqrt(axis[0]! * axis[0]! + axis[1]! * axis[1]!);
  const [x, y] = [axis[1]! / level, -axis[0]! / level];
  const speed = (velocities[at]! - surface[0]!) * x + (velocities[at + 1]! - surface[1]!) * y;
  const loss = lossOf(speed, most_m_s);
  velocities[at]! -= loss * x;
  velocities[at + 1]! -= loss * y;
}
