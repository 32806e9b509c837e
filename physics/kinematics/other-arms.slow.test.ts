/**
 * The kinematics of random arms of the arrangement, spherical and offset wrists, against an oracle:
 * forward kinematics, and that no solution is missing which a dense search finds.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Arm } from '../../arms/arm.ts';
import { randomArm } from '../../arms/random-arm.cases.ts';
import { createPrng } from '../math/prng.ts';
import { flangeAt, isSameSolution, searchDensely } from './dense-search.cases.ts';

const ARMS = 150;
const POSES = 8;
const DENSE_STARTS = 200;

/** The kinematics as a process with this arm has them. */
async function kinematicsOf(arm: Arm) {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-arm-'));
  writeFileSync(join(folder, 'arm.json'), JSON.stringify(arm));
  vi.stubEnv('ARMTWIN_ARM', folder);
  vi.resetModules();
  const [{ allSolutions, SOLUTIONS_MAX, searchStatus }, chain, { FLANGE_TOOL }, inverse, range] =
    await Promise.all([
      import('./solution-search.ts'),
      import('./forward.ts'),
      import('./tool.ts'),
      import('./inverse.ts'),
      import('../arm/arm-range.ts'),
    ]);
  const out = new Float64Array(6 * SOLUTIONS_MAX);
  const frames = chain.createFrames();
  return {
    forward(q: Float64Array): Float64Array {
      chain.forward(q, frames);
      return frames.slice(12 * chain.FLANGE_FRAME, 12 * chain.FLANGE_FRAME + 12);
    },
    all(pose: Float64Array, near: Float64Array): number[][] {
      const count = allSolutions(pose, FLANGE_TOOL, near, out);
      return Array.from({ length: count }, (_, i) => Array.from(out.slice(6 * i, 6 * i + 6)));
    },
    isContinuum: () => searchStatus.continuum,
    nearest: (pose: Float64Array, guess: Float64Array) =>
      inverse.solveInverse({ pose, guess, tool: FLANGE_TOOL, range: range.MODEL_RANGE }),
  };
}

afterAll(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** Joint angles inside the range of each joint. */
function insideAngles(arm: Arm, random: () => number): Float64Array {
  return Float64Array.from(arm.chain.joints, ({ software_limit_rad: [low = 0, high = 0] }) => {
    return low + (high - low) * random();
  });
}

const worstDifference = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.max(...Array.from(a, (value, i) => Math.abs(value - b[i]!)));

describe('other arms of the arrangement', () => {
  it(`stand where the product of matrices has them, and have every solution (${ARMS} arms)`, async () => {
    let compared = 0;
    for (let seed = 0; seed < ARMS; seed++) {
      const arm = randomArm(seed);
      const kinematics = await kinematicsOf(arm);
      const random = createPrng(seed + 1000);
      for (let i = 0; i < POSES; i++) {
        const q = insideAngles(arm, random);
        const pose = kinematics.forward(q);
        expect(worstDifference(pose, flangeAt(arm, q))).toBeLessThan(1e-12);
        const all = kinematics.all(pose, q);
        for (const one of all) {
          expect(worstDifference(flangeAt(arm, one), pose)).toBeLessThan(1e-9);
        }
        expect(
          all.some((one) => isSameSolution(one, q)),
          `${seed}/${i}`,
        ).toBe(true);
        if (i > 0) continue;
        for (const one of searchDensely(arm, pose, { starts: DENSE_STARTS, random })) {
          compared++;
          expect(
            all.some((known) => isSameSolution(known, one)),
            `${seed}/${i} ${one}`,
          ).toBe(true);
        }
        expect(kinematics.nearest(pose, q)).toMatchObject({ ok: true });
      }
    }
    // The dense search finds most of them.
    expect(compared).toBeGreaterThan(3 * ARMS);
  });

  it('answer at singular wrists and on axis 1', async () => {
    for (let seed = 0; seed < ARMS; seed++) {
      const arm = randomArm(seed);
      const kinematics = await kinematicsOf(arm);
      const random = createPrng(seed + 2000);
      const { axis, zero_rad = 0, software_limit_rad } = arm.chain.joints[4]!;
      const [low = 0, high = 0] = software_limit_rad;
      const q = insideAngles(arm, random);
      q[4] = 0 - zero_rad;
      if (q[4] < low || q[4] > high) continue;
      const pose = kinematics.forward(q);
      const reply = kinematics.nearest(
        pose,
        q.map((angle) => angle + 0.001 * (random() - 0.5)),
      );
      expect(reply, `${seed} ${axis} ${kinematics.isContinuum()}`).toMatchObject({ ok: true });
      if (reply.ok) {
        expect(worstDifference(flangeAt(arm, reply.joints), pose)).toBeLessThan(1e-8);
      }
    }
  });
});
