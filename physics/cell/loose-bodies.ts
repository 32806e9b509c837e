/**
 * The movable bodies of a cell: their states, the port of the mechanics that moves them, and the
 * motion of one that a gripper holds. SI units, robot frame.
 */
import { PLANT_STEP_S } from '../dynamics/drives.ts';
import type { Numbers } from '../math/vector.ts';
import type { CellModel } from './cell-model.ts';
import { SOLID_POSE } from './solids.ts';
import type { Support } from './support.ts';

/** Numbers of a velocity: linear (m/s), angular (rad/s). */
export const VELOCITY_SIZE = 6;

/**
 * Beyond this distance (m) or speed (m/s) the simulation of a body has failed. A body that falls
 * off the highest fixture is slower; the engine moves none faster than 20 m/s.
 */
const FAR_M = 100;
const FAST_M_S = 15;

/** What a body does. Tipped: it fell over, or on the fast plant would. */
export const BODY_STATUS = { resting: 0, moving: 1, held: 2, tipped: 3, missing: 4 } as const;
export type Status = (typeof BODY_STATUS)[keyof typeof BODY_STATUS];

/** Poses, velocities and statuses of all bodies, as views of one array. */
export class BodyStates {
  readonly memory: Float64Array<ArrayBuffer>;
  /** Poses of the centres. */
  readonly poses: Float64Array;
  readonly velocities: Float64Array;
  readonly status: Float64Array;
  /** 1 while the end of a movement is an event. */
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
