import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../../physics/arm/arm-model.ts';
import { createFrames, FRAME_SIZE, forward } from '../../physics/kinematics/forward.ts';
import { createTool } from '../../physics/kinematics/tool.ts';
import { createArm } from './arm.ts';

const joints = fc.tuple(
  ...Array.from(JOINT_MIN_RAD, (low, j) =>
    fc.double({ min: low, max: JOINT_MAX_RAD[j]!, noNaN: true }),
  ),
);
const arm = createArm();

it("reads the pose's angles back from the drawn objects", () => {
  fc.assert(
    fc.property(joints, (angles) => {
      arm.setPose(angles);
      const drawn = arm.drawnJoints();
      angles.forEach((angle, j) => {
        expect(drawn[j]).toBeCloseTo(angle, 9);
      });
    }),
  );
});

it('places every link as forward kinematics computes', () => {
  const angles = [0.3, -0.4, -1.2, 0.5, -0.9, 2];
  const frames = createFrames();
  forward(angles, frames);
  arm.setPose(angles);
  for (const [i, link] of arm.links.entries()) {
    const e = link.matrix.elements;
    for (let axis = 0; axis < 3; axis++) {
      expect(e[12 + axis]).toBeCloseTo(frames[i * FRAME_SIZE + 9 + axis]!, 12);
    }
  }
});

it('detects a single misplaced link', () => {
  arm.setPose([0, 0, 0, 0, 0, 0]);
  const turned = arm.links[3]!.matrix;
  const e = turned.elements;
  const [c, s] = [Math.cos(0.087), Math.sin(0.087)];
  for (let row = 0; row < 3; row++) {
    const [x, z] = [e[row]!, e[8 + row]!];
    e[row] = x * c + z * s;
    e[8 + row] = z * c - x * s;
  }
  expect(Math.max(...arm.drawnJoints().map(Math.abs))).toBeCloseTo(0.087, 6);
});

it('draws base and links, without the cast shells, with at most 8 meshes', () => {
  const meshes = arm.links.reduce((count, link) => count + link.children.length, 0);
  expect(meshes).toBeLessThanOrEqual(8);
});

it('adds and removes the tool', () => {
  const flange = arm.links[6]!;
  const bare = flange.children.length;
  arm.setTool(createTool({ offsets: { x: 0, y: 0, z: 0.1 }, radius: 0.03 }));
  expect(flange.children.length).toBe(bare + 1);
  arm.setTool(createTool());
  expect(flange.children.length).toBe(bare);
});
