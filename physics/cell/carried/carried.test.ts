/** What a held object carries, on both plants, against computation by hand. */
import { describe, expect, it } from 'vitest';
import type { CellObject } from '../../../contract/types.generated.ts';
import { GRAVITY_M_S2 } from '../../dynamics/gravity.ts';
import { PLANT_STEP_S } from '../../dynamics/plant-step.ts';
import { createPrng } from '../../math/prng.ts';
import { BODY_STATUS, VELOCITY_SIZE } from '../body-states.ts';
import type { CellPlant } from '../cell-plant.ts';
import { cellState, objectState } from '../cell-state.ts';
import { drawMisplacement } from '../misplacement.ts';
import { moveProblems } from '../move-problems.ts';
import { SOLID_POSE } from '../pose.ts';
import {
  box,
  cellOf,
  DRIVERS,
  type Driver,
  GRASP,
  grasp,
  offset,
  plantOf,
  RADIUS_M,
  storyOf,
  swing,
  touching,
  X_M,
  Y_M,
  Z_M,
} from './carried.cases.ts';

const [PLATE, LID] = [0, 1];
const FRICTION = 0.3;
/** Acceleration at which the lid is about to slide (m/s²). */
const CONE_M_S2 = FRICTION * GRAVITY_M_S2;
const PLATE_SIZE = [0.08, 0.08, 0.014] as const;
const PLATE_MASS_KG = 0.05;
const LID_MASS_KG = 0.02;

const plate = (more: Partial<CellObject> = {}) =>
  box('plate', PLATE_SIZE, { z_m: -0.007 }, { mass_kg: PLATE_MASS_KG, ...more });
const lid = (more: Partial<CellObject> = {}) =>
  box(
    'lid',
    [0.08, 0.08, 0.006],
    { z_m: 0.007 },
    { mass_kg: LID_MASS_KG, friction: FRICTION, ...more },
  );

function holding(driver: Driver, objects: readonly CellObject[]): CellPlant {
  const plant = plantOf(driver, cellOf(objects));
  grasp(plant);
  expect(plant.grippers[0]!.holds).toBe(0);
  return plant;
}

/** Rate at which the lid moves on the plate, from their distance in two steps (m/s). */
function slideOf(plant: CellPlant, advance: () => void): number {
  const before = offset(plant, LID, PLATE);
  advance();
  const after = offset(plant, LID, PLATE);
  return Math.hypot(...[0, 1, 2].map((k) => after[k]! - before[k]!)) / PLANT_STEP_S;
}

