/** Jaws on several objects, too wide ones and blocked ones: what they do, and what they say. */

import { describe, expect, it } from 'vitest';
import type { Cell, CellGripper } from '../../../../contract/types.generated.ts';
import { BODY_STATUS } from '../../body-states.ts';
import type { CellPlant } from '../../cell-plant.ts';
import { fastCell } from '../../fast-cell.cases.ts';
import { SOLID_POSE } from '../../pose.ts';

/** The arm points down, the jaws close along x; their tip is at (0.35, -0.2, 0.13). */
const GRASP = Float64Array.of(-0.5191, -0.1513, -2.1669, 0, -0.8234, -0.5191);
const UPRIGHT = new Float64Array(6);
const [X_M, Y_M, Z_M] = [0.35, -0.2, 0.11];
const HEIGHT_M = 0.04;

type Objects = NonNullable<Cell['objects']>;

const box = (name: string, x_m: number, [x, y]: readonly [number, number]): Objects[number] => ({
  name,
  shape: { kind: 'box', size_m: { x, y, z: HEIGHT_M } },
  mass_kg: 0.1,
  position: { x: X_M + x_m, y: Y_M, z: Z_M },
});

const JAWS: CellGripper = {
  kind: 'jaws',
  name: 'jaws',
  output: 'ee_d0',
  tip_m: { x: 0, y: 0, z: 0.1 },
  stroke_m: 0.06,
  force_n: 20,
  closing_time_s: 0.1,
  pad_width_m: 0.02,
  pad_height_m: 0.015,
};

function closedOn(
  objects: Objects,
  more: readonly CellGripper[] = [],
  q = GRASP,
  jaws = JAWS,
): CellPlant {
  const size_m = { x: 0.3, y: 0.3, z: Z_M };
  const table = { name: 'table', position: { x: X_M, y: Y_M, z: 0 }, boxes: [{ size_m }] };
  const cell: Cell = { name: 'c', fixtures: [table], objects, grippers: [jaws, ...more] };
  const plant = fastCell(cell);
  plant.setOutputs({ ee_d0: true, ee_d1: true });
  for (let i = 0; i < 300; i++) plant.step(q);
  return plant;
}

const storyOf = (plant: CellPlant) =>
  plant.events.list().map(({ kind, text }) => `${kind}: ${text}`);

