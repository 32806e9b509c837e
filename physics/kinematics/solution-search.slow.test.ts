import { describe, expect, it } from 'vitest';
import { MODEL_RANGE } from '../arm/arm-range.ts';
import { createPrng } from '../math/prng.ts';
import { createLineBy } from './cartesian-line.ts';
import { createFrames, forward } from './forward.ts';
import { squaredDistance } from './joint-distance.ts';
import { jointDistance, poseAt, randomJoints } from './joint-samples.cases.ts';
import { allSolutions, SOLUTIONS_MAX, searchStatus, solutionsNear } from './solution-search.ts';
import { FLANGE_TOOL } from './tool.ts';
import { createTracker, startTracking, trackTo } from './tracking.ts';
import { reachTo, solveNear } from './unique-solution.ts';

const POSES = 1_000_000;
const out = new Float64Array(6 * SOLUTIONS_MAX);
const zeros = new Float64Array(6);
const found = new Float64Array(6);
const frames = createFrames();

/** Of `count` solutions the one nearest to the guess. */
function nearestOf(solutions: Float64Array, count: number, guess: Float64Array): Float64Array {
  let [least, at] = [Number.POSITIVE_INFINITY, 0];
  for (let k = 0; k < 6 * count; k += 6) {
    const distance = squaredDistance(solutions, k, guess);
    if (distance < least) [least, at] = [distance, k];
  }
  return solutions.slice(at, at + 6);
}

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

  it('answers 100,000 targets as the complete search does', { timeout: 600_000 }, () => {
    const random = createPrng(62);
    const guess = new Float64Array(6);
    const some = new Float64Array(6 * SOLUTIONS_MAX);
    const told = { nearest: 0, near: 0, none: 0 };
    const different: number[] = [];
    for (let n = 0; n < 100_000; n++) {
      const pose = poseAt(randomJoints(random));
      const count = allSolutions(pose, FLANGE_TOOL, zeros, out);
      // Half of the guesses are near a solution, at distances of all magnitudes.
      const spread = 10 ** (-4 * random());
      const i = 6 * Math.floor(count * random());
      const around = n % 2 === 0 ? out.slice(i, i + 6) : randomJoints(random);
      for (let j = 0; j < 6; j++) guess[j] = around[j]! + spread * (2 * random() - 1);
      const best = nearestOf(out, count, guess);
      forward(guess, frames);
      const nearness = solveNear({ pose, tool: FLANGE_TOOL, guess, frames }, found);
      told[nearness] += 1;
      if (nearness === 'nearest' && !(jointDistance(best, 0, found) < 1e-6)) different.push(n);
      if (nearness === 'none') found.set(best);
      // The search that this bounds finds the very same joints.
      const kept = solutionsNear({ pose, tool: FLANGE_TOOL, guess }, reachTo(found, guess), some);
      if (nearestOf(some, kept, guess).some((angle, j) => angle !== best[j])) different.push(n);
    }
    expect(different).toEqual([]);
    expect(told.nearest).toBeGreaterThan(30_000);
    expect(told.near).toBeGreaterThan(3_000);
  });

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
