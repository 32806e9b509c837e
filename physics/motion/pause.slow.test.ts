/** A thousand pauses at random moments of random motions: none stuck, none off the path (D29). */
import { expect, test } from 'vitest';
import { toolPoseAt } from '../kinematics/tool.ts';
import { createPrng } from '../math/prng.ts';
import { planJointMove } from './joint-move.ts';
import { createPathSample, samplePath } from './joint-path.ts';
import { planLinearMove } from './linear-move.ts';
import { type MotionCaps, toolOf } from './motion-caps.ts';
import { differenceSegment, randomLinearMove, randomPose } from './poses.cases.ts';
import { planResume } from './resume.ts';
import type { Segment } from './segment.ts';
import { planStop } from './stop.ts';
import { createProfilePoint, sampleProfile, type TimeProfile } from './time-profile.ts';

const CAPS: MotionCaps = { tool_speed_m_s: 0.75, tool_offset_m: [0, 0, 0.1] };
const TOOL = toolOf(CAPS);
const TICK_S = 0.004;
const MOVES = 500;

function randomSegment(random: () => number): Segment {
  if (random() < 0.5) {
    const [start, end] = [randomPose(random), randomPose(random)];
    return planJointMove({ start, end, caps: CAPS, waypoints: [] });
  }
  const plan = planLinearMove({ ...randomLinearMove(random, TOOL), caps: CAPS, waypoints: [] });
  if (plan.kind !== 'planned') throw new Error(plan.problem.message);
  return plan.segment;
}

/** The stop found from `t_s` on and the number of ticks until then; null when the motion ended. */
function pauseFrom(path: Segment['path'], profile: TimeProfile, t_s: number) {
  const point = createProfilePoint();
  for (let attempt = 0; t_s + attempt * TICK_S < profile.duration_s; attempt++) {
    const elapsed_s = t_s + attempt * TICK_S;
    sampleProfile(profile, elapsed_s, point);
    const motion = { profile, elapsed_s };
    const stop = planStop({ path, point: { ...point }, kind: 'pause', attempt, motion });
    if (stop) return { stop, attempt };
  }
  return null;
}

/** Distance of the tool from the line between the ends of a linear path (m). */
function lateral(path: Segment['path'], s: number): number {
  const sample = createPathSample();
  const place = (at: number) => {
    samplePath(path, at, sample);
    return toolPoseAt(sample.q, TOOL).subarray(9, 12);
  };
  const [from, to, here] = [place(0), place(1), place(s)];
  return Math.hypot(...[0, 1, 2].map((k) => here[k]! - from[k]! - s * (to[k]! - from[k]!)));
}

test('pauses, resumes and reaches the end, within limits, on the path', () => {
  const random = createPrng(71);
  const point = createProfilePoint();
  const count = { pauses: 0, ended: 0, waited: 0, longest: 0, lateral_m: 0, stop_s: 0 };
  for (let n = 0; n < MOVES; n++) {
    const { path, profile } = randomSegment(random);
    let playing = profile;
    for (let k = 0; k < 3; k++) {
      const found = pauseFrom(path, playing, playing.duration_s * random());
      if (!found) {
        count.ended++;
        break;
      }
      count.pauses++;
      count.waited += found.attempt > 0 ? 1 : 0;
      count.longest = Math.max(count.longest, found.attempt);
      count.stop_s = Math.max(count.stop_s, found.stop.duration_s);
      sampleProfile(found.stop, found.stop.duration_s, point);
      expect(point.s).toBeLessThanOrEqual(1);
      if (path.kind === 'table')
        count.lateral_m = Math.max(count.lateral_m, lateral(path, point.s));
      playing = planResume({ path, s: point.s, caps: CAPS }).profile;
      if (n % 10 === 0 && playing.duration_s > 0) {
        const worst = differenceSegment({ path, profile: playing }, 0.001, CAPS);
        expect(Math.max(...Object.values(worst))).toBeLessThan(1 + 2e-5);
      }
    }
    sampleProfile(playing, playing.duration_s, point);
    expect(point.s).toBeGreaterThan(0);
  }
  process.stdout.write(`${JSON.stringify(count)}\n`);
  expect(count.pauses).toBeGreaterThan(1000);
  expect(count.lateral_m).toBeLessThan(1e-6);
  expect(count.waited).toBeLessThan(0.01 * count.pauses);
  // One tick is 4 ms.
  expect(count.longest).toBeLessThanOrEqual(1);
});

test('15,000 pauses, most of them late in a motion, find their stop within a tick', () => {
  const random = createPrng(72);
  const count = { pauses: 0, waited: 0, longest: 0 };
  for (let n = 0; n < MOVES; n++) {
    const { path, profile } = randomSegment(random);
    for (let k = 0; k < 30; k++) {
      const share = k < 10 ? profile.duration_s : Math.min(0.35, profile.duration_s);
      const found = pauseFrom(path, profile, profile.duration_s - share * (1 - random()));
      count.pauses++;
      const attempt = found?.attempt ?? 0;
      if (attempt > 0) count.waited++;
      count.longest = Math.max(count.longest, attempt);
    }
  }
  process.stdout.write(`${JSON.stringify(count)}\n`);
  expect(count.pauses).toBe(15_000);
  expect(count.longest).toBeLessThanOrEqual(1);
});
