/** Bodies whose support goes away: they fall, ride along or tip, and the end is one event. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Cell } from '../../contract/types.generated.ts';
import { loadRapier, type Rapier } from '../plant/rapier-loader.ts';
import { BODY_STATUS } from './body-states.ts';
import { compileCell } from './cell-model.ts';
import { CellPlant } from './cell-plant.ts';
import { FastBodies } from './fast-bodies.ts';
import { SOLID_POSE } from './pose.ts';
import { RapierBodies } from './rapier-bodies.ts';

const UPRIGHT = new Float64Array(6);
const SIDE_M = 0.05;
const BELT_M = 0.3;
const S = 1000;

let rapier: Rapier;
beforeAll(async () => {
  rapier = await loadRapier();
});

function cube(name: string, mass_kg: number) {
  const size_m = { x: SIDE_M, y: SIDE_M, z: SIDE_M };
  return { name, shape: { kind: 'box' as const, size_m }, mass_kg };
}

const STACK: Cell = {
  name: 'stack',
  objects: ['a', 'b', 'c', 'd'].map((name, k) => ({
    ...cube(name, 0.2),
    position: { x: 0.5, y: 0.3, z: k * SIDE_M },
  })),
};

const PAIR: Cell = {
  name: 'pair',
  objects: [
    { ...cube('one', 0.2), position: { x: 0.5, y: 0.3, z: 0 } },
    { ...cube('other', 0.2), position: { x: 0.8, y: 0.3, z: 0 } },
  ],
};

const BELT: Cell = {
  name: 'belt',
  objects: [
    { ...cube('base', 0.5), position: { x: -0.2, y: 0.4, z: BELT_M } },
    { ...cube('rider', 0.1), position: { x: -0.2, y: 0.4, z: BELT_M + SIDE_M } },
  ],
  conveyors: [
    {
      name: 'belt',
      position: { x: -0.3, y: 0.4, z: 0 },
      size_m: { x: 0.6, y: 0.12, z: BELT_M },
      speed_m_s: 0.1,
    },
  ],
};

const DRIVERS = ['fast', 'rapier'] as const;

function plantOf(driver: (typeof DRIVERS)[number], cell: Cell): CellPlant {
  return new CellPlant(compileCell(cell), (model, states) =>
    driver === 'fast' ? new FastBodies(model, states) : new RapierBodies(rapier, model, states),
  );
}

function run(plant: CellPlant, steps: number): void {
  for (let i = 0; i < steps; i++) plant.step(UPRIGHT);
}

const centres = (plant: CellPlant, axis: number) =>
  plant.model.bodies.map((_, i) => plant.states.poses[SOLID_POSE * i + axis]!);
const eventsOf = (plant: CellPlant) =>
  plant.events.list().map(({ kind, object }) => `${object} ${kind}`);
const FAR = Float64Array.of(1, 0.3, 0, 1, 0, 0, 0);

describe.each(DRIVERS)('on %s', (driver) => {
  it('a stack comes down when the lowest is taken away, each with one event', () => {
    const plant = plantOf(driver, STACK);
    run(plant, S);
    expect(eventsOf(plant)).toEqual([]);
    plant.move(0, FAR);
    run(plant, 3 * S);
    for (const [k, height_m] of centres(plant, 2).slice(1).entries()) {
      expect(height_m).toBeCloseTo((k + 0.5) * SIDE_M, 3);
    }
    expect(eventsOf(plant).sort()).toEqual(['a settled', 'b settled', 'c settled', 'd settled']);
    plant.free();
  });

  it('a body that was missing comes back on top of what took its place', () => {
    const plant = plantOf(driver, PAIR);
    run(plant, S);
    plant.setFault({ part: 'object', index: 0 }, true);
    plant.move(1, Float64Array.of(0.51, 0.3, 0, 1, 0, 0, 0));
    run(plant, S);
    plant.setFault({ part: 'object', index: 0 }, false);
    run(plant, S);
    expect(centres(plant, 2)[0]).toBeCloseTo(1.5 * SIDE_M, 3);
    expect(eventsOf(plant)).toEqual(['other settled', 'one settled']);
    plant.free();
  });

  it('a body that was missing comes back to its bits where nothing took its place', () => {
    const plant = plantOf(driver, STACK);
    run(plant, S);
    const pose = () => plant.states.poses.slice(3 * SOLID_POSE, 4 * SOLID_POSE);
    const before = pose();
    plant.setFault({ part: 'object', index: 3 }, true);
    run(plant, 10);
    plant.setFault({ part: 'object', index: 3 }, false);
    expect(pose()).toEqual(before);
    run(plant, S);
    expect(eventsOf(plant)).toEqual([]);
    plant.free();
  });

  it('what stands on a body rides with it on a belt, and both fall off its end', () => {
    const plant = plantOf(driver, BELT);
    run(plant, S);
    const [base_m, rider_m] = centres(plant, 0);
    expect(base_m).toBeGreaterThan(-0.13);
    expect(Math.abs(base_m! - rider_m!)).toBeLessThan(0.005);
    expect(Array.from(plant.states.status)).toEqual([BODY_STATUS.moving, BODY_STATUS.moving]);
    expect(eventsOf(plant)).toEqual([]);
    run(plant, 9 * S);
    for (const height_m of centres(plant, 2)) expect(height_m).toBeLessThan(2 * SIDE_M);
    const ends = eventsOf(plant).map((event) => event.split(' ')[0]);
    expect(ends.sort()).toEqual(['base', 'rider']);
    plant.free();
  });

  it('a body that is pushed and gives way by less than a millimetre makes no events', () => {
    const plant = plantOf(driver, STACK);
    run(plant, S);
    for (let turn = 0; turn < 20; turn++) {
      const side = turn % 2 === 0 ? 1 : -1;
      // A cell in which nothing moves sleeps until something touches it.
      plant.placeArm(UPRIGHT);
      for (let i = 0; i < 3; i++) {
        plant.bodies.push(3, [2.5 * side, 0, 0], [0.5, 0.3, 3.5 * SIDE_M]);
        plant.step(UPRIGHT);
      }
      run(plant, S / 2);
    }
    expect(eventsOf(plant)).toEqual([]);
    plant.free();
  });

  it('a state in the middle of a fall continues with the same events', () => {
    const plant = plantOf(driver, STACK);
    plant.move(0, FAR);
    run(plant, 20);
    const copy = plantOf(driver, STACK);
    copy.restore(plant.save());
    for (const one of [plant, copy]) run(one, 3 * S);
    expect(eventsOf(copy)).toEqual(eventsOf(plant));
    expect(Array.from(copy.states.memory)).toEqual(Array.from(plant.states.memory));
    for (const one of [plant, copy]) one.free();
  });
});
