/** The balance of a force that a grip does not hold: its parts sum up to it, and are what acts. */
import { expect, it } from 'vitest';
import { GRAVITY_M_S2 } from '../../../dynamics/gravity.ts';
import {
  box,
  cellOf,
  GRASP,
  grasp,
  plantOf,
  RADIUS_M,
  swing,
} from '../../carried/carried.cases.ts';
import type { CellPlant } from '../../cell-plant.ts';

const MASS_KG = 0.07;
const FRICTION = 0.5;
const part = box('part', [0.04, 0.04, 0.014], { z_m: -0.007 }, { mass_kg: MASS_KG });

function holding(force_n: number): CellPlant {
  const cell = cellOf([part]);
  const jaws = { ...cell.grippers![0]!, force_n, friction: FRICTION };
  // Nothing but the jaws bears it.
  const plant = plantOf('fast', { ...cell, fixtures: [], grippers: [jaws] });
  grasp(plant);
  return plant;
}

/** The forces of the sentence about a slip by their names (N). */
function forcesOf(plant: CellPlant): Readonly<Record<string, number>> {
  const { text } = plant.events.list().find(({ kind }) => kind === 'slipped')!;
  const named = [...text.matchAll(/(less )?(weight|inertia|contact|holds) ([\d.]+) N/g)];
  const needed = Number(/([\d.]+) N needed/.exec(text)![1]);
  const parts = named.map(([, less, name, size]) => [name, (less ? -1 : 1) * Number(size)]);
  return { needed, ...Object.fromEntries(parts) };
}

it.each([
  [5, 0.75],
  [20, 1.2],
])('at %f m/s², with %f N at the jaws', (acceleration, force_n) => {
  const plant = holding(force_n);
  swing(plant, 60, () => acceleration / RADIUS_M);
  const { needed, weight, inertia, contact = 0, holds } = forcesOf(plant);
  expect(contact).toBe(0);
  expect(weight! + inertia!).toBeCloseTo(needed!, 1);
  expect(holds).toBeCloseTo(2 * FRICTION * force_n, 1);
  // It slips as soon as the rising force exceeds what holds: the parts are those of that moment.
  const all = 2 * FRICTION * force_n;
  const share = (MASS_KG * GRAVITY_M_S2) / all;
  expect(weight).toBeCloseTo(MASS_KG * GRAVITY_M_S2 * share, 1);
  expect(inertia).toBeCloseTo(all * (1 - share * share), 1);
  plant.free();
});

it('a force of 39 N on a part of 70 g is not its own: the contact is named', () => {
  const plant = holding(15);
  for (let i = 0; i < 100; i++) plant.step(GRASP);
  // What a fixture does to the held part, in place of the springs of an arm.
  const nothing = () => undefined;
  const calls = { setCell: nothing, setGripper: nothing, watchMovable: nothing };
  const pressed = { forceOnLoad: [0, 0, 38], isTouching: true, obstacleCount: 0, bodyCount: 0 };
  plant.attach({ ...calls, movableMoved: nothing, ...pressed } as never, GRASP);
  plant.step(GRASP);
  const { needed, weight, contact } = forcesOf(plant);
  expect(needed).toBeCloseTo(38 - MASS_KG * GRAVITY_M_S2, 1);
  expect(weight! + contact!).toBeCloseTo(needed!, 1);
  expect(contact).toBeCloseTo(38, 1);
  plant.free();
});
