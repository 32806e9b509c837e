/** Goals stay in range and in speed; hindered joints are found after a while, not at once. */
import { describe, expect, it } from 'vitest';
import { EMULATED_CALIBRATION } from './calibration.ts';
import { GoalShaper } from './goal-shaper.ts';
import { JointWatch } from './joint-watch.ts';

const { joints } = EMULATED_CALIBRATION;

/** Two rows of six: before and now. */
function rows(before: number, now: number): Float64Array {
  return Float64Array.from([...Array(6).fill(before), ...Array(6).fill(now)]);
}

describe('goals', () => {
  it('never change faster than the joint may turn, after a stall neither', () => {
    const shaper = new GoalShaper(joints);
    shaper.follow(rows(-0.2, -0.2), 6, 0.001);
    shaper.advance(0.008);
    expect(shaper.sent[0]).toBeCloseTo(-0.008 * joints[0]!.velocity_max_rad_s, 9);
    shaper.advance(10);
    expect(shaper.sent[0]).toBeCloseTo(-0.024 * joints[0]!.velocity_max_rad_s, 9);
  });

  it('stay inside the calibrated range', () => {
    const shaper = new GoalShaper(joints);
    shaper.follow(rows(3, 3), 6, 0.001);
    expect(Array.from(shaper.wanted)).toEqual(joints.map(({ max_rad }) => Math.min(3, max_rad)));
  });

  it('come to rest with the planned braking', () => {
    const shaper = new GoalShaper(joints);
    shaper.follow(rows(0.1, 0.101), 6, 0.001);
    for (let i = 0; i < 50; i++) shaper.brake(0.004);
    // 1 rad/s at 10 rad/s² takes 0.05 rad of way.
    expect(Math.abs(shaper.wanted[0]! - 0.151)).toBeLessThan(0.003);
    expect(shaper.moving).toBe(false);
  });

  it('rest where a joint lies outside of its range', () => {
    const shaper = new GoalShaper(joints);
    shaper.rest([0, 0, 0, 0, 0.19, 0]);
    shaper.brake(0.004);
    expect(shaper.wanted[4]).toBe(0.19);
  });

  it('are dragged by a hand, and only by as much as it pushes', () => {
    const shaper = new GoalShaper(joints);
    shaper.drag(Float64Array.of(0.01, 0.05, 0, 0, 0, 0));
    expect(shaper.wanted[0]).toBe(0);
    expect(shaper.wanted[1]).toBeCloseTo(0.03, 9);
  });
});

describe('the watch over joints', () => {
  const view = () => ({
    goal_rad: new Float64Array(6),
    position_rad: new Float64Array(6),
    velocity_rad_s: new Float64Array(6),
    current_a: new Float64Array(6),
  });

  it('finds a joint that lags for a tenth of a second', () => {
    const watch = new JointWatch(EMULATED_CALIBRATION);
    const lagging = view();
    lagging.position_rad[3] = -0.3;
    for (let i = 0; i < 24; i++) expect(watch.look(lagging, 0.004)).toBeNull();
    for (let i = 0; i < 2; i++) watch.look(lagging, 0.004);
    expect(watch.look(lagging, 0.004)).toEqual({ joint: 3, kind: 'following_error' });
  });

  it('finds a joint that pushes without motion, and not one that works', () => {
    const watch = new JointWatch(EMULATED_CALIBRATION);
    const pushing = view();
    pushing.current_a[1] = -joints[1]!.stall_current_a * 1.05;
    pushing.velocity_rad_s[1] = 0.3;
    for (let i = 0; i < 100; i++) expect(watch.look(pushing, 0.004)).toBeNull();
    pushing.velocity_rad_s[1] = 0;
    for (let i = 0; i < 50; i++) watch.look(pushing, 0.004);
    expect(watch.look(pushing, 0.004)).toEqual({ joint: 1, kind: 'stall' });
  });
});
