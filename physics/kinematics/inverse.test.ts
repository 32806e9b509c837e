import { describe, expect, it } from 'vitest';
import { createPrng } from '../math/prng.ts';
import { solveInverse } from './inverse.ts';
import { worstJointOutside } from './joint-range.ts';
import { jointDistance, poseAt, randomJoints } from './joint-samples.cases.ts';
import { allSolutions, SOLUTIONS_MAX, searchStatus } from './solution-search.ts';
import { createTool, FLANGE_TOOL } from './tool.ts';

const out = new Float64Array(6 * SOLUTIONS_MAX);
const guess = Float64Array.of(0, -0.5, -1.2, 0, -1.2, 0);
const UPRIGHT = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const DOWN = [1, 0, 0, 0, -1, 0, 0, 0, -1];
const DOWN_TURNED = [-1, 0, 0, 0, 1, 0, 0, 0, -1];
const BACKWARD = [0, 0, -1, 0, 1, 0, 1, 0, 0];
const FORWARD = [0, 0, 1, 0, 1, 0, -1, 0, 0];

function codeOf(rotation: number[], position: number[]): string {
  const pose = Float64Array.from([...rotation, ...position]);
  const reply = solveInverse({ pose, guess, tool: FLANGE_TOOL });
  return reply.ok ? 'ok' : reply.code;
}

describe('inverse kinematics', () => {
  it.each([
    ['reach_limit', UPRIGHT, [-0.065, 0, 1.0]],
    ['reach_limit', DOWN, [0.9, 0, 0.3]],
    ['reach_limit', BACKWARD, [0.5, 0, 0.4]],
    ['j5_boundary_limit', DOWN, [0.35, 0, 0.2]],
    ['ok', DOWN_TURNED, [0.35, 0, 0.2]],
    ['j4_boundary_limit', UPRIGHT, [0.3, 0, 0.2]],
    ['j4_boundary_limit', FORWARD, [0.5, 0, 0.4]],
    ['j1_boundary_limit', DOWN, [0.12, 0, 0.45]],
    ['j2_boundary_limit', BACKWARD, [0.1, 0, 0.28]],
    ['ik_failure', UPRIGHT, [Number.NaN, 0, 0.4]],
    ['ik_failure', [1, 0, 0, 0, 1, 0, 0, 0, -1], [0.3, 0, 0.4]],
    ['ik_failure', [1, 0, 0, 0, 1, 0, 0, 0, 0.9], [0.3, 0, 0.4]],
  ])('answers %s', (code, rotation, position) => {
    expect(codeOf(rotation, position)).toBe(code);
  });

  it('rejects a guess that is not a number', () => {
    const request = { pose: poseAt(guess), guess: guess.with(2, Number.NaN), tool: FLANGE_TOOL };
    expect(solveInverse(request)).toMatchObject({ ok: false, code: 'ik_failure' });
  });

  it('returns an exact guess bit by bit', () => {
    const random = createPrng(21);
    const tool = createTool({ offsets: { x: 0, y: 0.01, z: 0.1 } });
    for (let n = 0; n < 500; n++) {
      const q = randomJoints(random);
      const reply = solveInverse({ pose: poseAt(q, tool), guess: q, tool });
      expect(reply).toEqual({ ok: true, joints: q });
    }
  });

  it('stays close to a close guess', () => {
    const random = createPrng(22);
    let same = 0;
    for (let n = 0; n < 2000; n++) {
      const q = randomJoints(random);
      const near = q.map((x) => x + 0.02 * (random() - 0.5));
      const reply = solveInverse({ pose: poseAt(q), guess: near, tool: FLANGE_TOOL });
      if (reply.ok && jointDistance(reply.joints, 0, q) < 1e-6) same++;
    }
    expect(same).toBeGreaterThan(1980);
  });

  it('solves every reachable pose from a far guess, exactly and inside the limits', () => {
    const random = createPrng(23);
    for (let n = 0; n < 1000; n++) {
      const pose = poseAt(randomJoints(random));
      const reply = solveInverse({ pose, guess: randomJoints(random), tool: FLANGE_TOOL });
      if (!reply.ok) throw new Error(`seed 23, pose ${n}: ${reply.code}`);
      const back = poseAt(reply.joints);
      const worst = back.reduce((most, x, i) => Math.max(most, Math.abs(x - pose[i]!)), 0);
      expect(worst).toBeLessThan(1e-9);
    }
  });

  it('keeps q6 of the guess where axis 6 lies on axis 1 and every q6 solves', () => {
    for (const height of [0.45, 0.5, 0.55]) {
      const pose = Float64Array.from([...DOWN, 0, 0, 0]);
      pose[11] = height - 0.3;
      const tried = [...UPRIGHT, 0, 0, height].map(Number);
      for (const goal of [pose, Float64Array.from(tried)]) {
        const wanted = guess.with(5, 0.7);
        const count = allSolutions(goal, FLANGE_TOOL, wanted, out);
        if (count === 0) continue;
        expect(searchStatus.continuum).toBe(true);
        expect(searchStatus.exhausted).toBe(0);
        for (let i = 0; i < count; i++) expect(out[6 * i + 5]).toBeCloseTo(0.7, 9);
      }
    }
  });

  it('returns to a stretched double root from a guess nearby', () => {
    const random = createPrng(24);
    for (let n = 0; n < 100; n++) {
      const q = randomJoints(random).fill(-0.19036303, 2, 3).fill(0, 3, 4);
      const near = q.map((x) => x + 0.01 * (random() - 0.5));
      if (worstJointOutside(near) >= 0) continue;
      const reply = solveInverse({ pose: poseAt(q), guess: near, tool: FLANGE_TOOL });
      if (!reply.ok) throw new Error(`seed 24, pose ${n}: ${reply.code}`);
      expect(jointDistance(reply.joints, 0, q)).toBeLessThan(0.1);
    }
  });

  it('returns to a continuum of solutions from a guess nearby', () => {
    const random = createPrng(25);
    let answered = 0;
    for (let n = 0; n < 100; n++) {
      const q = randomJoints(random).fill(0, 1, 3);
      const near = q.map((x) => x + 0.01 * (random() - 0.5));
      const reply = solveInverse({ pose: poseAt(q), guess: near, tool: FLANGE_TOOL });
      if (!reply.ok) continue;
      answered++;
      expect(jointDistance(reply.joints, 0, q)).toBeLessThan(0.1);
    }
    expect(answered).toBeGreaterThan(90);
  });
});
