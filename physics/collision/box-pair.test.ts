import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlapDepth } from '../cell/solids/overlap.ts';
import { createBoxContact } from './box-contact.ts';
import { boxPairContact } from './box-pair.ts';
import { BOX_HALF, compileBox } from './boxes.ts';

const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 };
const turn = fc.double({ min: -1, max: 1, noNaN: true });
const place = fc.double({ min: -0.1, max: 0.1, noNaN: true });
const half = fc.double({ min: 0.005, max: 0.08, noNaN: true });
const shape = fc.record({
  centre: fc.record({ x: place, y: place, z: place }),
  half: fc.record({ x: half, y: half, z: half }),
  orientation: fc.tuple(turn, turn, turn).map(([x, y, z]) => ({ w: 1, x, y, z })),
});
type Shape = Parameters<typeof compileBox>[0];

const boxAt = (x: number, y: number, z: number, [a, b, c]: readonly [number, number, number]) =>
  compileBox({ centre: { x, y, z }, half: { x: a, y: b, z: c }, orientation: UPRIGHT });

function contactOf(a: Float64Array, b: Float64Array) {
  const contact = createBoxContact();
  boxPairContact(a, b, contact);
  return contact;
}

/** The depth as the solids of a cell have it. */
function depthOf(one: Shape, other: Shape): number {
  const [a, b] = [one, other].map(({ centre, half: { x, y, z }, orientation: { w, ...axis } }) => {
    const size = Math.hypot(w, axis.x, axis.y, axis.z);
    const turned = [w, axis.x, axis.y, axis.z].map((part) => part / size);
    const pose = [centre.x, centre.y, centre.z, ...turned];
    return { solid: { isRound: false, half: [x, y, z] }, pose, at: 0 };
  });
  return overlapDepth(a!, b!);
}

describe('the contact of two boxes', () => {
  it('has the depth of the least axis, and moving one by it along the normal parts them', () => {
    fc.assert(
      fc.property(shape, shape, (one, other) => {
        const [a, b] = [compileBox(one), compileBox(other)];
        const { distance_m, normal } = contactOf(a, b);
        expect(distance_m).toBeCloseTo(-depthOf(one, other), 5);
        if (distance_m >= 0) return;
        const { x, y, z } = one.centre;
        const by = -distance_m + 1e-6;
        const [i, j, k] = [normal[0]! * by, normal[1]! * by, normal[2]! * by];
        const parted = compileBox({ ...one, centre: { x: x + i, y: y + j, z: z + k } });
        expect(contactOf(parted, b).distance_m).toBeGreaterThan(-1e-9);
      }),
      { numRuns: 500 },
    );
  });

  it('lies in both boxes, or as deep beneath their faces as they overlap', () => {
    fc.assert(
      fc.property(shape, shape, (one, other) => {
        const [a, b] = [compileBox(one), compileBox(other)];
        const { distance_m, point } = contactOf(a, b);
        if (distance_m >= 0) return;
        for (const box of [a, b]) {
          for (let m = 0; m < 3; m++) {
            let way = 0;
            for (let k = 0; k < 3; k++) way += box[3 * k + m]! * (point[k]! - box[9 + k]!);
            expect(Math.abs(way)).toBeLessThan(box[BOX_HALF + m]! - distance_m + 1e-6);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is in the middle of what two level faces share', () => {
    const low = boxAt(0, 0, 0, [0.04, 0.04, 0.01]);
    const high = boxAt(0.05, 0.01, 0.0199, [0.03, 0.02, 0.01]);
    const { distance_m, normal, point } = contactOf(high, low);
    expect(distance_m).toBeCloseTo(-1e-4, 9);
    expect([...normal]).toEqual([0, 0, 1]);
    // Along x they share 0.02 to 0.04, along y -0.01 to 0.03.
    expect(point[0]).toBeCloseTo(0.03, 9);
    expect(point[1]).toBeCloseTo(0.01, 9);
  });

  it('is at the corner or edge that presses on a face, and where edges cross', () => {
    const low = boxAt(0, 0, 0, [0.1, 0.1, 0.01]);
    const angle = 0.3;
    const orientation = { w: Math.cos(angle / 2), x: Math.sin(angle / 2), y: 0, z: 0 };
    const half_m = { x: 0.02, y: 0.02, z: 0.02 };
    const lowest_m = 0.02 * (Math.cos(angle) + Math.sin(angle));
    const tilted = compileBox({
      centre: { x: 0.03, y: 0, z: 0.01 + lowest_m - 1e-4 },
      half: half_m,
      orientation,
    });
    const { distance_m, point } = contactOf(low, tilted);
    expect(distance_m).toBeCloseTo(-1e-4, 9);
    expect(point[0]).toBeCloseTo(0.03, 9);
    expect(point[1]).toBeCloseTo(0.02 * (Math.sin(angle) - Math.cos(angle)), 6);
    const quarter = Math.PI / 8;
    const rolled = (x: number, y: number) => ({ w: Math.cos(quarter), x, y, z: 0 });
    const s = Math.sin(quarter);
    const along = (z: number, turned: Shape['orientation']) =>
      compileBox({
        centre: { x: 0, y: 0, z },
        half: { x: 0.02, y: 0.02, z: 0.02 },
        orientation: turned,
      });
    // Two cubes on edge, crosswise.
    const apart = 2 * 0.02 * Math.SQRT2 - 1e-4;
    const crossed = contactOf(along(apart, rolled(s, 0)), along(0, rolled(0, s)));
    expect(crossed.distance_m).toBeCloseTo(-1e-4, 9);
    expect(crossed.point[0]).toBeCloseTo(0, 9);
    expect(crossed.point[1]).toBeCloseTo(0, 9);
  });
});
