import { describe, expect, it } from 'vitest';
import { createPrng } from '../math/prng.ts';
import { poseAt, randomJoints } from './joint-samples.cases.ts';
import { createTool, flangePose } from './tool.ts';

const bent = createTool({
  offsets: { x: 0.02, y: -0.03, z: 0.1 },
  rotations: { x: 0.3, y: -0.7, z: 1.1 },
  radius: 0.01,
});

describe('tool point', () => {
  it('is the flange without a configuration', () => {
    const q = randomJoints(createPrng(1));
    expect(poseAt(q)).toEqual(poseAt(q, createTool()));
  });
  it('lies along the flange axes', () => {
    const pose = poseAt(new Float64Array(6), createTool({ offsets: { x: 0.1, y: 0.2, z: 0.3 } }));
    expect(pose[9]).toBeCloseTo(0.035, 12);
    expect(pose[10]).toBeCloseTo(0.2, 12);
    expect(pose[11]).toBeCloseTo(1.1784, 12);
  });
  it('rotates about fixed x, then y, then z: a quarter turn about z maps the tool x to y', () => {
    const turned = createTool({ rotations: { x: 0, y: 0, z: Math.PI / 2 } });
    const pose = poseAt(new Float64Array(6), turned);
    expect([pose[0], pose[3], pose[6]].map((v) => Math.round(v! * 1e9) / 1e9)).toEqual([0, 1, 0]);
  });
  it('converts back to the flange', () => {
    const random = createPrng(2);
    for (let i = 0; i < 50; i++) {
      const q = randomJoints(random);
      const back = new Float64Array(12);
      flangePose(poseAt(q, bent), bent, back);
      const flange = poseAt(q);
      for (let k = 0; k < 12; k++) expect(back[k]).toBeCloseTo(flange[k]!, 12);
    }
  });
});
