// @module-tag ci
import { describe, expect, it } from 'vitest';
import { JOINT_COUNT } from '../arm/arm-model.ts';
import { closestToBox, createBoxContact } from '../collision/box-contact.ts';
import { BOX_CENTRE, BOX_HIGH, BOX_LOW, compileBox } from '../collision/boxes.ts';
import { LINK_BODIES } from '../collision/capsule-body.ts';
import { randomNumbers, randomStates } from '../dynamics/states.cases.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { EnvironmentForces } from './environment-forces.ts';
import type { MovableBox, PlantObstacle } from './obstacle.ts';

const STILL = new Float64Array(6);

const SEED = 808;
const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 };

function block(random: () => number): PlantObstacle {
  return {
    position: { x: 0.5 * random(), y: 0.5 * random(), z: 0.4 + 0.4 * random() },
    half: { x: 0.1, y: 0.07, z: 0.12 },
    orientation: { w: 1, x: random(), y: random(), z: random() },
    stiffness_n_per_m: 20_000,
  };
}

function movableBlock(random: () => number): MovableBox {
  const { position: centre, orientation } = block(random);
  return {
    box: compileBox({ centre, half: { x: 0.05, y: 0.03, z: 0.04 }, orientation }),
    stiffness_n_per_m: 5000,
    damping_n_s_per_m: 10,
    velocity: new Float64Array(3),
    isOn: true,
  };
}

/** Shifts a box along an axis of the robot's frame (m). */
function moveBox(box: Float64Array, k: number, by: number): void {
  for (const at of [BOX_CENTRE, BOX_LOW, BOX_HIGH]) box[at + k]! += by;
}

const clamp = (x: number, limit: number) => Math.max(-limit, Math.min(limit, x));

/** Height of the flange (m) when joint `j` is rotated by `turn`. */
function flangeHeight(q: Float64Array, j: number, turn: number): number {
  const frames = createFrames();
  const turned = Float64Array.from(q);
  turned[j]! += turn;
  forward(turned, frames);
  return frames[FLANGE_FRAME * FRAME_SIZE + 11]!;
}

