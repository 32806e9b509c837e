import { describe, expect, it } from 'vitest';
import { createLineBy } from './cartesian-line.ts';
import { createRandom, poseAt, randomJoints } from './joint-samples.cases.ts';
import {
  singularityCause,
  singularityError,
  singularityWarning,
  smallestSingularValue,
} from './singularity.ts';
import { FLANGE_TOOL } from './tool.ts';
import { createTracker, startTracking, trackTo } from './tracking.ts';
import { trackingProblem } from './tracking-problem.ts';

const bent = Float64Array.of(0.2, -0.5, -1.2, 0.1, -1.2, 0.3);

describe('singularities', () => {
  it('are silent in the middle of the range', () => {
    expect([singularityError(bent), singularityWarning(bent)]).toEqual([null, null]);
  });
  it('name the shoulder upright', () => {
    expect(singularityError(new Float64Array(6))).toBe('shoulder_singularity');
    expect(singularityWarning(new Float64Array(6))).toBe('shoulder_singularity_warning');
  });
  it('name the elbow when it is stretched, and warn close by', () => {
    expect(singularityError(bent.with(2, -0.19))).toBe('elbow_singularity');
    const close = bent.with(2, -0.24);
    expect([singularityError(close), singularityWarning(close)]).toEqual([
      null,
      'elbow_singularity_warning',
    ]);
  });
  it('have no singular value upright', () => {
    expect(smallestSingularValue(new Float64Array(6))).toBeLessThan(1e-9);
  });
  it('measure the smallest singular value: no direction is reached with less', () => {
    const random = createRandom(51);
    const q = randomJoints(random);
    const least = smallestSingularValue(q);
    const h = 1e-6;
    const here = poseAt(q);
    for (let n = 0; n < 300; n++) {
      const step = Array.from({ length: 6 }, () => random() - 0.5);
      const size = Math.hypot(...step);
      const there = poseAt(q.map((x, j) => x + (h * step[j]!) / size));
      const turn = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((k) => (there[k]! - here[k]!) / h);
      const shift = [9, 10, 11].map((k) => (there[k]! - here[k]!) / (0.3 * h));
      const reached = Math.hypot(Math.hypot(...turn) / Math.SQRT2, ...shift);
      expect(reached).toBeGreaterThan(0.98 * least);
    }
  });
  it('end tracked branches with a cause or out of reach', () => {
    const random = createRandom(52);
    const codes = new Map<string, number>();
    for (let n = 0; n < 400; n++) {
      const q = randomJoints(random);
      const travel = [random() - 0.5, random() - 0.5, random() - 0.5].map((x) => 0.5 * x);
      const tracker = createTracker(createLineBy(poseAt(q), travel, [0, 0, 0]), FLANGE_TOOL);
      startTracking(tracker, q, 0);
      const problem = trackingProblem(tracker, trackTo(tracker, 1));
      const code = problem?.code ?? 'arrived';
      codes.set(code, (codes.get(code) ?? 0) + 1);
      if (code.endsWith('singularity')) {
        expect(smallestSingularValue(tracker.q)).toBeLessThan(0.02);
        expect(singularityCause(tracker.q)).toBe(code);
      }
    }
    for (const code of ['arrived', 'elbow_singularity', 'wrist_singularity', 'reach_limit']) {
      expect(codes.get(code), code).toBeGreaterThan(0);
    }
    expect(codes.get('singularity') ?? 0).toBeLessThan(8);
  });
});
