import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brake, phasesOfBrake } from './brake.ts';
import { profileOfPhases } from './jerk-phases.ts';
import { createProfilePoint, sampleProfile } from './time-profile.ts';

const point = createProfilePoint();
const SHAPE = { onset: 40, release: 30, a: 4 };

test('from steady speed: onset, hold, release', () => {
  const stop = brake({ v: 2, a: 0 }, SHAPE)!;
  expect(stop.onset_s).toBeCloseTo(0.1, 12);
  expect(stop.release_s).toBeCloseTo(4 / 30, 12);
  // 2 = 4²/80 + 4 t + 4²/60
  expect(stop.hold_s).toBeCloseTo((2 - 0.2 - 16 / 60) / 4, 12);
});

test('a motion that already brakes too hard for its speed has no brake', () => {
  expect(brake({ v: 0.01, a: -3 }, SHAPE)).toBeNull();
});

test('braking harder than wanted is eased first', () => {
  const stop = brake({ v: 2, a: -6 }, SHAPE)!;
  expect(stop.onset_jerk).toBe(40);
  expect(stop.onset_s).toBeCloseTo(2 / 40, 12);
});

const positive = fc.double({ min: 0.05, max: 20, noNaN: true });
const state = fc.record({
  v: fc.double({ min: 0, max: 5, noNaN: true }),
  a: fc.double({ min: -10, max: 10, noNaN: true }),
});

test('every brake ends at rest, after its distance, without reversing', () => {
  fc.assert(
    fc.property(state, positive, positive, positive, (from, onset, release, a) => {
      const stop = brake(from, { onset, release, a });
      fc.pre(stop !== null);
      const { durations_s, jerks } = phasesOfBrake(stop);
      const profile = profileOfPhases({ s: 0, ...from }, durations_s, jerks);
      sampleProfile(profile, profile.duration_s, point);
      expect(Math.abs(point.s - stop.distance)).toBeLessThan(1e-9 * (1 + stop.distance));
      sampleProfile(profile, profile.duration_s * (1 - 1e-12), point);
      expect(Math.abs(point.v)).toBeLessThan(1e-8);
      expect(Math.abs(point.a)).toBeLessThan(1e-6);
      for (let i = 0; i < 50; i++) {
        sampleProfile(profile, (profile.duration_s * i) / 50, point);
        expect(point.v).toBeGreaterThan(-1e-9);
        expect(point.a).toBeGreaterThan(Math.min(from.a, -a) - 1e-9);
      }
    }),
    { numRuns: 200 },
  );
});
