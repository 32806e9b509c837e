/** Bodies that the arm pushes on the fast plant: where they are, and the events that end a push. */
import { expect, it } from 'vitest';
import type { Cell } from '../../contract/types.generated.ts';
import { BODY_STATUS } from './body-states.ts';
import type { CellPlant } from './cell-plant.ts';
import { objectState } from './cell-state.ts';
import { fastCell } from './fast-cell.cases.ts';
import { SOLID_POSE } from './pose.ts';

const UPRIGHT = new Float64Array(6);
const [SIDE_M, TABLE_M, EDGE_M] = [0.04, 0.2, 0.15];
const START = Float64Array.of(0.5, 0, TABLE_M, 1, 0, 0, 0);

const CELL: Cell = {
  name: 'pushed',
  fixtures: [
    {
      name: 'table',
      position: { x: 0.5, y: 0, z: 0 },
      boxes: [{ size_m: { x: 2 * EDGE_M, y: 2 * EDGE_M, z: TABLE_M } }],
      nests: [{ name: 'A', position: { x: 0, y: 0, z: TABLE_M } }],
    },
  ],
  objects: [
    {
      name: 'part',
      shape: { kind: 'box', size_m: { x: SIDE_M, y: SIDE_M, z: SIDE_M } },
      mass_kg: 0.2,
      nest: 'A',
    },
  ],
};

/** The part in its nest, where a person has just put it. */
function createPlant(): CellPlant {
  const plant = fastCell(CELL);
  plant.move(0, START);
  for (let i = 0; i < 2; i++) plant.step(UPRIGHT);
  expect(plant.events.list().map(({ kind, at }) => [kind, at])).toEqual([['settled', 'A']]);
  return plant;
}

function push(plant: CellPlant, steps: number): void {
  for (let i = 0; i < steps; i++) {
    plant.bodies.push(0, [10, 0, 0], [0, 0, 0]);
    plant.step(UPRIGHT);
  }
}

function wait(plant: CellPlant, steps: number): void {
  for (let i = 0; i < steps; i++) plant.step(UPRIGHT);
}

const newEvents = (plant: CellPlant) =>
  plant.events
    .list()
    .slice(1)
    .map(({ kind, at }) => [kind, at]);

it('settles once where it is when the push ends, and is nowhere meanwhile', () => {
  const plant = createPlant();
  push(plant, 60);
  wait(plant, 30);
  push(plant, 60);
  expect(plant.states.status[0]).toBe(BODY_STATUS.moving);
  expect(plant.places.of(0)).toBeNull();
  expect(newEvents(plant)).toEqual([]);
  wait(plant, 60);
  expect(newEvents(plant)).toEqual([['settled', 'table']]);
  expect(plant.states.poses[0]).toBeGreaterThan(0.52);
  expect(plant.places.of(0)).toBe('table');
  expect(plant.isActive).toBe(false);
});

it('tips over where it is pushed over an edge, and falls off it', () => {
  const plant = createPlant();
  while (plant.states.poses[0]! < 0.5 + EDGE_M + 0.001) push(plant, 1);
  wait(plant, 500);
  expect(newEvents(plant)).toEqual([['tipped', 'floor']]);
  expect(plant.states.status[0]).toBe(BODY_STATUS.tipped);
  expect(plant.events.list().at(-1)!.text).toMatch(/at floor; how it turned .* not computed$/);
});

it('continues a snapshot from the middle of a push', () => {
  const plant = createPlant();
  push(plant, 20);
  wait(plant, 20);
  const [other, bytes] = [createPlant(), plant.save()];
  other.restore(bytes);
  wait(plant, 100);
  wait(other, 100);
  expect(other.events.list()).toEqual(plant.events.list());
  expect(newEvents(other)).toEqual([['settled', expect.any(String)]]);
  expect(other.states.memory).toEqual(plant.states.memory);
});