describe.each(DRIVERS)('on %s', (driver) => {
  it.each([0.5, 0.95])('a lid holds on its plate at %f of its cone', (share) => {
    const plant = holding(driver, [plate(), lid()]);
    const before = offset(plant, LID, PLATE);
    swing(plant, 120, () => (share * CONE_M_S2) / RADIUS_M);
    expect(storyOf(plant)).toEqual(['carried lid']);
    const after = offset(plant, LID, PLATE);
    expect(Math.hypot(after[0]!, after[1]!)).toBeCloseTo(Math.hypot(before[0]!, before[1]!), 6);
    expect(after[2]).toBeCloseTo(before[2]!, 6);
    plant.free();
  });

  it.each([1.05, 1.5, 2])('a lid slides on its plate at %f of its cone', (share) => {
    const plant = holding(driver, [plate(), lid()]);
    const q = GRASP.slice();
    const angular = (share * CONE_M_S2) / RADIUS_M;
    let step = 0;
    const advance = () => {
      step += 1;
      q[0] = GRASP[0]! + 0.5 * angular * (step * PLANT_STEP_S) ** 2;
      plant.step(q);
    };
    while (step < 60) advance();
    const early = slideOf(plant, advance);
    const steps = 30;
    for (let i = 1; i < steps; i++) advance();
    const late = slideOf(plant, advance);
    const story = storyOf(plant);
    expect(story).toEqual(['carried lid', 'slid lid']);
    // Friction of the whole weight is left to accelerate it.
    const relative = (late - early) / (steps * PLANT_STEP_S);
    expect(relative / CONE_M_S2).toBeGreaterThan(share - 1 - 0.05 * share);
    expect(relative / CONE_M_S2).toBeLessThan(share - 1 + 0.05 * share);
    plant.free();
  });

  it('says how far a slide went and what it needed at most, once it is over', () => {
    const friction = 0.05;
    const cone_m_s2 = friction * GRAVITY_M_S2;
    const plant = holding(driver, [plate(), lid({ friction })]);
    // Left behind by one cone more than holds it for a while, it is stopped by one cone after that.
    const steps = 100;
    const angular = (2 * cone_m_s2) / RADIUS_M;
    swing(plant, 500, (step) => (step < steps ? angular : 0));
    const slid = plant.events.list().filter(({ kind }) => kind === 'slid');
    expect(slid).toHaveLength(2);
    const { text } = slid[1]!;
    expect(text).toMatch(/^lid slid [\d.]+ mm on plate in all: [\d.]+ N needed at most$/);
    const [way_mm, most_n] = [...text.matchAll(/[\d.]+/g)].map(Number) as [number, number];
    const by_hand_mm = 1000 * cone_m_s2 * (steps * PLANT_STEP_S) ** 2;
    // The acceleration is known as its mean of some milliseconds.
    expect(Math.abs(way_mm / by_hand_mm - 1)).toBeLessThan(0.08);
    expect(most_n / (2 * LID_MASS_KG * cone_m_s2)).toBeCloseTo(1, 2);
    plant.free();
  });

  it('a sentence with a force has its balance, which is that of weight and inertia', () => {
    const plant = holding(driver, [plate(), lid()]);
    swing(plant, 60, () => (1.5 * CONE_M_S2) / RADIUS_M);
    const slid = plant.events.list().find(({ kind }) => kind === 'slid');
    const forces = [...slid!.text.matchAll(/(-?[\d.]+) N/g)].map(([, size]) => Number(size));
    expect(slid!.text).toMatch(/^lid slid on plate: .* N needed \(inertia .* N\), friction holds/);
    const [needed, inertia, holds] = forces as [number, number, number];
    expect(inertia).toBe(needed);
    expect(holds).toBeCloseTo(LID_MASS_KG * CONE_M_S2, 3);
    plant.free();
  });

  it('a plate of 50 g with a lid of 20 g that is lifted needs no more than their weight', () => {
    // The weight of both is 0.69 N; a lid that is pressed into its plate would need many times that.
    const cell = cellOf([plate(), lid()]);
    const jaws = { ...cell.grippers![0]!, force_n: 0.6, friction: 0.6 };
    const lifted = plantOf(driver, { ...cell, grippers: [jaws] });
    grasp(lifted);
    const q = GRASP.slice();
    const steps = 4000;
    for (let step = 1; step <= steps; step++) {
      q[1] = GRASP[1]! + 0.1 * (1 - Math.cos((Math.PI * step) / steps));
      lifted.step(q);
    }
    expect(storyOf(lifted)).toEqual(['carried lid']);
    expect(lifted.states.poses[2]! - 0.13).toBeGreaterThan(0.02);
    lifted.free();
  });

  it('three plates go with the lowest, which is gripped, and load the arm', () => {
    const stack = ['low', 'middle', 'top'].map((name, k) =>
      box(name, PLATE_SIZE, { z_m: -0.007 + 0.014 * k }),
    );
    const plant = holding(driver, stack);
    const before = [1, 2].map((i) => offset(plant, i, 0)[2]);
    const share = 0.9 * 0.5 * GRAVITY_M_S2;
    swing(plant, 200, (step) => (step < 100 ? share : -share) / RADIUS_M);
    expect(storyOf(plant)).toEqual(['carried middle', 'carried top']);
    expect([1, 2].map((i) => offset(plant, i, 0)[2])).toEqual(
      before.map((height) => expect.closeTo(height!, 6)),
    );
    expect(plant.load.mass_kg).toBeCloseTo(0.15, 9);
    expect([1, 2].map((i) => objectState(plant, i))).toMatchObject([
      { status: 'carried', at: 'low', held_by: null },
      { status: 'carried', at: 'middle', held_by: null },
    ]);
    expect(cellState(plant).grippers[0]!.carries?.map(({ object }) => object)).toEqual([
      'middle',
      'top',
    ]);
    plant.free();
  });

  // The top has half of the mass and slides at 0.3 g: the middle has to be moved with its own
  // inertia and with 0.3 of the top's weight, and 0.5 of both weights holds it, up to 0.7 g.
  it.each([0.95, 1.05])('a plate beneath one that slides holds at %f of its own cone', (share) => {
    const stack = [
      box('low', PLATE_SIZE, { z_m: -0.007 }),
      box('middle', PLATE_SIZE, { z_m: 0.007 }),
      box('top', PLATE_SIZE, { z_m: 0.021 }, { friction: FRICTION }),
    ];
    const plant = holding(driver, stack);
    swing(plant, 60, () => (share * (2 * 0.5 - FRICTION) * GRAVITY_M_S2) / RADIUS_M);
    const slid = storyOf(plant).filter((text) => text.startsWith('slid'));
    expect(slid).toEqual(share < 1 ? ['slid top'] : ['slid top', 'slid middle']);
    plant.free();
  });

  it('what it carries stands on it again when the jaws open, each with one event', () => {
    const plant = holding(driver, [plate(), lid()]);
    plant.setOutputs({ ee_d0: false });
    for (let i = 0; i < 1000; i++) plant.step(GRASP);
    const story = storyOf(plant);
    expect(story.slice(0, 2)).toEqual(['carried lid', 'released plate']);
    expect(story.slice(2).sort()).toEqual(['settled lid', 'settled plate']);
    expect(objectState(plant, LID)).toMatchObject({ status: 'resting', at: 'plate' });
    expect(offset(plant, LID, PLATE)[2]).toBeCloseTo(0.01, 3);
    expect(plant.load.mass_kg).toBe(0);
    plant.free();
  });

  // Upright tubes on a rack: they tip at atan(width / height), or slide at atan(friction).
  it.each([
    { tubes: [0.02, 0.02], tilt: 10, ends: 'carried' },
    { tubes: [0.02, 0.02], tilt: 20, ends: 'carried' },
    { tubes: [0.02, 0.02], tilt: 30, ends: 'slid' },
    { tubes: [0.016, 0.04], tilt: 20, ends: 'carried' },
    { tubes: [0.016, 0.04], tilt: 30, ends: 'tipped' },
  ] as const)(
    '8 tubes of $tubes m on a rack tilted by $tilt° are $ends',
    ({ tubes, tilt, ends }) => {
      const [diameter_m, height_m] = tubes;
      const rack = box('rack', [0.05, 0.11, 0.014], { z_m: -0.007 });
      const standing = Array.from({ length: 8 }, (_, i) => ({
        ...box(`tube ${i}`, [0.01, 0.01, 0.01], {
          z_m: 0.007,
          x_m: i < 4 ? -0.0125 : 0.0125,
          y_m: -0.039 + 0.026 * (i % 4),
        }),
        shape: { kind: 'tube', diameter_m, height_m } as const,
        mass_kg: 0.008,
      }));
      const plant = holding(driver, [rack, ...standing]);
      const q = GRASP.slice();
      const steps = 3000;
      // Up to the first event after those of the grasp.
      for (let step = 1; step <= steps && storyOf(plant).length <= 8; step++) {
        const angle = (tilt * Math.PI) / 180 / 2;
        q[4] = GRASP[4]! + angle * (1 - Math.cos((Math.PI * step) / steps));
        plant.step(q);
      }
      const kinds = new Set(
        storyOf(plant)
          .slice(8)
          .map((text) => text.split(' ')[0]),
      );
      const degrees = (q[4]! - GRASP[4]!) * (180 / Math.PI);
      if (ends === 'carried') expect([...kinds]).toEqual([]);
      else if (ends === 'slid') {
        expect([...kinds][0]).toBe('slid');
        expect(degrees).toBeCloseTo((Math.atan(0.5) * 180) / Math.PI, 0);
      } else {
        expect([...kinds][0]).toBe('fell_off');
        expect(degrees).toBeCloseTo((Math.atan(diameter_m / height_m) * 180) / Math.PI, 0);
      }
      plant.free();
    },
  );

  it('tubes that lie across a rack roll off it as soon as it moves', () => {
    const rack = box('rack', [0.08, 0.08, 0.014], { z_m: -0.007 });
    const half = Math.SQRT1_2;
    const lying = ['a', 'b'].map((name, k) => ({
      ...box(name, [0.01, 0.01, 0.01], { z_m: 0.007 + 0.008, x_m: -0.04, y_m: 0.02 * k - 0.01 }),
      shape: { kind: 'tube', diameter_m: 0.016, height_m: 0.08 } as const,
      // Its axis lies along x, its bottom at the end of the rack.
      orientation: { w: half, x: 0, y: half, z: 0 },
    }));
    const plant = holding(driver, [rack, ...lying]);
    expect(storyOf(plant)).toEqual(['carried a', 'carried b']);
    // Rolling resistance holds 0.02 of the weight, hardly what a slow start needs.
    swing(plant, 60, () => 1 / RADIUS_M);
    const story = storyOf(plant).slice(2);
    expect(story).toEqual(expect.arrayContaining(['fell_off a', 'fell_off b']));
    const { text } = plant.events.list().find(({ kind }) => kind === 'fell_off')!;
    expect(text).toMatch(/^[ab] fell off rack: it rolled off$/);
    plant.free();
  });

  it('the top of a stack slides off in a stop, and lands beside it', () => {
    const low = box('low', PLATE_SIZE, { z_m: -0.007 });
    const top = box('top', [0.05, 0.05, 0.02], { z_m: 0.007 }, { friction: 0.1 });
    const plant = holding(driver, [low, top]);
    // Ten times slower up than down: it goes along, and slides off in the stop.
    const up = (0.9 * 0.1 * GRAVITY_M_S2) / RADIUS_M;
    const { q } = swing(plant, 880, (step) => (step < 800 ? up : -10 * up));
    for (let i = 0; i < 2000; i++) plant.step(q);
    const story = storyOf(plant);
    expect(story.slice(0, 3)).toEqual(['carried top', 'slid top', 'fell_off top']);
    expect(story).toHaveLength(4);
    expect(story[3]).toMatch(/^(settled|tipped) top$/);
    expect(plant.load.mass_kg).toBeCloseTo(0.05, 9);
    expect(plant.places.of(1)).toBe('floor');
    plant.free();
  });

  it('a lid that is taken off leaves its plate, unless it is sealed to it', () => {
    const high = (more: Partial<CellObject>) => {
      const { position: _, ...rest } = lid({ lid_of: 'plate', ...more });
      return [plate({ position: { ...plate().position!, z: 0.13 - 0.017 } }), rest];
    };
    for (const sealed of [false, true]) {
      const plant = plantOf(driver, cellOf(high({ sealed })));
      grasp(plant);
      expect(plant.grippers[0]!.holds).toBe(LID);
      expect(plant.load.mass_kg).toBeCloseTo(sealed ? 0.07 : LID_MASS_KG, 9);
      const before = plant.states.poses.slice(0, 3);
      swing(plant, 300, (step) => (step < 150 ? 5 : -5));
      const moved = Math.hypot(...[0, 1].map((k) => plant.states.poses[k]! - before[k]!));
      expect(moved > 0.02).toBe(sealed);
      expect(storyOf(plant)).toEqual(sealed ? ['carried plate'] : []);
      plant.free();
    }
  });

  it('a person takes a sealed lid along with its plate, and either with the other', () => {
    const { position: _, ...rest } = lid({ lid_of: 'plate' });
    for (const sealed of [false, true]) {
      const plant = plantOf(driver, cellOf([plate(), { ...rest, sealed }]));
      plant.move(PLATE, Float64Array.of(0.6, 0.3, 0, 1, 0, 0, 0));
      for (let i = 0; i < 1000; i++) plant.step(GRASP);
      const [x, y] = offset(plant, LID, PLATE);
      expect(Math.hypot(x!, y!) < 1e-3).toBe(sealed);
      plant.free();
    }
  });

  it('what slides out of a nest of its plate is on the plate', () => {
    const nest = { name: 'middle', position: { x: 0, y: 0, z: 0.014 } };
    const cube = box('cube', [0.02, 0.02, 0.02], { z_m: 0.007 }, { friction: 0.1 });
    const plant = holding(driver, [plate({ nests: [nest] }), cube]);
    expect(objectState(plant, LID)).toMatchObject({ status: 'carried', at: 'middle' });
    swing(plant, 320, () => (1.5 * 0.1 * GRAVITY_M_S2) / RADIUS_M);
    const [x, y] = offset(plant, LID, PLATE);
    expect(Math.hypot(x!, y!)).toBeGreaterThan(0.01);
    expect(objectState(plant, LID)).toMatchObject({ status: 'carried', at: 'plate' });
    plant.free();
  });

  it('what lands as the jaws close may slide over the edge at once', () => {
    const cube = box('cube', [0.004, 0.004, 0.004], { z_m: -0.13, x_m: 0.25 });
    const plant = plantOf(driver, cellOf([plate(), cube]));
    plant.setOutputs({ ee_d0: true });
    while (plant.grippers[0]!.holds < 0) plant.step(GRASP);
    const { poses, velocities } = plant.states;
    // Its middle is 1 mm from the edge, and it is over it before the motion of the plate is known.
    const onPlate = Float64Array.of(poses[0]! + 0.039, poses[1]!, poses[2]! + 0.007, 1, 0, 0, 0);
    plant.move(LID, onPlate);
    velocities.set([1, 0, -0.1], VELOCITY_SIZE * LID);
    plant.bodies.release(LID);
    for (let i = 0; i < 500; i++) plant.step(GRASP);
    expect(storyOf(plant).slice(0, 2)).toEqual(['carried cube', 'fell_off cube']);
    plant.free();
  });

  it('a person takes a sealed lid and its plate out of a gripper that holds the lid', () => {
    const { position: _, ...rest } = lid({ lid_of: 'plate', sealed: true });
    for (const taken of [PLATE, LID]) {
      const low = plate({ position: { ...plate().position!, z: 0.13 - 0.017 } });
      const plant = plantOf(driver, cellOf([low, rest]));
      grasp(plant);
      expect(plant.grippers[0]!.holds).toBe(LID);
      plant.move(taken, Float64Array.of(0.6, 0.3, 0.014, 1, 0, 0, 0));
      for (let i = 0; i < 1000; i++) plant.step(GRASP);
      expect(plant.grippers[0]!.holds).toBe(-1);
      expect(objectState(plant, PLATE)).toMatchObject({ status: 'resting', at: 'floor' });
      expect(objectState(plant, LID)).toMatchObject({ status: 'resting', at: 'plate' });
      plant.free();
    }
  });

  it('a sealed lid and its plate are refused where either cannot be, but not for each other', () => {
    const { position: _, ...rest } = lid({ lid_of: 'plate', sealed: true });
    const shelf = {
      name: 'shelf',
      position: { x: 0.6, y: 0.3, z: 0.016 },
      boxes: [{ size_m: { x: 0.1, y: 0.1, z: 0.01 } }],
    };
    const cell = cellOf([plate(), rest]);
    const plant = plantOf(driver, { ...cell, fixtures: [...cell.fixtures!, shelf] });
    const at = (x: number, y: number, z: number) => Float64Array.of(x, y, z, 1, 0, 0, 0);
    const problems = (i: number, frame: Float64Array) => moveProblems(plant, i, frame);
    expect(problems(LID, at(0.35, 0.4, 0))).toEqual(['plate lies below the floor']);
    expect(problems(LID, at(0.35, 0.4, 0.014))).toEqual([]);
    expect(problems(PLATE, at(0.6, 0.3, 0))).toEqual(['lid overlaps shelf by 4.0 mm']);
    expect(problems(PLATE, at(0.35, -0.2, 0.127))).toEqual([]);
    plant.free();
  });

  it('a fault misplaces a sealed lid only to where its plate can be as well', () => {
    const { position: _, ...rest } = lid({ lid_of: 'plate', sealed: true });
    const walls = [-0.05, 0.05].map((x, k) => ({
      name: `wall ${k}`,
      position: { x: 0.6 + x, y: 0.3, z: 0 },
      boxes: [{ size_m: { x: 0.01, y: 0.1, z: 0.014 } }],
    }));
    const cell = cellOf([plate(), rest]);
    const plant = plantOf(driver, { ...cell, fixtures: [...cell.fixtures!, ...walls] });
    plant.move(PLATE, Float64Array.of(0.6, 0.3, 0, 1, 0, 0, 0));
    for (let i = 0; i < 500; i++) plant.step(GRASP);
    for (let seed = 0; seed < 20; seed++) {
      const frame = drawMisplacement(plant, LID, 0.02, createPrng(seed));
      expect(Math.abs(frame![0]! - 0.6)).toBeLessThan(0.006);
    }
    plant.free();
  });

  it('what a person puts onto a held plate, or takes off it, is carried, or is not', () => {
    const plant = holding(driver, [plate(), lid({ position: { x: 0.6, y: 0.3, z: 0 } })]);
    const { poses } = plant.states;
    plant.move(LID, Float64Array.of(poses[0]!, poses[1]!, poses[2]! + 0.02, 1, 0, 0, 0));
    for (let i = 0; i < 500; i++) plant.step(GRASP);
    expect(storyOf(plant)).toEqual(['carried lid']);
    expect(objectState(plant, LID)).toMatchObject({ status: 'carried', at: 'plate' });
    expect(plant.load.mass_kg).toBeCloseTo(0.07, 9);
    plant.move(LID, Float64Array.of(0.6, 0.3, 0, 1, 0, 0, 0));
    for (let i = 0; i < 500; i++) plant.step(GRASP);
    expect(objectState(plant, LID)).toMatchObject({ status: 'resting', at: 'floor' });
    expect(plant.load.mass_kg).toBeCloseTo(PLATE_MASS_KG, 9);
    plant.free();
  });

  it('what a person puts onto a plate that has stood still for a while, is carried', () => {
    const plant = holding(driver, [plate(), lid({ position: { x: 0.6, y: 0.3, z: 0 } })]);
    const { q } = swing(plant, 100, (step) => (step < 50 ? 1 : -1));
    for (let i = 0; i < 1800; i++) plant.step(q);
    const { poses } = plant.states;
    plant.move(LID, Float64Array.of(poses[0]!, poses[1]!, poses[2]! + 0.02, 1, 0, 0, 0));
    for (let i = 0; i < 500; i++) plant.step(q);
    expect(storyOf(plant)).toEqual(['carried lid']);
    expect(plant.states.memory.every(Number.isFinite)).toBe(true);
    expect(objectState(plant, LID)).toMatchObject({ status: 'carried', at: 'plate' });
    plant.free();
  });

  it('continues a snapshot from the middle of a slide with the same bits', () => {
    const plant = holding(driver, [plate(), lid()]);
    const angular = (1.5 * CONE_M_S2) / RADIUS_M;
    const { q, rate } = swing(plant, 80, () => angular);
    const copy = plantOf(driver, plant.model.description);
    copy.restore(plant.save());
    for (let i = 0; i < 500; i++) {
      q[0]! += Math.max(0, rate - i * PLANT_STEP_S * angular) * PLANT_STEP_S;
      for (const one of [plant, copy]) one.step(q);
    }
    expect(storyOf(copy)).toEqual(storyOf(plant));
    expect(storyOf(plant).length).toBeGreaterThan(1);
    expect(copy.states.memory).toEqual(plant.states.memory);
    for (const one of [plant, copy]) one.free();
  });

  it('stays on its plate when a surface pushes that up between the pads', () => {
    const cell = cellOf([plate({ mass_kg: 0.2 }), lid()]);
    const weak = { ...cell.grippers![0]!, force_n: 10, friction: 0.5 };
    const plant = plantOf(driver, { ...cell, grippers: [weak] });
    grasp(plant);
    const { poses } = plant.states;
    const stood_m = poses[2]!;
    // The post is a spring, as light objects are for an arm.
    const forceOnLoad = [0, 0, 0];
    const nothing = () => undefined;
    const calls = { setCell: nothing, setGripper: nothing, watchMovable: nothing };
    const pressed = { forceOnLoad, isTouching: true, obstacleCount: 0, bodyCount: 0 };
    plant.attach({ ...calls, movableMoved: nothing, meets: nothing, ...pressed } as never, GRASP);
    const q = GRASP.slice();
    for (let i = 0; i < 450; i++) {
      q[1]! -= 5e-5 * Math.min(1, i / 300);
      forceOnLoad[2] = Math.max(0, 5000 * (stood_m - poses[2]!));
      plant.step(q);
    }
    expect(storyOf(plant)).toContain('slipped plate');
    expect(storyOf(plant).filter((text) => text.endsWith('lid'))).toEqual(['carried lid']);
    plant.free();
  });

  it('a heavy stack is too much for the grip that holds its lowest plate alone', () => {
    const objects = [plate(), lid({ mass_kg: 0.3 })];
    const cell = cellOf(objects);
    const weak = { ...cell.grippers![0]!, force_n: 1, friction: 0.5 };
    const plant = plantOf(driver, { ...cell, grippers: [weak] });
    grasp(plant, 400);
    // 0.05 kg need 0.5 N of the 1 N that friction holds, with the lid 3.4 N: the post bears them.
    expect(storyOf(plant)).toEqual(['carried lid']);
    const q = GRASP.slice();
    for (let i = 0; i < 300; i++) {
      q[1]! -= 2e-4;
      plant.step(q);
    }
    expect(storyOf(plant)).toContain('slipped plate');
    plant.free();
  });
});

