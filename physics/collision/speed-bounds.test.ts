import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPathSample, type PathTable, samplePath } from '../motion/joint-path.ts';
import { raiseSpeedBounds } from './speed-bounds.ts';

const value = fc.double({ min: -3, max: 3, noNaN: true });
const values = fc.array(value, { minLength: 18, maxLength: 18 }).map((v) => Float64Array.from(v));
const unused = new Float64Array(18);
const table = fc
  .record({
    q: values,
    q1: values,
    q2: values,
    middle: fc.double({ min: 0.2, max: 0.8, noNaN: true }),
  })
  .map(({ q, q1, q2, middle }): PathTable => {
    const s = Float64Array.of(0, middle, 1);
    return { kind: 'table', s, q, q1, q2, q3_left: unused, q3_right: unused };
  });

/** Largest speeds at samples of one interval. */
function sampled(path: PathTable, i: number): number[] {
  const sample = createPathSample();
  const largest = [0, 0, 0, 0, 0, 0];
  for (let k = 0; k <= 200; k++) {
    samplePath(path, path.s[i]! + (k / 200) * (path.s[i + 1]! - path.s[i]!) * (1 - 1e-12), sample);
    sample.q1.forEach((speed, j) => {
      largest[j] = Math.max(largest[j]!, Math.abs(speed));
    });
  }
  return largest;
}

it('is never below the speed anywhere on the interval', () => {
  fc.assert(
    fc.property(table, fc.nat(1), (path, i) => {
      const speeds = new Float64Array(6);
      raiseSpeedBounds(path, i, speeds);
      sampled(path, i).forEach((speed, j) => {
        expect(speed).toBeLessThanOrEqual(speeds[j]! * (1 + 1e-9) + 1e-12);
      });
    }),
    { numRuns: 300 },
  );
});

it('is exact on a uniform line, and keeps a larger given bound', () => {
  const node = (s: number) => [s, -2 * s, 0, 0, 0, 3 * s];
  const rate = [1, -2, 0, 0, 0, 3];
  const path: PathTable = {
    kind: 'table',
    s: Float64Array.of(0, 1),
    q: Float64Array.of(...node(0), ...node(1)),
    q1: Float64Array.of(...rate, ...rate),
    q2: new Float64Array(12),
    q3_left: new Float64Array(12),
    q3_right: new Float64Array(12),
  };
  const speeds = Float64Array.of(0, 5, 0, 0, 0, 0);
  raiseSpeedBounds(path, 0, speeds);
  [1, 5, 0, 0, 0, 3].forEach((speed, j) => {
    expect(speeds[j]).toBeCloseTo(speed, 12);
  });
});
