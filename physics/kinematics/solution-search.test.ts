import { describe, expect, it } from 'vitest';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';
import { createPrng } from '../math/prng.ts';
import { createFrames, forward } from './forward.ts';
import { createDeterminantFactors, determinantFactors } from './jacobian.ts';
import { squaredDistance } from './joint-distance.ts';
import { jointDistance, poseAt, randomJoints } from './joint-samples.cases.ts';
import { allSolutions, SOLUTIONS_MAX, searchStatus, solutionsNear } from './solution-search.ts';
import { FLANGE_TOOL } from './tool.ts';

const out = new Float64Array(6 * SOLUTIONS_MAX);
const zeros = new Float64Array(6);

/** Distance of q from the nearest solution of its own pose. */
function missOf(q: Float64Array, near: ArrayLike<number> = zeros): number {
  const count = allSolutions(poseAt(q), FLANGE_TOOL, near, out);
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < count; i++) best = Math.min(best, jointDistance(out, 6 * i, q));
  return best;
}

function determinantOf(q: Float64Array): number {
  const frames = createFrames();
  const factors = createDeterminantFactors();
  forward(q, frames);
  determinantFactors(frames, factors);
  return Math.abs(factors.determinant);
}

describe('complete search', () => {
  it('finds the joints of 10,000 random poses, only true solutions, an even number of them', () => {
    const random = createPrng(101);
    const misses: number[] = [];
    let odd = 0;
    let worst = 0;
    let exhausted = 0;
    for (let n = 0; n < 10_000; n++) {
      const q = randomJoints(random);
      if (!(missOf(q) < 1e-6)) misses.push(n);
      odd += searchStatus.count % 2;
      exhausted += searchStatus.exhausted;
      if (n % 5 > 0) continue;
      const pose = poseAt(q);
      for (let i = 0; i < searchStatus.count; i++) {
        const back = poseAt(out.slice(6 * i, 6 * i + 6));
        for (let k = 0; k < 12; k++) worst = Math.max(worst, Math.abs(back[k]! - pose[k]!));
      }
    }
    expect(misses, 'seed 101').toEqual([]);
    expect({ odd, exhausted }).toEqual({ odd: 0, exhausted: 0 });
    expect(worst).toBeLessThan(1e-11);
  });

  it('near a guess finds the same of all solutions that are so near, and fewer of the others', () => {
    const random = createPrng(103);
    const near = new Float64Array(6 * SOLUTIONS_MAX);
    const missed: number[] = [];
    let [all, found] = [0, 0];
    for (let n = 0; n < 1000; n++) {
      const q = randomJoints(random);
      const pose = poseAt(q);
      const d = 0.7 * random();
      const guess = q.map((angle) => angle + 0.4 * (random() - 0.5));
      const count = allSolutions(pose, FLANGE_TOOL, guess, out);
      const kept = solutionsNear({ pose, tool: FLANGE_TOOL, guess }, d, near);
      const bitsOf = (of: Float64Array, i: number) => of.slice(6 * i, 6 * i + 6).join();
      const known = new Set(Array.from({ length: kept }, (_, i) => bitsOf(near, i)));
      for (let i = 0; i < count; i++) {
        if (squaredDistance(out, 6 * i, guess) > d * d) continue;
        if (!known.has(bitsOf(out, i))) missed.push(n);
      }
      all += count;
      found += kept;
    }
    expect(missed, 'seed 103').toEqual([]);
    expect(found).toBeLessThan(0.7 * all);
  });

  const special: [string, (q: Float64Array, random: () => number) => void][] = [
    ['q4 = q6 = 0', (q) => q.fill(0, 3, 4).fill(0, 5)],
    ['q4 = 0', (q) => q.fill(0, 3, 4)],
    ['q4 close to 0', (q, random) => q.fill(2e-4 * (random() - 0.5), 3, 4)],
    ['q5 = 0', (q) => q.fill(0, 4, 5)],
    ['elbow close to stretched', (q, random) => q.fill(-0.190363 + 1e-4 * random(), 2, 3)],
    ['elbow on the stretch', (q) => q.fill(-0.19036303, 2, 3)],
  ];
  it.each(special)('finds regular joints with %s', (_name, shape) => {
    const random = createPrng(31);
    let tried = 0;
    for (let n = 0; n < 300; n++) {
      const q = randomJoints(random);
      shape(q, random);
      if (determinantOf(q) < 1e-5) continue;
      tried++;
      expect(missOf(q), `seed 31, pose ${n}`).toBeLessThan(1e-5);
    }
    expect(tried).toBeGreaterThan(150);
  });

  it('finds every corner of the joint box', () => {
    for (let corner = 0; corner < 64; corner++) {
      const q = Float64Array.from({ length: 6 }, (_, j) =>
        (corner >> j) & 1 ? JOINT_MAX_RAD[j]! : JOINT_MIN_RAD[j]!,
      );
      if (determinantOf(q) > 1e-6) expect(missOf(q), `corner ${corner}`).toBeLessThan(1e-6);
    }
  });

  it('finds joints with the wrist centre on axis 1 or close to it', () => {
    const random = createPrng(33);
    for (let n = 0; n < 200; n++) {
      for (const r of [1e-2, 1e-4, 1e-6, 1e-9, 0]) {
        const q = wristNearAxis(randomJoints(random), r);
        if (!q || determinantOf(q) < 1e-5) continue;
        expect(missOf(q), `seed 33, pose ${n}, r ${r}`).toBeLessThan(1e-5);
      }
    }
  });

  it('detects the continuum of the upright pose and keeps q1 of the guess', () => {
    const q = Float64Array.of(0.4, 0, 0, -0.4, -0.7, 0.3);
    expect(missOf(q, q)).toBeLessThan(1e-6);
    expect(searchStatus.continuum).toBe(true);
  });

  it('mirrors with the pose: y to -y negates q1, q4 and q6', () => {
    const random = createPrng(34);
    for (let n = 0; n < 300; n++) {
      const q = randomJoints(random);
      const mirrored = q.map((x, j) => (j === 0 || j === 3 || j === 5 ? -x : x));
      const count = allSolutions(poseAt(q), FLANGE_TOOL, zeros, out);
      const first = out.slice(0, 6 * count);
      expect(allSolutions(poseAt(mirrored), FLANGE_TOOL, zeros, out)).toBe(count);
      for (let i = 0; i < count; i++) {
        const image = first
          .subarray(6 * i, 6 * i + 6)
          .map((x, j) => (j === 0 || j === 3 || j === 5 ? -x : x));
        let best = 9;
        for (let k = 0; k < count; k++) best = Math.min(best, jointDistance(out, 6 * k, image));
        expect(best).toBeLessThan(1e-6);
      }
    }
  });
});

/** q with q3 changed so that the wrist centre stands r from axis 1; null when it cannot. */
function wristNearAxis(q: Float64Array, r: number): Float64Array | null {
  const frames = createFrames();
  const factors = createDeterminantFactors();
  const radiusAt = (q3: number) => {
    forward(q.with(2, q3), frames);
    determinantFactors(frames, factors);
    return factors.shoulder_m - r;
  };
  let low = -2.7;
  let high = 0.7;
  if (radiusAt(low) > 0 === radiusAt(high) > 0) return null;
  const rising = radiusAt(high) > 0;
  for (let i = 0; i < 100; i++) {
    const middle = 0.5 * (low + high);
    if (radiusAt(middle) > 0 === rising) high = middle;
    else low = middle;
  }
  return q.with(2, low);
}