it('on fast what falls past a held plate is no wall for it until the plate has left it', () => {
  const cube = box('cube', [0.02, 0.02, 0.02], { z_m: 0 });
  const shelf = {
    name: 'shelf',
    position: { x: X_M + 0.015, y: Y_M + 0.03, z: 0 },
    boxes: [{ size_m: { x: 0.04, y: 0.06, z: Z_M - 0.02 } }],
  };
  const cell = cellOf([plate(), { ...cube, position: { x: 0.6, y: 0.3, z: 0 } }]);
  const plant = plantOf('fast', { ...cell, fixtures: [...cell.fixtures!, shelf] });
  const step = touching(plant);
  plant.setOutputs({ ee_d0: true });
  for (let i = 0; i < 150; i++) step(GRASP);
  // On a corner nothing can carry it.
  plant.move(
    1,
    Float64Array.of(X_M + 0.015, Y_M + 0.03, Z_M + 0.03, 0.880476, 0.364705, 0.279848, 0.115917),
  );
  for (let i = 0; i < 600; i++) {
    expect(step(GRASP)).toBe(0);
  }
  expect(objectState(plant, 1)).toMatchObject({ at: 'shelf' });
  expect(plant.states.poses[SOLID_POSE + 2]).toBeLessThan(Z_M);
  const q = GRASP.slice();
  const turnBy = (rate: number) => {
    for (let i = 0; i < 1000; i++) {
      q[0]! += rate * PLANT_STEP_S;
      if (step(q) > 0) return true;
    }
    return false;
  };
  expect(turnBy(0.5)).toBe(false);
  expect(turnBy(-0.5)).toBe(true);
  plant.free();
});

