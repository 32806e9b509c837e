import { expect, test } from 'vitest';
import { MODEL_RANGE } from '../arm/arm-range.ts';
import { createLineBy } from '../kinematics/cartesian-line.ts';
import { toolPoseAt } from '../kinematics/tool.ts';
import { createTracker, startTracking, trackTo } from '../kinematics/tracking.ts';
import { createPrng } from '../math/prng.ts';
import { rotationBetween } from '../math/rotation-vector.ts';
import { largestDifference } from '../math/vector.ts';
import { createPathSample, type JointPath, samplePath } from './joint-path.ts';
import { planLinearMove } from './linear-move.ts';
import { type MotionCaps, toolOf } from './motion-caps.ts';
import { randomLinearMove } from './poses.cases.ts';
import type { Segment } from './segment.ts';
import { createProfilePoint, sampleProfile } from './time-profile.ts';

const CAPS: MotionCaps = { tool_speed_m_s: 0.6, tool_offset_m: [0, 0.02, 0.1] };
const TOOL = toolOf(CAPS);
const BENT = Float64Array.of(0.3, -0.6, -1.3, 0.2, -1.1, 0.4);

function segmentFor(move: { start: Float64Array; end: Float64Array }, caps = CAPS): Segment {
  const plan = planLinearMove({ ...move, caps, waypoints: [0, 1] });
  if (plan.kind !== 'planned') throw new Error(plan.problem.message);
  return plan.segment;
}

function jointsAt(path: JointPath, s: number): Float64Array {
  const sample = createPathSample();
  samplePath(path, s, sample);
  return sample.q;
}

test('the tool stays within a nanometre of the line and turns along the geodesic', () => {
  const random = createPrng(21);
  for (let n = 0; n < 8; n++) {
    const move = randomLinearMove(random, TOOL);
    const { path } = segmentFor(move);
    const from = toolPoseAt(move.start, TOOL);
    const to = toolPoseAt(move.end, TOOL);
    const whole = new Float64Array(3);
    const part = new Float64Array(3);
    rotationBetween(from, to, whole);
    for (let i = 0; i <= 97; i++) {
      const s = i / 97;
      const pose = toolPoseAt(jointsAt(path, s), TOOL);
      rotationBetween(from, pose, part);
      for (let k = 0; k < 3; k++) {
        const place = from[9 + k]! + s * (to[9 + k]! - from[9 + k]!);
        expect(Math.abs(pose[9 + k]! - place)).toBeLessThan(1e-8);
        expect(Math.abs(part[k]! - s * whole[k]!)).toBeLessThan(3e-8);
      }
    }
  }
});

test('derivatives of the table agree with differences, third ones on each side of a node', () => {
  const { path } = segmentFor(randomLinearMove(createPrng(22), TOOL));
  if (path.kind !== 'table') throw new Error('not a table');
  const step = 1e-5;
  const sample = createPathSample();
  for (let i = 1; i < path.s.length - 1; i += 7) {
    const s = path.s[i]!;
    const before = Float64Array.from(jointsAt(path, s - step));
    const after = jointsAt(path, s + step);
    for (let j = 0; j < 6; j++) {
      const at = 6 * i + j;
      const slope = (after[j]! - before[j]!) / (2 * step);
      expect(Math.abs(slope - path.q1[at]!)).toBeLessThan(1e-5 * (1 + Math.abs(slope)));
      samplePath(path, s, sample);
      expect(Math.abs(sample.q3[j]! - path.q3_right[at]!)).toBeLessThan(
        1e-6 * (1 + Math.abs(sample.q3[j]!)),
      );
      samplePath(path, s - 1e-12, sample);
      expect(Math.abs(sample.q3[j]! - path.q3_left[at]!)).toBeLessThan(
        1e-4 * (1 + Math.abs(sample.q3[j]!)),
      );
    }
  }
});

test('starts and ends exactly in the joints of the waypoints', () => {
  const move = randomLinearMove(createPrng(23), TOOL);
  const { path, profile } = segmentFor(move);
  const point = createProfilePoint();
  sampleProfile(profile, profile.duration_s, point);
  expect(jointsAt(path, point.s)).toEqual(move.end);
  expect(jointsAt(path, 0)).toEqual(move.start);
});

test('a waypoint on another branch cannot end a line', () => {
  const move = randomLinearMove(createPrng(24), TOOL);
  const end = Float64Array.from(move.end);
  end[5] = end[5]! > 0 ? end[5]! - 2 * Math.PI : end[5]! + 2 * Math.PI;
  const plan = planLinearMove({ start: move.start, end, caps: CAPS, waypoints: [] });
  expect(plan).toMatchObject({
    kind: 'impossible',
    problem: { code: 'linear_path_calculation_error', s: 1 },
  });
});

