import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CAPSULE_RADIUS_M, FIRST_CAPSULE } from '../arm/geometry.ts';
import { createFrames, forward } from '../kinematics/forward.ts';
import { closestToBox, createBoxContact } from './box-contact.ts';
import { compileBox } from './boxes.ts';
import { LINK_BODIES } from './capsule-body.ts';
import { placeCapsule } from './scene.ts';

const angle = fc.double({ min: -2.5, max: 1, noNaN: true });
const joints = fc.array(angle, { minLength: 6, maxLength: 6 });
const place = fc.double({ min: -0.6, max: 0.6, noNaN: true });
const half = fc.double({ min: 0.01, max: 0.2, noNaN: true });
const box = fc.record({
  centre: fc.record({ x: place, y: place, z: place }),
  half: fc.record({ x: half, y: half, z: half }),
  orientation: fc.tuple(angle, angle, angle).map(([x, y, z]) => ({ w: 1, x, y, z })),
});

function framesOf(q: readonly number[]): Float64Array {
  const frames = createFrames();
  forward(q, frames);
  return frames;
}

/** Signed distance of a world point to a box: the textbook form. */
function signedDistance(data: Float64Array, p: readonly number[]): number {
  const w = p.map((v, k) => v - data[9 + k]!);
  const d = [0, 1, 2].map(
    (k) => Math.abs(data[k]! * w[0]! + data[3 + k]! * w[1]! + data[6 + k]! * w[2]!) - data[12 + k]!,
  );
  const outside = Math.hypot(...d.map((v) => Math.max(v, 0)));
  return outside + Math.min(Math.max(...d), 0);
}

/** Least signed distance over samples of a link's capsule axes, less the radius. */
function sampled(frames: Float64Array, link: number, data: Float64Array): number {
  const ends = new Float64Array(6);
  let least = Number.POSITIVE_INFINITY;
  for (let i = FIRST_CAPSULE[link]!; i < FIRST_CAPSULE[link + 1]!; i++) {
    placeCapsule(frames, i, ends, 0);
    for (let step = 0; step <= 400; step++) {
      const p = [0, 1, 2].map((k) => ends[k]! + (step / 400) * (ends[k + 3]! - ends[k]!));
      least = Math.min(least, signedDistance(data, p) - CAPSULE_RADIUS_M[i]!);
    }
  }
  return least;
}

describe('the contact of a link and a box', () => {
  it('has the least signed distance, outside and inside', () => {
    fc.assert(
      fc.property(joints, box, fc.integer({ min: 0, max: 6 }), (q, shape, link) => {
        const frames = framesOf(q);
        const data = compileBox(shape);
        const contact = createBoxContact();
        closestToBox(frames, LINK_BODIES[link]!, data, contact);
        const searched = sampled(frames, link, data);
        expect(contact.distance_m).toBeLessThan(searched + 1e-9);
        expect(contact.distance_m).toBeGreaterThan(searched - 5e-4);
      }),
      { numRuns: 200 },
    );
  });
  it('has a unit normal and a point at the distance from the box', () => {
    fc.assert(
      fc.property(joints, box, fc.integer({ min: 0, max: 6 }), (q, shape, link) => {
        const data = compileBox(shape);
        const contact = createBoxContact();
        closestToBox(framesOf(q), LINK_BODIES[link]!, data, contact);
        expect(Math.abs(Math.hypot(...contact.normal) - 1)).toBeLessThan(1e-9);
        if (contact.distance_m < 0) return;
        const apart = signedDistance(data, [...contact.point]);
        expect(Math.abs(apart - contact.distance_m)).toBeLessThan(1e-9);
      }),
      { numRuns: 300 },
    );
  });
  it('pushes the upright arm away from a wall in front of it', () => {
    const wall = compileBox({
      centre: { x: 0.2, y: 0, z: 0.6 },
      half: { x: 0.1, y: 1, z: 0.3 },
      orientation: { w: 1, x: 0, y: 0, z: 0 },
    });
    const contact = createBoxContact();
    closestToBox(framesOf([0, 0, 0, 0, 0, 0]), LINK_BODIES[6]!, wall, contact);
    expect(contact.distance_m).toBeCloseTo(0.165 - 0.037, 9);
    expect([...contact.normal]).toEqual([-1, 0, 0]);
    expect(contact.point[0]).toBeCloseTo(-0.065 + 0.037, 9);
  });
});
