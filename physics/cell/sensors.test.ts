/** Sensors of a cell tick by tick: what they report, when, and with injected faults. */
import { describe, expect, it } from 'vitest';
import type { Cell, CellSensor } from '../../contract/types.generated.ts';
import type { CellPlant } from './cell-plant.ts';
import { fastCell } from './fast-cell.cases.ts';

const TICK_STEPS = 4;
const SIDE_M = 0.04;
const MASS_KG = 0.2;
const Q = new Float64Array(6);
const HERE = Float64Array.of(1, 0, 0, 1, 0, 0, 0);
const AWAY = Float64Array.of(1, 1, 0, 1, 0, 0, 0);

const AT = { x: 1, y: 0, z: 0.02 };
const SIZE = { x: 0.1, y: 0.1, z: 0.1 };
const BEAM = {
  kind: 'beam',
  name: 'sensor',
  input: 'd0',
  from: { ...AT, x: 0.5 },
  to: { ...AT, x: 1.5 },
} as const;
const DISTANCE = {
  kind: 'distance',
  name: 'sensor',
  input: 'a0',
  position: { ...AT, x: 0.5 },
  direction: { x: 2, y: 0, z: 0 },
  range_m: 1,
  at_zero: 0,
  at_full_scale: 10,
} as const;
const WEIGHT = {
  kind: 'weight',
  name: 'sensor',
  input: 'a0',
  of: 'scale',
  full_scale_kg: 1,
  at_zero: 2,
  at_full_scale: 10,
} as const;

/** A cell with a box away from its sensor, and a scale below it. */
function cellWith(sensor: CellSensor): CellPlant {
  const cell: Cell = {
    name: 'sensed',
    fixtures: [
      {
        name: 'scale',
        position: { x: 1, y: 2, z: 0 },
        boxes: [{ size_m: { x: 0.2, y: 0.2, z: 0.1 } }],
      },
    ],
    objects: [
      {
        name: 'box',
        shape: { kind: 'box', size_m: { x: SIDE_M, y: SIDE_M, z: SIDE_M } },
        mass_kg: MASS_KG,
        position: { x: 1, y: 1, z: 0 },
      },
    ],
    sensors: [sensor],
  };
  const plant = fastCell(cell);
  tick(plant);
  return plant;
}

function tick(plant: CellPlant, count = 1): void {
  for (let i = 0; i < count * TICK_STEPS; i++) plant.step(Q);
}

/** Ticks from a change until the input differs from what it was; 0 when it never does. */
function ticksToChange(plant: CellPlant, frame: Float64Array, input = 'd0'): number {
  const before = plant.inputValues.get(input);
  plant.move(0, frame);
  for (let i = 1; i < 100; i++) {
    tick(plant);
    if (plant.inputValues.get(input) !== before) return i;
  }
  return 0;
}

describe('a sensor', () => {
  it.each([
    ['a beam', BEAM],
    [
      'presence in a volume',
      { kind: 'presence', name: 'sensor', input: 'd0', position: AT, size_m: SIZE },
    ],
  ] as [string, CellSensor][])('reports %s at the next tick, inverted or not', (_kind, sensor) => {
    for (const inverted of [false, true]) {
      const plant = cellWith({ ...sensor, inverted } as CellSensor);
      expect(plant.inputValues.get('d0')).toBe(inverted);
      expect(ticksToChange(plant, HERE)).toBe(1);
      expect(plant.inputValues.get('d0')).toBe(!inverted);
      expect(ticksToChange(plant, AWAY)).toBe(1);
      expect(plant.events.list().filter(({ kind }) => kind === 'sensor')).toHaveLength(2);
    }
  });

  it('reports distance and weight between the ends of its signal', () => {
    const distance = cellWith(DISTANCE);
    expect(distance.inputValues.get('a0')).toBe(10);
    distance.move(0, HERE);
    tick(distance);
    expect(distance.inputValues.get('a0')).toBeCloseTo(10 * (0.5 - SIDE_M / 2), 9);
    const weight = cellWith(WEIGHT);
    expect(weight.inputValues.get('a0')).toBe(2);
    weight.move(0, Float64Array.of(1, 2, 0.1, 1, 0, 0, 0));
    tick(weight, 5);
    expect(weight.inputValues.get('a0')).toBeCloseTo(2 + 8 * MASS_KG, 9);
  });

  it('weighs a part while it slides over the scale, and no part that a person lifts off', () => {
    const plant = cellWith(WEIGHT);
    plant.move(0, Float64Array.of(1, 2, 0.1, 1, 0, 0, 0));
    // Pushed before the cell is asleep, from which a plant wakes it where the arm touches a part.
    for (let i = 0; i < TICK_STEPS / 2; i++) plant.step(Q);
    const signals: number[] = [];
    for (let i = 0; i < 200 && plant.states.poses[0]! < 1.09; i++) {
      plant.bodies.push(0, [4, 0, 0], [0, 0, 0]);
      tick(plant);
      signals.push(Number(plant.inputValues.get('a0')));
    }
    const full = 2 + 8 * MASS_KG;
    expect(signals.length).toBeGreaterThan(20);
    expect(signals.filter((one) => Math.abs(one - full) > 1e-9)).toEqual([]);
    expect(plant.states.poses[0]).toBeGreaterThan(1.02);
    plant.move(0, AWAY);
    tick(plant);
    expect(plant.inputValues.get('a0')).toBe(2);
  });

  it('reports after its delay, and does not see a change that ends before', () => {
    const plant = cellWith({ ...BEAM, delay_s: 0.02 });
    expect(ticksToChange(plant, HERE)).toBe(6);
    plant.move(0, AWAY);
    tick(plant, 3);
    plant.move(0, HERE);
    tick(plant, 20);
    expect(plant.inputValues.get('d0')).toBe(true);
    expect(plant.events.list().filter(({ kind }) => kind === 'sensor')).toHaveLength(1);
  });

  it('is late by an injected fault, beside its own delay, until the fault ends', () => {
    const plant = cellWith({ ...BEAM, delay_s: 0.02 });
    const fault = { part: 'sensor', index: 0, fault: { isStuck: false, late_s: 0.1 } } as const;
    plant.setFault(fault, true);
    expect(ticksToChange(plant, HERE)).toBe(31);
    plant.setFault(fault, false);
    expect(ticksToChange(plant, AWAY)).toBe(6);
  });

  it('keeps its value while it is stuck, and reports the present one afterwards', () => {
    const plant = cellWith(BEAM);
    const fault = { part: 'sensor', index: 0, fault: { isStuck: true, late_s: 0 } } as const;
    plant.setFault(fault, true);
    expect(ticksToChange(plant, HERE)).toBe(0);
    plant.setFault(fault, false);
    tick(plant);
    expect(plant.inputValues.get('d0')).toBe(true);
  });

  it('continues a delay with the same bits after a restore', () => {
    const plant = cellWith({ ...BEAM, delay_s: 0.1 });
    plant.move(0, HERE);
    tick(plant, 10);
    const saved = plant.save();
    tick(plant, 40);
    const first = plant.save();
    plant.restore(saved);
    tick(plant, 40);
    expect(plant.save()).toEqual(first);
  });
});
