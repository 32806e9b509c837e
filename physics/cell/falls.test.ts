/** On the fast plant a part falls past what is beside it, onto the highest surface beneath it. */
import { expect, it } from 'vitest';
import type { Cell, CellObject } from '../../contract/types.generated.ts';
import { createPrng } from '../math/prng.ts';
import { BODY_STATUS } from './body-states.ts';
import { type CellModel, compileCell } from './cell-model.ts';
import { CellPlant } from './cell-plant.ts';
import { checkCell } from './check-cell.ts';
import { FastBodies } from './fast-bodies.ts';
import { fastCell } from './fast-cell.cases.ts';
import { frameOf, turn, turnBack } from './pose.ts';

const UPRIGHT = new Float64Array(6);
const DRAWS = 300;
/** Samples of a footprint along each side. */
const SAMPLES = 12;
/** What is so close to an edge may lie on either side of it (m). */
const EDGE_M = 3e-3;

const random = createPrng(20261128);
const between = (low: number, high: number) => low + random() * (high - low);
const turned = (angle: number) => ({ w: Math.cos(angle / 2), x: 0, y: 0, z: Math.sin(angle / 2) });

/** A part above a slab and a wall, each turned about the vertical. */
function drawCell(): { readonly cell: Cell; readonly above: Float64Array } {
  const fixture = (name: string, [x, y, z]: readonly [number, number, number]) => ({
    name,
    position: { x: 0.6 + between(-0.1, 0.1), y: between(-0.1, 0.1), z: 0 },
    orientation: turned(between(0, 3)),
    boxes: [{ size_m: { x, y, z } }],
  });
  const shape: CellObject['shape'] =
    random() < 0.5
      ? { kind: 'cylinder', diameter_m: between(0.02, 0.1), height_m: between(0.02, 0.1) }
      : {
          kind: 'box',
          size_m: { x: between(0.02, 0.1), y: between(0.02, 0.1), z: between(0.02, 0.1) },
        };
  const place = { x: 0.6 + between(-0.25, 0.25), y: between(-0.25, 0.25), z: between(0.3, 0.4) };
  const part = { name: 'part', mass_kg: 0.1, shape, position: { x: 3, y: 0, z: 0 } };
  const fixtures = [
    fixture('slab', [between(0.1, 0.4), between(0.1, 0.4), 0.04]),
    fixture('wall', [between(0.1, 0.3), 0.02, between(0.1, 0.25)]),
  ];
  const above = frameOf(place, turned(between(0, 3)));
  return { cell: { name: 'drawn', fixtures, objects: [part] }, above };
}

/** The highest surface beneath the part where fixtures are larger by `by_m`, by samples. */
function surfaceBeneath(model: CellModel, above: Float64Array, by_m: number): number {
  const { half, isRound } = model.bodies[0]!;
  const point = new Float64Array(3);
  let highest = 0;
  for (let i = 0; i <= SAMPLES; i++) {
    for (let j = 0; j <= SAMPLES; j++) {
      const [u, v] = [(2 * i) / SAMPLES - 1, (2 * j) / SAMPLES - 1];
      const inward = isRound ? Math.max(Math.abs(u), Math.abs(v)) / (Math.hypot(u, v) || 1) : 1;
      point.set([u * half[0]! * inward, v * half[1]! * inward, 0]);
      turn(above, 3, point, point);
      const at = [above[0]! + point[0]!, above[1]! + point[1]!];
      for (const { half: sides, pose } of model.statics) {
        point.set([at[0]! - pose[0]!, at[1]! - pose[1]!, 0]);
        turnBack(pose, 3, point, point);
        const isOver = [0, 1].every((k) => Math.abs(point[k]!) <= sides[k]! + by_m);
        if (isOver) highest = Math.max(highest, pose[2]! + sides[2]!);
      }
    }
  }
  return highest;
}

it('beside a slab and a wall, wherever it falls', () => {
  let judged = 0;
  for (let draw = 0; draw < DRAWS; draw++) {
    const { cell, above } = drawCell();
    const model = compileCell(cell);
    const [low, high] = [-EDGE_M, EDGE_M].map((by_m) => surfaceBeneath(model, above, by_m));
    if (low !== high) continue;
    const plant = new CellPlant(model, (own, states) => new FastBodies(own, states));
    plant.move(0, above);
    for (let step = 0; step < 1000; step++) plant.step(UPRIGHT);
    const bottom = plant.states.poses[2]! - model.bodies[0]!.half[2]!;
    const text = JSON.stringify({ draw, cell, above: [...above] });
    expect(plant.states.status[0], text).not.toBe(BODY_STATUS.moving);
    // What its weight tips off an edge falls on.
    if (plant.states.status[0] === BODY_STATUS.tipped || plant.bodies.doubtOf(0) !== '') continue;
    judged += 1;
    expect(bottom, text).toBeCloseTo(low!, 4);
  }
  expect(judged).toBeGreaterThan(DRAWS / 3);
});

it('beside the corner of a long fixture', () => {
  const cell: Cell = {
    name: 'corner',
    fixtures: [
      {
        name: 'bar',
        position: { x: 0.5, y: 0, z: 0 },
        boxes: [{ size_m: { x: 0.4, y: 0.04, z: 0.1 } }],
      },
    ],
    objects: [
      {
        name: 'tube',
        mass_kg: 0.1,
        shape: { kind: 'cylinder', diameter_m: 0.1, height_m: 0.05 },
        position: { x: 0.74, y: 0.06, z: 0 },
      },
    ],
  };
  expect(checkCell(cell)).toEqual([]);
  const plant = fastCell(cell);
  plant.move(0, frameOf({ x: 0.74, y: 0.06, z: 0.3 }));
  for (let step = 0; step < 1000; step++) plant.step(UPRIGHT);
  expect([plant.places.of(0), plant.states.poses[2]]).toEqual(['floor', 0.025]);
});
