import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MODEL_RANGE } from '../arm/arm-range.ts';
import { doubleSDuration } from './double-s.ts';
import { planJointMove } from './joint-move.ts';
import { createPathSample, samplePath } from './joint-path.ts';
import type { MotionLimits } from './limits.ts';
import type { MotionCaps } from './motion-caps.ts';
import { boundaryProblem } from './motion-problem.ts';
import { createProfilePoint, sampleProfile } from './time-profile.ts';

const FREE: MotionCaps = {
  tool_speed_m_s: Number.POSITIVE_INFINITY,
  tool_offset_m: [0, 0, 0],
};
const CAPS: MotionCaps = { tool_speed_m_s: 1.5, tool_offset_m: [0, 0, 0.1] };
const HOME = Float64Array.of(0, 0, 0, 0, 0, 0);
const BENT = Float64Array.of(0.5, -0.8, -1.2, 0.3, -1, 0.7);

interface Row {
  readonly kind: string;
  readonly distance: Float64Array;
  readonly limits: MotionLimits;
  readonly duration_s: number;
}

function readRow(line: string): Row {
  const [kind, ...words] = line.split(' ');
  const numbers = words.map(Number);
  const column = (k: number) => Float64Array.from({ length: 6 }, (_, j) => numbers[4 * j + k]!);
  return {
    kind: kind!,
    distance: column(0),
    limits: {
      velocity_rad_s: column(1),
      acceleration_rad_s2: column(2),
      jerk_rad_s3: column(3),
      tool_acceleration_m_s2: Number.POSITIVE_INFINITY,
    },
    duration_s: numbers[24]!,
  };
}

const file = new URL('../../fixtures/rest-to-rest-durations.txt', import.meta.url);
const rows = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => /^[01] /.test(line))
  .map(readRow);

function durationOf({ distance, limits }: Row): number {
  return planJointMove({ start: HOME, end: distance, caps: FREE, waypoints: [], limits })
    .minimum_time_s;
}

function slowestJoint({ distance, limits }: Row): number {
  return Math.max(
    ...distance.map((d, j) =>
      doubleSDuration(Math.abs(d), {
        v: limits.velocity_rad_s[j]!,
        a: limits.acceleration_rad_s2[j]!,
        j: limits.jerk_rad_s3[j]!,
      }),
    ),
  );
}

test('equals the independent generator when all joints have the same limits', () => {
  const same = rows.filter((row) => row.kind === '0');
  expect(same.length).toBe(200);
  for (const row of same) expect(Math.abs(durationOf(row) - row.duration_s)).toBeLessThan(1e-9);
});

test('with limits per joint the slowest joint equals it, and the line is never faster', () => {
  const own = rows.filter((row) => row.kind === '1');
  expect(own.length).toBe(200);
  for (const row of own) {
    expect(Math.abs(slowestJoint(row) - row.duration_s)).toBeLessThan(1e-9);
    expect(durationOf(row)).toBeGreaterThan(row.duration_s - 1e-9);
    expect(durationOf(row)).toBeLessThan(row.duration_s * 1.2);
  }
});

test('a move of zero length has no duration and rests at its end', () => {
  const end = BENT.map((value) => value + 5e-9);
  const segment = planJointMove({ start: BENT, end, caps: CAPS, waypoints: [3] });
  expect(segment.profile.duration_s).toBe(0);
  expect(segment.problem).toBeNull();
  const point = createProfilePoint();
  sampleProfile(segment.profile, 0, point);
  expect(point).toEqual({ s: 1, v: 0, a: 0, j: 0 });
});

test('ends exactly in the waypoint', () => {
  const segment = planJointMove({ start: HOME, end: BENT, caps: CAPS, waypoints: [0, 1] });
  const point = createProfilePoint();
  const sample = createPathSample();
  sampleProfile(segment.profile, segment.profile.duration_s, point);
  samplePath(segment.path, point.s, sample);
  expect(sample.q).toEqual(BENT);
  expect(segment.waypoints).toEqual([0, 1]);
});

test('a requested time above the minimum is met', () => {
  const caps = { ...CAPS, time_s: 7.5 };
  const segment = planJointMove({ start: HOME, end: BENT, caps, waypoints: [] });
  expect(segment.profile.duration_s).toBeCloseTo(7.5, 12);
  expect(segment.problem).toBeNull();
  expect(segment.minimum_time_s).toBeLessThan(7.5);
});

test('a requested time below the minimum is a problem that names the minimum', () => {
  const caps = { ...CAPS, time_s: 0.1 };
  const segment = planJointMove({ start: HOME, end: BENT, caps, waypoints: [] });
  expect(segment.problem?.code).toBe('time_too_short');
  expect(segment.problem?.message).toContain(segment.minimum_time_s.toFixed(4));
  expect(segment.profile.duration_s).toBeCloseTo(0.1, 12);
});

test('exactly the minimum is not too short', () => {
  const { minimum_time_s } = planJointMove({ start: HOME, end: BENT, caps: CAPS, waypoints: [] });
  const caps = { ...CAPS, time_s: minimum_time_s };
  const segment = planJointMove({ start: HOME, end: BENT, caps, waypoints: [] });
  expect(segment.problem).toBeNull();
});

test('a slower tool cap makes the move longer', () => {
  const request = { start: HOME, end: BENT, waypoints: [] };
  const fast = planJointMove({ ...request, caps: CAPS });
  const slow = planJointMove({ ...request, caps: { ...CAPS, tool_speed_m_s: 0.25 } });
  expect(slow.minimum_time_s).toBeGreaterThan(1.5 * fast.minimum_time_s);
});

test('an end outside the joint limits is reported, a start outside is not', () => {
  const outside = Float64Array.of(0, 1.3, 0, 0, 0, 0);
  const there = planJointMove({ start: HOME, end: outside, caps: CAPS, waypoints: [] });
  expect(there.problem).toMatchObject({ code: 'j1_boundary_limit', s: 1 });
  const back = planJointMove({ start: outside, end: HOME, caps: CAPS, waypoints: [] });
  expect(back.problem).toBeNull();
});

test.each([
  [3.2, '3.2000 rad; its limits are -3.1241 to 3.1241 rad'],
  [MODEL_RANGE.max_rad[0]! + 1e-6, '3.124140 rad; its limits are -3.124139 to 3.124139 rad'],
  [
    MODEL_RANGE.max_rad[0]! + 2e-9,
    '3.124139363 rad; its limits are -3.124139361 to 3.124139361 rad',
  ],
])('says where a joint at %d would be, apart from its limits', (angle, text) => {
  const problem = boundaryProblem(Float64Array.of(angle, 0, 0, 0, 0, 0), MODEL_RANGE);
  expect(problem?.message).toContain(`J1 would be at ${text}`);
});

test.each([
  [45, ' Angles are in radians: 45° are 0.7854.'],
  [-90.5, ' Angles are in radians: -90.5° are -1.5795.'],
  [6.2, ''],
])('takes %d for an angle in degrees where it is more than a turn', (angle, hint) => {
  const problem = boundaryProblem(Float64Array.of(angle, 0, 0, 0, 0, 0), MODEL_RANGE);
  expect(problem?.message.split('Move the waypoint.')[1]).toBe(hint);
});

test('tolerates a rounding error beyond a limit', () => {
  expect(
    boundaryProblem(
      Float64Array.from(MODEL_RANGE.max_rad, (most) => most + 1e-9),
      MODEL_RANGE,
    ),
  ).toBeNull();
});
