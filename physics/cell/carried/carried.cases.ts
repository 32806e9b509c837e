/** Cells with an arm that points down and holds what carries something, on both plants, for tests. */
import type { Cell, CellObject } from '../../../contract/types.generated.ts';
import { PLANT_STEP_S } from '../../dynamics/plant-step.ts';
import { EnvironmentForces } from '../../plant/environment-forces.ts';
import { loadRapier } from '../../plant/rapier-loader.ts';
import { compileCell } from '../cell-model.ts';
import { CellPlant } from '../cell-plant.ts';
import { FastBodies } from '../fast-bodies.ts';
import { SOLID_POSE } from '../pose.ts';
import { RapierBodies } from '../rapier-bodies.ts';

/** The arm points down; the grasp centre is at (0.35, -0.2, 0.13) with the tip at 0.1 m. */
export const GRASP = Float64Array.of(-0.5191, -0.1513, -2.1669, 0, -0.8234, -0.5191);
export const [X_M, Y_M, Z_M] = [0.35, -0.2, 0.13];
/** Distance of the grasp centre from the axis of joint 0 (m). */
export const RADIUS_M = Math.hypot(X_M, Y_M);
export const DRIVERS = ['fast', 'rapier'] as const;
export type Driver = (typeof DRIVERS)[number];

const rapier = await loadRapier();

export function plantOf(driver: Driver, cell: Cell): CellPlant {
  return new CellPlant(compileCell(cell), (model, states) =>
    driver === 'fast' ? new FastBodies(model, states) : new RapierBodies(rapier, model, states),
  );
}

type Objects = readonly CellObject[];

/** A box whose bottom face is `z_m` above the grasp centre, beside its middle by `x`, `y` (m). */
export function box(
  name: string,
  [x, y, z]: readonly [number, number, number],
  at: { readonly z_m: number; readonly x_m?: number; readonly y_m?: number },
  more: Partial<CellObject> = {},
): CellObject {
  const { z_m, x_m = 0, y_m = 0 } = at;
  const shape = { kind: 'box', size_m: { x, y, z } } as const;
  const position = { x: X_M + x_m, y: Y_M + y_m, z: Z_M + z_m };
  return { name, shape, mass_kg: 0.05, position, ...more };
}

/** Jaws at the flange that close across the turn of joint 0, above a post beneath object 0. */
export function cellOf(objects: Objects, more: Partial<Cell> = {}): Cell {
  const low_m = objects[0]!.position!.z;
  return {
    name: 'carried',
    fixtures: [
      {
        name: 'post',
        position: { x: X_M, y: Y_M, z: 0 },
        boxes: [{ size_m: { x: 0.02, y: 0.02, z: low_m } }],
      },
    ],
    objects: [...objects],
    grippers: [
      {
        kind: 'jaws',
        name: 'jaws',
        output: 'ee_d0',
        tip_m: { x: 0, y: 0, z: 0.1 },
        // The flange looks down: the jaws close along the radius.
        jaw_angle_rad: Math.atan2(-Y_M, X_M),
        stroke_m: 0.12,
        force_n: 60,
        closing_time_s: 0.05,
        pad_width_m: 0.02,
        pad_height_m: 0.006,
        friction: 0.8,
      },
    ],
    ...more,
  };
}

/** Lets the arm touch the bodies of a cell; returns a step, and the greatest force in it (N). */
export function touching(plant: CellPlant) {
  const environment = new EnvironmentForces();
  environment.setObstacles([], plant.movables);
  plant.attach(environment, GRASP);
  const still = new Float64Array(GRASP.length);
  return (q: Float64Array): number => {
    environment.update(q, still, false);
    plant.step(q);
    let most_n = 0;
    for (let box = 0; box < environment.obstacleCount; box++) {
      for (let body = 0; body < environment.bodyCount; body++) {
        most_n = Math.max(most_n, environment.contactOf(box, body).force_n);
      }
    }
    return most_n;
  };
}

/** Closes the jaws, which take object 0, and waits. */
export function grasp(plant: CellPlant, steps = 150): void {
  plant.setOutputs({ ee_d0: true });
  for (let i = 0; i < steps; i++) plant.step(GRASP);
}

/** A turn of joint 0 whose angular acceleration follows a function of the step (rad/s²). */
export function swing(plant: CellPlant, steps: number, acceleration: (step: number) => number) {
  const q = GRASP.slice();
  let rate = 0;
  for (let step = 0; step < steps; step++) {
    const change = acceleration(step) * PLANT_STEP_S;
    q[0]! += (rate + change / 2) * PLANT_STEP_S;
    rate += change;
    plant.step(q);
  }
  return { q, rate };
}

/** What happened, without the grasp. */
export const storyOf = (plant: CellPlant) =>
  plant.events
    .list()
    .filter(({ kind }) => kind !== 'grasped')
    .map(({ kind, object }) => `${kind} ${object}`);

/** Where the centre of one body is beside that of another, in world axes (m). */
export function offset(plant: CellPlant, i: number, j: number): readonly number[] {
  const { poses } = plant.states;
  return [0, 1, 2].map((k) => poses[SOLID_POSE * i + k]! - poses[SOLID_POSE * j + k]!);
}
