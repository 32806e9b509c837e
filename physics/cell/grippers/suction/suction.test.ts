/** A suction cup on a body that lies below it: what it takes, carries, loses and lets go. */

import { describe, expect, it } from 'vitest';
import type { Cell, CellGripper, CellShape } from '../../../../contract/types.generated.ts';
import { GRAVITY_M_S2 } from '../../../dynamics/gravity.ts';
import { PLANT_STEP_S } from '../../../dynamics/plant-step.ts';
import type { CellPlant } from '../../cell-plant.ts';
import { fastCell } from '../../fast-cell.cases.ts';
import { SOLID_POSE } from '../../pose.ts';
import { SOUND_GRIPPER } from '../gripper-fault.ts';

/** The arm points down; the tip of the cup is at (0.35, -0.2, 0.13). */
const GRASP = Float64Array.of(-0.5191, -0.1513, -2.1669, 0, -0.8234, -0.5191);
const [X_M, Y_M, TOP_M] = [0.35, -0.2, 0.13];
const RADIUS_M = Math.hypot(X_M, Y_M);
const SIDE_M = 0.04;
const MASS_KG = 0.2;
const FRICTION = 0.5;
const CLOSING_STEPS = 100;
/** The shoulder turns by this and lifts the cup (rad). */
const LIFT_RAD = 0.02;

type Cup = Extract<CellGripper, { kind: 'suction' }>;

const BOX: CellShape = { kind: 'box', size_m: { x: SIDE_M, y: SIDE_M, z: SIDE_M } };
const DISC: CellShape = { kind: 'cylinder', diameter_m: SIDE_M, height_m: SIDE_M };

/** A cup above a body on a post, at a distance `gap_m`, with offsets in x and y. */
function cupOver(
  change: Partial<Cup> = {},
  { gap_m = 0, along_m = 0, aside_m = 0, shape = BOX } = {},
): CellPlant {
  const at = { x: X_M + along_m, y: Y_M + aside_m };
  const height_m = TOP_M - gap_m - SIDE_M;
  const cell: Cell = {
    name: 'cup',
    fixtures: [
      {
        name: 'post',
        position: { ...at, z: 0 },
        boxes: [{ size_m: { x: 0.02, y: 0.02, z: height_m } }],
      },
    ],
    objects: [
      {
        name: 'part',
        shape,
        mass_kg: MASS_KG,
        friction: FRICTION,
        position: { ...at, z: height_m },
      },
    ],
    grippers: [
      {
        kind: 'suction',
        name: 'cup',
        output: 'ee_d0',
        tip_m: { x: 0, y: 0, z: 0.1 },
        radius_m: 0.01,
        reach_m: 0.003,
        force_n: 10,
        closing_time_s: CLOSING_STEPS * PLANT_STEP_S,
        part_present_input: 'ee_d0',
        ...change,
      },
    ],
  };
  return fastCell(cell);
}

function steps(plant: CellPlant, count: number, q: Float64Array = GRASP): void {
  for (let i = 0; i < count; i++) plant.step(q);
}

function switched(plant: CellPlant, isOn: boolean, count = 200): CellPlant {
  plant.setOutputs({ ee_d0: isOn });
  steps(plant, count);
  return plant;
}

/** Turns the held body about the base; a quarter of a second at an acceleration (rad/s²). */
function turn(plant: CellPlant, acceleration: number): void {
  const q = GRASP.slice();
  for (let i = 1; i <= 250; i++) {
    const time_s = i * PLANT_STEP_S;
    q[0] = GRASP[0]! + 0.5 * acceleration * time_s * time_s;
    plant.step(q);
  }
}

/** Lifts the cup by about 8 mm in 0.2 s. */
function lift(plant: CellPlant): Float64Array {
  const q = GRASP.slice();
  for (let i = 1; i <= 200; i++) {
    q[1] = GRASP[1]! + LIFT_RAD * (i / 200) * (i / 200);
    plant.step(q);
  }
  return q;
}

