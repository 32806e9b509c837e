import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { arrangementProblems, shapeProblems } from './arm-shape.mjs';
import { treeOf } from './tree.mjs';

const MODEL = JSON.parse(readFileSync('physics/arm/arm-model.json', 'utf8'));
const ARM = { 'physics/arm/arm-model.ts': 'export const FLANGE_M = 1;\nexport const DRIVE = 2;' };
const USES = "import { DRIVE, FLANGE_M } from '../arm/arm-model.ts';\nexport const x = FLANGE_M;";

describe('arm shape', () => {
  it('accepts listed files, and files that read no shape', () => {
    const drive = "import { DRIVE } from '../physics/arm/arm-model.ts';\nexport const y = DRIVE;";
    const tree = treeOf({ ...ARM, 'physics/plant/a.ts': USES, 'bridge/b.ts': drive });
    expect(shapeProblems(tree, { 'physics/plant/a.ts': 'values' })).toEqual([]);
  });

  it('reports a file that is not listed, one that is absent and one that is free', () => {
    const tree = treeOf({
      ...ARM,
      'physics/plant/a.ts': USES,
      'physics/b.ts': 'export const b = 1;',
    });
    const problems = shapeProblems(tree, { 'physics/b.ts': 'values', 'physics/c.ts': 'drawing' });
    expect(problems).toEqual([
      expect.stringMatching(/^physics\/plant\/a\.ts: reads the shape/),
      expect.stringMatching(/^physics\/c\.ts: does not exist/),
      expect.stringMatching(/^physics\/b\.ts: reads no shape any more/),
    ]);
  });

  it('leaves tests out', () => {
    const test = { 'physics/plant/a.test.ts': USES };
    expect(shapeProblems(treeOf({ ...ARM, ...test }), {})).toEqual([]);
  });

  it('accepts the model, and names what its closed forms cannot describe', () => {
    expect(arrangementProblems(MODEL)).toEqual([]);
    const joints = structuredClone(MODEL.chain.joints);
    joints[4].axis = '+z';
    joints[2].offset_m[0] = 0.01;
    const changed = { ...MODEL, chain: { joints: [...joints, joints[5]] } };
    const problems = arrangementProblems(changed);
    expect(problems).toHaveLength(3);
    expect(problems.join()).toMatch(/7 joints.*joint 2 lies off along x.*joint 4 turns about \+z/);
  });
});
