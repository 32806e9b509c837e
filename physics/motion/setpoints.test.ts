import { expect, test } from 'vitest';
import { DRIVE, JOINT_ENERGY_MAX_J, PAYLOAD_MAX_KG, VELOCITY_MAX_RAD_S } from '../arm/arm-model.ts';
import { ForwardDynamics } from '../dynamics/forward-dynamics.ts';
import { frictionTorque } from '../dynamics/friction.ts';
import { createPrng } from '../math/prng.ts';
import { planJointMove } from './joint-move.ts';
import { createPathSample, samplePath } from './joint-path.ts';
import { planLinearMove } from './linear-move.ts';
import { type MotionCaps, toolOf } from './motion-caps.ts';
import { randomLinearMove, randomPose } from './poses.cases.ts';
import type { Segment } from './segment.ts';
import { checkSetpoint, createSetpointCheck } from './setpoint-check.ts';
import { countSetpoints, emitSetpoints } from './setpoints.ts';
import { createProfilePoint, sampleProfile } from './time-profile.ts';

const CAPS: MotionCaps = { tool_speed_m_s: 0.75, tool_offset_m: [0, 0, 0.1] };
const CONDITIONS = { ...CAPS, payload_kg: 1.25 };
const START = Float64Array.of(0.5, -0.8, -1.2, 0.3, -1, 0.7);
const END = Float64Array.of(-0.5, -0.2, -1.8, 0.9, -1.6, 0.1);

function move(caps: MotionCaps = CAPS): Segment {
  return planJointMove({ start: START, end: END, caps, waypoints: [0, 1] });
}

test('the first and last setpoint are the waypoints, with one every period between', () => {
  const segment = move({ ...CAPS, time_s: 2.005 });
  const { count, joints } = emitSetpoints(segment, 0.01, CONDITIONS);
  expect(count).toBe(202);
  expect(joints.slice(0, 6)).toEqual(START);
  expect(joints.slice(-6)).toEqual(END);
  expect(joints.length).toBe(6 * 202);
});

test('a duration of whole periods has no duplicate last setpoint', () => {
  expect(countSetpoints(2, 0.01)).toBe(201);
  expect(countSetpoints(0.03, 0.01)).toBe(4);
  expect(countSetpoints(0, 0.01)).toBe(1);
});

test('no motion is one setpoint', () => {
  const segment = planJointMove({ start: START, end: START, caps: CAPS, waypoints: [] });
  const { count, joints } = emitSetpoints(segment, 0.01, CONDITIONS);
  expect(count).toBe(1);
  expect(joints).toEqual(START);
});

test('a valid segment has no errors', () => {
  expect(emitSetpoints(move(), 0.01, CONDITIONS).errors.size).toBe(0);
});

test('half the minimum time: too short first, then the exceeded limits', () => {
  const { minimum_time_s } = move();
  const segment = move({ ...CAPS, time_s: minimum_time_s / 2 });
  const { errors, count } = emitSetpoints(segment, 0.01, CONDITIONS);
  expect(errors.get(0)).toBe('time_too_short');
  expect([...errors.values()].filter((code) => code === 'time_too_short').length).toBe(1);
  expect(errors.size).toBeGreaterThan(2);
  expect(errors.size).toBeLessThan(count);
});

test('just below the minimum time only the first setpoint is marked', () => {
  const { minimum_time_s } = move();
  const segment = move({ ...CAPS, time_s: minimum_time_s * (1 - 1e-6) });
  expect([...emitSetpoints(segment, 0.01, CONDITIONS).errors]).toEqual([[0, 'time_too_short']]);
});

test('another problem marks the first setpoint at its position', () => {
  const problem = { code: 'self_collision', s: 0.5, message: '' } as const;
  const { errors, count } = emitSetpoints({ ...move(), problem }, 0.01, CONDITIONS);
  const [place] = [...errors.keys()];
  expect(errors.size).toBe(1);
  expect(place).toBeGreaterThan(count / 3);
  expect(place).toBeLessThan((2 * count) / 3);
  const last = emitSetpoints({ ...move(), problem: { ...problem, s: 1 } }, 0.01, CONDITIONS);
  expect([...last.errors.keys()]).toEqual([last.count - 1]);
});

const FAST_CAPS: MotionCaps = { ...CAPS, tool_speed_m_s: 1.5, payload_kg: PAYLOAD_MAX_KG };
const FAST_CONDITIONS = { ...FAST_CAPS, payload_kg: PAYLOAD_MAX_KG };

