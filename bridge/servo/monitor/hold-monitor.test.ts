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
  /** Torque of its servos by its way (N m); default the load, and their answer to the way. */
  readonly torque?: (moved_rad: number) => number;
  /** Whether its servos drive it. */
  readonly driven?: boolean;
}

/** Torque that holds the load of joint 1 (N m), and its stiffness (N m/rad). */
const LOAD_N_M = 9;
const STIFFNESS = 250;
const holding = (moved_rad: number) => LOAD_N_M - STIFFNESS * moved_rad;
const half = (moved_rad: number) => LOAD_N_M - 0.5 * STIFFNESS * moved_rad;

/** A hold that has rested for 0.5 s; the time after which a joint is reported (s), or null. */
function reportedAfter(seen: Seen): number | null {
  const { way, rate = 0, payload_kg = 0, torque = holding, driven = false } = seen;
  const monitor = new HoldMonitor(Array(6).fill(STIFFNESS));
  const joint = (value: number) => Float64Array.of(0, value, 0, 0, 0, 0);
  for (let t_s = -0.5; t_s < 2; t_s += TICK_S) {
    const rests = t_s < 0;
    const moved_rad = rests ? 0 : way(t_s);
    const observed = {
      position_rad: joint(REST_RAD + moved_rad),
      velocity_rad_s: joint(rests ? 0 : rate),
      standing: rests,
      payload_kg: rests ? 0 : payload_kg,
      torque_n_m: joint(rests ? LOAD_N_M : torque(moved_rad)),
    };
    const lost = monitor.update(observed, TICK_S);
    if (lost && rests) throw new Error('a joint at rest was reported');
    if (lost) {
      expect(lost.moved_rad).toBeCloseTo(way(t_s), 9);
      expect([lost.joint, lost.isDriven]).toEqual([1, driven]);
      return t_s;
    }
  }
  return null;
}

const fall = (t_s: number) => 5 * t_s * t_s;
const drop = (t_s: number) => -fall(t_s);

describe('a joint that holds', () => {
  it.each([
    ['stays', { way: () => 0.029 }, null],
    ['sinks and swings by a load that is gripped', { way: (t) => (t < 0.09 ? 0.04 : 0.02) }, null],
    ['is moved', { way: () => -0.031 }, 0.1],
    ['falls', { way: fall }, 0.112],
    ['drops', { way: () => 0.061 }, 0],
    ['falls without force', { way: drop, rate: -0.4, torque: () => 0 }, 0.032],
    ['falls and brakes without force', { way: drop, rate: -0.4, torque: () => 0.5 }, 0.032],
    ['is pushed down, with an answer', { way: drop, rate: -0.1 }, 0.112],
    ['is pushed up, with an answer', { way: fall, rate: 0.1 }, 0.112],
    ['is pushed with half an answer', { way: drop, rate: -0.1, torque: half }, 0.112],
    ['is driven down by them', { way: drop, rate: -0.1, torque: () => -40, driven: true }, 0.112],
    ['is driven up by them', { way: fall, rate: 0.1, torque: () => 40, driven: true }, 0.112],
    ['has no force and stays', { way: () => -0.005, torque: () => 0 }, null],
    ['has no force and swings back', { way: () => -0.009, rate: 0.1, torque: () => 0 }, null],
    ['moves fast', { way: () => 0, rate: -0.21 }, 0.1],
    ['moves slowly', { way: () => 0, rate: 0.19 }, null],
    ['gets another payload, and has to rest anew', { way: () => 0.05, payload_kg: 1 }, null],
  ] satisfies [string, Seen, number | null][])('%s', (_, seen, after_s) => {
    if (after_s === null) expect(reportedAfter(seen)).toBeNull();
    else expect(reportedAfter(seen)).toBeCloseTo(after_s, 2);
  });
});
