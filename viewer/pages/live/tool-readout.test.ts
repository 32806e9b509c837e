import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fixedAxisAngles, fixedAxisRotation } from '../../../physics/math/rotation.ts';

const turn = fc.double({ min: -3.1, max: 3.1, noNaN: true });
const tilt = fc.double({ min: -1.57, max: 1.57, noNaN: true });

it('returns angles that reproduce the rotation', () => {
  fc.assert(
    fc.property(turn, tilt, turn, (x, y, z) => {
      const [expected, actual] = [new Float64Array(9), new Float64Array(9)];
      fixedAxisRotation(x, y, z, expected);
      fixedAxisRotation(...fixedAxisAngles(expected), actual);
      for (let i = 0; i < 9; i++) expect(actual[i]).toBeCloseTo(expected[i]!, 2);
    }),
  );
});
