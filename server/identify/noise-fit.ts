/** Estimates the noise of measured angles and rates. */

import { TELEMETRY } from '../../physics/arm/arm-model.ts';
import type { Capture } from './capture.ts';
import type { Estimate } from './estimate.ts';
import { MEDIAN_SCALE, medianOf } from './median.ts';

const NOISE_SAMPLES_MIN = 100;

/** True where all angles are multiples of the resolution of the arm's telemetry. */
function isQuantised({ q }: Capture): boolean {
  const step = TELEMETRY.position_quantum_rad;
  return q
    .subarray(0, 6000)
    .every((angle) => Math.abs(angle / step - Math.round(angle / step)) < 1e-3);
}

/** Differences of order `order` of the moving joints, at a steady beat. */
function differences(captures: readonly Capture[], name: 'q' | 'rates', order: number): number[] {
  const weights = [1];
  for (let n = 1; n <= order; n++) weights.push((-weights[n - 1]! * (order - n + 1)) / n);
  const found: number[] = [];
  for (const { t_s, rates, ...columns } of captures) {
    const data = name === 'rates' ? rates : (columns as { readonly q: Float64Array }).q;
    for (let i = order; i < t_s.length; i++) {
      const step_s = t_s[i]! - t_s[i - 1]!;
      if (Math.abs(t_s[i]! - t_s[i - order]! - order * step_s) > 0.2 * step_s) continue;
      for (let j = 0; j < 6; j++) {
        if (Math.abs(rates[6 * i + j]!) < 0.1) continue;
        let sum = 0;
        for (let n = 0; n <= order; n++) sum += weights[n]! * data[6 * (i - n) + j]!;
        found.push(Math.abs(sum));
      }
    }
  }
  return found;
}

/** Root of the sum of the squared weights of differences of third and fourth order. */
const THIRD = Math.sqrt(20);
const FOURTH = Math.sqrt(70);

/** Noise of angles and rates, from differences in which the motion itself vanishes. */
export function noiseEstimates(captures: readonly Capture[]): [string, Estimate][] {
  const angles = differences(captures, 'q', 4);
  const rates = differences(captures, 'rates', 3);
  const few = { value: null, reason: 'there are fewer than 100 samples in motion' } as const;
  if (angles.length < NOISE_SAMPLES_MIN) {
    return [
      ['noise/position_rad', few],
      ['noise/velocity_rad_s', few],
    ];
  }
  const step = captures.some(isQuantised) ? TELEMETRY.position_quantum_rad : 0;
  const seen = (MEDIAN_SCALE * medianOf(angles)) / FOURTH;
  const left = Math.max(seen * seen - (step * step) / 12, 0);
  // Below half of the resolution the difference of two variances is rounding.
  const noise = left < (step * step) / 48 ? 0 : Math.sqrt(left);
  const rate = (MEDIAN_SCALE * medianOf(rates)) / THIRD;
  const share = 2.5 / Math.sqrt(angles.length);
  const around = (value: number, least: number): Estimate => ({
    value,
    low: Math.max(value * (1 - share) - least, 0),
    high: value * (1 + share) + least,
  });
  return [
    ['noise/position_rad', around(noise, step / 4)],
    ['noise/velocity_rad_s', around(rate, 1e-5)],
  ];
}
