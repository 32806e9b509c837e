/** Rate bounds hold, and fine sampling only near the limits misses nothing. */
import { describe, expect, it } from 'vitest';
import { createPrng } from '../math/prng.ts';
import { dilationFor, worstDilation } from './dilation.ts';
import { planJointMove } from './joint-move.ts';
import { boundJointRatios, jointRatios } from './joint-rates.ts';
import { PLANNING_LIMITS } from './limits.ts';
import { planLinearMove } from './linear-move.ts';
import type { MotionCaps } from './motion-caps.ts';
import { toolOf } from './motion-caps.ts';
import { randomLinearMove, randomPose } from './poses.cases.ts';
import {
  boundToolRates,
  checkRates,
  checkToolRates,
  createRateCheck,
  type RateCheck,
} from './rate-check.ts';
import type { Segment } from './segment.ts';
import { dilateProfile, evaluateInPiece, type TimeProfile } from './time-profile.ts';
import { createTimingGrid } from './timing-grid.ts';

const CAPS: MotionCaps = { tool_speed_m_s: 0.75, tool_offset_m: [0, 0, 0.1] };
const TOOL = toolOf(CAPS);

function segments(count: number): Segment[] {
  const random = createPrng(19);
  return Array.from({ length: count }, (_, i) => {
    const line = { start: randomPose(random), end: randomPose(random) };
    if (i % 4 === 3) return planJointMove({ ...line, caps: CAPS, waypoints: [] });
    const plan = planLinearMove({ ...randomLinearMove(random, TOOL), caps: CAPS, waypoints: [] });
    if (plan.kind !== 'planned') throw new Error(plan.problem.message);
    return plan.segment;
  });
}

function checkOf({ path }: Segment): RateCheck {
  const grid = createTimingGrid(path, 0, CAPS.tool_offset_m);
  return createRateCheck(grid, PLANNING_LIMITS, CAPS.tool_speed_m_s);
}

function walk(check: RateCheck, profile: TimeProfile, parts: number, look: () => void): void {
  for (let i = 0; i < profile.knots_s.length - 2; i++) {
    const width = profile.knots_s[i + 1]! - profile.knots_s[i]!;
    for (let k = 0; k <= parts; k++) {
      evaluateInPiece(profile, i, (width * k) / parts, check.point);
      look();
    }
  }
}

describe('bounds', () => {
  it('of the joints are never below the rates, and mostly not far above', () => {
    let [looks, tight, broken] = [0, 0, 0];
    for (const segment of segments(16)) {
      const check = checkOf(segment);
      const { rates, point, ratios } = check;
      walk(check, segment.profile, 3, () => {
        boundJointRatios(rates, point, ratios);
        const { velocity, acceleration, jerk, path_jerk } = ratios;
        jointRatios(rates, point, ratios);
        looks++;
        if (!(velocity >= ratios.velocity && acceleration >= ratios.acceleration)) broken++;
        if (!(jerk >= ratios.jerk && path_jerk >= ratios.path_jerk)) broken++;
        if (velocity < 1.3 * ratios.velocity + 1e-3) tight++;
      });
    }
    expect(broken).toBe(0);
    expect(tight).toBeGreaterThan(0.9 * looks);
  });

  it('of the tool are never below its rates', () => {
    let broken = 0;
    for (const segment of segments(16)) {
      const check = checkOf(segment);
      const { point, ratios } = check;
      walk(check, segment.profile, 3, () => {
        boundToolRates(check, point);
        const { velocity, acceleration } = ratios;
        ratios.velocity = 0;
        ratios.acceleration = 0;
        checkToolRates(check, point);
        if (!(velocity >= ratios.velocity && acceleration >= ratios.acceleration)) broken++;
      });
    }
    expect(broken).toBe(0);
  });
});

describe('the dilation of a profile', () => {
  it.each([0.6, 1, 1.7])('equals the worst of a dense scan, played at 1 / %f', (factor) => {
    for (const segment of segments(12)) {
      const check = checkOf(segment);
      const profile = dilateProfile(segment.profile, factor);
      let worst = 0;
      walk(check, profile, 60, () => {
        checkRates(check, check.point);
        worst = dilationFor(check.ratios, worst);
      });
      const found = worstDilation(check, profile, 0.5e-3 * factor);
      expect(Math.abs(found / worst - 1)).toBeLessThan(2e-6);
    }
  });
});
