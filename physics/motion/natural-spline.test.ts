import { expect, test } from 'vitest';
import { createNaturalSpline, createSplineSample, sampleSpline } from './natural-spline.ts';

const KNOTS = [0, 0.1, 0.45, 0.5, 1];
const VALUES = Float64Array.of(1, 0, -2, 3, 0.5, 1, 2, 2, -1, 4);
const spline = createNaturalSpline(KNOTS, VALUES, 2);

function at(u: number) {
  const sample = createSplineSample(2);
  sampleSpline(spline, Float64Array.of(u), sample);
  return sample;
}

test('interpolates its points', () => {
  KNOTS.forEach((knot, i) => {
    expect(at(knot).value[0]).toBeCloseTo(VALUES[2 * i]!, 13);
    expect(at(knot).value[1]).toBeCloseTo(VALUES[2 * i + 1]!, 13);
  });
});

test('has continuous first and second derivatives, and no curvature at its ends', () => {
  for (const knot of KNOTS.slice(1, -1)) {
    const before = at(knot - 1e-9);
    const after = at(knot + 1e-9);
    expect(before.first[0]).toBeCloseTo(after.first[0]!, 4);
    expect(before.second[1]).toBeCloseTo(after.second[1]!, 3);
  }
  expect(at(0).second[0]).toBeCloseTo(0, 12);
  expect(at(1).second[1]).toBeCloseTo(0, 12);
});

test('derivatives agree with differences', () => {
  for (const u of [0.05, 0.3, 0.47, 0.8]) {
    const [a, b, c] = [at(u - 1e-5), at(u), at(u + 1e-5)];
    expect(b.first[0]).toBeCloseTo((c.value[0]! - a.value[0]!) / 2e-5, 4);
    expect(b.second[0]).toBeCloseTo((c.first[0]! - a.first[0]!) / 2e-5, 4);
  }
});

test('two points are a straight line', () => {
  const line = createNaturalSpline([0, 1], Float64Array.of(2, 6), 1);
  const sample = createSplineSample(1);
  sampleSpline(line, Float64Array.of(0.25), sample);
  expect(sample.value[0]).toBe(3);
  expect(sample.second[0]).toBe(0);
});
