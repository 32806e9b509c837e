import { expect, test } from 'vitest';
import type { PathTable } from './joint-path.ts';
import { findSingularityMargins } from './singularity-margins.ts';

const BENT = Float64Array.of(0.3, -0.6, -1.3, 0.2, -1.1, 0.4);
const STRETCHED = Float64Array.of(0.3, -0.6, -0.19036, 0, -1.1, 0.4);

function pathThrough(...joints: Float64Array[]): PathTable {
  const n = joints.length;
  const zeros = new Float64Array(6 * n);
  return {
    kind: 'table',
    s: Float64Array.from(joints, (_, i) => i / (n - 1)),
    q: Float64Array.from(joints.flatMap((q) => [...q])),
    q1: zeros,
    q2: zeros,
    q3_left: zeros,
    q3_right: zeros,
  };
}

test('passing through a margin is a problem, starting or ending in it is not', () => {
  expect(
    findSingularityMargins(pathThrough(BENT, BENT, STRETCHED, BENT, BENT)).problem,
  ).toMatchObject({
    code: 'elbow_singularity',
    s: 0.5,
  });
  expect(findSingularityMargins(pathThrough(BENT, BENT, STRETCHED)).problem).toBeNull();
  expect(findSingularityMargins(pathThrough(BENT, BENT, STRETCHED, STRETCHED)).problem).toBeNull();
  expect(findSingularityMargins(pathThrough(STRETCHED, STRETCHED, BENT, BENT)).problem).toBeNull();
});

test('coming close is a warning, keeping clear is neither', () => {
  const close = Float64Array.from(STRETCHED);
  close[2] = close[2]! - 0.05;
  const found = findSingularityMargins(pathThrough(BENT, close, BENT));
  expect(found.problem).toBeNull();
  expect(found.warnings.map((warning) => warning.code)).toEqual(['elbow_singularity_warning']);
  expect(findSingularityMargins(pathThrough(BENT, BENT, BENT))).toEqual({
    problem: null,
    warnings: [],
  });
});
