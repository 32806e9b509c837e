import { expect, test } from 'vitest';
import { createPrng } from '../math/prng.ts';
import { planJointMove } from './joint-move.ts';
import { PLANNING_LIMITS } from './limits.ts';
import { randomPose } from './poses.cases.ts';
import { referenceDuration, referenceNodes } from './reference.cases.ts';
import { gridAt } from './timing-grid.ts';

const FREE = { tool_speed_m_s: 1e3, tool_offset_m: [0, 0, 0.1] } as const;
const LIMITS = { ...PLANNING_LIMITS, tool_acceleration_m_s2: 1e4 };

test('the reference timing finds the double-S where that is exact', () => {
  const random = createPrng(51);
  for (let n = 0; n < 2; n++) {
    const [start, end] = [randomPose(random), randomPose(random)];
    const move = planJointMove({ start, end, caps: FREE, waypoints: [], limits: LIMITS });
    const grid = gridAt(move.path, referenceNodes(120), FREE.tool_offset_m);
    const { duration_s } = referenceDuration(grid, LIMITS, FREE.tool_speed_m_s);
    expect(Math.abs(duration_s / move.minimum_time_s - 1)).toBeLessThan(1e-3);
  }
});