/** The part with another one 2 mm before it in the direction of the push. */
function createRow(stop: Partial<Cell> = {}): CellPlant {
  const [part] = CELL.objects!;
  const { nest: _, ...shape } = part!;
  const before = { x: START[0]! + SIDE_M + 0.002, y: 0.01, z: TABLE_M };
  const other = { ...shape, name: 'other', position: before };
  const fixtures = [...CELL.fixtures!, ...(stop.fixtures ?? [])];
  const cell = { ...CELL, fixtures, objects: [part!, other] };
  return fastCell(cell);
}

const xOf = (plant: CellPlant, i: number) => plant.states.poses[SOLID_POSE * i]!;

it('pushes what is in its way along, and neither goes into the other', () => {
  const plant = createRow();
  push(plant, 60);
  expect(xOf(plant, 1)).toBeGreaterThan(START[0]! + SIDE_M + 0.012);
  expect(xOf(plant, 1) - xOf(plant, 0)).toBeGreaterThan(SIDE_M - 2e-5);
  expect(xOf(plant, 1) - xOf(plant, 0)).toBeLessThan(SIDE_M + 0.001);
  wait(plant, 60);
  expect(plant.events.list().map(({ kind }) => kind)).toEqual(['settled', 'settled']);
});

it('does not move a row with more friction than the force, or one that a fixture holds', () => {
  const heavy = createRow();
  const gentle = 0.5 * 0.2 * 9.81 * 1.5;
  for (let i = 0; i < 200; i++) {
    heavy.bodies.push(0, [gentle, 0, 0], [0, 0, 0]);
    heavy.step(UPRIGHT);
  }
  expect(xOf(heavy, 0)).toBeLessThanOrEqual(START[0]! + 0.002 + 1e-5);
  expect(xOf(heavy, 1)).toBe(START[0]! + SIDE_M + 0.002);
  const far_m = START[0]! + 2 * SIDE_M + 0.002;
  const stop = { name: 'stop', position: { x: far_m, y: 0, z: TABLE_M } };
  const held = createRow({
    fixtures: [{ ...stop, boxes: [{ size_m: { x: SIDE_M, y: SIDE_M, z: SIDE_M } }] }],
  });
  push(held, 200);
  expect(xOf(held, 0)).toBeLessThanOrEqual(START[0]! + 0.002 + 1e-5);
  expect(xOf(held, 1)).toBe(START[0]! + SIDE_M + 0.002);
});

it('tips where the arm goes on pressing it without moving it', () => {
  const plant = createPlant();
  while (plant.states.poses[0]! < 0.5 + EDGE_M + 0.001) push(plant, 1);
  // The spring of the arm is a little more than its friction: it moves by nanometres.
  for (let i = 0; i < 200; i++) {
    plant.bodies.push(0, [0.5 * 0.2 * 9.80665 * (1 + 1e-6), 0, 0], [0, 0, 0]);
    plant.step(UPRIGHT);
  }
  wait(plant, 300);
  expect(plant.states.status[0]).toBe(BODY_STATUS.tipped);
  expect(newEvents(plant)).toEqual([['tipped', 'floor']]);
});

it('rests at the stop of a running belt, and rides on when the stop is gone', () => {
  const [part] = CELL.objects!;
  const { nest: _, ...shape } = part!;
  const belt = { name: 'belt', position: { x: 0.5, y: 0, z: 0 }, speed_m_s: 0.2 };
  const conveyors = [{ ...belt, size_m: { x: 0.6, y: 0.1, z: 0.1 } }];
  const first = { ...shape, position: { x: 0.4, y: 0, z: 0.1 } };
  const stop = { ...shape, name: 'stop', position: { x: 0.5, y: 0.06, z: 0 } };
  const tall = { kind: 'box' as const, size_m: { x: 0.04, y: 0.04, z: 0.2 } };
  const objects = [first, { ...stop, shape: tall, position: { x: 0.6, y: 0.065, z: 0 } }];
  const wide = { ...first, shape: { kind: 'box' as const, size_m: { x: 0.04, y: 0.1, z: 0.04 } } };
  const plant = fastCell({ name: 'c', conveyors, objects: [wide, objects[1]!] });
  plant.move(0, Float64Array.of(0.4, 0, 0.1, 1, 0, 0, 0));
  wait(plant, 500);
  expect(objectState(plant, 0)).toMatchObject({ status: 'moving', at: null });
  wait(plant, 1500);
  expect(objectState(plant, 0)).toMatchObject({ status: 'resting', at: 'belt' });
  const stopped = plant.states.poses[0]!;
  plant.move(1, Float64Array.of(1, 1, 0, 1, 0, 0, 0));
  wait(plant, 500);
  expect(objectState(plant, 0)).toMatchObject({ status: 'moving', at: null });
  expect(plant.states.poses[0]!).toBeGreaterThan(stopped + 0.05);
});

