/** Goals stay within range and speed; obstructed joints are detected after a delay. */

import { describe, expect, it } from 'vitest';
import { EMULATED_CALIBRATION } from '../../dynamixel/emulated-calibration.ts';
import { JointMonitor } from '../monitor/joint-monitor.ts';
import { SetpointShaper } from './setpoint-shaper.ts';

const { joints } = EMULATED_CALIBRATION;

/** Two sample rows of six: previous and present. */
function rows(before: number, now: number): Float64Array {
  return Float64Array.from([...Array(6).fill(before), ...Array(6).fill(now)]);
}

describe('goals', () => {
  it('never exceed the maximum speed, also after a stall', () => {
    const shaper = new SetpointShaper(joints);
    shaper.follow(rows(-0.2, -0.2), 6, 0.001);
    shaper.advance(0.008);
    expect(shaper.sent_rad[0]).toBeCloseTo(-0.008 * joints[0]!.velocity_max_rad_s, 9);
    shaper.advance(10);
    expect(shaper.sent_rad[0]).toBeCloseTo(-0.024 * joints[0]!.velocity_max_rad_s, 9);
  });

  it('stay inside the calibrated range', () => {
    const shaper = new SetpointShaper(joints);
    shaper.follow(rows(3, 3), 6, 0.001);
    expect(Array.from(shaper.target_rad)).toEqual(
      joints.map(({ max_rad }) => Math.min(3, max_rad)),
    );
  });

  it('come to rest with the planned deceleration', () => {
    const shaper = new SetpointShaper(joints);
    shaper.follow(rows(0.1, 0.101), 6, 0.001);
    for (let i = 0; i < 50; i++) shaper.brake(0.004);
    // 1 rad/s at 10 rad/s² takes 0.05 rad.
    expect(Math.abs(shaper.target_rad[0]! - 0.151)).toBeLessThan(0.003);
    expect(shaper.moving).toBe(false);
  });

  it('keep a joint at rest outside of its range', () => {
    const shaper = new SetpointShaper(joints);
    shaper.reset([0, 0, 0, 0, 0.19, 0]);
    shaper.brake(0.004);
    expect(shaper.target_rad[4]).toBe(0.19);
  });

  it('follow a push in backdrive mode', () => {
    const shaper = new SetpointShaper(joints);
    shaper.backdrive(Float64Array.of(0.01, 0.05, 0, 0, 0, 0));
    expect(shaper.target_rad[0]).toBe(0);
    expect(shaper.target_rad[1]).toBeCloseTo(0.03, 9);
  });
});

describe('the joint monitor', () => {
  const view = () => ({
    goal_rad: new Float64Array(6),
    position_rad: new Float64Array(6),
    velocity_rad_s: new Float64Array(6),
    current_a: new Float64Array(6),
    rate_rad_s: new Float64Array(6),
    torque_n_m: null,
    detection: null,
    payload_kg: 0,
  });

  it('detects a joint that lags for 0.1 s', () => {
    const watch = new JointMonitor(EMULATED_CALIBRATION);
    const lagging = view();
    lagging.position_rad[3] = -0.3;
    for (let i = 0; i < 24; i++) expect(watch.update(lagging, 0.004)).toBeNull();
    for (let i = 0; i < 2; i++) watch.update(lagging, 0.004);
    expect(watch.update(lagging, 0.004)).toEqual({ joint: 3, kind: 'following_error' });
  });

  it('detects a joint that pushes without motion, but not a moving one', () => {
    const watch = new JointMonitor(EMULATED_CALIBRATION);
    const pushing = view();
    pushing.current_a[1] = -joints[1]!.stall_current_a * 1.05;
    pushing.velocity_rad_s[1] = 0.3;
    for (let i = 0; i < 100; i++) expect(watch.update(pushing, 0.004)).toBeNull();
    pushing.velocity_rad_s[1] = 0;
    for (let i = 0; i < 50; i++) watch.update(pushing, 0.004);
    expect(watch.update(pushing, 0.004)).toEqual({ joint: 1, kind: 'stall' });
  });
});
