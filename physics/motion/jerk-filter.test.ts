import { expect, test } from 'vitest';
import { createSpeedCurve, filterCurve, traceSpeeds } from './jerk-filter.ts';
import { createProfilePoint, sampleProfile } from './time-profile.ts';

const NODES = Float64Array.of(0.1, 0.2, 0.4, 0.7, 0.8, 1);
/** A rest-to-rest curve of the nodes: x = (ds/dt)². */
const X = Float64Array.of(0, 0.5, 0.9, 0.4, 0.4, 0);
const WINDOW_S = 0.17;

const curve = createSpeedCurve(NODES);
const duration_s = traceSpeeds(curve, X);
const profile = filterCurve(curve, WINDOW_S);
const point = createProfilePoint();

function speedAt(t: number): number {
  let i = 0;
  if (t <= 0 || t >= duration_s) return 0;
  while (curve.t[i + 1]! < t) i++;
  return curve.v[i]! + curve.a[i]! * (t - curve.t[i]!);
}

test('is longer by the window', () => {
  expect(profile.duration_s).toBeCloseTo(duration_s + WINDOW_S, 12);
});

test('its speed is the mean of the speed over the window', () => {
  for (let k = 1; k < 20; k++) {
    const t = (profile.duration_s * k) / 20;
    let sum = 0;
    for (let m = 0; m < 4000; m++) sum += speedAt(t - (WINDOW_S * (m + 0.5)) / 4000);
    sampleProfile(profile, t, point);
    expect(point.v).toBeCloseTo(sum / 4000, 5);
  }
});

test('runs from the first node to the last, from rest to rest without acceleration', () => {
  sampleProfile(profile, 0, point);
  expect(point).toMatchObject({ s: 0.1, v: 0, a: 0 });
  sampleProfile(profile, profile.duration_s * (1 - 1e-13), point);
  expect(point.s).toBeCloseTo(1, 12);
  expect(point.v).toBeCloseTo(0, 9);
  expect(point.a).toBeCloseTo(0, 9);
  sampleProfile(profile, profile.duration_s, point);
  expect(point.s).toBe(1);
});

test('s, speed and acceleration are continuous across its knots', () => {
  const before = createProfilePoint();
  for (const knot of profile.knots_s.slice(1, -2)) {
    sampleProfile(profile, knot - 1e-10, before);
    sampleProfile(profile, knot + 1e-10, point);
    expect(point.s).toBeCloseTo(before.s, 8);
    expect(point.v).toBeCloseTo(before.v, 7);
    expect(point.a).toBeCloseTo(before.a, 6);
  }
});

test('never runs backwards', () => {
  for (let k = 0; k <= 1000; k++) {
    sampleProfile(profile, (profile.duration_s * k) / 1000, point);
    expect(point.v).toBeGreaterThan(-1e-12);
  }
});
