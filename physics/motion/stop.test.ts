import { expect, test } from 'vitest';
import { createPrng } from '../math/prng.ts';
import { worstDilation } from './dilation.ts';
import { planJointMove } from './joint-move.ts';
import { PAUSE_LIMITS, PROTECTIVE_LIMITS } from './limits.ts';
import type { MotionCaps } from './motion-caps.ts';
import { randomPose } from './poses.cases.ts';
import { createJointRateCheck } from './rate-check.ts';
import { planResume } from './resume.ts';
import { retime } from './retime.ts';
import { planStop } from './stop.ts';
import { createProfilePoint, sampleProfile } from './time-profile.ts';

const CAPS: MotionCaps = { tool_speed_m_s: 0.75, tool_offset_m: [0, 0, 0.1] };
const TICK_S = 0.004;

function randomMove(random: () => number) {
  return planJointMove({
    start: randomPose(random),
    end: randomPose(random),
    caps: CAPS,
    waypoints: [0, 1],
  });
}

/** Ticks until a stop is found, and the stop; null when the motion ended first. */
function stopAt(segment: ReturnType<typeof randomMove>, t_s: number, kind: 'pause' | 'protective') {
  const point = createProfilePoint();
  for (let attempt = 0; t_s + attempt * TICK_S < segment.profile.duration_s; attempt++) {
    sampleProfile(segment.profile, t_s + attempt * TICK_S, point);
    const stop = planStop({ path: segment.path, point: { ...point }, kind, attempt });
    if (stop) return { stop, attempt, from: { ...point } };
  }
  return null;
}

for (const kind of ['pause', 'protective'] as const) {
  test(`a ${kind} stop starts in the state of the motion and ends at rest on the path, within its limits`, () => {
    const random = createPrng(kind === 'pause' ? 11 : 12);
    const limits = kind === 'pause' ? PAUSE_LIMITS : PROTECTIVE_LIMITS;
    const point = createProfilePoint();
    let waited = 0;
    let ended = 0;
    for (let n = 0; n < 100; n++) {
      const segment = randomMove(random);
      const found = stopAt(segment, segment.profile.duration_s * random(), kind);
      if (!found) {
        ended++;
        continue;
      }
      if (found.attempt > 0) waited++;
      sampleProfile(found.stop, 0, point);
      expect(point.s).toBe(found.from.s);
      expect(point.v).toBe(found.from.v);
      expect(point.a).toBeCloseTo(found.from.a, 12);
      sampleProfile(found.stop, found.stop.duration_s, point);
      expect(point.s).toBeLessThanOrEqual(1);
      expect(point.v).toBe(0);
      const check = createJointRateCheck(segment.path, limits);
      expect(worstDilation(check, found.stop, 1e-3)).toBeLessThan(1 + 1e-8);
    }
    expect(waited).toBeLessThan(5);
    expect(ended).toBeLessThan(10);
  });
}

test('never runs backwards', () => {
  const random = createPrng(13);
  const point = createProfilePoint();
  for (let n = 0; n < 40; n++) {
    const segment = randomMove(random);
    const found = stopAt(segment, segment.profile.duration_s * random(), 'pause');
    if (!found) continue;
    for (let i = 0; i <= 100; i++) {
      sampleProfile(found.stop, (found.stop.duration_s * i) / 100, point);
      expect(point.v).toBeGreaterThan(-1e-9);
    }
  }
});

test('the resumed motion runs from the position of the stop to the end, on the same path', () => {
  const random = createPrng(14);
  const point = createProfilePoint();
  for (let n = 0; n < 20; n++) {
    const { path } = randomMove(random);
    const s = 0.999 * random();
    const segment = planResume({ path, s, caps: CAPS });
    expect(segment.path).toBe(path);
    sampleProfile(segment.profile, 0, point);
    expect(point).toMatchObject({ s, v: 0 });
    sampleProfile(segment.profile, segment.profile.duration_s, point);
    expect(point.s).toBe(1);
    expect(segment.profile.duration_s).toBeGreaterThan(0);
  }
});

test('resuming at the end takes no time', () => {
  const { path } = randomMove(createPrng(15));
  expect(planResume({ path, s: 1, caps: CAPS }).profile.duration_s).toBe(0);
});

test('re-timing to the teach cap slows the same path down', () => {
  const segment = randomMove(createPrng(16));
  const slow = retime(segment, { ...CAPS, tool_speed_m_s: 0.25 });
  expect(slow.path).toBe(segment.path);
  expect(slow.waypoints).toEqual([0, 1]);
  expect(slow.minimum_time_s).toBeGreaterThan(segment.minimum_time_s);
});

test('re-timing exceeds a requested time that the cap does not allow, and keeps a longer one', () => {
  const segment = randomMove(createPrng(17));
  const teach = { ...CAPS, tool_speed_m_s: 0.25 };
  const { minimum_time_s } = retime(segment, teach);
  const short = retime(segment, { ...teach, time_s: minimum_time_s / 2 });
  expect(short.profile.duration_s).toBeCloseTo(minimum_time_s, 9);
  const long = retime(segment, { ...teach, time_s: minimum_time_s * 2 });
  expect(long.profile.duration_s).toBeCloseTo(minimum_time_s * 2, 9);
});

test('a stop that would exceed the tool speed cap is rejected', () => {
  const segment = randomMove(createPrng(18));
  const point = createProfilePoint();
  sampleProfile(segment.profile, segment.profile.duration_s / 2, point);
  const request = { path: segment.path, point, kind: 'pause' } as const;
  const offset_m = [0, 0, 0.1];
  expect(planStop({ ...request, tool: { offset_m, speed_m_s: 1e-3 } })).toBeNull();
  expect(planStop({ ...request, tool: { offset_m, speed_m_s: 1.5 } })).not.toBeNull();
});
