import { describe, expect, it } from 'vitest';
import { fixedAxisRotation } from './rotation.ts';
import { rotateByVector, rotationBetween } from './rotation-vector.ts';

function rotation(x: number, y: number, z: number): Float64Array {
  const out = new Float64Array(9);
  fixedAxisRotation(x, y, z, out);
  return out;
}

describe('rotation vectors', () => {
  const pairs = [
    [rotation(0.3, -0.2, 0.9), rotation(-1, 2, 0.4)],
    [rotation(0, 0, 0), rotation(0, 0, 1e-6)],
    [rotation(0, 0, 0), rotation(Math.PI, 0, 0)],
    [rotation(1, 1, 1), rotation(1, 1, 1)],
  ] as const;
  it('lead from one rotation to the other', () => {
    for (const [a, b] of pairs) {
      const turn = new Float64Array(3);
      rotationBetween(a, b, turn);
      const reached = new Float64Array(9);
      rotateByVector(turn, a, reached);
      for (let i = 0; i < 9; i++) expect(reached[i]).toBeCloseTo(b[i]!, 12);
    }
  });
  it('give the angle of a single-axis rotation', () => {
    const turn = new Float64Array(3);
    rotationBetween(rotation(0, 0, 0.2), rotation(0, 0, 1.7), turn);
    expect(turn[2]).toBeCloseTo(1.5, 12);
  });
  it('take the shortest rotation', () => {
    const turn = new Float64Array(3);
    rotationBetween(rotation(0, 0, 0), rotation(0, 0, 4), turn);
    expect(turn[2]).toBeCloseTo(4 - 2 * Math.PI, 12);
  });
});
