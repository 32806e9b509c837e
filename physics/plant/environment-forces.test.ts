import { describe, expect, it } from 'vitest';
import { JOINT_COUNT } from '../arm/arm-model.ts';
import { closestToBox, createBoxContact, LINK_BODIES } from '../collision/contact.ts';
import { compileBox } from '../collision/scene.ts';
import { randomNumbers, randomStates } from '../dynamics/states.cases.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { EnvironmentForces } from './environment-forces.ts';
import type { PlantObstacle } from './joint-forces.ts';

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
