/** How far, how fast and for how long a joint that holds may move. */

import { describe, expect, it } from 'vitest';
import { HoldMonitor } from './hold-monitor.ts';

const TICK_S = 0.004;
/** Where the joint rests (rad). */
const REST_RAD = 0.5;

interface Seen {
  /** Way of joint 1 from its rest (rad) and its speed (rad/s), by the time since it rested (s). */
  readonly way: (t_s: number) => number;
  readonly rate?: number;
  readonly payload_kg?: number;
  /** Share of the torque of full stiffness with which its servos answer its way; default 1. */
  readonly answer?: number;
}

/** Torque that holds the load of joint 1 (N m), and its stiffness (N m/rad). */
const LOAD_N_M = 9;
const STIFFNESS = 250;

/** A hold that has rested for 0.5 s; the time after which a joint is reported (s), or null. */
function reportedAfter({ way, rate = 0, payload_kg = 0, answer = 1 }: Seen): number | null {
  const monitor = new HoldMonitor(Array(6).fill(STIFFNESS));
  const joint = (value: number) => Float64Array.of(0, value, 0, 0, 0, 0);
  for (let t_s = -0.5; t_s < 2; t_s += TICK_S) {
    const rests = t_s < 0;
    const moved_rad = rests ? 0 : way(t_s);
    const seen = {
      position_rad: joint(REST_RAD + moved_rad),
      velocity_rad_s: joint(rests ? 0 : rate),
      standing: rests,
      payload_kg: rests ? 0 : payload_kg,
      torque_n_m: joint(LOAD_N_M - answer * STIFFNESS * moved_rad),
    };
    const lost = monitor.update(seen, TICK_S);
    if (lost && rests) throw new Error('a joint at rest was reported');
    if (lost) {
      expect(lost).toMatchObject({ joint: 1, moved_rad: expect.closeTo(way(t_s), 9) });
      return t_s;
    }
  }
  return null;
}

const fall = (t_s: number) => 5 * t_s * t_s;

describe('a joint that holds', () => {
  it.each([
    ['stays', { way: () => 0.029 }, null],
    ['sinks and swings by a load that is gripped', { way: (t) => (t < 0.09 ? 0.04 : 0.02) }, null],
    ['is moved', { way: () => -0.031 }, 0.1],
    ['falls', { way: fall }, 0.112],
    ['drops', { way: () => 0.061 }, 0],
    ['goes without an answer of its servos', { way: fall, rate: 0.4, answer: 0 }, 0.032],
    ['goes the other way without one', { way: (t) => -fall(t), rate: -0.4, answer: 0 }, 0.032],
    ['is pushed with an answer', { way: fall, rate: 0.1 }, 0.112],
    ['goes with half an answer', { way: fall, rate: 0.1, answer: 0.5 }, 0.112],
    ['has no force and stays', { way: () => 0.005, answer: 0 }, null],
    ['has no force and swings back', { way: () => 0.009, rate: -0.1, answer: 0 }, null],
    ['moves fast', { way: () => 0, rate: -0.21 }, 0.1],
    ['moves slowly', { way: () => 0, rate: 0.19 }, null],
    ['gets another payload, and has to rest anew', { way: () => 0.05, payload_kg: 1 }, null],
  ] satisfies [string, Seen, number | null][])('%s', (_, seen, after_s) => {
    if (after_s === null) expect(reportedAfter(seen)).toBeNull();
    else expect(reportedAfter(seen)).toBeCloseTo(after_s, 2);
  });
});
