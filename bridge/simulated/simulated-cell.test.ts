/**
 * A cell beside a simulated arm: what meets it while its brakes are closed, and the force of jaws
 * on what they do not hold.
 */

import { describe, expect, it } from 'vitest';
import type { Cell, CellGripper } from '../../contract/types.generated.ts';
import { VELOCITY_SIZE } from '../../physics/cell/body-states.ts';
import { SOLID_POSE } from '../../physics/cell/pose.ts';
import { type Setpoint, STEPS_PER_TICK } from '../arm-driver.ts';
import { createSimulatedArm } from './simulated-arm.ts';

/** The arm points down; the tip of the gripper is at (0.35, -0.2, 0.13). */
const POSE = Float64Array.of(-0.5191, -0.1513, -2.1669, 0, -0.8234, -0.5191);
const [X_M, Y_M] = [0.35, -0.2];
const SIDE_M = 0.04;
const TICK_S = 0.004;
const HOLD: Setpoint = {
  mode: 'hold',
  samples: new Float64Array(6 * (STEPS_PER_TICK + 2)),
  payload_kg: 0,
  detection: null,
};
const PLANTS = ['fast', 'rapier'] as const;

const jaws = (closing_time_s: number): CellGripper => ({
  kind: 'jaws',
  name: 'jaws',
  output: 'ee_d0',
  tip_m: { x: 0, y: 0, z: 0.1 },
  stroke_m: 0.06,
  force_n: 20,
  closing_time_s,
  pad_width_m: 0.02,
  pad_height_m: 0.015,
  closed_input: 'ee_d1',
});

/** A belt beneath the gripper that brings a box to it. */
const BELT: Cell = {
  name: 'belt',
  conveyors: [
    {
      name: 'belt',
      position: { x: X_M, y: Y_M, z: 0 },
      orientation: { w: Math.SQRT1_2, x: 0, y: 0, z: Math.SQRT1_2 },
      size_m: { x: 0.6, y: 0.12, z: 0.1 },
      speed_m_s: 0.1,
      output: 'd0',
    },
  ],
  objects: [
    {
      name: 'part',
      shape: { kind: 'box', size_m: { x: SIDE_M, y: SIDE_M, z: SIDE_M } },
      mass_kg: 0.2,
      position: { x: X_M, y: Y_M - 0.1, z: 0.1 },
    },
  ],
  grippers: [jaws(0.1)],
};

async function restingIn(plant: 'fast' | 'rapier', cell: Cell, rest_s: number) {
  const driver = createSimulatedArm({ plant, start: POSE });
  await driver.start();
  driver.world.setCell(cell);
  const wait = (seconds: number) => {
    let feedback = driver.exchange(HOLD, TICK_S);
    for (let i = 1; i < seconds / TICK_S; i++) feedback = driver.exchange(HOLD, TICK_S);
    return feedback;
  };
  const feedback = wait(rest_s);
  return { driver, cell: driver.world.cell!, wait, isBraked: feedback.at_rest };
}

