import { expect, test } from 'vitest';
import { createPrng } from '../math/prng.ts';
import { doubleSDuration } from './double-s.ts';
import { planJointMove } from './joint-move.ts';
import { PLANNING_LIMITS } from './limits.ts';
import type { MotionCaps } from './motion-caps.ts';
import { randomPose } from './poses.cases.ts';
import { createTimingGrid, gridFor, refineTool } from './timing-grid.ts';

const CAPS: MotionCaps = { tool_speed_m_s: 0.5, tool_offset_m: [0.02, 0, 0.1] };

function randomLine(random: () => number) {
  return { kind: 'line', start: randomPose(random), end: randomPose(random) } as const;
}

test('the refined tool grid of a line matches the path', () => {
  const random = createPrng(81);
  for (let n = 0; n < 4; n++) {
    const path = randomLine(random);
    const travel = path.end.reduce((sum, q, j) => sum + Math.abs(q - path.start[j]!), 0);
    const coarse = createTimingGrid(path, 0, CAPS.tool_offset_m);
    const fine = refineTool(coarse, 5 * (coarse.s.length - 1));
    const last = fine.s.length - 1;
    expect(last).toBe(5 * (coarse.s.length - 1));
    expect(fine.s[last]).toBe(1);
    for (let i = 0; i <= last; i++) {
      const exact = createTimingGrid(path, fine.s[i]!, CAPS.tool_offset_m);
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(fine.p1[3 * i + k]! - exact.p1[k]!)).toBeLessThan(2e-6 * travel);
        expect(Math.abs(fine.p2[3 * i + k]! - exact.p2[k]!)).toBeLessThan(1e-4 * travel ** 2);
      }
      if (i === last - 1) break;
    }
  }
});

test('joints alone limit a line whose tool stays below its caps', () => {
  const random = createPrng(82);
  const limits = { ...PLANNING_LIMITS, tool_acceleration_m_s2: 1e3 };
  for (let n = 0; n < 20; n++) {
    const { start, end } = randomLine(random);
    const caps = { ...CAPS, tool_speed_m_s: 100 };
    const { minimum_time_s } = planJointMove({ start, end, caps, waypoints: [], limits });
    const slowest = start.map((from, j) =>
      doubleSDuration(Math.abs(end[j]! - from), {
        v: limits.velocity_rad_s[j]!,
        a: limits.acceleration_rad_s2[j]!,
        j: limits.jerk_rad_s3[j]!,
      }),
    );
    expect(minimum_time_s).toBeCloseTo(Math.max(...slowest), 12);
  }
});

test('a line under two caps uses one grid, another tool or start a new one', () => {
  const path = randomLine(createPrng(83));
  const grid = gridFor(path, 0, [0, 0, 0.1]);
  expect(gridFor(path, 0, [0, 0, 0.1])).toBe(grid);
  expect(gridFor(path, 0, [0, 0, 0.2])).not.toBe(grid);
  expect(gridFor(path, 0.5, [0, 0, 0.2]).s[0]).toBe(0.5);
  expect(gridFor({ ...path }, 0, [0, 0, 0.1])).not.toBe(grid);
  expect(gridFor(path, 0, [0, 0, 0.1])).toEqual(grid);
});