const cube = (name: string, [x, y, z]: readonly [number, number, number], mass_kg = 0.2) => ({
  name,
  shape: { kind: 'box' as const, size_m: { x: SIDE_M, y: SIDE_M, z: SIDE_M } },
  mass_kg,
  position: { x, y, z },
});
const heights = (plant: CellPlant) =>
  plant.model.bodies.map((_, i) => plant.states.poses[SOLID_POSE * i + 2]!);
const kinds = (plant: CellPlant) =>
  plant.events.list().map(({ kind, object, at }) => `${kind} ${object} ${at}`);

it('lets a tower fall whose common centre is beyond the edge, though each stands on the next', () => {
  const step = 0.015;
  const tower = [0, 1, 2].map((k) => cube(`${k}`, [0.5 + k * step, 0, k * SIDE_M]));
  const plant = fastCell({ name: 'tower', objects: tower });
  plant.move(2, Float64Array.of(0.5 + 2 * step, 0, 2 * SIDE_M + 1e-4, 1, 0, 0, 0));
  wait(plant, 2000);
  expect(plant.states.status[0]).toBe(BODY_STATUS.resting);
  expect(heights(plant)[1]).toBeCloseTo(SIDE_M / 2, 3);
  expect(heights(plant)[2]).toBeCloseTo(SIDE_M / 2, 3);
  expect(kinds(plant).sort()).toEqual(['tipped 1 floor', 'tipped 2 floor']);
});

it('lets a board tip whose counterweight is taken away, and says that it leans on something', () => {
  const long = { kind: 'box' as const, size_m: { x: 0.2, y: SIDE_M, z: 0.01 } };
  const objects = [
    cube('post', [0.5, 0, 0]),
    { ...cube('board', [0.55, 0, SIDE_M], 0.05), shape: long },
    cube('weight', [0.49, 0, SIDE_M + 0.01], 0.5),
  ];
  const plant = fastCell({ name: 'board', objects });
  wait(plant, 100);
  expect(kinds(plant)).toEqual([]);
  plant.move(2, Float64Array.of(1, 0.5, 0, 1, 0, 0, 0));
  wait(plant, 1000);
  expect(kinds(plant).sort()).toEqual(['settled weight floor', 'tipped board floor']);
  const tipped = plant.events.list().find(({ kind }) => kind === 'tipped');
  expect(tipped!.text).toBe('board fell over at floor; what it leans on is not computed');
  // One end is on the floor: the board has turned about the edge of the post.
  const [w, , y] = plant.states.poses.subarray(SOLID_POSE + 3);
  const edge_to_end_m = 0.65 - 0.525;
  expect(Math.sin(2 * Math.atan2(y!, w!))).toBeCloseTo(SIDE_M / edge_to_end_m, 1);
});

it('leaves no block of a fallen tower with its middle beyond the edge it lies on', () => {
  const side_m = 0.04;
  const shape = { kind: 'box' as const, size_m: { x: side_m, y: side_m, z: side_m } };
  const block = (name: string, x: number, z: number) => ({ ...cube(name, [x, 0, z]), shape });
  const plinth = {
    name: 'plinth',
    position: { x: 0.37, y: 0, z: 0 },
    boxes: [{ size_m: { x: 0.06, y: 0.06, z: 0.1 } }],
  };
  const objects = [block('low', 0.37, 0.1), block('mid', 0.385, 0.14), block('top', 0.6, 0)];
  const plant = fastCell({ name: 'tower', fixtures: [plinth], objects });
  // The common centre of both upper ones is beyond the edge of the lowest, which stays.
  plant.move(2, Float64Array.of(0.4, 0, 0.19, 1, 0, 0, 0));
  wait(plant, 2000);
  expect(plant.bodies.isActive).toBe(false);
  const [edge_m, mid] = [0.4, SOLID_POSE];
  expect(plant.states.poses[mid]).toBeGreaterThan(edge_m);
  expect(plant.states.poses[mid + 2]).toBeLessThan(0.1 + side_m / 2 - 1e-3);
});