/** Motions of full payload at full speed. */
function* ladenMotions(count: number): Iterable<Segment> {
  const random = createPrng(41);
  for (let n = 0; n < count; n++) {
    const [start, end] = [randomPose(random), randomPose(random)];
    yield planJointMove({ start, end, caps: FAST_CAPS, waypoints: [] });
    const line = randomLinearMove(random, toolOf(FAST_CAPS));
    const plan = planLinearMove({ ...line, caps: FAST_CAPS, waypoints: [] });
    if (plan.kind !== 'planned') throw new Error(plan.problem.message);
    yield plan.segment;
  }
}

test('planned motions of full payload pass the check at every setpoint', () => {
  const problem = { code: 'time_too_short', s: 0, message: '' } as const;
  for (const segment of ladenMotions(24)) {
    // Marked as too short, so that every setpoint is checked.
    const { errors } = emitSetpoints({ ...segment, problem }, 0.01, FAST_CONDITIONS);
    expect([...errors]).toEqual([[0, 'time_too_short']]);
  }
});

test('no planned motion of full payload needs more than three quarters of a drive torque', () => {
  const dynamics = new ForwardDynamics(PAYLOAD_MAX_KG);
  const [point, sample] = [createProfilePoint(), createPathSample()];
  const torque = new Float64Array(6);
  let most = 0;
  for (const { path, profile } of ladenMotions(24)) {
    for (let t = 0; t < profile.duration_s; t += 0.01) {
      sampleProfile(profile, t, point);
      samplePath(path, point.s, sample);
      const rates = sample.q1.map((rate) => rate * point.v);
      dynamics.update(sample.q, rates);
      const bend = point.v * point.v;
      const change = sample.q1.map((rate, j) => rate * point.a + sample.q2[j]! * bend);
      dynamics.torque(change, torque);
      for (let j = 0; j < 6; j++) {
        const drive = Math.abs(torque[j]! + frictionTorque(j, rates[j]!));
        most = Math.max(most, drive / DRIVE.torque_max_n_m[j]!);
      }
    }
  }
  expect(most).toBeGreaterThan(0.4);
  expect(most).toBeLessThan(0.75);
});

const check = createSetpointCheck({ ...CONDITIONS, payload_kg: 0 });
const still = new Float64Array(6);
const only = (j: number, value: number) =>
  Float64Array.from({ length: 6 }, (_, k) => (k === j ? value : 0));

test('each joint rate beyond its limit has its own code', () => {
  for (let j = 0; j < 6; j++) {
    expect(checkSetpoint(check, START, only(j, 2.1), still)).toBe(`j${j}_angular_velocity_limit`);
    expect(checkSetpoint(check, START, still, only(j, -10.1))).toBe(
      `j${j}_angular_acceleration_limit`,
    );
  }
});

test('tool speed and tool acceleration have their codes', () => {
  const stretched = Float64Array.of(0, -1.2, -0.4, 0, -0.3, 0);
  expect(checkSetpoint(check, stretched, only(0, 2), still)).toBe('ee_over_speed');
  const both = Float64Array.of(0, 9.9, 9.9, 0, 9.9, 0);
  expect(checkSetpoint(check, stretched, still, both)).toBe('ee_over_acceleration');
});

test('energies have their codes, and an arm without payload stays below them at full speed', () => {
  const fast = { ...CONDITIONS, tool_speed_m_s: 1e3, payload_kg: PAYLOAD_MAX_KG };
  const limits = {
    velocity_rad_s: new Float64Array(6).fill(1e3),
    acceleration_rad_s2: new Float64Array(6).fill(1e6),
    jerk_rad_s3: new Float64Array(6).fill(1e9),
    tool_acceleration_m_s2: 1e9,
  };
  const loose = createSetpointCheck({ ...fast, limits });
  expect(checkSetpoint(loose, START, only(0, 12), still)).toBe('ee_over_energy');
  const empty = createSetpointCheck({ ...fast, limits, payload_kg: 0 });
  for (let j = 0; j < 6; j++) {
    expect(checkSetpoint(empty, START, only(j, 12), still)).toBe(`j${j}_over_energy`);
  }
  const dynamics = new ForwardDynamics(0);
  const random = createPrng(42);
  for (let n = 0; n < 2000; n++) {
    dynamics.update(randomPose(random), still);
    for (let j = 0; j < 6; j++) {
      const most = 0.5 * dynamics.inertia[(j * (j + 3)) / 2]! * VELOCITY_MAX_RAD_S[j]! ** 2;
      expect(most).toBeLessThan(JOINT_ENERGY_MAX_J[j]!);
    }
  }
});
