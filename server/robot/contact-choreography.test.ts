import { describe, expect, it } from 'vitest';
import {
  collide,
  faultsOf,
  INTERRUPTIONS,
  PLANTS,
  stepAfter,
  type Touch,
} from './contact-choreography.cases.ts';

/** A sample of the matrix that the slow test plays in full. */
const CASES: readonly Omit<Touch, 'plant'>[] = [
  { body: 'link', sensitivity: 'low', speed_m_s: 0.25, stiffness_n_per_m: 5_000 },
  { body: 'tool', sensitivity: 'medium', speed_m_s: 0.5, stiffness_n_per_m: 25_000 },
  { body: 'load', sensitivity: 'high', speed_m_s: 1.5, stiffness_n_per_m: 100_000 },
  { body: 'link', sensitivity: 'medium', speed_m_s: 1.5, stiffness_n_per_m: 25_000 },
];

describe.each(PLANTS)('a touch with detection enabled, %s', (plant) => {
  it.each(CASES)('is a collision until acknowledged: $body at $speed_m_s m/s', async (touch) => {
    const report = await collide({ ...touch, plant });
    expect(faultsOf(report, touch.body)).toEqual([]);
  });
});

describe('the next motion of a worn arm starts where its drives hold it', () => {
  it('after a collision', async () => {
    const report = await collide({ ...CASES[0]!, plant: 'fast', realism: 'worn' });
    expect(faultsOf(report, 'link')).toEqual([]);
  });

  it.each(INTERRUPTIONS)('after an interruption: %s', async (kind) => {
    expect(await stepAfter(kind)).toBeLessThan(1e-5);
  });
});
