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
