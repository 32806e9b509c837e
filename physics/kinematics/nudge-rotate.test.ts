import { describe, expect, it } from 'vitest';
import { MODEL_RANGE } from '../arm/arm-range.ts';
import { createPrng } from '../math/prng.ts';
import { createLineBy } from './cartesian-line.ts';
import { jointDistance, poseAt, randomJoints } from './joint-samples.cases.ts';
import { nudge, rotate, type ToolMove } from './nudge-rotate.ts';
import { allSolutions, SOLUTIONS_MAX } from './solution-search.ts';
import { createTool } from './tool.ts';

const tool = createTool({ offsets: { x: 0, y: 0, z: 0.1 } });
const zeros = new Float64Array(6);
const open: ToolMove = {
  joints: zeros,
  axis: 'x',
  offset: 0,
  tool,
  range: MODEL_RANGE,
  check: () => null,
};
const bent = Float64Array.of(0.2, -0.5, -1.2, 0.1, -1.2, 0.3);

/** Joints of a reply that must be ok. */
function joints(reply: ReturnType<typeof nudge>): Float64Array {
  if (!reply.ok) throw new Error(`${reply.code}: ${reply.message}`);
  return reply.joints;
}

describe('published replies', () => {
  it('nudge: the published reply is one of the solutions', () => {
    const goal = new Float64Array(12);
    const line = createLineBy(poseAt(zeros, tool), [0, 0.025, 0], [0, 0, 0]);
    line.evaluate(Float64Array.of(1), goal, new Float64Array(6));
    const out = new Float64Array(6 * SOLUTIONS_MAX);
    const count = allSolutions(goal, tool, zeros, out);
    const arm = [-0.36749756, 0.21934654, -0.35547766, -3.8e-6, 0.13613085, 0.3675014];
    const distances = Array.from({ length: count }, (_, i) => jointDistance(out, 6 * i, arm));
    expect(Math.min(...distances)).toBeLessThan(1e-3);
  });
  it('nudge: from upright it takes the nearest branch', () => {
    const q = joints(nudge({ ...open, axis: 'y', offset: 0.025 }));
    const near = [-0.36717, 0.02417, -0.02524, 0, 0.00107, 0.36717];
    expect(jointDistance(q, 0, near)).toBeLessThan(1e-5);
  });
  it('rotate: within the half millimetre by which the published reply is off', () => {
    const q = joints(rotate({ ...open, axis: 'y', offset: 0.1 }));
    const arm = [-2.16e-9, -0.012081009, 0.09259305, 3.1e-9, -0.1803575, -5.4e-9];
    expect(jointDistance(q, 0, arm)).toBeLessThan(3.1e-3);
    expect(q[1]! + q[2]! + q[4]!).toBeCloseTo(-0.1, 12);
    const reached = poseAt(q, tool);
    const published = poseAt(Float64Array.from(arm), tool);
    for (let k = 0; k < 12; k++) expect(Math.abs(published[k]! - reached[k]!)).toBeLessThan(6e-4);
  });
  it('rotate: the published reply matches a tool 5 mm longer', () => {
    const longer = createTool({ offsets: { x: 0, y: 0, z: 0.10507 } });
    const q = joints(rotate({ ...open, tool: longer, axis: 'y', offset: 0.1 }));
    const arm = [-2.16e-9, -0.012081009, 0.09259305, 3.1e-9, -0.1803575, -5.4e-9];
    expect(jointDistance(q, 0, arm)).toBeLessThan(3e-4);
  });
});

