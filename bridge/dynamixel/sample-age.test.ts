/**
 * The age of samples by the clock of the servo: delays, repeats, counter wraps, restarts, drift.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SampleAge } from './sample-age.ts';

/** A servo whose counter started `lead_ms` before the driver's clock. */
function fed(lead_ms: number, count: number) {
  const age = new SampleAge();
  let now_ms = 0;
  for (let i = 0; i < count; i++, now_ms += 8) age.take((now_ms + lead_ms) % 32_768, now_ms);
  return { age, now_ms, tick: (at_ms: number) => (at_ms + lead_ms) % 32_768 };
}

describe('the age of a sample', () => {
  it('is zero while replies are quick, across the counter wrap too', () => {
    const { age, now_ms } = fed(30_000, 1000);
    expect(age.taken_ms).toBe(now_ms - 8);
  });

  it('is the delay of a late reply', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900 }), fc.nat(32_000), (delay_ms, lead_ms) => {
        const { age, now_ms, tick } = fed(lead_ms + 3000, 50);
        expect(age.take(tick(now_ms), now_ms + delay_ms)).toBe('fresh');
        expect(Math.abs(age.taken_ms - now_ms)).toBeLessThan(0.002 * (delay_ms + 8) + 0.001);
      }),
    );
  });

  it('detects a repeated reply and an older one', () => {
    const { age, now_ms, tick } = fed(5000, 50);
    expect(age.take(tick(now_ms - 8), now_ms)).toBe('old');
    expect(age.take(tick(now_ms - 80), now_ms)).toBe('old');
    expect(age.take(tick(now_ms), now_ms)).toBe('fresh');
  });

  it('accepts a timely reply after one that was read late', () => {
    const { age, now_ms, tick } = fed(5000, 50);
    expect(age.take(tick(now_ms), now_ms + 1500)).toBe('fresh');
    expect(age.take(tick(now_ms + 1500), now_ms + 1502)).toBe('fresh');
    expect(now_ms + 1502 - age.taken_ms).toBeLessThan(4);
  });

  it('detects a restarted servo', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2000, max: 32_000 }), fc.nat(300), (lead_ms, up_ms) => {
        const { age, now_ms } = fed(lead_ms, 50);
        const tick = (lead_ms + 50 * 8) % 32_768;
        // At the counter wrap a restart looks like elapsed time.
        fc.pre(tick > 2500 && tick < 31_000);
        expect(age.take(up_ms, now_ms + 400)).toBe('restarted');
      }),
    );
  });

  it('tolerates clock drift', () => {
    const age = new SampleAge();
    for (let now_ms = 0; now_ms < 60_000; now_ms += 8) {
      age.take(Math.floor(now_ms * 0.9995) % 32_768, now_ms);
      expect(now_ms - age.taken_ms).toBeLessThan(3);
    }
  });
});
