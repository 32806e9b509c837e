import { describe, expect, it } from 'vitest';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';
import { MODEL_RANGE } from '../arm/arm-range.ts';
import { createPrng } from '../math/prng.ts';
import { largestDifference } from '../math/vector.ts';
import { createLine, createLineBy } from './cartesian-line.ts';
import { jointDistance, poseAt, randomJoints } from './joint-samples.cases.ts';
import { createTool, FLANGE_TOOL } from './tool.ts';
import { createTracker, startTracking, trackTo } from './tracking.ts';

function randomLine(random: () => number) {
  const start = randomJoints(random);
  const turning = random() < 0.5;
  const direction = () => Array.from({ length: 3 }, () => random() - 0.5);
  const sized = (v: number[], size: number) => v.map((x) => (x * size) / Math.hypot(...v));
  const travel = sized(direction(), 0.05 + 0.25 * random());
  const turn = sized(direction(), turning ? 0.6 * random() : 0);
  return { start, curve: createLineBy(poseAt(start), travel, turn) };
}

describe('tracking', () => {
  it('follows random lines, ends at a limit or a singular end, never jumps', () => {
    const random = createPrng(11);
    const counts = { arrived: 0, limit: 0, branch_end: 0, not_on_curve: 0 };
    for (let n = 0; n < 150; n++) {
      const { start, curve } = randomLine(random);
      const tracker = createTracker(curve, FLANGE_TOOL, MODEL_RANGE);
      expect(startTracking(tracker, start, 0)).toBe('arrived');
      const before = new Float64Array(6);
      const goal = new Float64Array(12);
      const twist = new Float64Array(6);
      let outcome = 'arrived';
      for (let i = 1; i <= 60 && outcome === 'arrived'; i++) {
        before.set(tracker.q);
        outcome = trackTo(tracker, i / 60);
        curve.evaluate(Float64Array.of(tracker.s), goal, twist);
        expect(largestDifference(poseAt(tracker.q), goal)).toBeLessThan(2e-11);
        expect(jointDistance(tracker.q, 0, before)).toBeLessThan(1.2);
        expect(tracker.q.every((x, j) => x >= JOINT_MIN_RAD[j]! - 1e-8)).toBe(true);
        expect(tracker.q.every((x, j) => x <= JOINT_MAX_RAD[j]! + 1e-8)).toBe(true);
      }
      counts[outcome as keyof typeof counts]++;
      if (outcome === 'branch_end') expect(Math.abs(tracker.determinant)).toBeLessThan(0.05);
    }
    expect(counts.arrived).toBeGreaterThan(35);
    expect(counts.limit).toBeGreaterThan(30);
    expect(counts.branch_end).toBeGreaterThan(20);
    expect(counts.not_on_curve).toBe(0);
  });

  it('does not depend on the number of stops', () => {
    const random = createPrng(12);
    for (let n = 0; n < 60; n++) {
      const { start, curve } = randomLine(random);
      const coarse = createTracker(curve, FLANGE_TOOL, MODEL_RANGE);
      startTracking(coarse, start, 0);
      if (trackTo(coarse, 1) !== 'arrived') continue;
      const fine = createTracker(curve, FLANGE_TOOL, MODEL_RANGE);
      startTracking(fine, start, 0);
      for (let i = 1; i <= 500; i++) expect(trackTo(fine, i / 500)).toBe('arrived');
      expect(jointDistance(fine.q, 0, coarse.q)).toBeLessThan(1e-6);
    }
  });

  it('gives the exact tangent', () => {
    const random = createPrng(13);
    const { start, curve } = randomLine(random);
    const tracker = createTracker(curve, FLANGE_TOOL, MODEL_RANGE);
    startTracking(tracker, start, 0);
    trackTo(tracker, 0.1);
    const before = Float64Array.from(tracker.q);
    trackTo(tracker, 0.1001);
    const tangent = Float64Array.from(tracker.tangent);
    trackTo(tracker, 0.1002);
    for (let j = 0; j < 6; j++) {
      expect((tracker.q[j]! - before[j]!) / 0.0002).toBeCloseTo(tangent[j]!, 4);
    }
  });

  it('stops within 1e-6 of a joint limit and names the joint', () => {
    const start = Float64Array.of(0, -0.5, -1.2, 0, -1.2, 3.0);
    const curve = createLineBy(
      poseAt(start),
      [0, 0, 0],
      [0, 0, 0.5].map((v) => v),
    );
    const flipped = createLineBy(poseAt(start), [0, 0, 0], [0, 0, -0.5]);
    const outcomes = [curve, flipped].map((line) => {
      const tracker = createTracker(line, FLANGE_TOOL, MODEL_RANGE);
      startTracking(tracker, start, 0);
      return { outcome: trackTo(tracker, 1), tracker };
    });
    const stopped = outcomes.find(({ outcome }) => outcome === 'limit')!;
    expect(stopped.tracker.joint).toBe(5);
    expect(Math.abs(stopped.tracker.q[5]! - JOINT_MAX_RAD[5]!)).toBeLessThan(2e-6);
  });

  it('rejects joints that are not on the curve', () => {
    const start = Float64Array.of(0, -0.5, -1.2, 0, -1.2, 0);
    const tracker = createTracker(
      createLine(poseAt(start), poseAt(start)),
      FLANGE_TOOL,
      MODEL_RANGE,
    );
    expect(startTracking(tracker, start.with(0, 0.001), 0)).toBe('not_on_curve');
  });

  it('leaves the upright singular pose', () => {
    const tool = createTool({ offsets: { x: 0, y: 0, z: 0.1 } });
    const zeros = new Float64Array(6);
    for (const travel of [
      [0, 0.025, 0],
      [0, -0.025, 0],
      [0.02, 0, 0],
      [-0.01, 0, 0],
      [0.02, 0, -0.02],
      [0, 0, -0.02],
    ]) {
      const tracker = createTracker(
        createLineBy(poseAt(zeros, tool), travel, [0, 0, 0]),
        tool,
        MODEL_RANGE,
      );
      startTracking(tracker, zeros, 0);
      expect(trackTo(tracker, 1)).toBe('arrived');
    }
  });

  it('detects a joint that leaves its range between two steps and returns', () => {
    let grazed = 0;
    const random = createPrng(15);
    for (let n = 0; n < 400; n++) {
      const q = randomJoints(random);
      q[2] = JOINT_MAX_RAD[2]! - 0.02 * random();
      const travel = [random() - 0.5, random() - 0.5, random() - 0.5].map((x) => 0.3 * x);
      const line = createLineBy(poseAt(q), travel, [0, 0, 0]);
      const coarse = createTracker(line, FLANGE_TOOL, MODEL_RANGE);
      const fine = createTracker(line, FLANGE_TOOL, MODEL_RANGE);
      startTracking(coarse, q, 0);
      startTracking(fine, q, 0);
      const outcome = trackTo(coarse, 1);
      let reference = outcome;
      for (let i = 1; i <= 400; i++) {
        reference = trackTo(fine, i / 400);
        if (reference !== 'arrived') break;
      }
      expect(outcome, `seed 15, line ${n}`).toBe(reference);
      if (outcome === 'limit' && coarse.tangent[2]! * (1 - coarse.s) < 0.05) grazed++;
    }
    expect(grazed).toBeGreaterThan(0);
  });
});