it('lets what flies meet a wall, and not pass it', () => {
  const wall = {
    name: 'wall',
    position: { x: 0.8, y: 0, z: 0 },
    boxes: [{ size_m: { x: 0.004, y: 1, z: 1 } }],
  };
  const plant = fastCell({ name: 'wall', fixtures: [wall], objects: [cube('part', [0.5, 0, 0])] });
  plant.move(0, Float64Array.of(0.5, 0, 0.5, 1, 0, 0, 0));
  plant.states.velocities.set([3, 0.5, 0, 0, 0, 0]);
  plant.bodies.release(0);
  wait(plant, 1500);
  const [x, y] = plant.states.poses;
  // It stops within a step of the wall.
  expect(x).toBeLessThan(0.778 + 1e-5);
  expect(x).toBeGreaterThan(0.778 - 3 * 1e-3);
  // Along the wall it keeps its speed.
  const fall_s = Math.sqrt((2 * 0.5) / 9.81);
  expect(y).toBeGreaterThan(0.5 * fall_s - 0.01);
  expect(plant.events.list().at(-1)!.text).toMatch(/at floor; how it bounced off is not computed/);
});

it('lets what lands at a speed slide until friction stops it', () => {
  const plant = fastCell({ name: 'slide', objects: [cube('part', [0.5, 0, 0])] });
  plant.states.velocities.set([0.8, 0, 0, 0, 0, 0]);
  plant.bodies.release(0);
  wait(plant, 1000);
  expect(plant.states.poses[0]! - 0.5).toBeCloseTo((0.8 * 0.8) / (2 * 0.5 * 9.81), 3);
  const again = fastCell({ name: 'slide', objects: [cube('part', [0.5, 0, 0])] });
  // A fall takes as much of it as its impact has friction.
  const height_m = 0.02;
  again.move(0, Float64Array.of(0.5, 0, height_m, 1, 0, 0, 0));
  again.states.velocities.set([0.8, 0, 0, 0, 0, 0]);
  again.bodies.release(0);
  wait(again, 1000);
  const fall_m_s = Math.sqrt(2 * 9.81 * height_m);
  const left = 0.8 - 0.5 * fall_m_s;
  const way = (0.8 * fall_m_s) / 9.81 + (left * left) / (2 * 0.5 * 9.81);
  expect(again.states.poses[0]! - 0.5).toBeCloseTo(way, 2);
});

it('bears no more beyond an edge than its weight balances, and says that it gave way', () => {
  const table = {
    name: 'table',
    position: { x: 0.5, y: 0, z: 0 },
    boxes: [{ size_m: { x: 0.2, y: 0.2, z: 0.1 } }],
  };
  const shape = { kind: 'box' as const, size_m: { x: 0.1, y: 0.02, z: 0.01 } };
  const plank = { ...cube('plank', [0.59, 0, 0.1], 0.02), shape };
  const press = (force_n: number) => {
    const plant = fastCell({ name: 'plank', fixtures: [table], objects: [plank] });
    // Its centre is 10 mm inside of the edge, the force 30 mm outside.
    plant.bodies.push(0, [0, 0, -force_n], [0.63, 0, 0.11]);
    wait(plant, 100);
    return plant.events.list().map(({ text }) => text);
  };
  const balance_n = (0.02 * 9.81 * 10) / 30;
  expect(press(0.95 * balance_n)).toEqual([]);
  expect(press(1.05 * balance_n)).toEqual([
    'plank came to rest at table; how it turned where it was pressed beyond its edge is not computed',
  ]);
});