describe('environment forces', () => {
  it('converts a flange force to torques by the principle of virtual work', () => {
    const world = new EnvironmentForces();
    world.setFlangeForce([0, 0, 7]);
    for (const { q } of randomStates(SEED, 40)) {
      world.update(q, STILL, false);
      for (let j = 0; j < JOINT_COUNT; j++) {
        const slope = (flangeHeight(q, j, 1e-6) - flangeHeight(q, j, -1e-6)) / 2e-6;
        expect(Math.abs(world.torque[j]! - 7 * slope), `seed ${SEED}`).toBeLessThan(1e-7);
      }
    }
  });

  it('finds the nearest pair of a body and a box, and none beyond the given distance', () => {
    const world = new EnvironmentForces();
    const contact = createBoxContact();
    const frames = createFrames();
    const random = randomNumbers(SEED);
    const blocks = Array.from({ length: 3 }, () => block(random));
    world.setObstacles(blocks);
    const boxes = blocks.map(({ position: centre, half, orientation }) =>
      compileBox({ centre, half, orientation }),
    );
    for (const { q } of randomStates(SEED, 40)) {
      forward(q, frames);
      const gaps = boxes.flatMap((box) =>
        LINK_BODIES.slice(1).map((body) => {
          closestToBox(frames, body!, box, contact);
          return contact.distance_m;
        }),
      );
      const least = Math.min(...gaps);
      const near = world.nearestAt(q, least + 1e-6);
      expect(near?.distance_m).toBeCloseTo(least, 12);
      const at = 6 * near!.box + near!.body - 1;
      expect(gaps[at]).toBeCloseTo(least, 12);
      if (least > 0) expect(world.nearestAt(q, least - 1e-6)).toBeNull();
    }
  });

  it('gives no torque without flange force, obstacle and floor', () => {
    const world = new EnvironmentForces();
    world.setFlangeForce([1, 2, 3]);
    world.update(new Float64Array(6), STILL, false);
    world.setFlangeForce([0, 0, 0]);
    world.update(new Float64Array(6), STILL, false);
    expect(Array.from(world.torque)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(world.isActing).toBe(false);
  });

  it('finds every contact that a check of all links finds', () => {
    const random = randomNumbers(SEED);
    const frames = createFrames();
    const contact = createBoxContact();
    const world = new EnvironmentForces();
    let touches = 0;
    for (const { q } of randomStates(SEED, 3000)) {
      const obstacle = block(random);
      world.setObstacles([obstacle]);
      world.update(q, STILL, false);
      forward(q, frames);
      const { position: centre, half, orientation } = obstacle;
      const box = compileBox({ centre, half, orientation });
      for (let link = 1; link <= JOINT_COUNT; link++) {
        closestToBox(frames, LINK_BODIES[link]!, box, contact);
        const force = Math.max(-20_000 * contact.distance_m, 0);
        expect(world.contactOf(0, link).force_n, `seed ${SEED}`).toBe(force);
        if (force > 0) touches++;
      }
    }
    expect(touches).toBeGreaterThan(300);
  });

  it('misses no contact on the way of an arm among boxes that move', () => {
    const random = randomNumbers(SEED);
    const boxes = Array.from({ length: 6 }, () => movableBlock(random));
    const blocks = Array.from({ length: 4 }, () => block(random));
    const [lazy, eager] = [new EnvironmentForces(), new EnvironmentForces()];
    for (const world of [lazy, eager]) {
      world.setObstacles(blocks, boxes);
      world.setTool([0.02, 0, 0.15], 0.02);
    }
    const q = Float64Array.of(0.3, -0.2, -1.2, 0.1, 0.8, 0);
    const rates = new Float64Array(6);
    let [touches, free] = [0, 0];
    for (let step = 0; step < 8000; step++) {
      // A jump now and then, and rest.
      if (step % 250 === 0) for (let j = 0; j < 6; j++) rates[j] = 3 * random();
      const scale = step % 2000 < 5 ? 0.2 : step % 700 < 400 ? 1e-3 : 0;
      for (let j = 0; j < 6; j++) q[j] = clamp(q[j]! + scale * rates[j]!, 2.5);
      const i = step % boxes.length;
      if (step % 700 >= 400) {
        // Towards the axis of the arm, and away again.
        const k = i % 2;
        const side = boxes[i]!.box[BOX_CENTRE + k]! > 0 ? -1 : 1;
        const travel = 0.008 * (step % 1400 < 700 ? side : -side);
        moveBox(boxes[i]!.box, k, travel);
        lazy.movableMoved(i, Math.abs(travel));
      }
      eager.clear();
      eager.update(q, STILL, false);
      lazy.update(q, STILL, false);
      expect(lazy.torque, `seed ${SEED}, step ${step}`).toEqual(eager.torque);
      if (eager.isTouching) touches++;
      else free++;
    }
    expect(touches).toBeGreaterThan(1000);
    expect(free).toBeGreaterThan(1000);
  });

  it('pushes an arm that leans into a wall back out', () => {
    const world = new EnvironmentForces();
    const position = { x: 0.6, y: 0, z: 0.5 };
    const half = { x: 0.1, y: 0.5, z: 0.5 };
    world.setObstacles([{ position, half, orientation: UPRIGHT, stiffness_n_per_m: 1e4 }]);
    world.update(Float64Array.of(0, -1, 0, 0, 0, 0), STILL, false);
    expect(world.isActing).toBe(true);
    expect(world.contactOf(0, 6).force_n).toBeGreaterThan(0);
    expect(world.torque[1]!).toBeGreaterThan(10);
    expect(Math.abs(world.torque[0]!)).toBeLessThan(5);
  });

  it('supports an arm on the floor only when requested', () => {
    const world = new EnvironmentForces();
    const low = Float64Array.of(0, -2.3, 0, 0, 0, 0);
    world.update(low, STILL, false);
    expect(world.torque[1]).toBe(0);
    world.update(low, STILL, true);
    expect(world.torque[1]!).toBeGreaterThan(10);
  });
});
