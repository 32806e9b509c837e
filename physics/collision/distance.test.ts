import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cylinderBoxDistance } from './cylinder-box.ts';
import { closest, segmentBoxSquared, segmentsSquared } from './distance.ts';
import { segmentCylinder } from './segment-cylinder.ts';

const coordinate = fc.double({ min: -0.5, max: 0.5, noNaN: true });
const segment = fc.array(coordinate, { minLength: 6, maxLength: 6 });
const size = fc.double({ min: 0.001, max: 0.4, noNaN: true });
const half = fc.array(size, { minLength: 3, maxLength: 3 });

/** Point of a segment at share t. */
function at(p: readonly number[], t: number): number[] {
  return [0, 1, 2].map((k) => p[k]! + t * (p[k + 3]! - p[k]!));
}

function length(p: readonly number[]): number {
  return Math.hypot(p[3]! - p[0]!, p[4]! - p[1]!, p[5]! - p[2]!);
}

/** Minimum of a convex function on [0, 1] by ternary search. */
function least(f: (t: number) => number): number {
  let low = 0;
  let high = 1;
  for (let i = 0; i < 90; i++) {
    const a = low + (high - low) / 3;
    const b = high - (high - low) / 3;
    if (f(a) < f(b)) high = b;
    else low = a;
  }
  return Math.min(f(0), f(1), f((low + high) / 2));
}

/** Minimum of a convex function on [0, 1] to about 1e-6 of its slope, with one call a step. */
function golden(f: (t: number) => number): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let low = 0;
  let high = 1;
  let a = high - ratio;
  let b = ratio;
  let fa = f(a);
  let fb = f(b);
  for (let i = 0; i < 28; i++) {
    if (fa < fb) {
      [high, b, fb] = [b, a, fa];
      a = high - ratio * (high - low);
      fa = f(a);
    } else {
      [low, a, fa] = [a, b, fb];
      b = low + ratio * (high - low);
      fb = f(b);
    }
  }
  return Math.min(f(0), f(1), fa, fb);
}

function pointSegment(x: readonly number[], p: readonly number[]): number {
  return least((t) => Math.hypot(...at(p, t).map((v, k) => v - x[k]!)));
}

function pointBox(x: readonly number[], h: readonly number[]): number {
  return Math.hypot(...x.map((v, k) => Math.max(Math.abs(v) - h[k]!, 0)));
}

function pointCylinder(x: readonly number[], p: readonly number[], radius: number): number {
  const size = length(p);
  const u = [0, 1, 2].map((k) => (p[k + 3]! - p[k]!) / size);
  const w = x.map((v, k) => v - p[k]!);
  const along = w.reduce((sum, v, k) => sum + v * u[k]!, 0);
  const across = Math.hypot(...w.map((v, k) => v - along * u[k]!));
  return Math.hypot(Math.max(-along, along - size, 0), Math.max(across - radius, 0));
}

const runs = { numRuns: 400 };

describe('segment to segment', () => {
  it('equals a search over both segments', () => {
    fc.assert(
      fc.property(segment, segment, (p, q) => {
        const searched = least((t) => pointSegment(at(p, t), q));
        expect(Math.abs(Math.sqrt(segmentsSquared(p, 0, q, 0)) - searched)).toBeLessThan(1e-7);
      }),
      { numRuns: 40 },
    );
  });
  it('is right for parallel, crossing and point-like segments', () => {
    const x = [0, 0, 0, 1, 0, 0];
    expect(segmentsSquared(x, 0, [0.5, 2, 0, 3, 2, 0], 0)).toBeCloseTo(4, 12);
    expect(segmentsSquared(x, 0, [2, 0, 0, 3, 0, 0], 0)).toBeCloseTo(1, 12);
    expect(segmentsSquared(x, 0, [0.5, -1, 0, 0.5, 1, 0], 0)).toBeCloseTo(0, 12);
    expect(segmentsSquared(x, 0, [0.5, 1, 1, 0.5, 1, 1], 0)).toBeCloseTo(2, 12);
    expect(segmentsSquared([5, 1, 1, 5, 1, 1], 0, x, 0)).toBeCloseTo(18, 12);
    expect(segmentsSquared(x, 0, [0.2, 1, 0, 0.8, 1, 1e-9], 0)).toBeCloseTo(1, 12);
  });
});

