import { expect, test } from 'vitest';
import { rotationRates } from './rotation-rates.ts';
import { rotateByVector, rotationBetween } from './rotation-vector.ts';

const UPRIGHT = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const STEP = 1e-4;

/** r(t) = r + t d + t² e / 2 as a rotation matrix. */
function rotationAt(t: number, rates: Record<'value' | 'first' | 'second', Float64Array>) {
  const out = new Float64Array(9);
  const r = rates.value.map((x, k) => x + t * rates.first[k]! + (t * t * rates.second[k]!) / 2);
  rotateByVector(r, UPRIGHT, out);
  return out;
}

for (const size of [0, 1e-3, 0.0999, 0.1001, 1, 2.5, 4.5]) {
  test(`agrees with differences at an angle of ${size} rad`, () => {
    const rates = {
      value: Float64Array.of(0.6 * size, 0, 0.8 * size),
      first: Float64Array.of(0.7, -1.1, 0.4),
      second: Float64Array.of(-0.3, 0.9, 1.3),
    };
    const velocity = new Float64Array(6);
    const acceleration = new Float64Array(6);
    rotationRates(rates, 0, velocity, acceleration);
    const [before, here, after] = [-STEP, 0, STEP].map((t) => rotationAt(t, rates));
    const back = new Float64Array(3);
    const on = new Float64Array(3);
    rotationBetween(here!, before!, back);
    rotationBetween(here!, after!, on);
    for (let k = 0; k < 3; k++) {
      expect(velocity[3 + k]).toBeCloseTo((on[k]! - back[k]!) / (2 * STEP), 5);
      expect(acceleration[3 + k]).toBeCloseTo((on[k]! + back[k]!) / STEP ** 2, 4);
    }
  });
}
