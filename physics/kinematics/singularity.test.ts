import { describe, expect, it } from 'vitest';
import { MODEL_RANGE } from '../arm/arm-range.ts';
import { createPrng } from '../math/prng.ts';
import { createLineBy } from './cartesian-line.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from './forward.ts';
import { jacobian } from './jacobian.ts';
import { poseAt, randomJoints } from './joint-samples.cases.ts';
import { createFactors, factorise, solveFactored } from './linear-solve.ts';
import { scaleJacobian } from './pose-error.ts';
import { SINGULARITY_MARGINS, singularDistances, singularityCause } from './singularity.ts';
import { FLANGE_TOOL } from './tool.ts';
import { createTracker, startTracking, trackTo } from './tracking.ts';
import { trackingProblem } from './tracking-problem.ts';

const bent = Float64Array.of(0.2, -0.5, -1.2, 0.1, -1.2, 0.3);

/** Codes whose margin of that level the joints are within. */
function within(q: Float64Array, level: 'error' | 'warning'): string[] {
  const distances = new Float64Array(3);
  singularDistances(q, distances);
  return SINGULARITY_MARGINS.filter((margin) => distances[margin.at]! < margin[level]).map(
    ({ code }) => code,
  );
}

/**
 * Smallest singular value of the Jacobian about the flange, position rows over 0.3 m: by power
 * iteration on the inverse, to about 1 %.
 */
function smallestSingularValue(q: Float64Array): number {
  const frames = createFrames();
  const system = createFactors();
  forward(q, frames);
  jacobian(frames, frames, FLANGE_FRAME * FRAME_SIZE + 9, system.a);
  scaleJacobian(system.a);
  if (!factorise(system)) return 0;
  const columns = [0, 1, 2, 3, 4, 5].map((k) => {
    const column = new Float64Array(6);
    column[k] = 1;
    solveFactored(system, column, column);
    return column;
  });
  let vector = [1, 1, 1, 1, 1, 1];
  let largest = 0;
  for (let i = 0; i < 24; i++) {
    const image = vector.map((_, j) => columns.reduce((sum, c, k) => sum + c[j]! * vector[k]!, 0));
    const next = columns.map((c) => image.reduce((sum, x, j) => sum + c[j]! * x, 0));
    largest = Math.hypot(...next);
    vector = next.map((x) => x / largest);
  }
  return 1 / Math.sqrt(largest);
}

describe('singularities', () => {
  it('are not reported in the middle of the range', () => {
    expect(within(bent, 'warning')).toEqual([]);
    expect(singularityCause(bent)).toBe('singularity');
  });
  it('name the elbow when it is stretched, and warn nearby', () => {
    expect(within(bent.with(2, -0.19), 'error')).toEqual(['elbow_singularity']);
    const close = bent.with(2, -0.24);
    expect(within(close, 'error')).toEqual([]);
    expect(within(close, 'warning')).toEqual(['elbow_singularity']);
  });
  it('name the shoulder with the wrist above it', () => {
    expect(within(new Float64Array(6), 'error')).toContain('shoulder_singularity');
  });
  it('have no singular value upright', () => {
    expect(smallestSingularValue(new Float64Array(6))).toBeLessThan(1e-9);
  });
  it('measure the smallest singular value: no direction is reached with less', () => {
    const random = createPrng(51);
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
    const random = createPrng(52);
    const codes = new Map<string, number>();
    for (let n = 0; n < 400; n++) {
      const q = randomJoints(random);
      const travel = [random() - 0.5, random() - 0.5, random() - 0.5].map((x) => 0.5 * x);
      const tracker = createTracker(
        createLineBy(poseAt(q), travel, [0, 0, 0]),
        FLANGE_TOOL,
        MODEL_RANGE,
      );
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