describe('nudge', () => {
  it.each(['x', 'y', 'z'] as const)('moves along %s of the robot and keeps orientation', (axis) => {
    for (const offset of [0.03, -0.03]) {
      const before = poseAt(bent, tool);
      const after = poseAt(joints(nudge({ ...open, joints: bent, axis, offset })), tool);
      const i = { x: 9, y: 10, z: 11 }[axis];
      for (let k = 0; k < 12; k++) {
        expect(after[k]).toBeCloseTo(before[k]! + (k === i ? offset : 0), 10);
      }
    }
  });
  it('comes back', () => {
    const there = joints(nudge({ ...open, joints: bent, axis: 'y', offset: 0.05 }));
    const back = joints(nudge({ ...open, joints: there, axis: 'y', offset: -0.05 }));
    expect(jointDistance(back, 0, bent)).toBeLessThan(1e-9);
  });
  it('returns the joints for no offset', () => {
    expect(joints(nudge({ ...open, joints: bent, offset: 0 }))).toEqual(bent);
  });
  it('calls the check at least every 5 mm, start and end included', () => {
    const seen: number[] = [];
    const check = (q: Float64Array) => {
      seen.push(poseAt(q, tool)[9]!);
      return null;
    };
    joints(nudge({ ...open, joints: bent, axis: 'x', offset: 0.04, check }));
    expect(seen.length).toBe(9);
    for (let i = 1; i < seen.length; i++) expect(seen[i]! - seen[i - 1]!).toBeCloseTo(0.005, 9);
  });
  it('returns the code of the check', () => {
    let calls = 0;
    const check = () => (++calls === 3 ? ('object_collision' as const) : null);
    const reply = nudge({ ...open, joints: bent, axis: 'x', offset: 0.04, check });
    expect(reply).toMatchObject({ ok: false, code: 'object_collision' });
  });
  it.each([
    ['j1_boundary_limit', { joints: bent.with(1, 2) }],
    ['ik_failure', { offset: Number.NaN }],
    ['ik_failure', { joints: bent.with(3, Number.NaN) }],
    ['reach_limit', { joints: bent, offset: 100 }],
    ['reach_limit', { joints: bent, offset: 2 }],
  ] as const)('answers %s', (code, change) => {
    const reply = nudge({ ...open, ...change });
    expect(reply.ok ? 'ok' : reply.code).toBe(code);
  });
  it('names the elbow when the arm becomes stretched', () => {
    const reply = nudge({ ...open, axis: 'z', offset: 0.02 });
    expect(reply).toMatchObject({ ok: false, code: 'elbow_singularity' });
  });
});

describe('rotate', () => {
  it.each(['x', 'y', 'z'] as const)('rotates about %s of the tool and keeps its point', (axis) => {
    const i = { x: 0, y: 1, z: 2 }[axis];
    const before = poseAt(bent, tool);
    const after = poseAt(joints(rotate({ ...open, joints: bent, axis, offset: 0.2 })), tool);
    for (let k = 9; k < 12; k++) expect(after[k]).toBeCloseTo(before[k]!, 10);
    for (const row of [0, 3, 6]) expect(after[row + i]).toBeCloseTo(before[row + i]!, 10);
    const [a, b] = [(i + 1) % 3, (i + 2) % 3];
    const sine = [0, 3, 6].reduce((sum, row) => sum + after[row + a]! * before[row + b]!, 0);
    expect(sine).toBeCloseTo(Math.sin(0.2), 10);
  });
  it('about z rotates only the last joint', () => {
    const flange = createTool();
    const q = joints(rotate({ ...open, tool: flange, joints: bent, axis: 'z', offset: 0.3 }));
    expect(jointDistance(q, 0, bent.with(5, bent[5]! + 0.3))).toBeLessThan(1e-9);
  });
});

describe('both', () => {
  it('never return joints that miss the goal or leave the ranges', () => {
    const random = createPrng(41);
    let answered = 0;
    for (let n = 0; n < 200; n++) {
      const q = randomJoints(random);
      const reply = nudge({ ...open, joints: q, axis: 'z', offset: 0.1 * (random() - 0.5) });
      if (reply.ok) answered++;
      else expect(reply.code).toMatch(/limit|singularity/);
    }
    expect(answered).toBeGreaterThan(90);
  });
});
