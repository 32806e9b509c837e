/** What carries a body that is tilted or on a tilted surface, and which cells load again. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Cell, CellObject } from '../../contract/types.generated.ts';
import { loadRapier, type Rapier } from '../plant/rapier-loader.ts';
import { BODY_STATUS } from './body-states.ts';
import { compileCell } from './cell-model.ts';
import { CellPlant } from './cell-plant.ts';
import { objectState } from './cell-state.ts';
import { checkCell } from './check-cell.ts';
import { FastBodies } from './fast-bodies.ts';
import { fastCell } from './fast-cell.cases.ts';
import { OVERLAP_M } from './place-problems.ts';
import { frameOf } from './pose.ts';
import { RapierBodies } from './rapier-bodies.ts';

const UPRIGHT = new Float64Array(6);
const DRIVERS = ['fast', 'rapier'] as const;

let rapier: Rapier;
beforeAll(async () => {
  rapier = await loadRapier();
});

function plantOf(driver: (typeof DRIVERS)[number], cell: Cell): CellPlant {
  return new CellPlant(compileCell(cell), (model, states) =>
    driver === 'fast' ? new FastBodies(model, states) : new RapierBodies(rapier, model, states),
  );
}

function run(plant: CellPlant, steps: number): CellPlant {
  for (let i = 0; i < steps; i++) plant.step(UPRIGHT);
  return plant;
}

const leaning = (angle: number) => ({
  ...{ w: Math.cos(angle / 2), x: 0, z: 0 },
  y: Math.sin(angle / 2),
});
const boxOf = (name: string, [x, y, z]: readonly [number, number, number], mass_kg = 0.1) => ({
  ...{ name, mass_kg },
  shape: { kind: 'box' as const, size_m: { x, y, z } },
});

/** A box on a ramp 0.3 m above the floor. */
function ramp(angle: number): Cell {
  const [x, z] = [0.02 * Math.sin(angle), 0.02 * Math.cos(angle)];
  const part: CellObject = {
    ...boxOf('part', [0.06, 0.06, 0.02]),
    position: { x: 0.5 + x, y: 0.4, z: 0.3 + z },
    orientation: leaning(angle),
  };
  const fixture = {
    name: 'ramp',
    position: { x: 0.5, y: 0.4, z: 0.3 },
    orientation: leaning(angle),
    boxes: [{ size_m: { x: 0.5, y: 0.2, z: 0.02 } }],
  };
  const span = { full_scale_kg: 1, at_zero: 0, at_full_scale: 10 };
  const scale = { kind: 'weight' as const, name: 'scale', input: 'a0' as const, of: 'ramp' };
  return { name: 'c', fixtures: [fixture], objects: [part], sensors: [{ ...scale, ...span }] };
}

describe.each(DRIVERS)('on %s', (driver) => {
  it('a part on a tilted fixture is there, also for its scale and in events', () => {
    const cell = ramp(0.1);
    expect(checkCell(cell)).toEqual([]);
    const plant = run(plantOf(driver, cell), 100);
    expect(plant.places.of(0)).toBe('ramp');
    const { position, orientation } = cell.objects![0]!;
    plant.move(0, frameOf({ ...position!, z: position!.z + 2e-4 }, orientation));
    run(plant, 1000);
    const settled = plant.events.list().find(({ kind }) => kind === 'settled');
    expect(settled?.text).toBe('part came to rest at ramp');
    expect(plant.inputValues.get('a0')).toBeCloseTo(1, 9);
    plant.free();
  });

  it.each([
    [15, 'resting'],
    [25, 'tipped'],
    [60, 'tipped'],
    [88, 'resting'],
  ] as const)('a box tilted by %d° ends %s', (degrees, status) => {
    const angle = (degrees * Math.PI) / 180;
    const part = { ...boxOf('part', [0.04, 0.04, 0.1]), position: { x: 0.5, y: 0.3, z: 0 } };
    const plant = plantOf(driver, { name: 'c', objects: [{ ...part, friction: 1 }] });
    const height = 0.02 * Math.sin(angle) + 5e-4;
    plant.move(0, frameOf({ x: 0.5, y: 0.3, z: height }, leaning(angle)));
    run(plant, 3000);
    expect(plant.states.status[0]).toBe(BODY_STATUS[status]);
    plant.free();
  });

  it.each([1e-4, 0.01, 0.1])('a heavy part on one of %d kg ends as a cell that loads', (mass) => {
    const size = [0.05, 0.05, 0.05] as const;
    const objects = [
      { ...boxOf('light', size, mass), position: { x: 0.5, y: 0.2, z: 0 } },
      { ...boxOf('heavy', size, 1.2), position: { x: 0.5, y: 0.2, z: 0.05 } },
    ];
    const plant = plantOf(driver, { name: 'c', objects });
    plant.move(1, frameOf({ x: 0.5, y: 0.2, z: 0.06 }));
    run(plant, 4000);
    const saved = objects.map((object, i) => {
      const { position, orientation } = objectState(plant, i);
      return { ...object, position, orientation };
    });
    expect(saved[0]!.position.z).toBeGreaterThan(-OVERLAP_M);
    expect(checkCell({ name: 'c', objects: saved })).toEqual([]);
    plant.free();
  });
});

it('a bar across two blocks tips neither, is a cell that loads, and falls once one is taken', () => {
  const block = (name: string, x: number) => ({
    name,
    shape: { kind: 'box' as const, size_m: { x: 0.03, y: 0.03, z: 0.03 } },
    mass_kg: 0.1,
    position: { x, y: 0.3, z: 0 },
  });
  const bar = {
    name: 'bar',
    shape: { kind: 'box' as const, size_m: { x: 0.14, y: 0.02, z: 0.02 } },
    mass_kg: 0.1,
    position: { x: 0.5, y: 0.3, z: 0.03 },
  };
  const cell = { name: 'bridge', objects: [block('left', 0.45), block('right', 0.55), bar] };
  expect(checkCell(cell)).toEqual([]);
  const plant = fastCell(cell);
  const frame = Float64Array.of(0.5, 0.3, 0.0301, 1, 0, 0, 0);
  plant.move(2, frame);
  for (let i = 0; i < 1000; i++) plant.step(UPRIGHT);
  expect(plant.events.list().map(({ kind, object }) => `${kind} ${object}`)).toEqual([
    'settled bar',
  ]);
  plant.move(1, Float64Array.of(0.9, 0.3, 0, 1, 0, 0, 0));
  for (let i = 0; i < 1000; i++) plant.step(UPRIGHT);
  expect(plant.states.status[2]).toBe(BODY_STATUS.tipped);
});