describe('jaws', () => {
  it('stop at two objects, which they neither hold nor crush', () => {
    const plant = closedOn([box('a', -0.00905, [0.018, 0.04]), box('b', 0.00905, [0.018, 0.04])]);
    const before = plant.states.poses.slice();
    expect(storyOf(plant)).toEqual([
      'missed: jaws missed: a and b are between the jaws, which hold one object',
    ]);
    expect(plant.grippers[0]).toMatchObject({ holds: -1 });
    expect(plant.grippers[0]!.opening_m).toBeCloseTo(0.036, 6);
    for (let i = 0; i < 1000; i++) plant.step(GRASP);
    expect(plant.states.poses).toEqual(before);
    expect(storyOf(plant)).toHaveLength(1);
  });

  it('leave a body too heavy for them on the table, and slip off it where they are lifted', () => {
    const weak: CellGripper = { ...JAWS, force_n: 0.5 };
    const plant = closedOn([box('a', 0, [0.03, 0.03])], [], GRASP, weak);
    const before = plant.states.poses.slice(0, 3);
    for (let i = 0; i < 2000; i++) plant.step(GRASP);
    // Sagging jaws do not press it into the table either.
    const low = GRASP.slice();
    low[1]! -= 0.005;
    for (let i = 0; i < 500; i++) plant.step(low);
    expect(Math.abs(plant.states.poses[2]! - before[2]!)).toBeLessThan(1e-9);
    expect(plant.states.status[0]).toBe(BODY_STATUS.held);
    expect(plant.load.mass_kg).toBe(0);
    for (let i = 0; i < 1000; i++) {
      low[1]! += 1e-4;
      plant.step(low);
    }
    expect(plant.states.poses[2]).toBeCloseTo(before[2]!, 9);
    expect(storyOf(plant).slice(1)).toEqual([
      'slipped: a: slipped in jaws: 1.0 N needed (weight 1.0 N), friction holds 0.5 N',
      'dropped: a: slipped out of jaws',
      'settled: a came to rest at table',
      'missed: jaws missed: it lost a',
    ]);
  });

  it('release in the tick after the one that still shows the object held', () => {
    const plant = closedOn([box('a', 0, [0.03, 0.03])]);
    expect([plant.steps, plant.grippers[0]!.holds]).toEqual([300, 0]);
    plant.setOutputs({ ee_d0: false });
    const released = plant.events.list().findLast(({ kind }) => kind === 'released');
    expect(released).toMatchObject({ tick: 76, at_s: 0.301 });
  });

  it('take what is left once a person has removed the other object', () => {
    const plant = closedOn([box('a', -0.00905, [0.018, 0.04]), box('b', 0.00905, [0.018, 0.04])]);
    const frame = new Float64Array(SOLID_POSE);
    frame.set([X_M, Y_M + 0.1, Z_M, 1]);
    plant.move(1, frame);
    for (let i = 0; i < 300; i++) plant.step(GRASP);
    expect(plant.grippers[0]!.holds).toBe(0);
  });

  it('take the object between them, whatever stands beside them', () => {
    const plant = closedOn([box('a', 0, [0.03, 0.03]), box('b', 0.07, [0.03, 0.03])]);
    expect(plant.grippers[0]!.holds).toBe(0);
  });

  it('stop at the wider of two objects side by side', () => {
    const plant = closedOn([
      { ...box('a', 0, [0.03, 0.01]), position: { x: X_M, y: Y_M - 0.006, z: Z_M } },
      { ...box('b', 0, [0.02, 0.01]), position: { x: X_M, y: Y_M + 0.006, z: Z_M } },
    ]);
    expect(plant.grippers[0]!.opening_m).toBeCloseTo(0.03, 6);
    expect(plant.grippers[0]!.holds).toBe(-1);
  });

  it.each([
    ['of its own width, however it lies', 0.062, '62 mm'],
    ['of their stroke', 0.06, '60 mm'],
  ])('say of an object %s that it is too wide', (_, width_m, text) => {
    const plant = closedOn([box('a', 0, [width_m, 0.04])]);
    const wide = `missed: jaws missed: a is ${text} wide, the jaws open 60 mm`;
    expect(storyOf(plant)).toEqual(width_m > 0.06 ? [wide] : ['grasped: jaws grasped a at table']);
  });

  it('do not close into an object that something keeps from being centred', () => {
    // The other one stands beside the pads, against the first.
    const plant = closedOn([
      box('a', -0.005, [0.03, 0.04]),
      { ...box('b', 0.02, [0.0198, 0.03]), position: { x: X_M + 0.02, y: Y_M + 0.024, z: Z_M } },
    ]);
    const held = plant.grippers[0]!;
    expect(held.opening_m).toBeGreaterThan(0.0299);
  });

  it('are above what lies below them, also where they point up', () => {
    const [missed] = storyOf(closedOn([box('a', 0, [0.02, 0.02])], [], UPRIGHT));
    expect(missed).toMatch(/^missed: jaws missed: jaws closed \d+ mm above a$/);
  });

  it('say which gripper has the object', () => {
    const cup: CellGripper = {
      kind: 'suction',
      name: 'cup',
      output: 'ee_d1',
      tip_m: { x: 0, y: 0, z: 0.08 },
      radius_m: 0.004,
      reach_m: 0.003,
      force_n: 20,
      closing_time_s: 0.01,
    };
    const story = storyOf(closedOn([box('a', 0, [0.02, 0.02])], [cup]));
    expect(story).toContain('missed: jaws missed: cup holds a');
  });
});

it('a body that is pressed into a table and let go stays on it', () => {
  const plant = closedOn([box('a', 0, [0.03, 0.03])]);
  const held = plant.grippers[0]!;
  expect(held.holds).toBe(0);
  // 8 mm deeper than it stood.
  held.held[2]! += 8e-3;
  plant.step(GRASP);
  plant.setOutputs({ ee_d0: false });
  for (let i = 0; i < 300; i++) plant.step(GRASP);
  expect(plant.places.of(0)).toBe('table');
  expect(plant.states.poses[2]).toBeCloseTo(Z_M + HEIGHT_M / 2, 6);
});
