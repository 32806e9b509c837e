/** Sampling does not allocate: it runs at every tick and for every setpoint of a reply. */
import { expect, it } from 'vitest';
import { bytesPerCall } from '../kinematics/joint-samples.cases.ts';
import { createPrng } from '../math/prng.ts';
import { planJointMove } from './joint-move.ts';
import { createPathSample, samplePath } from './joint-path.ts';
import { planLinearMove } from './linear-move.ts';
import { type MotionCaps, toolOf } from './motion-caps.ts';
import { randomLinearMove, randomPose } from './poses.cases.ts';
import type { Segment } from './segment.ts';
import { checkSetpoint, createSetpointCheck } from './setpoint-check.ts';
import { createProfilePoint, sampleProfile } from './time-profile.ts';

const CAPS: MotionCaps = { tool_speed_m_s: 0.75, tool_offset_m: [0, 0, 0.1] };
const random = createPrng(31);
const [start, end] = [randomPose(random), randomPose(random)];
const joint = planJointMove({ start, end, caps: CAPS, waypoints: [] });

function linear(): Segment {
  const move = randomLinearMove(random, toolOf(CAPS));
  const plan = planLinearMove({ ...move, caps: CAPS, waypoints: [] });
  if (plan.kind !== 'planned') throw new Error(plan.problem.message);
  return plan.segment;
}

it.each([
  ['a joint line', joint],
  ['a line of the tool', linear()],
])('sampling %s', (_, { path, profile }) => {
  const point = createProfilePoint();
  const sample = createPathSample();
  const times = Float64Array.from({ length: 64 }, (__, i) => (profile.duration_s * i) / 63);
  const bytes = bytesPerCall((i) => {
    sampleProfile(profile, times[i & 63]!, point);
    samplePath(path, point.s, sample);
  }, 4000);
  expect(bytes).toBeLessThan(1);
});

it('checking a setpoint', () => {
  const check = createSetpointCheck({ ...CAPS, payload_kg: 1 });
  const rates = new Float64Array(6).fill(0.1);
  const bytes = bytesPerCall(() => checkSetpoint(check, start, rates, rates), 4000);
  expect(bytes).toBeLessThan(4);
});
