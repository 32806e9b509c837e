import { describe, expect, it } from 'vitest';
import { MODEL_RANGE } from '../arm/arm-range.ts';
import { createPrng } from '../math/prng.ts';
import { createLineBy } from './cartesian-line.ts';
import { jointDistance, poseAt, randomJoints } from './joint-samples.cases.ts';
import { allSolutions, SOLUTIONS_MAX, searchStatus } from './solution-search.ts';
import { FLANGE_TOOL } from './tool.ts';
import { createTracker, startTracking, trackTo } from './tracking.ts';

const POSES = 1_000_000;
const out = new Float64Array(6 * SOLUTIONS_MAX);
const zeros = new Float64Array(6);

describe('complete search, long run', () => {
  it.each([101, 404])(
    'finds the joints of a million random poses, seed %i',
    { timeout: 600_000 },
    (seed) => {
      const random = createPrng(seed);
      const misses: number[] = [];
      let odd = 0;
      let exhausted = 0;
      for (let n = 0; n < POSES; n++) {
        const q = randomJoints(random);
        const count = allSolutions(poseAt(q), FLANGE_TOOL, zeros, out);
        let best = Number.POSITIVE_INFINITY;
        for (let i = 0; i < count; i++) best = Math.min(best, jointDistance(out, 6 * i, q));
        if (!(best < 1e-6)) misses.push(n);
        odd += count % 2;
        exhausted += searchStatus.exhausted;
      }
      expect({ misses, odd, exhausted }).toEqual({ misses: [], odd: 0, exhausted: 0 });
    },
  );

  it('tracks 2,000 lines as a reference of small steps does', { timeout: 600_000 }, () => {
    const random = createPrng(61);
    let arrived = 0;
    let different = 0;
    for (let n = 0; n < 2000; n++) {
      const start = randomJoints(random);
      const travel = [random() - 0.5, random() - 0.5, random() - 0.5].map((x) => 0.4 * x);
      const turn = [random() - 0.5, random() - 0.5, random() - 0.5].map((x) => 0.8 * x);
      const line = createLineBy(poseAt(start), travel, turn);
      const coarse = createTracker(line, FLANGE_TOOL, MODEL_RANGE);
      startTracking(coarse, start, 0);
      const outcome = trackTo(coarse, 1);
      const fine = createTracker(line, FLANGE_TOOL, MODEL_RANGE);
      startTracking(fine, start, 0);
      let reference = outcome;
      for (let i = 1; i <= 3000; i++) {
        reference = trackTo(fine, i / 3000);
        if (reference !== 'arrived') break;
      }
      if (outcome === 'arrived') arrived++;
      if (reference !== outcome) different++;
      else if (outcome === 'arrived' && jointDistance(fine.q, 0, coarse.q) > 1e-6) different++;
    }
    expect(arrived).toBeGreaterThan(500);
    expect(different).toBe(0);
  });
});
