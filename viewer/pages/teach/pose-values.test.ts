import fc from 'fast-check';
import { expect, it } from 'vitest';
import { poseFromValues, poseValues } from './pose-values.ts';

const angle = fc.double({ min: -179, max: 179, noNaN: true });
const tilt = fc.double({ min: -89, max: 89, noNaN: true });
const length = fc.double({ min: -800, max: 800, noNaN: true });

it('round-trips typed values', () => {
  fc.assert(
    fc.property(fc.tuple(length, length, length, angle, tilt, angle), (values) => {
      for (const [i, value] of poseValues(poseFromValues(values)).entries()) {
        expect(value).toBeCloseTo(values[i]!, 6);
      }
    }),
  );
});
