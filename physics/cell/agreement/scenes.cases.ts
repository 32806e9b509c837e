/**
 * Scenes in which both plants must do as computed by hand: each measures one figure. The matrix of
 * docs/plants.md is generated from them.
 */
import type { Cell, CellObject } from '../../../contract/types.generated.ts';
import { GRAVITY_M_S2 } from '../../dynamics/gravity.ts';
import { PLANT_STEP_S } from '../../dynamics/plant-step.ts';
import {
  box,
  cellOf,
  type Driver,
  GRASP,
  grasp,
  plantOf,
  RADIUS_M,
} from '../carried/carried.cases.ts';
import type { CellPlant } from '../cell-plant.ts';
import { SOLID_POSE } from '../pose.ts';
import { bodiesInMujoco } from './mujoco-bodies.cases.ts';

const UPRIGHT = new Float64Array(6);
const SIDE_M = 0.04;
const MASS_KG = 0.2;
const FRICTION = 0.4;
const DEGREES = 180 / Math.PI;

/** What a scene measures: its unit, the value by hand, and how far each plant may be off. */
export interface Scene {
  readonly kind: string;
  readonly what: string;
  readonly unit: string;
  readonly byHand: number;
  /** Largest distance from the value by hand, in its unit. */
  readonly within: number;
  readonly measure: (driver: Driver) => number;
  /** The figure of free bodies in MuJoCo, where it has the scene. */
  readonly inMujoco?: () => Promise<number>;
}

