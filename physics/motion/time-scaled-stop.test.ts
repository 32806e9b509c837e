import { expect, test } from 'vitest';
import { createPrng } from '../math/prng.ts';
import { worstDilation } from './dilation.ts';
import { ARM_LIMITS, PAUSE_LIMITS, scaleLimits } from './limits.ts';
import { planLinearMove } from './linear-move.ts';
import { toolOf } from './motion-caps.ts';
import { randomLinearMove } from './poses.cases.ts';
import { createJointRateCheck } from './rate-check.ts';
import { planStop } from './stop.ts';
import { createProfilePoint, sampleProfile } from './time-profile.ts';
import { planTimeScaledStop, remainingProfile } from './time-scaled-stop.ts';

const CAPS = { tool_speed_m_s: 0.75, tool_offset_m: [0, 0, 0.1] } as const;

function moves(seed: number, count: number) {
  const random = createPrng(seed);
  return Array.from({ length: count }, () => {
    const move = randomLinearMove(random, toolOf(CAPS));
    const plan = planLinearMove({ ...move, caps: CAPS, waypoints: [] });
    if (plan.kind !== 'planned') throw new Error(plan.problem.message);
    return { ...plan.segment, share: 0.4 * random() };
  });
}

test('a motion slows down to rest from where it is, within the limits of a pause', () => {
  const point = createProfilePoint();
  const from = createProfilePoint();
  let slowed = 0;
  for (const { path, profile, share } of moves(91, 25)) {
    const check = createJointRateCheck(path, PAUSE_LIMITS);
    const elapsed_s = share * profile.duration_s;
    const stop = planTimeScaledStop(check, { profile, elapsed_s });
    if (!stop) continue;
    slowed++;
    sampleProfile(profile, elapsed_s, from);
    sampleProfile(stop, 0, point);
    expect(point).toMatchObject({ s: from.s, v: from.v });
    expect(point.a).toBeCloseTo(from.a, 9);
    expect(worstDilation(check, stop, 5e-4)).toBeLessThan(1 + 1e-3);
    sampleProfile(stop, stop.duration_s - 1e-9, point);
    expect(Math.abs(point.v)).toBeLessThan(1e-6);
    sampleProfile(stop, stop.duration_s, point);
    expect(point.s).toBeLessThanOrEqual(1);
    expect(point.s).toBeGreaterThan(from.s);
  }
  expect(slowed).toBeGreaterThan(20);
});

test('limits without margin give no stop', () => {
  const tight = scaleLimits(ARM_LIMITS, { velocity: 1, acceleration: 0.3, jerk: 0.3 });
  for (const { path, profile } of moves(92, 5)) {
    const half = { profile, elapsed_s: 0.2 * profile.duration_s };
    expect(planTimeScaledStop(createJointRateCheck(path, tight), half)).toBeNull();
  }
});

test('near the end of a motion, slowing down is no faster than the end itself', () => {
  for (const { path, profile } of moves(93, 3)) {
    const late = { profile, elapsed_s: profile.duration_s - 0.05 };
    expect(planTimeScaledStop(createJointRateCheck(path, PAUSE_LIMITS), late)).toBeNull();
  }
});

test('near the end of a motion a pause finds its stop at the first tick', () => {
  // Five of these pauses have no brake with the coarser shares.
  const random = createPrng(109);
  const point = createProfilePoint();
  let refused = 0;
  for (const { path, profile } of moves(109, 12)) {
    const { duration_s } = profile;
    const check = createJointRateCheck(path, PAUSE_LIMITS);
    for (let k = 0; k < 8; k++) {
      const elapsed_s = Math.max(0, duration_s - 0.15 - 0.2 * random());
      sampleProfile(profile, elapsed_s, point);
      const motion = { profile, elapsed_s };
      const stop = planStop({ path, point: { ...point }, kind: 'pause', motion });
      if (!stop) refused++;
      else expect(worstDilation(check, stop, 4e-3)).toBeLessThan(1 + 1e-3);
    }
  }
  expect(refused).toBe(0);
});

test('the remaining profile continues from the current state to the end', () => {
  const here = createProfilePoint();
  const there = createProfilePoint();
  for (const { profile } of moves(95, 4)) {
    const elapsed_s = 0.6 * profile.duration_s;
    const rest = remainingProfile({ profile, elapsed_s });
    expect(rest.duration_s).toBeCloseTo(profile.duration_s - elapsed_s, 12);
    for (let k = 0; k <= 10; k++) {
      const t_s = (rest.duration_s * k) / 10;
      sampleProfile(rest, t_s, here);
      sampleProfile(profile, elapsed_s + t_s, there);
      expect(here.s).toBeCloseTo(there.s, 12);
      expect(here.v).toBeCloseTo(there.v, 9);
    }
    expect(here).toMatchObject({ s: 1, v: 0 });
  }
});
