/** Which joints count as obstructed, and which do not. */

import { describe, expect, it } from 'vitest';
import { DETECTION } from '../../../physics/arm/arm-model.ts';
import { EMULATED_CALIBRATION } from '../../dynamixel/emulated-calibration.ts';
import type { Calibration } from '../calibration/calibration.ts';
import { UPRIGHT_RAD } from '../servo-arm.cases.ts';
import { JointMonitor, type JointObstruction } from './joint-monitor.ts';
import { Standstill } from './standstill.ts';

const TICK_S = 0.004;
const { ids, stall_current_a: SERVO_STALL_A } = EMULATED_CALIBRATION.joints[2]!;
/** Of all servos of the joint. */
const STALL_A = ids.length * SERVO_STALL_A;

/** Monitors joint 2; returns the first obstruction and its time. */
function monitored(
  seen: { lag_rad?: number; current_a?: number; rate_rad_s?: number },
  duration_s: number,
  calibration: Calibration = EMULATED_CALIBRATION,
): { found: JointObstruction | null; after_s: number } {
  const watch = new JointMonitor(calibration);
  const one = (value = 0) => Float64Array.of(0, 0, value, 0, 0, 0);
  const view = {
    goal_rad: one(seen.lag_rad),
    position_rad: one(0),
    velocity_rad_s: one(seen.rate_rad_s),
    current_a: one(seen.current_a),
    rate_rad_s: one(seen.rate_rad_s),
    torque_n_m: null,
    detection: null,
    payload_kg: 0,
  };
  for (let t = TICK_S; t <= duration_s; t += TICK_S) {
    const found = watch.update(view, TICK_S);
    if (found) return { found, after_s: t };
  }
  return { found: null, after_s: duration_s };
}

describe('a joint', () => {
  it('that lags far behind is a following error after 0.1 s', () => {
    const { found, after_s } = monitored({ lag_rad: -0.3 }, 1);
    expect(found).toEqual({ joint: 2, kind: 'following_error' });
    expect(after_s).toBeCloseTo(0.102, 2);
  });

  it('that lags a little is not', () => {
    expect(monitored({ lag_rad: 0.2 }, 1).found).toBeNull();
  });

  it('that pushes hard without motion is stalled after 0.2 s', () => {
    const { found, after_s } = monitored({ current_a: -1.01 * STALL_A }, 1);
    expect(found).toEqual({ joint: 2, kind: 'stall' });
    expect(after_s).toBeCloseTo(0.202, 2);
  });

  it('that pushes hard and moves, or rests on little, is not', () => {
    expect(monitored({ current_a: 2 * STALL_A, rate_rad_s: 0.1 }, 1).found).toBeNull();
    expect(monitored({ current_a: 0.9 * STALL_A }, 1).found).toBeNull();
  });
});

describe('a joint of two servos', () => {
  const joints = EMULATED_CALIBRATION.joints.map((joint, j) =>
    j === 2 ? { ...joint, ids: [3, 13] } : joint,
  );
  const paired = { ...EMULATED_CALIBRATION, joints };

  it('is stalled once both push hard, whose currents add up', () => {
    expect(monitored({ current_a: 1.9 * SERVO_STALL_A }, 1, paired).found).toBeNull();
    expect(monitored({ current_a: 2.02 * SERVO_STALL_A }, 1, paired).found).toMatchObject({
      kind: 'stall',
    });
  });
});

describe('an obstacle at low sensitivity', () => {
  const HIGH_N_M = DETECTION.servo_threshold_n_m[0]!;

  /** Whether a torque of the first joint, which carries nothing, is a contact. */
  function isFelt(torque_n_m: number, stall_n_m: number): boolean {
    const joints = EMULATED_CALIBRATION.joints.map((joint, j) => {
      const drive = { ...joint.drive!, ...(j === 0 && { stall_torque_n_m: stall_n_m }) };
      return { ...joint, drive };
    });
    const watch = new JointMonitor({ ...EMULATED_CALIBRATION, joints });
    const rest = {
      rate_rad_s: new Float64Array(6),
      position_rad: Float64Array.from(UPRIGHT_RAD),
      detection: 'low' as const,
      payload_kg: 0,
    };
    watch.expect(rest, TICK_S);
    const seen = {
      ...rest,
      goal_rad: rest.position_rad,
      velocity_rad_s: new Float64Array(6),
      current_a: new Float64Array(6),
      torque_n_m: Float64Array.of(torque_n_m, 0, 0, 0, 0, 0),
    };
    let found: JointObstruction | null = null;
    for (let t_s = 0; t_s < 1; t_s += TICK_S) found ??= watch.update(seen, TICK_S);
    return found?.kind === 'force' && found.joint === 0;
  }

  it('counts from twice the torque of high sensitivity', () => {
    expect(isFelt(1.9 * HIGH_N_M, 5 * HIGH_N_M)).toBe(false);
    expect(isFelt(2.1 * HIGH_N_M, 5 * HIGH_N_M)).toBe(true);
  });

  it('counts from nine tenths of what the servos have, where that is less', () => {
    expect(isFelt(1.3 * HIGH_N_M, 1.5 * HIGH_N_M)).toBe(false);
    expect(isFelt(1.4 * HIGH_N_M, 1.5 * HIGH_N_M)).toBe(true);
    expect(isFelt(-1.4 * HIGH_N_M, 1.5 * HIGH_N_M)).toBe(true);
  });

  it('does not count below that of high sensitivity, which free motions reach nearly', () => {
    expect(isFelt(0.95 * HIGH_N_M, 0.9 * HIGH_N_M)).toBe(false);
    expect(isFelt(1.05 * HIGH_N_M, 0.9 * HIGH_N_M)).toBe(true);
  });
});

describe('a standstill', () => {
  /** When the joints stand (ms), with a speed of joint 2 by time. */
  const standsAt = (speed: (t_ms: number) => number) => {
    const standstill = new Standstill();
    let at = 0;
    for (let t_ms = 0; t_ms < 1000; t_ms += 4) {
      if (!standstill.update(Float64Array.of(0, 0, speed(t_ms), 0, 0, 0), t_ms, t_ms < 40))
        at = t_ms + 4;
    }
    return at;
  };

  it.each([
    ['follows the end of a motion', () => 0, 56],
    ['waits for the last turn of a joint that swings', (t: number) => (t < 80 ? -0.04 : 0), 96],
    [
      'is not a single zero of a slow joint',
      (t: number) => (t % 16 < 8 && t < 160 ? 0.03 : 0),
      168,
    ],
    ['is not kept away by noise for long', (t: number) => (t < 100 ? 1 : 0.01), 348],
    ['never comes while a joint moves', () => 0.06, 1000],
  ] as const)('%s', (_, speed, at_ms) => {
    expect(standsAt(speed)).toBe(at_ms);
  });
});
