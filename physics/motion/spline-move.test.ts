import { expect, test } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { toolPoseAt } from '../kinematics/tool.ts';
import { createPrng } from '../math/prng.ts';
import { largestDifference } from '../math/vector.ts';
import { createPathSample, samplePath } from './joint-path.ts';
import { type MotionCaps, toolOf } from './motion-caps.ts';
import { lineEnd, randomLinearMove } from './poses.cases.ts';
import { planSplineMove } from './spline-move.ts';

const CAPS: MotionCaps = { tool_speed_m_s: 0.6, tool_offset_m: [0, 0, 0.1] };
const TOOL = toolOf(CAPS);
const BENT = Float64Array.of(0.3, -0.6, -1.3, 0.2, -1.1, 0.4);

/** Waypoints, each reachable from the one before. */
function chain(seed: number, count: number): Float64Array[] {
  const random = createPrng(seed);
  const { start, end } = randomLinearMove(random, TOOL);
  const out = [start, end];
  while (out.length < count) {
    const next = lineEnd(random, out[out.length - 1]!, TOOL);
    if (next) out.push(next);
  }
  return out;
}

function plan(joints: readonly Float64Array[], caps = CAPS) {
  return planSplineMove({
    start: joints[0]!,
    through: joints.slice(1, -1),
    end: joints[joints.length - 1]!,
    caps,
    waypoints: [],
  });
}

test('passes through the pose of every waypoint', () => {
  let planned = 0;
  for (let seed = 30; seed < 60 && planned < 6; seed++) {
    const joints = chain(seed, 4);
    const result = plan(joints);
    if (result.kind !== 'planned') continue;
    planned++;
    const { path } = result.segment;
    if (path.kind !== 'table') throw new Error('not a table');
    const poses = Array.from(path.s, (_, i) => toolPoseAt(path.q.slice(6 * i, 6 * i + 6), TOOL));
    for (const q of joints) {
      const wanted = toolPoseAt(q, TOOL);
      const nearest = Math.min(...poses.map((pose) => largestDifference(pose, wanted)));
      expect(nearest).toBeLessThan(1e-9);
    }
  }
  expect(planned).toBe(6);
});

test('is twice continuously differentiable across its knots', () => {
  for (let seed = 30; seed < 60; seed++) {
    const result = plan(chain(seed, 4));
    if (result.kind !== 'planned') continue;
    const { path } = result.segment;
    if (path.kind !== 'table') throw new Error('not a table');
    const before = createPathSample();
    const after = createPathSample();
    for (const s of path.s.slice(1, -1)) {
      samplePath(path, s - 1e-12, before);
      samplePath(path, s, after);
      for (let j = 0; j < 6; j++) {
        const size = 1 + Math.abs(after.q2[j]!);
        expect(Math.abs(after.q2[j]! - before.q2[j]!) / size).toBeLessThan(1e-4);
      }
    }
    return;
  }
  throw new Error('no spline could be planned');
});

test('without a pass-through waypoint there are too few', () => {
  expect(plan([BENT, BENT])).toMatchObject({ problem: { code: 'too_few_waypoints' } });
});

test('more than the limit are too many', () => {
  const many = Array.from({ length: limits.pass_through_waypoints + 3 }, (_, i) =>
    BENT.map((q) => q + 1e-4 * i),
  );
  expect(plan(many)).toMatchObject({ problem: { code: 'too_many_waypoints' } });
});

test('the same pose twice in a row is reported', () => {
  const other = BENT.map((q) => q + 0.05);
  const result = plan([BENT, other, other, BENT]);
  expect(result).toMatchObject({ problem: { code: 'cubic_path_calculation_error' } });
  expect(result.kind === 'impossible' && result.problem.message).toContain('Waypoints 2 and 3');
});

test('a round trip returns to its start', () => {
  const result = plan([BENT, BENT.map((q) => q + 0.1), BENT.map((q) => q - 0.1), BENT]);
  expect(result.kind).toBe('planned');
});

test('a spline through as many waypoints as are allowed passes through all of them', () => {
  const many = Array.from({ length: limits.pass_through_waypoints + 2 }, (_, i) =>
    BENT.map((q, j) => q + 0.2 * Math.sin(0.08 * i + j)),
  );
  const result = plan(many);
  if (result.kind !== 'planned') throw new Error(result.problem.message);
  expect(result.segment.problem).toBeNull();
  const { path } = result.segment;
  if (path.kind !== 'table') throw new Error('a spline is a table');
  let at = 0;
  for (const [i, q] of many.entries()) {
    const meets = () => q.every((angle, j) => Math.abs(path.q[6 * at + j]! - angle) < 1e-6);
    while (at < path.s.length && !meets()) at++;
    expect(at, `waypoint ${i}`).toBeLessThan(path.s.length);
  }
});
