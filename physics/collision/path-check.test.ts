import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';
import { createFrames, forward } from '../kinematics/forward.ts';
import { createPathSample, type JointPath, samplePath } from '../motion/joint-path.ts';
import { cubicTable, randomLine, randomTable, tunnelled } from './path.cases.ts';
import { checkPath } from './path-check.ts';
import { checkPose, clearance } from './pose-check.ts';
import { createCollisionScene } from './scene.ts';

const pose = fc
  .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 })
  .map((shares) =>
    shares.map((share, j) => JOINT_MIN_RAD[j]! + share * (JOINT_MAX_RAD[j]! - JOINT_MIN_RAD[j]!)),
  );

function line(start: readonly number[], end: readonly number[]): JointPath {
  return { kind: 'line', start: Float64Array.from(start), end: Float64Array.from(end) };
}

/** Least clearance at even samples of a path. */
function sampled(path: JointPath, scene: ReturnType<typeof createCollisionScene>): number {
  const frames = createFrames();
  const sample = createPathSample();
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i <= 300; i++) {
    samplePath(path, i / 300, sample);
    forward(sample.q, frames);
    least = Math.min(least, clearance(scene, frames));
  }
  return least;
}

describe('a path check', () => {
  it('finds what dense samples find, and stops where the pose check reports a hit', () => {
    const scene = createCollisionScene({
      tool: { offsets: { x: 0, y: 0, z: 0.08 }, radius: 0.03 },
    });
    const frames = createFrames();
    const sample = createPathSample();
    fc.assert(
      fc.property(pose, pose, (start, end) => {
        const path = line(start, end);
        const found = checkPath(scene, path);
        if (sampled(path, scene) < 0.0009) expect(found).not.toBeNull();
        if (!found) return;
        samplePath(path, found.s, sample);
        forward(sample.q, frames);
        expect(checkPose(scene, frames)?.code).toBe(found.hit.code);
      }),
      { numRuns: 150 },
    );
  });
  it('finds what dense samples find on curved tables', () => {
    const scene = createCollisionScene();
    const swing = fc.double({ min: -1.5, max: 1.5, noNaN: true });
    const bends = fc.array(fc.tuple(swing, swing, swing), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(pose, bends, (start, bend) => {
        const path = cubicTable(
          start.map((a, j) => [a, ...bend[j]!]),
          20,
        );
        if (sampled(path, scene) < 0.0009) expect(checkPath(scene, path)).not.toBeNull();
      }),
      { numRuns: 100 },
    );
  });
  it('reports a free path as null and an arm at rest by its pose', () => {
    const scene = createCollisionScene();
    expect(checkPath(scene, line([0, 0, 0, 0, 0, 0], [1, 0, 0, 0, -1, 0]))).toBeNull();
    expect(checkPath(scene, line([0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]))).toBeNull();
    const low = [0, -2.3, 0, 0, 0, 0];
    expect(checkPath(scene, line(low, low))).toMatchObject({ s: 0 });
  });
  it('returns the position of the first contact', () => {
    const scene = createCollisionScene();
    const found = checkPath(scene, line([0, 0, 0, 0, 0, 0], [0, -2.5, 0, 0, 0, 0]));
    expect(found?.hit).toMatchObject({ code: 'plane_collision', b: 'ground' });
    expect(Math.abs(found!.s * 2.5 - 2.178)).toBeLessThan(0.002);
  });
  it.each([
    ['straight moves', randomLine, 2000],
    ['moves of path tables', randomTable, 500],
  ] as const)('passes through no zone of 1 mm in random %s', (_, make, moves) => {
    const { missed, hits } = tunnelled(make, moves, 1);
    expect(hits).toBeGreaterThan(moves / 40);
    expect(missed).toBe(0);
  });
});
