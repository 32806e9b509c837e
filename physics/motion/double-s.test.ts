import fc from 'fast-check';
import { expect, test } from 'vitest';
import { doubleS, doubleSDuration } from './double-s.ts';
import { createProfilePoint, sampleProfile } from './time-profile.ts';

const point = createProfilePoint();

function largestRates(distance: number, limits: { v: number; a: number; j: number }) {
  const profile = doubleS(0, distance, limits);
  const worst = { v: 0, a: 0, j: 0 };
  let slowest = 0;
  for (let i = 0; i <= 1000; i++) {
    sampleProfile(profile, (profile.duration_s * i) / 1000, point);
    worst.v = Math.max(worst.v, Math.abs(point.v) / limits.v);
    worst.a = Math.max(worst.a, Math.abs(point.a) / limits.a);
    worst.j = Math.max(worst.j, Math.abs(point.j) / limits.j);
    slowest = Math.min(slowest, point.v);
  }
  expect(slowest).toBeGreaterThan(-1e-9 * limits.v);
  return worst;
}

test('a long distance cruises at the speed limit', () => {
  // 0.2 s ramps to 1 m/s: hold 0.3 s; 10 / 1 + 0.5 s.
  expect(doubleSDuration(10, { v: 1, a: 2, j: 10 })).toBeCloseTo(10.7, 12);
});

test('a distance too short for the acceleration limit is four ramps', () => {
  expect(doubleSDuration(2e-6, { v: 1, a: 1, j: 1000 })).toBeCloseTo(4 * 1e-3, 12);
});

test('ends exactly at its target, at rest', () => {
  const profile = doubleS(0.25, 1, { v: 0.7, a: 3, j: 40 });
  sampleProfile(profile, profile.duration_s, point);
  expect(point).toEqual({ s: 1, v: 0, a: 0, j: 0 });
  sampleProfile(profile, profile.duration_s * (1 - 1e-12), point);
  expect(point.s).toBeCloseTo(1, 12);
});

const positive = fc.double({ min: 1e-3, max: 1e3, noNaN: true });

test('keeps its limits and touches one of them', () => {
  fc.assert(
    fc.property(positive, positive, positive, positive, (distance, v, a, j) => {
      const worst = largestRates(distance, { v, a, j });
      expect(Math.max(worst.v, worst.a, worst.j)).toBeLessThan(1 + 1e-9);
      expect(Math.max(worst.v, worst.a, worst.j)).toBeGreaterThan(1 - 1e-9);
    }),
    { numRuns: 60 },
  );
});

const mild = fc.double({ min: 0.05, max: 20, noNaN: true });

test('is continuous in s, speed and acceleration', () => {
  fc.assert(
    fc.property(mild, mild, mild, mild, (distance, v, a, j) => {
      const profile = doubleS(0, distance, { v, a, j });
      for (const knot of profile.knots_s.slice(1, -1)) {
        const before = createProfilePoint();
        sampleProfile(profile, knot * (1 - 1e-13), before);
        sampleProfile(profile, knot * (1 + 1e-13), point);
        expect(Math.abs(point.s - before.s) / distance).toBeLessThan(1e-9);
        expect(Math.abs(point.v - before.v) / v).toBeLessThan(1e-6);
        expect(Math.abs(point.a - before.a) / a).toBeLessThan(1e-6);
      }
    }),
    { numRuns: 60 },
  );
});