describe.each(PLANTS)('on %s', (plant) => {
  it('a belt carries no part through an arm, whether or not that has rested', async () => {
    const ends = await Promise.all(
      [0.1, 3].map(async (rest_s) => {
        const { cell, wait, isBraked } = await restingIn(plant, BELT, rest_s);
        expect(isBraked).toBe(rest_s > 1);
        cell.setOutputs({ d0: true, ee_d0: true });
        wait(2);
        return cell.states.poses[1]!;
      }),
    );
    // The fingers are 4 mm thick in the middle of the gripper.
    const stopped_m = Y_M - SIDE_M / 2 - 0.01;
    for (const end of ends) expect(end - stopped_m).toBeCloseTo(0, 2);
    expect(ends[1]! - ends[0]!).toBeCloseTo(0, 3);
  });

  it('a snapshot of jaws that touch something continues as the original', async () => {
    const { driver, cell, wait } = await restingIn(plant, BELT, 3);
    cell.setOutputs({ d0: true, ee_d0: true });
    wait(1.2);
    const saved = driver.world.snapshot();
    const ending = () => {
      driver.world.cell!.setOutputs({ d0: true, ee_d0: true });
      const { position_rad } = wait(0.4);
      return [...position_rad, ...driver.world.cell!.states.poses];
    };
    const first = ending();
    driver.world.restore(saved);
    expect(ending()).toEqual(first);
  });

  it('parts that queue on a belt do not push the arm away', async () => {
    const [part] = BELT.objects!;
    const next = { ...part!, name: 'next', position: { x: X_M, y: Y_M - 0.15, z: 0.1 } };
    const queue: Cell = { ...BELT, objects: [part!, next] };
    const { driver, cell, wait } = await restingIn(plant, queue, 3);
    cell.setOutputs({ d0: true, ee_d0: true });
    const { position_rad } = wait(5);
    POSE.forEach((angle, j) => {
      expect(position_rad[j]! - angle).toBeCloseTo(0, 2);
    });
    expect(cell.states.poses[1]! - (Y_M - SIDE_M / 2 - 0.01)).toBeCloseTo(0, 2);
    expect(driver.exchange(HOLD, TICK_S).fault).toBeNull();
  });

  it('what falls onto an arm that has rested is felt, or goes through', async () => {
    const { driver, cell, wait } = await restingIn(plant, BELT, 3);
    const flange = new Float64Array(SOLID_POSE);
    flange.set([X_M, Y_M, 0.45, 1]);
    cell.move(0, flange);
    let most_n_m = 0;
    for (let i = 0; i < 100; i++) {
      const { torque_n_m } = driver.exchange(HOLD, TICK_S);
      most_n_m = Math.max(most_n_m, Math.abs(torque_n_m[1]!));
    }
    const { torque_n_m } = wait(3);
    const isFelt = most_n_m > Math.abs(torque_n_m[1]!) + 0.5;
    // On the fast plant what falls goes through the arm.
    expect(isFelt).toBe(plant === 'rapier');
    expect(driver.exchange(HOLD, TICK_S).fault).toBeNull();
  });

  it.each([0.05, 0.1, 0.15, 0.2, 0.201, 0.202, 0.203, 0.25, 0.3])(
    'jaws that take %s s report that they have closed beside an arm that has rested',
    async (closing_time_s) => {
      const { cell, wait } = await restingIn(
        plant,
        { ...BELT, grippers: [jaws(closing_time_s)] },
        3,
      );
      expect(cell.inputValues.get('ee_d1')).toBe(false);
      cell.setOutputs({ ee_d0: true });
      wait(1);
      expect(cell.inputValues.get('ee_d1')).toBe(true);
    },
  );
});

describe.each(PLANTS)('jaws of 20 N on %s', (plant) => {
  it('press on two objects between them with no more than that', async () => {
    const at = (x: number) => ({ x: X_M + x, y: Y_M, z: 0.11 });
    const part = (name: string, x: number) => ({
      name,
      shape: { kind: 'box' as const, size_m: { x: 0.015, y: SIDE_M, z: SIDE_M } },
      mass_kg: 0.1,
      position: at(x),
    });
    const size_m = { x: 0.3, y: 0.3, z: 0.11 };
    const table = { name: 'table', position: { x: X_M, y: Y_M, z: 0 }, boxes: [{ size_m }] };
    const cell: Cell = {
      name: 'two',
      fixtures: [table],
      // Their gap lets each be pushed first.
      objects: [part('a', -0.0125), part('b', 0.0125)],
      grippers: [jaws(0.2)],
    };
    const { driver, cell: inside } = await restingIn(plant, cell, 0.1);
    inside.setOutputs({ ee_d0: true });
    let fastest = 0;
    for (let i = 0; i < 500; i++) {
      driver.exchange(HOLD, TICK_S);
      for (const body of [0, 1]) {
        const at = VELOCITY_SIZE * body;
        fastest = Math.max(fastest, Math.abs(inside.states.velocities[at]!));
      }
    }
    const peaks = driver.world.contacts.list().map(({ peak_force_n }) => peak_force_n);
    expect(peaks.length).toBeGreaterThan(0);
    expect(Math.max(...peaks)).toBeLessThan(30);
    expect(fastest).toBeLessThan(1);
    expect(inside.grippers[0]!.holds).toBe(-1);
    const texts = inside.events.list().map(({ text }) => text);
    expect(texts).toContain('jaws missed: a and b are between the jaws, which hold one object');
  });
});