const storyOf = (plant: CellPlant) =>
  plant.events.list().map(({ kind, text }) => `${kind}: ${text}`);
const kindsOf = (plant: CellPlant) => plant.events.list().map(({ kind }) => kind);
const WEIGHT_N = MASS_KG * GRAVITY_M_S2;

describe('a cup', () => {
  it('takes what its rim meets once the vacuum is complete, and reports the part', () => {
    const plant = cupOver();
    switched(plant, true, CLOSING_STEPS - 1);
    expect([plant.grippers[0]!.holds, plant.inputValues.get('ee_d0')]).toEqual([-1, false]);
    steps(plant, 8);
    expect([plant.grippers[0]!.holds, plant.inputValues.get('ee_d0')]).toEqual([0, true]);
    expect(kindsOf(plant)).toEqual(['grasped']);
  });

  it.each([
    [{ gap_m: 0.002 }, ['grasped']],
    [{ gap_m: 0.004 }, ['missed']],
    [{ aside_m: 0.009 }, ['grasped']],
    [{ aside_m: 0.012 }, ['missed']],
  ])('takes a body within its reach whose surface closes its rim: %o', (place, kinds) => {
    expect(kindsOf(switched(cupOver({}, place), true))).toEqual(kinds);
  });

  it('says that it is wider than the body', () => {
    expect(storyOf(switched(cupOver({ radius_m: 0.021 }), true))).toEqual([
      'missed: cup missed: part is 40 mm wide, the cup 42 mm',
    ]);
  });

  it('says what it missed', () => {
    expect(storyOf(switched(cupOver({}, { gap_m: 0.02 }), true))).toEqual([
      'missed: cup missed: cup stood 17 mm above part',
    ]);
  });

  it.each([
    ['box', BOX, 22],
    ['cylinder', DISC, 30],
  ])('says how far it stood beside the face of a %s', (_kind, shape, gap) => {
    const plant = switched(cupOver({}, { along_m: 0.03, aside_m: 0.04, shape }), true);
    expect(storyOf(plant)).toEqual([`missed: cup missed: cup stood ${gap} mm beside part`]);
  });

  it('carries what it holds, and lets it go where its output says so', () => {
    const plant = switched(cupOver(), true);
    const q = GRASP.slice();
    for (let i = 1; i <= 1000; i++) {
      q[0] = GRASP[0]! + 0.25 * (1 - Math.cos((Math.PI * i) / 1000));
      plant.step(q);
    }
    const turned = Math.atan2(plant.states.poses[1]!, plant.states.poses[0]!);
    expect(turned).toBeCloseTo(Math.atan2(Y_M, X_M) + 0.5, 6);
    plant.setOutputs({ ee_d0: false });
    steps(plant, 1000, q);
    expect(kindsOf(plant)).toEqual(['grasped', 'released', 'settled']);
    expect(plant.states.poses[2]).toBeCloseTo(SIDE_M / 2, 3);
  });

  it('loses what a person takes or a fault hides, and says so', () => {
    const taken = switched(cupOver(), true);
    taken.move(0, Float64Array.of(0.6, 0.3, 0, 1, 0, 0, 0));
    steps(taken, 200);
    const [, released] = taken.events.list();
    expect(released).toMatchObject({ kind: 'released', by: 'cup', text: 'a person took part' });
    // A cup that is still on reaches for the next part.
    expect(kindsOf(taken)).toEqual(['grasped', 'released', 'missed', 'settled']);
    const hidden = switched(cupOver(), true);
    hidden.setFault({ part: 'object', index: 0 }, true);
    expect(hidden.events.list().at(-1)?.text).toBe('a fault took part');
    expect(hidden.grippers[0]!.holds).toBe(-1);
  });

  it('follows an inverted output', () => {
    const plant = switched(cupOver({ closes_on: false }), true);
    expect(kindsOf(plant)).toEqual([]);
    expect(kindsOf(switched(plant, false))).toEqual(['grasped']);
  });

  it.each([1.2, 0.95])('lifts a body with %d times its weight, or leaves it', (share) => {
    const plant = switched(cupOver({ force_n: share * WEIGHT_N }), true, 1000);
    // The post carries it: the vacuum needs no force.
    expect(kindsOf(plant)).toEqual(['grasped']);
    const standing = plant.states.poses[2]!;
    const q = lift(plant);
    expect(kindsOf(plant).slice(0, 2)).toEqual(share > 1 ? ['grasped'] : ['grasped', 'dropped']);
    if (share > 1) return;
    expect(plant.load.mass_kg).toBe(0);
    expect(storyOf(plant)[1]).toMatch(
      /^dropped: part: came off cup: (2\.\d) N needed \(.*\), the vacuum holds 1\.9 N$/,
    );
    steps(plant, 500, q);
    expect(plant.states.poses[2]).toBeCloseTo(standing, 3);
  });

  it('takes a body that came off again only after it was off it', () => {
    const plant = switched(cupOver({ force_n: 0.95 * WEIGHT_N }), true);
    const q = GRASP.slice();
    while (plant.grippers[0]!.holds >= 0) {
      q[1]! += 1e-5;
      plant.step(q);
    }
    steps(plant, 1000, q);
    expect(kindsOf(plant)).toEqual(['grasped', 'dropped', 'settled', 'missed']);
    expect(storyOf(plant)[3]).toMatch(/it lost part; lift it off or switch it off/);
    switched(plant, false, 50);
    switched(plant, true);
    expect(kindsOf(plant).at(-1)).toBe('grasped');
  });

  it('loses a body across at the acceleration that friction allows, ± 10 %', () => {
    const force_n = 6;
    const limit = (FRICTION * (force_n - WEIGHT_N)) / MASS_KG / RADIUS_M;
    const [below, above] = [0.9, 1.1].map((share) => {
      const plant = switched(cupOver({ force_n }), true);
      const up = lift(plant);
      steps(plant, 100, up);
      // Tangential acceleration only: the turn ends before the centripetal part counts.
      const q = up.slice();
      for (let i = 1; i <= 40; i++) {
        const time_s = i * PLANT_STEP_S;
        q[0] = GRASP[0]! + 0.5 * share * limit * time_s * time_s;
        plant.step(q);
      }
      return plant;
    });
    expect(kindsOf(below!)).toEqual(['grasped']);
    expect(storyOf(above!)[1]).toMatch(
      /^dropped: .* came off cup: 6\.\d+ N needed .*, the vacuum holds 6\.0+ N$/,
    );
  });

  it('loses its force by a leak, and the body when less than its weight is left', () => {
    const plant = cupOver();
    plant.setFault({ part: 'gripper', index: 0, fault: { ...SOUND_GRIPPER, leaksIn_s: 2 } }, true);
    switched(plant, true, CLOSING_STEPS);
    const start = plant.steps;
    const q = lift(plant);
    for (let i = 0; i < 3000 && plant.grippers[0]!.holds >= 0; i++) steps(plant, 1, q);
    const held_s = (plant.steps - start) * PLANT_STEP_S;
    expect(held_s).toBeCloseTo(2 * (1 - WEIGHT_N / 10), 1);
    expect(storyOf(plant)[1]).toMatch(
      /^dropped: .*came off cup: .*; its vacuum leaks and holds 2\.0 N$/,
    );
  });

  it('loads the arm with what it holds, and continues with the same bits after a restore', () => {
    const plant = switched(cupOver(), true);
    expect(plant.load.mass_kg).toBeCloseTo(MASS_KG, 9);
    const saved = plant.save();
    turn(plant, 3);
    const first = plant.save();
    plant.restore(saved);
    turn(plant, 3);
    expect(plant.save()).toEqual(first);
    expect(plant.states.poses).toHaveLength(SOLID_POSE);
  });
});
