/** No emitted setpoint of any kind of move is beyond the limits of the arm (spec §2.4). */
import { expect, test } from 'vitest';
import { planJointMove } from './joint-move.ts';
import { planLinearMove, toolOf } from './linear-move.ts';
import {
  differenceSegment,
  lineEnd,
  randomLinearMove,
  randomPose,
  randomSource,
  type WorstRatios,
} from './poses.cases.ts';
import { planResume } from './resume.ts';
import type { MotionCaps, Segment } from './segment.ts';
import { planSplineMove } from './spline-move.ts';

const CAPS: MotionCaps = { tool_speed_m_s: 0.6, tool_offset_m: [0.01, 0, 0.12] };
const TOOL = toolOf(CAPS);
const FAST: MotionCaps = { ...CAPS, tool_speed_m_s: 1.5 };
/** Third differences of doubles carry this much rounding at 1 kHz (of 100 rad/s³). */
const ROUNDING = 2e-5;

function expectWithin(worst: WorstRatios, seed: string): void {
  expect(worst.velocity, seed).toBeLessThan(1);
  expect(worst.acceleration, seed).toBeLessThan(1);
  expect(worst.jerk, seed).toBeLessThan(1 + ROUNDING);
  expect(worst.tool_speed, seed).toBeLessThan(1);
  expect(worst.tool_acceleration, seed).toBeLessThan(1);
}

function expectBothRates(segment: Segment, caps: MotionCaps, seed: string): WorstRatios {
  expectWithin(differenceSegment(segment, 0.01, caps), seed);
  const worst = differenceSegment(segment, 0.001, caps);
  expectWithin(worst, seed);
  return worst;
}

function closest(worst: WorstRatios): number {
  return Math.max(...Object.values(worst));
}

for (const caps of [CAPS, FAST]) {
  test(`joint moves at ${caps.tool_speed_m_s} m/s keep every limit and use one`, () => {
    const random = randomSource(101);
    for (let n = 0; n < 25; n++) {
      const start = randomPose(random);
      const end = randomPose(random);
      const segment = planJointMove({ start, end, caps, waypoints: [] });
      expect(closest(expectBothRates(segment, caps, `move ${n}`))).toBeGreaterThan(0.99);
    }
  });

  test(`linear moves at ${caps.tool_speed_m_s} m/s keep every limit and use one`, () => {
    const random = randomSource(102);
    for (let n = 0; n < 25; n++) {
      const move = randomLinearMove(random, TOOL);
      const plan = planLinearMove({ ...move, caps, waypoints: [] });
      if (plan.kind !== 'planned') throw new Error(plan.problem.message);
      expect(closest(expectBothRates(plan.segment, caps, `move ${n}`))).toBeGreaterThan(0.95);
    }
  });
}

test('spline moves keep every limit', () => {
  const random = randomSource(103);
  let planned = 0;
  for (let n = 0; n < 60 && planned < 15; n++) {
    const { start, end: first } = randomLinearMove(random, TOOL);
    const second = lineEnd(random, first, TOOL);
    const end = second && lineEnd(random, second, TOOL);
    if (!second || !end) continue;
    const plan = planSplineMove({
      start,
      through: [first, second],
      end,
      caps: CAPS,
      waypoints: [],
    });
    if (plan.kind !== 'planned') continue;
    planned++;
    expectBothRates(plan.segment, CAPS, `spline ${n}`);
  }
  expect(planned).toBeGreaterThan(9);
});

test('resumed linear moves keep every limit', () => {
  const random = randomSource(104);
  for (let n = 0; n < 12; n++) {
    const plan = planLinearMove({ ...randomLinearMove(random, TOOL), caps: CAPS, waypoints: [] });
    if (plan.kind !== 'planned') throw new Error(plan.problem.message);
    const segment = planResume({ path: plan.segment.path, s: random(), caps: CAPS });
    expectBothRates(segment, CAPS, `move ${n}`);
  }
});