it('on rapier what tips off a held rack presses on it with about its weight', () => {
  const tube = {
    ...box('tube', [0.01, 0.01, 0.01], { z_m: 0.007, y_m: 0.00875 }),
    shape: { kind: 'tube', diameter_m: 0.016, height_m: 0.06 } as const,
    mass_kg: 0.02,
  };
  const plant = plantOf('rapier', cellOf([plate(), tube]));
  const step = touching(plant);
  plant.setOutputs({ ee_d0: true });
  for (let i = 0; i < 150; i++) step(GRASP);
  const q = GRASP.slice();
  while (plant.states.status[1] === BODY_STATUS.carried) {
    q[4]! += 1e-4;
    step(q);
  }
  // It turns about the edge of its foot, where the plate bears it.
  const forces_n = Array.from({ length: 100 }, () => step(q));
  const most_n = Math.max(...forces_n);
  expect(storyOf(plant)).toEqual(expect.arrayContaining(['fell_off tube']));
  expect(most_n).toBeGreaterThan(0.5 * 0.02 * GRAVITY_M_S2);
  expect(most_n).toBeLessThan(3 * 0.02 * GRAVITY_M_S2);
  plant.free();
});

it.each(DRIVERS)('on %s jaws that open do not throw what slid into a finger', (driver) => {
  const cube = box('cube', [0.02, 0.02, 0.02], { z_m: 0 }, { mass_kg: 0.005 });
  const cell = cellOf([plate(), { ...cube, position: { x: 0.6, y: 0.3, z: 0 } }]);
  const plant = plantOf(driver, cell);
  const step = touching(plant);
  plant.setOutputs({ ee_d0: true });
  for (let i = 0; i < 150; i++) step(GRASP);
  // On the plate, some millimetres in a finger.
  const place = plant.states.poses.slice();
  place[SOLID_POSE + 2] = Z_M + 0.007 + 0.01;
  const depthAt = (x_m: number, y_m: number) => {
    place.set([X_M + x_m, Y_M + y_m], SOLID_POSE);
    return plant.armAt(1, place)?.depth_m ?? 0;
  };
  const spots = Array.from(
    { length: 81 },
    (_, i) => [0.0095 * (i % 9) - 0.038, 0.0095 * Math.floor(i / 9) - 0.038] as const,
  );
  const [x, y] = spots.find(([a, b]) => depthAt(a, b) > 2e-3)!;
  plant.move(1, Float64Array.of(X_M, Y_M, Z_M + 0.0071, 1, 0, 0, 0));
  for (let i = 0; i < 300; i++) step(GRASP);
  // As after a slide: its place on the plate.
  const { places } = plant.carried['carried'];
  places[SOLID_POSE]! += x;
  places[SOLID_POSE + 1]! += y;
  plant.restore(plant.save());
  step(GRASP);
  expect(objectState(plant, 1)).toMatchObject({ status: 'carried' });
  const before = plant.states.poses.slice(SOLID_POSE, SOLID_POSE + 2);
  plant.setOutputs({ ee_d0: false });
  const forces_n = Array.from({ length: 500 }, () => step(GRASP));
  expect(Math.max(...forces_n)).toBeLessThan(1);
  const moved_m = [0, 1].map((k) => plant.states.poses[SOLID_POSE + k]! - before[k]!);
  expect(Math.hypot(...moved_m)).toBeLessThan(0.003);
  plant.free();
});
