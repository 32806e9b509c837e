import { expect, test } from 'vitest';
import { createPrng } from '../math/prng.ts';
import { worstDilation } from './dilation.ts';
import { bestDoubleS } from './double-s-search.ts';
import { createSpeedCurve, traceSpeeds } from './jerk-filter.ts';
import { PLANNING_LIMITS, PLANNING_SHARE } from './limits.ts';
import { planLinearMove } from './linear-move.ts';
import type { MotionCaps } from './motion-caps.ts';
import { toolOf } from './motion-caps.ts';
import { randomLinearMove, randomPose } from './poses.cases.ts';
import { createRateCheck } from './rate-check.ts';
import { timePath } from './time-path.ts';
import { dilateProfile } from './time-profile.ts';
import { createTimingGrid } from './timing-grid.ts';
import { createSpeedRows, solveSpeeds } from './topp-ra.ts';

const CAPS: MotionCaps = { tool_speed_m_s: 0.6, tool_offset_m: [0, 0, 0.1] };

function paths(seed: number, count: number) {
  const random = createPrng(seed);
  return Array.from({ length: count }, () => {
    const move = randomLinearMove(random, toolOf(CAPS));
    const plan = planLinearMove({ ...move, caps: CAPS, waypoints: [] });
    if (plan.kind !== 'planned') throw new Error(plan.problem.message);
    return plan.segment.path;
  });
}

function checkFor(path: ReturnType<typeof paths>[number]) {
  const grid = createTimingGrid(path, 0, CAPS.tool_offset_m);
  return createRateCheck(grid, PLANNING_LIMITS, CAPS.tool_speed_m_s * PLANNING_SHARE);
}

test('each answer touches one of its limits', () => {
  for (const path of paths(61, 15)) {
    const { profile } = timePath({ path, caps: CAPS });
    const worst = worstDilation(checkFor(path), profile, 1e-3);
    expect(worst).toBeLessThan(1 + 1e-5);
    expect(worst).toBeGreaterThan(1 - 1e-3);
  }
});

test('is close to the lower bound without jerk, on average much shorter than the double-S', () => {
  let sum = 0;
  let simple = 0;
  const all = paths(62, 25);
  for (const path of all) {
    const check = checkFor(path);
    const rows = createSpeedRows(check.grid, check.limits, check.tool_speed_m_s);
    const x = new Float64Array(rows.s.length);
    solveSpeeds(rows, null, x);
    const floor_s = traceSpeeds(createSpeedCurve(rows.s), x);
    const start = bestDoubleS(check, 0);
    const { minimum_time_s } = timePath({ path, caps: CAPS });
    sum += minimum_time_s / floor_s;
    simple += (start.duration_s * worstDilation(check, start, 1e-3)) / floor_s;
  }
  expect(sum / all.length).toBeLessThan(1.35);
  expect(sum).toBeLessThan(0.8 * simple);
});

test('the same arguments give the same bits', () => {
  const [path] = paths(63, 1);
  const once = timePath({ path: path!, caps: CAPS });
  const again = timePath({ path: path!, caps: CAPS });
  expect(again).toEqual(once);
});

test('dilation by k scales the rates exactly', () => {
  const [path] = paths(64, 1);
  const { profile } = timePath({ path: path!, caps: CAPS });
  const check = checkFor(path!);
  const slow = worstDilation(check, dilateProfile(profile, 3), 3e-3);
  expect(slow * 3).toBeCloseTo(worstDilation(check, profile, 1e-3), 6);
});

test('both directions of a straight joint line take the same time', () => {
  const random = createPrng(65);
  for (let n = 0; n < 10; n++) {
    const start = randomPose(random);
    const end = randomPose(random);
    const there = timePath({ path: { kind: 'line', start, end }, caps: CAPS });
    const back = timePath({ path: { kind: 'line', start: end, end: start }, caps: CAPS });
    expect(back.minimum_time_s / there.minimum_time_s).toBeCloseTo(1, 1);
  }
});

test('a slower cap never makes a path faster', () => {
  for (const path of paths(66, 8)) {
    const fast = timePath({ path, caps: CAPS }).minimum_time_s;
    const slow = timePath({ path, caps: { ...CAPS, tool_speed_m_s: 0.1 } }).minimum_time_s;
    expect(slow).toBeGreaterThan(fast * 0.999);
  }
});
