import { describe, expect, it } from 'vitest';
import { JOINT_COUNT } from '../arm/arm-model.ts';
import { closestToBox, createBoxContact } from '../collision/contact.ts';
import { compileBox } from '../collision/zones.ts';
import { randomNumbers, randomStates } from '../dynamics/states.cases.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { type PlantObstacle, Surroundings } from './obstacles.ts';

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

/** Height of the hand (m) when joint `j` is turned by `turn`. */
function handHeight(q: Float64Array, j: number, turn: number): number {
  const frames = createFrames();
  const turned = Float64Array.from(q);
  turned[j]! += turn;
  forward(turned, frames);
  return frames[FLANGE_FRAME * FRAME_SIZE + 11]!;
}

describe('the world around a plant', () => {
  it('turns a push into torques by the principle of virtual work', () => {
    const world = new Surroundings();
    world.push([0, 0, 7]);
    for (const { q } of randomStates(SEED, 40)) {
      world.update(q, false);
      for (let j = 0; j < JOINT_COUNT; j++) {
        const slope = (handHeight(q, j, 1e-6) - handHeight(q, j, -1e-6)) / 2e-6;
        expect(Math.abs(world.torque[j]! - 7 * slope), `seed ${SEED}`).toBeLessThan(1e-7);
      }
    }
  });

  it('gives no torque without a push, an obstacle or a floor', () => {
    const world = new Surroundings();
    world.push([1, 2, 3]);
    world.update(new Float64Array(6), false);
    world.push([0, 0, 0]);
    world.update(new Float64Array(6), false);
    expect(Array.from(world.torque)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(world.disturbed).toBe(false);
  });

  it('finds every touch that looking at all links finds', () => {
    const random = randomNumbers(SEED);
    const frames = createFrames();
    const contact = createBoxContact();
    const world = new Surroundings();
    let touches = 0;
    for (const { q } of randomStates(SEED, 3000)) {
      const obstacle = block(random);
      world.setObstacles([obstacle]);
      world.update(q, false);
      forward(q, frames);
      const { position: centre, half, orientation } = obstacle;
      const box = compileBox({ centre, half, orientation });
      for (let link = 1; link <= JOINT_COUNT; link++) {
        closestToBox(frames, link, box, contact);
        const force = Math.max(-20_000 * contact.distance_m, 0);
        expect(world.touchForce(0, link), `seed ${SEED}`).toBe(force);
        if (force > 0) touches++;
      }
    }
    expect(touches).toBeGreaterThan(300);
  });

  it('pushes the arm out of what it touches: leaning forward into a wall it is pushed back', () => {
    const world = new Surroundings();
    const position = { x: 0.6, y: 0, z: 0.5 };
    const half = { x: 0.1, y: 0.5, z: 0.5 };
    world.setObstacles([{ position, half, orientation: UPRIGHT, stiffness_n_per_m: 1e4 }]);
    world.update(Float64Array.of(0, -1, 0, 0, 0, 0), false);
    expect(world.disturbed).toBe(true);
    expect(world.touchForce(0, 6)).toBeGreaterThan(0);
    expect(world.torque[1]!).toBeGreaterThan(10);
    expect(Math.abs(world.torque[0]!)).toBeLessThan(5);
  });

  it('bears an arm on the floor only where it is asked to', () => {
    const world = new Surroundings();
    const low = Float64Array.of(0, -2.3, 0, 0, 0, 0);
    world.update(low, false);
    expect(world.torque[1]).toBe(0);
    world.update(low, true);
    expect(world.torque[1]!).toBeGreaterThan(10);
  });
});
