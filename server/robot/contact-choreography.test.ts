import { describe, expect, it } from 'vitest';
import {
  collide,
  faultsOf,
  PLANTS,
  SENSITIVITIES,
  STIFFNESSES_N_PER_M,
} from './contact-choreography.cases.ts';

describe.each(PLANTS)('a touch with detection enabled, %s', (plant) => {
  it.each([0.1, 0.5, 1.5])('is a collision until it is acknowledged, at %s m/s', async (speed) => {
    const [stiffness_n_per_m, sensitivity] =
      speed === 0.5
        ? [STIFFNESSES_N_PER_M[1]!, SENSITIVITIES[1]]
        : [STIFFNESSES_N_PER_M[speed < 1 ? 0 : 2]!, SENSITIVITIES[speed < 1 ? 2 : 0]];
    const report = await collide({ plant, sensitivity, speed_m_s: speed, stiffness_n_per_m });
    expect(faultsOf(report)).toEqual([]);
  });
});