/** The greatest value for which something still holds, between one that does and one that does not. */
async function edgeOf(
  low: number,
  high: number,
  holds: (value: number) => boolean | Promise<boolean>,
): Promise<number> {
  let [from, to] = [low, high];
  for (let k = 0; k < 9; k++) {
    const middle = (from + to) / 2;
    if (await holds(middle)) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}

/** The same for what is known at once. */
function edgeAt(low: number, high: number, holds: (value: number) => boolean): number {
  let [from, to] = [low, high];
  for (let k = 0; k < 9; k++) {
    const middle = (from + to) / 2;
    if (holds(middle)) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}

const kindsOf = (plant: CellPlant) => plant.events.list().map(({ kind }) => kind);

function run(plant: CellPlant, steps: number): void {
  for (let i = 0; i < steps; i++) plant.step(UPRIGHT);
}

const cube = (name: string, more: Partial<CellObject> = {}): CellObject => ({
  name,
  shape: { kind: 'box', size_m: { x: SIDE_M, y: SIDE_M, z: SIDE_M } },
  mass_kg: MASS_KG,
  friction: FRICTION,
  position: { x: 0.5, y: 0, z: 0 },
  ...more,
});

/** The acceleration of a turn of joint 0 at which an event of this kind comes (m/s²). */
function accelerationOf(driver: Driver, cell: Cell, kind: string): number {
  const plant = plantOf(driver, cell);
  grasp(plant);
  const q = GRASP.slice();
  const jerk = 12;
  let rate = 0;
  let angular = 0;
  // Forth and back, so that it does not become fast: the acceleration across counts.
  for (let step = 0; step < 2000 && !kindsOf(plant).includes(kind as never); step++) {
    const way = Math.floor(step / 40) % 4;
    angular = (jerk * step * PLANT_STEP_S * (way === 0 || way === 3 ? 1 : -1)) / RADIUS_M;
    rate += angular * PLANT_STEP_S;
    q[0]! += rate * PLANT_STEP_S;
    plant.step(q);
  }
  plant.free();
  return Math.hypot(Math.abs(angular) * RADIUS_M, rate * rate * RADIUS_M);
}

const GRIP_N = 4;
const part = box('part', [SIDE_M, SIDE_M, SIDE_M], { z_m: -SIDE_M / 2 }, { mass_kg: MASS_KG });
const gripCell = (): Cell => {
  const cell = cellOf([part]);
  const jaws = { ...cell.grippers![0]!, force_n: GRIP_N, friction: FRICTION };
  // Nothing but the jaws bears the part.
  return { ...cell, fixtures: [], grippers: [jaws] };
};
const plate = box('plate', [0.08, 0.08, 0.014], { z_m: -0.007 });
const lid = box('lid', [0.08, 0.08, 0.006], { z_m: 0.007 }, { mass_kg: 0.02, friction: 0.3 });

/** The tilt of a held rack at which an event of this kind comes (°). */
function tiltOf(driver: Driver, objects: readonly CellObject[], kind: string): number {
  const plant = plantOf(driver, cellOf(objects));
  grasp(plant);
  const q = GRASP.slice();
  const steps = 8000;
  let step = 0;
  while (step < steps && !kindsOf(plant).includes(kind as never)) {
    step += 1;
    q[4] = GRASP[4]! + (40 / DEGREES / 2) * (1 - Math.cos((Math.PI * step) / steps));
    plant.step(q);
  }
  plant.free();
  return (q[4]! - GRASP[4]!) * DEGREES;
}

const rack = box('rack', [0.05, 0.1, 0.014], { z_m: -0.007 });
const tube = (diameter_m: number, height_m: number): CellObject => ({
  ...box('tube', [0.01, 0.01, 0.01], { z_m: 0.007 }, { mass_kg: 0.01 }),
  shape: { kind: 'tube', diameter_m, height_m },
});

/** A cube on a table that is let go at a speed. */
function thrown(driver: Driver, height_m: number, speed_m_s: number): number {
  const plant = plantOf(driver, { name: 'throw', objects: [cube('part')] });
  plant.move(0, Float64Array.of(0.5, 0, height_m, 1, 0, 0, 0));
  plant.states.velocities.set([speed_m_s, 0, 0, 0, 0, 0]);
  plant.bodies.release(0);
  let steps = 0;
  while (plant.states.poses[2]! > SIDE_M / 2 + 1e-3 && steps < 2000) {
    plant.step(UPRIGHT);
    steps += 1;
  }
  const away = plant.states.poses[0]! - 0.5;
  plant.free();
  return away;
}

/** How far a cube slides that is let go on the floor at a speed (m). */
function slid(driver: Driver, speed_m_s: number): number {
  const plant = plantOf(driver, { name: 'slide', objects: [cube('part')] });
  plant.states.velocities.set([speed_m_s, 0, 0, 0, 0, 0]);
  plant.bodies.release(0);
  run(plant, 2000);
  const away = plant.states.poses[0]! - 0.5;
  plant.free();
  return away;
}

/** Whether a cube stays on another one, beyond whose edge its centre is by so much (mm). */
function staysOn(driver: Driver, beyond_mm: number, count: number): boolean {
  const low = Array.from({ length: count }, (_, k) =>
    cube(`low ${k}`, { position: { x: 0.5, y: 0, z: k * SIDE_M } }),
  );
  const top = cube('top', { position: { x: 0.9, y: 0, z: 0 } });
  const plant = plantOf(driver, { name: 'stack', objects: [...low, top] });
  const x = 0.5 + SIDE_M / 2 + beyond_mm / 1000;
  plant.move(count, Float64Array.of(x, 0, count * SIDE_M + 1e-4, 1, 0, 0, 0));
  run(plant, 3000);
  const stays = plant.states.poses[SOLID_POSE * count + 2]! > count * SIDE_M;
  plant.free();
  return stays;
}

/** Whether a tall box that is set down tilted by an angle (°) stays upright. */
function standsUp(driver: Driver, tilt: number): boolean {
  const shape = { kind: 'box', size_m: { x: SIDE_M, y: SIDE_M, z: 0.1 } } as const;
  const plant = plantOf(driver, { name: 'tip', objects: [cube('part', { shape, friction: 1 })] });
  const angle = tilt / DEGREES / 2;
  const low_m = (SIDE_M / 2) * Math.sin(2 * angle) + 2e-4;
  plant.move(0, Float64Array.of(0.5, 0, low_m, Math.cos(angle), 0, Math.sin(angle), 0));
  run(plant, 3000);
  const stands = plant.states.poses[2]! > 0.045;
  plant.free();
  return stands;
}

const BELT: Cell = {
  name: 'belt',
  conveyors: [
    {
      name: 'belt',
      position: { x: 0.7, y: 0, z: 0 },
      size_m: { x: 0.6, y: 0.1, z: 0.05 },
      speed_m_s: 0.1,
    },
  ],
  fixtures: [
    {
      name: 'stop',
      position: { x: 0.96, y: 0, z: 0 },
      boxes: [{ size_m: { x: 0.02, y: 0.1, z: 0.15 } }],
    },
  ],
};

function onBelt(driver: Driver, xs: readonly number[], steps: number): readonly number[] {
  const objects = xs.map((x, k) => cube(`part ${k}`, { position: { x, y: 0, z: 0.05 } }));
  const plant = plantOf(driver, { ...BELT, objects });
  run(plant, steps);
  const ends = xs.map((_, k) => plant.states.poses[SOLID_POSE * k]!);
  plant.free();
  return ends;
}

/** Whether a cube rests under a force across it (N). */
function restsUnder(driver: Driver, force_n: number): boolean {
  const plant = plantOf(driver, { name: 'push', objects: [cube('part')] });
  for (let i = 0; i < 2000; i++) {
    plant.bodies.push(0, [force_n, 0, 0], [0.5, 0, 0.005]);
    plant.step(UPRIGHT);
  }
  const rests = plant.states.poses[0]! - 0.5 < 1e-3;
  plant.free();
  return rests;
}

const most = (2 * FRICTION * GRIP_N) / MASS_KG;
const THROW = { height_m: 0.5, speed_m_s: 0.8 };

export const SCENES: readonly Scene[] = [
  {
    kind: 'grip',
    what: 'acceleration across at which a part of 0.2 kg slips in jaws of 4 N, friction 0.4',
    unit: 'm/s²',
    byHand: Math.sqrt(most * most - GRAVITY_M_S2 * GRAVITY_M_S2),
    within: 0.7,
    measure: (driver) => accelerationOf(driver, gripCell(), 'slipped'),
  },
  {
    kind: 'carry',
    what: 'acceleration at which a lid slides on a held plate, friction 0.3',
    unit: 'm/s²',
    byHand: 0.3 * GRAVITY_M_S2,
    within: 0.15,
    measure: (driver) => accelerationOf(driver, cellOf([plate, lid]), 'slid'),
    inMujoco: () =>
      edgeOf(2, 4, async (across) => {
        const size = [0.08, 0.08, 0.006] as const;
        const free = { size, mass_kg: 0.02, friction: 0.3, at: [0, 0, 0.003] } as const;
        const [end] = await bodiesInMujoco([free], { gravity: [across, 0, -GRAVITY_M_S2] });
        return end![0]! < 5e-3;
      }),
  },
  {
    kind: 'carry',
    what: 'tilt at which a tube of 20 mm by 20 mm slides on a held rack, friction 0.5',
    unit: '°',
    byHand: Math.atan(0.5) * DEGREES,
    within: 0.3,
    measure: (driver) => tiltOf(driver, [rack, tube(0.02, 0.02)], 'slid'),
  },
  {
    kind: 'carry',
    what: 'tilt at which a tube of 16 mm by 40 mm tips on a held rack',
    unit: '°',
    byHand: Math.atan(16 / 40) * DEGREES,
    within: 0.3,
    measure: (driver) => tiltOf(driver, [rack, tube(0.016, 0.04)], 'fell_off'),
  },
  ...([1, 2] as const).map(
    (count): Scene => ({
      kind: 'stack',
      what: `how far the centre of a cube may be beyond the edge of ${count === 1 ? 'a cube' : 'a tower of 2'}`,
      unit: 'mm',
      byHand: 0,
      within: 0.5,
      measure: (driver) => edgeAt(-5, 5, (beyond) => staysOn(driver, beyond, count)),
      inMujoco: () =>
        edgeOf(-5, 5, async (beyond) => {
          const size = [SIDE_M, SIDE_M, SIDE_M] as const;
          const low = Array.from({ length: count }, (_, k) => ({
            ...{ size, mass_kg: MASS_KG, friction: FRICTION },
            at: [0, 0, (k + 0.5) * SIDE_M] as const,
          }));
          const x = SIDE_M / 2 + beyond / 1000;
          const at = [x, 0, (count + 0.5) * SIDE_M] as const;
          const top = { size, mass_kg: MASS_KG, friction: FRICTION, at };
          const ends = await bodiesInMujoco([...low, top], { steps: 2000 });
          return ends[count]![2]! > count * SIDE_M;
        }),
    }),
  ),
  {
    kind: 'throw',
    what: 'range of a part let go at 0.8 m/s, 0.5 m above the floor',
    unit: 'mm',
    byHand: 1000 * THROW.speed_m_s * Math.sqrt((2 * THROW.height_m) / GRAVITY_M_S2),
    within: 2,
    measure: (driver) => 1000 * thrown(driver, THROW.height_m, THROW.speed_m_s),
    inMujoco: async () => {
      const size = [SIDE_M, SIDE_M, SIDE_M] as const;
      const at = [0, 0, THROW.height_m + SIDE_M / 2] as const;
      const velocity = [THROW.speed_m_s, 0, 0] as const;
      const free = { size, mass_kg: MASS_KG, friction: FRICTION, at, velocity };
      const fall = Math.sqrt((2 * THROW.height_m) / GRAVITY_M_S2);
      const [end] = await bodiesInMujoco([free], { steps: Math.floor(fall / PLANT_STEP_S) });
      return 1000 * end![0]!;
    },
  },
  {
    kind: 'throw',
    what: 'way of a cube let go on the floor at 0.8 m/s, friction 0.4',
    unit: 'mm',
    byHand: (1000 * THROW.speed_m_s * THROW.speed_m_s) / (2 * FRICTION * GRAVITY_M_S2),
    within: 6,
    measure: (driver) => 1000 * slid(driver, THROW.speed_m_s),
    inMujoco: async () => {
      const size = [SIDE_M, SIDE_M, SIDE_M] as const;
      const velocity = [THROW.speed_m_s, 0, 0] as const;
      const at = [0, 0, SIDE_M / 2] as const;
      const free = { size, mass_kg: MASS_KG, friction: FRICTION, at, velocity };
      const [end] = await bodiesInMujoco([free], { steps: 1000 });
      return 1000 * end![0]!;
    },
  },
  {
    kind: 'tip',
    what: 'tilt from which a box of 40 mm by 100 mm falls over',
    unit: '°',
    byHand: Math.atan(40 / 100) * DEGREES,
    within: 0.5,
    measure: (driver) => edgeAt(15, 30, (tilt) => standsUp(driver, tilt)),
    inMujoco: () =>
      edgeOf(15, 30, async (tilt) => {
        const half = tilt / DEGREES / 2;
        const [s, c] = [Math.sin(2 * half), Math.cos(2 * half)];
        const at = [0, 0, (SIDE_M / 2) * s + 0.05 * c] as const;
        const turn = [Math.cos(half), 0, Math.sin(half), 0] as const;
        const size = [SIDE_M, SIDE_M, 0.1] as const;
        const free = { size, mass_kg: MASS_KG, friction: 1, at, turn };
        const [end] = await bodiesInMujoco([free], { steps: 1500 });
        return end![2]! > 0.045;
      }),
  },
  {
    kind: 'belt',
    what: 'way of a part on a belt of 0.1 m/s in 2 s',
    unit: 'mm',
    byHand: 200,
    within: 3,
    measure: (driver) => 1000 * (onBelt(driver, [0.5], 2000)[0]! - 0.5),
  },
  {
    kind: 'push',
    what: 'force at which a part of 0.2 kg begins to slide, friction 0.4',
    unit: 'N',
    byHand: FRICTION * MASS_KG * GRAVITY_M_S2,
    within: 0.05,
    measure: (driver) => edgeAt(0.5, 1.1, (force_n) => restsUnder(driver, force_n)),
    inMujoco: () =>
      edgeOf(0.5, 1.1, async (force_n) => {
        const size = [SIDE_M, SIDE_M, SIDE_M] as const;
        const at = [0, 0, SIDE_M / 2] as const;
        const free = { size, mass_kg: MASS_KG, friction: FRICTION, at };
        const gravity = [force_n / MASS_KG, 0, -GRAVITY_M_S2] as const;
        const [end] = await bodiesInMujoco([free], { gravity });
        return end![0]! < 5e-3;
      }),
  },
  {
    kind: 'jam',
    what: 'distance of two parts that a running belt presses against a stop',
    unit: 'mm',
    byHand: 1000 * SIDE_M,
    within: 1,
    measure: (driver) => {
      const [first, second] = onBelt(driver, [0.8, 0.7], 4000);
      return 1000 * (first! - second!);
    },
  },
];
