import { assert } from '../math/assert.ts';
import { Layout } from '../math/layout.ts';
import type { CellModel } from './cell-model.ts';
import { SOLID_POSE } from './pose.ts';

/** Numbers of a velocity: linear (m/s), angular (rad/s). */
export const VELOCITY_SIZE = 6;

/**
 * Beyond this distance (m) or speed (m/s) the simulation of a body has failed. A body that falls
 * from cell_reach_m has 14 m/s; the engine moves none faster than 20 m/s.
 */
const FAR_M = 100;
const FAST_M_S = 15;

/**
 * What a body does. Tipped: it fell over, or on the fast plant would. Carried: it stands on what a
 * gripper holds, or on what stands on that.
 */
export const BODY_STATUS = {
  resting: 0,
  moving: 1,
  held: 2,
  tipped: 3,
  missing: 4,
  carried: 5,
} as const;
type StatusName = keyof typeof BODY_STATUS;
const STATUS_NAMES: ReadonlyMap<number, StatusName> = new Map(
  (Object.keys(BODY_STATUS) as StatusName[]).map((name) => [BODY_STATUS[name], name]),
);

/** The name of a status, as the API has it. */
export function statusName(status: number): StatusName {
  const name = STATUS_NAMES.get(status);
  assert(name, `${status} is no status of a body`);
  return name;
}

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
  /** 1 for a body that may lie in the arm: it fell or turned through it, or was carried into a finger. */
  readonly inArm: Float64Array;
  /** Bodies that met a force that is not a number. */
  readonly unreal = new Set<number>();

  constructor(model: CellModel) {
    const n = model.bodies.length;
    const layout = new Layout({
      poses: n * SOLID_POSE,
      velocities: n * VELOCITY_SIZE,
      status: n,
      announced: n,
      misplaced: n,
      inArm: n,
    });
    this.memory = layout.create();
    const { poses, velocities, status, announced, misplaced, inArm } = layout.views(this.memory);
    this.poses = poses;
    this.velocities = velocities;
    this.status = status;
    this.announced = announced;
    this.misplaced = misplaced;
    this.inArm = inArm;
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

  /** True while a body is there and no gripper has or carries it. */
  isLoose(i: number): boolean {
    const status = this.status[i]!;
    const { held, missing, carried } = BODY_STATUS;
    return status !== held && status !== missing && status !== carried;
  }
}
