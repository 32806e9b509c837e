import { expect, test } from 'vitest';
import { createFrames, forward } from '../kinematics/forward.ts';
import { createDeterminantFactors, determinantFactors } from '../kinematics/jacobian.ts';
import { findMargins, problemOfEnd } from './cartesian-problem.ts';
import type { PathTable } from './path.ts';
import { randomPose, randomSource } from './poses.cases.ts';

const BENT = Float64Array.of(0.3, -0.6, -1.3, 0.2, -1.1, 0.4);
const STRETCHED = Float64Array.of(0.3, -0.6, -0.19036, 0.9, -1.1, 0.4);
const END = { kind: 'ended', s: 0.4, joint: -1 } as const;

function factorsAt(q: Float64Array) {
  const frames = createFrames();
  const factors = createDeterminantFactors();
  forward(q, frames);
  determinantFactors(frames, factors);
  return factors;
}

/** Of many random poses the one with the smallest of `size`, the elbow well bent. */
function smallest(size: (f: ReturnType<typeof factorsAt>) => number): Float64Array {
  const random = randomSource(5);
  let best: Float64Array = BENT;
  for (let n = 0; n < 20_000; n++) {
    const q = randomPose(random);
    const factors = factorsAt(q);
    if (Math.abs(factors.elbow) > 0.3 && size(factors) < size(factorsAt(best))) best = q;
  }
  return best;
}

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

test('the end of a branch names its singularity', () => {
  const shoulder = smallest((f) => Math.abs(f.shoulder_m) + (Math.abs(f.wrist) < 0.3 ? 1 : 0));
  const wrist = smallest((f) => Math.abs(f.wrist) + (Math.abs(f.shoulder_m) < 0.1 ? 1 : 0));
  const code = (q: Float64Array) =>
    problemOfEnd({ ...END, outcome: 'branch_end', q }, 'linear_path_calculation_error').code;
  expect(code(shoulder)).toBe('shoulder_singularity');
  expect(code(STRETCHED)).toBe('elbow_singularity');
  expect(code(wrist)).toBe('wrist_singularity');
  expect(code(BENT)).toBe('singularity');
});

test('a limit names its joint and the place', () => {
  const end = { ...END, outcome: 'limit', joint: 4, q: BENT } as const;
  const problem = problemOfEnd(end, 'linear_path_calculation_error');
  expect(problem).toMatchObject({ code: 'j4_boundary_limit', s: 0.4 });
  expect(problem.message).toContain('40.0 %');
});

test('passing through a margin is a problem, standing in it at an end is not', () => {
  expect(findMargins(pathThrough(BENT, STRETCHED, BENT)).problem).toMatchObject({
    code: 'elbow_singularity',
    s: 0.5,
  });
  expect(findMargins(pathThrough(BENT, BENT, STRETCHED)).problem).toBeNull();
  expect(findMargins(pathThrough(STRETCHED, STRETCHED, BENT)).problem).toBeNull();
});

test('coming close is a warning, keeping clear is nothing', () => {
  const close = Float64Array.from(STRETCHED);
  close[2] = close[2]! - 0.05;
  const found = findMargins(pathThrough(BENT, close, BENT));
  expect(found.problem).toBeNull();
  expect(found.warnings.map((warning) => warning.code)).toEqual(['elbow_singularity_warning']);
  expect(findMargins(pathThrough(BENT, BENT, BENT))).toEqual({ problem: null, warnings: [] });
});
