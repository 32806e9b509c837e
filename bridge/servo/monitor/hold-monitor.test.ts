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
  /** Whether its servos give less than its load. */
  readonly falls?: boolean;
}

/** A hold that has rested for 0.5 s; the time after which a joint is reported (s), or null. */
function reportedAfter({ way, rate = 0, payload_kg = 0, falls = false }: Seen): number | null {
  const monitor = new HoldMonitor();
  const joint = (value: number) => Float64Array.of(0, value, 0, 0, 0, 0);
  for (let t_s = -0.5; t_s < 2; t_s += TICK_S) {
    const rests = t_s < 0;
    const seen = {
      position_rad: joint(REST_RAD + (rests ? 0 : way(t_s))),
      velocity_rad_s: joint(rests ? 0 : rate),
      standing: rests,
      payload_kg: rests ? 0 : payload_kg,
      falls: () => falls,
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

describe('a joint that holds', () => {
  it.each([
    ['stays', { way: () => 0.029 }, null],
    ['sinks and swings by a load that is gripped', { way: (t) => (t < 0.09 ? 0.04 : 0.02) }, null],
    ['is moved', { way: () => -0.031 }, 0.1],
    ['falls', { way: (t) => 5 * t * t }, 0.112],
    ['drops', { way: () => 0.061 }, 0],
    ['falls without force', { way: (t) => 5 * t * t, rate: 0.4, falls: true }, 0.036],
    ['has no force and stays', { way: () => 0.005, falls: true }, null],
    ['has no force and swings back', { way: () => 0.009, rate: -0.1, falls: true }, null],
    ['moves fast', { way: () => 0, rate: -0.21 }, 0.1],
    ['moves slowly', { way: () => 0, rate: 0.19 }, null],
    ['gets another payload, and has to rest anew', { way: () => 0.05, payload_kg: 1 }, null],
  ] satisfies [string, Seen, number | null][])('%s', (_, seen, after_s) => {
    if (after_s === null) expect(reportedAfter(seen)).toBeNull();
    else expect(reportedAfter(seen)).toBeCloseTo(after_s, 2);
  });
});
