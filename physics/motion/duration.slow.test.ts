/** Linear moves take at most 6 % more than the reference at the median (reference.cases.ts). */
import { expect, test } from 'vitest';
import { createPrng } from '../math/prng.ts';
import { PLANNING_LIMITS, PLANNING_SHARE } from './limits.ts';
import { planLinearMove } from './linear-move.ts';
import { toolOf } from './motion-caps.ts';
import { randomLinearMove } from './poses.cases.ts';
import { referenceDuration, referenceNodes } from './reference.cases.ts';
import { gridAt } from './timing-grid.ts';

const OFFSET_M = [0, 0, 0.1] as const;
const MOVES = 40;

for (const tool_speed_m_s of [0.25, 1.5]) {
  test(`at ${tool_speed_m_s} m/s`, () => {
    const caps = { tool_speed_m_s, tool_offset_m: OFFSET_M };
    const random = createPrng(52);
    const ratios: number[] = [];
    for (let n = 0; n < MOVES; n++) {
      const move = randomLinearMove(random, toolOf(caps));
      const plan = planLinearMove({ ...move, caps, waypoints: [] });
      if (plan.kind !== 'planned') throw new Error(plan.problem.message);
      const { path, minimum_time_s } = plan.segment;
      const grid = gridAt(path, referenceNodes(120), OFFSET_M);
      const speed = tool_speed_m_s * PLANNING_SHARE;
      ratios.push(minimum_time_s / referenceDuration(grid, PLANNING_LIMITS, speed).duration_s);
    }
    ratios.sort((a, b) => a - b);
    expect(ratios[MOVES / 2]).toBeLessThan(1.06);
    // No valid motion is shorter than the reference by more than the reference's own error.
    expect(ratios[0]).toBeGreaterThan(0.99);
  });
}
