import fc from 'fast-check';
import { expect, it } from 'vitest';
import { poseOf, valuesOf } from './pose-values.ts';

const angle = fc.double({ min: -179, max: 179, noNaN: true });
const tilt = fc.double({ min: -89, max: 89, noNaN: true });
const length = fc.double({ min: -800, max: 800, noNaN: true });

it('reads back what was typed', () => {
  fc.assert(
    fc.property(fc.tuple(length, length, length, angle, tilt, angle), (values) => {
      for (const [i, value] of valuesOf(poseOf(values)).entries()) {
        expect(value).toBeCloseTo(values[i]!, 6);
      }
    }),
  );
});