describe('segment to box', () => {
  it('equals a search along the segment', () => {
    fc.assert(
      fc.property(segment, half, (p, h) => {
        const searched = least((t) => pointBox(at(p, t), h));
        expect(Math.abs(Math.sqrt(segmentBoxSquared(p, 0, h, 0)) - searched)).toBeLessThan(1e-9);
        const place = pointBox(at(p, closest.s), h);
        expect(Math.abs(place - searched)).toBeLessThan(1e-9);
      }),
      runs,
    );
  });
  it('is 0 for a segment through the box with both ends outside', () => {
    expect(segmentBoxSquared([-1, 0.01, 0, 1, 0.02, 0], 0, [0.1, 0.1, 0.1], 0)).toBe(0);
  });
});

describe('segment to flat-ended cylinder', () => {
  it('equals a search along the segment', () => {
    fc.assert(
      fc.property(segment, segment, size, (p, axis, radius) => {
        fc.pre(length(axis) > 1e-3);
        const searched = least((t) => pointCylinder(at(p, t), axis, radius));
        const found = segmentCylinder(p, 0, axis, 0, radius);
        expect(Math.abs(found - searched)).toBeLessThan(1e-9);
      }),
      runs,
    );
  });
  it('measures from the flat end, not from a dome', () => {
    const found = segmentCylinder([-1, 0, 1.2, 1, 0, 1.2], 0, [0, 0, 0, 0, 0, 1], 0, 0.15);
    expect(found).toBeCloseTo(0.2, 12);
  });
});

/**
 * Distance between a solid cylinder and a box by a search over the box: the distance of a point to
 * a convex body is convex, and so is its minimum over any coordinates.
 */
function cylinderBox(p: readonly number[], radius: number, h: readonly number[]): number {
  const [hx, hy, hz] = [h[0]!, h[1]!, h[2]!];
  const inside = (t: number, half: number) => (2 * t - 1) * half;
  const along = (x: number, y: number) =>
    golden((t) => pointCylinder([x, y, inside(t, hz)], p, radius));
  return golden((s) => golden((t) => along(inside(s, hx), inside(t, hy))));
}

describe('cylinder to box', () => {
  it('equals a search over the box', () => {
    fc.assert(
      fc.property(segment, size, half, (axis, radius, h) => {
        fc.pre(length(axis) > 0.01);
        const found = cylinderBoxDistance(axis, radius, h, 0);
        const searched = cylinderBox(axis, radius, h);
        expect(found).toBeLessThan(searched + 1e-8);
        expect(found).toBeGreaterThan(searched - 1e-5);
      }),
      { numRuns: 40 },
    );
  });
  it('is never below the distance to the capsule around the cylinder', () => {
    fc.assert(
      fc.property(segment, size, half, (axis, radius, h) => {
        fc.pre(length(axis) > 1e-3);
        const capsule = Math.sqrt(segmentBoxSquared(axis, 0, h, 0)) - radius;
        expect(cylinderBoxDistance(axis, radius, h, 0)).toBeGreaterThan(capsule - 1e-8);
      }),
      runs,
    );
  });
  it('is exact for a face, an edge, a rim and an overlap', () => {
    const h = [0.1, 0.1, 0.1];
    expect(cylinderBoxDistance([0, 0, 0.3, 0, 0, 0.5], 0.05, h, 0)).toBeCloseTo(0.2, 8);
    expect(cylinderBoxDistance([0.4, 0, -1, 0.4, 0, 1], 0.05, h, 0)).toBeCloseTo(0.25, 8);
    expect(cylinderBoxDistance([0.4, 0.4, -1, 0.4, 0.4, 1], 0.05, h, 0)).toBeCloseTo(
      0.3 * Math.SQRT2 - 0.05,
      8,
    );
    expect(cylinderBoxDistance([0.2, 0, 0.2, 0.5, 0, 0.5], 0.05, h, 0)).toBeCloseTo(
      pointCylinder([0.1, 0, 0.1], [0.2, 0, 0.2, 0.5, 0, 0.5], 0.05),
      8,
    );
    expect(cylinderBoxDistance([0.12, 0, 0, 0.5, 0, 0], 0.05, [0.13, 0.1, 0.1], 0)).toBe(0);
  });
});