test('a joint that reaches its limit on the path is reported with the position', () => {
  // Both ends are within limits; turning the tool past half a turn of joint 6 is not.
  const random = createPrng(25);
  let named = 0;
  for (let n = 0; n < 200 && named < 3; n++) {
    const start = randomLinearMove(random, TOOL).start;
    const end = randomLinearMove(random, TOOL).start;
    const plan = planLinearMove({ start, end, caps: CAPS, waypoints: [] });
    if (plan.kind === 'planned' || !plan.problem.code.endsWith('boundary_limit')) continue;
    named++;
    expect(plan.problem.s).toBeGreaterThan(0);
    expect(plan.problem.s).toBeLessThan(1);
  }
  expect(named).toBe(3);
});

test('pure rotation: the tool point stays where it is', () => {
  const tracker = createTracker(
    createLineBy(toolPoseAt(BENT, TOOL), [0, 0, 0], [0.2, -0.3, 0.4]),
    TOOL,
    MODEL_RANGE,
  );
  startTracking(tracker, BENT, 0);
  expect(trackTo(tracker, 1)).toBe('arrived');
  const { path, minimum_time_s } = segmentFor({ start: BENT, end: Float64Array.from(tracker.q) });
  const from = toolPoseAt(BENT, TOOL);
  expect(minimum_time_s).toBeGreaterThan(0.2);
  for (let i = 0; i <= 20; i++) {
    const pose = toolPoseAt(jointsAt(path, i / 20), TOOL);
    expect(largestDifference(pose.subarray(9), from.subarray(9))).toBeLessThan(1e-8);
  }
});

for (const size of [1e-3, 1e-5, 1e-7]) {
  test(`a line of ${size} m takes four ramps at the jerk limit`, () => {
    const from = toolPoseAt(BENT, TOOL);
    const plan = planLinearMove({ start: BENT, end: nearby(size), caps: CAPS, waypoints: [] });
    if (plan.kind !== 'planned') throw new Error(plan.problem.message);
    const to = toolPoseAt(nearby(size), TOOL);
    expect(Math.hypot(to[9]! - from[9]!, to[10]! - from[10]!)).toBeLessThan(2 * size);
    const travel = largestDifference(nearby(size), BENT);
    const shortest = Math.cbrt((32 * travel) / (100 * 0.9999));
    expect(plan.segment.minimum_time_s / shortest).toBeGreaterThan(1 - 1e-2);
    expect(plan.segment.minimum_time_s / shortest).toBeLessThan(1.05);
  });
}

/** Joints that move all by `size` from BENT. */
function nearby(size: number): Float64Array {
  return BENT.map((q, j) => q + size * (1 - 0.3 * j));
}

test('no travel, no segment duration', () => {
  const { profile, minimum_time_s } = segmentFor({ start: BENT, end: nearby(1e-9) });
  expect(profile.duration_s).toBe(0);
  expect(minimum_time_s).toBe(0);
});

test('lines leave the exactly singular upright pose where the arm can follow', () => {
  for (const travel of [
    [0.05, 0, 0],
    [0, 0, -0.05],
    [0.03, 0, -0.05],
  ]) {
    const upright = new Float64Array(6);
    const line = createLineBy(toolPoseAt(upright, TOOL), travel, [0, 0, 0]);
    const tracker = createTracker(line, TOOL, MODEL_RANGE);
    startTracking(tracker, upright, 0);
    expect(trackTo(tracker, 1)).toBe('arrived');
    const segment = segmentFor({ start: upright, end: Float64Array.from(tracker.q) });
    expect(segment.problem).toBeNull();
    const place = toolPoseAt(jointsAt(segment.path, 0.013), TOOL);
    const from = toolPoseAt(upright, TOOL);
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(place[9 + k]! - from[9 + k]! - 0.013 * travel[k]!)).toBeLessThan(1e-7);
    }
  }
});

test('a line that would rotate joints in place at its start is rejected', () => {
  const upright = new Float64Array(6);
  const line = createLineBy(toolPoseAt(upright, TOOL), [0, 0.025, 0], [0, 0, 0]);
  const tracker = createTracker(line, TOOL, MODEL_RANGE);
  startTracking(tracker, upright, 0);
  trackTo(tracker, 1);
  const end = Float64Array.from(tracker.q);
  const plan = planLinearMove({ start: upright, end, caps: CAPS, waypoints: [] });
  expect(plan.kind).toBe('impossible');
  expect(plan.kind === 'impossible' && plan.problem.code).toMatch(/singularity/);
});
