import { describe, expect, it } from 'vitest';
import { createPrng } from '../math/prng.ts';
import { createFrames, forward } from './forward.ts';
import { createDeterminantFactors, determinantFactors, jacobian } from './jacobian.ts';
import { poseAt, randomJoints } from './joint-samples.cases.ts';
import { createFactors, factorise, solveFactored } from './linear-solve.ts';
import { createTool } from './tool.ts';

const tool = createTool({ offsets: { x: 0.01, y: 0.02, z: 0.1 } });

function jacobianAt(q: Float64Array): Float64Array {
  const frames = createFrames();
  forward(q, frames);
  const out = new Float64Array(36);
  jacobian(frames, poseAt(q, tool), 9, out);
  return out;
}

describe('jacobian', () => {
  it('is the derivative of the tool pose', () => {
    const random = createPrng(7);
    const h = 1e-5;
    for (let n = 0; n < 30; n++) {
      const q = randomJoints(random);
      const rows = jacobianAt(q);
      const here = poseAt(q, tool);
      for (let j = 0; j < 6; j++) {
        const up = poseAt(q.with(j, q[j]! + h), tool);
        const down = poseAt(q.with(j, q[j]! - h), tool);
        const rate = up.map((value, i) => (value - down[i]!) / (2 * h));
        for (let i = 0; i < 3; i++) expect(rows[6 * i + j]).toBeCloseTo(rate[9 + i]!, 8);
        const spin = (a: number, b: number) =>
          [0, 1, 2].reduce((sum, k) => sum + rate[3 * a + k]! * here[3 * b + k]!, 0);
        expect(rows[18 + j]).toBeCloseTo(spin(2, 1), 8);
        expect(rows[24 + j]).toBeCloseTo(spin(0, 2), 8);
        expect(rows[30 + j]).toBeCloseTo(spin(1, 0), 8);
      }
    }
  });
  it('has the determinant of the closed form, about any tool point', () => {
    const random = createPrng(8);
    const frames = createFrames();
    const closed = createDeterminantFactors();
    const factors = createFactors();
    for (let n = 0; n < 2000; n++) {
      const q = randomJoints(random);
      forward(q, frames);
      determinantFactors(frames, closed);
      factors.a.set(jacobianAt(q));
      factorise(factors);
      expect(Math.abs(closed.determinant - factors.determinant[0]!)).toBeLessThan(1e-13);
    }
  });
  it('has a zero determinant upright, and names the shoulder', () => {
    const frames = createFrames();
    forward(new Float64Array(6), frames);
    const closed = createDeterminantFactors();
    determinantFactors(frames, closed);
    expect(Math.abs(closed.determinant)).toBeLessThan(1e-15);
    expect(Math.abs(closed.shoulder_m)).toBeLessThan(1e-15);
  });
});

describe('six equations', () => {
  it('are solved with row pivoting', () => {
    const random = createPrng(9);
    const factors = createFactors();
    for (let n = 0; n < 200; n++) {
      const a = Float64Array.from({ length: 36 }, () => random() - 0.5);
      a[0] = 0;
      const x = Float64Array.from({ length: 6 }, () => random() - 0.5);
      const b = new Float64Array(6);
      for (let i = 0; i < 36; i++) b[Math.floor(i / 6)]! += a[i]! * x[i % 6]!;
      factors.a.set(a);
      expect(factorise(factors)).toBe(true);
      solveFactored(factors, b, b);
      for (let i = 0; i < 6; i++) expect(b[i]).toBeCloseTo(x[i]!, 8);
    }
  });
  it('are rejected when singular', () => {
    const factors = createFactors();
    factors.a.fill(1);
    expect(factorise(factors)).toBe(false);
    expect(factors.determinant[0]).toBe(0);
  });
});
