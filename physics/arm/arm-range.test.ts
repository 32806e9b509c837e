import { describe, expect, it } from 'vitest';
import { farthestOutside, isComingBack } from './arm-range.ts';

const RANGE = { min_rad: Array(6).fill(-1), max_rad: Array(6).fill(1) };
/** Two rows of six angles, of which the second joint goes from one angle to another (rad). */
const rows = (from: number, to: number) => Float64Array.of(0, from, 0, 0, 0, 0, 0, to, 0, 0, 0, 0);
const at = (angle: number) => [0, angle, 0, 0, 0, 0];

describe('a joint outside of its range', () => {
  it.each([
    ['comes back', 1.2, 1.19, 1.2, true],
    ['comes back from below', -1.2, -1.19, -1.2, true],
    ['goes farther out', 1.2, 1.21, 1.2, false],
    ['would jump out, and come back from there', 1.3, 1.29, 1.2, false],
    ['is led out from inside', 1.01, 1.02, 0.99, false],
    ['comes in while it is there already', 1.01, 0.99, 0.99, true],
  ])('%s', (_, from, to, is, comes) => {
    expect(isComingBack(RANGE, rows(from, to), at(is), 0.05)).toBe(comes);
  });
});

describe('the joint farthest outside of a range', () => {
  it.each([
    [[0, 1, -1, 0, 0, 0], null],
    [[0, 1.1, 0, 0, -1.3, 0], { joint: 4, beyond_rad: 0.3 }],
    [[1.2, 1.1, 0, 0, 0, 0], { joint: 0, beyond_rad: 0.2 }],
  ])('of %j', (at_rad, expected) => {
    const found = farthestOutside(RANGE, at_rad);
    if (expected === null) expect(found).toBeNull();
    else {
      expect(found!.joint).toBe(expected.joint);
      expect(found!.beyond_rad).toBeCloseTo(expected.beyond_rad, 12);
    }
  });
});
