import { describe, expect, it } from 'vitest';
import {
  BODIES,
  collide,
  faultsOf,
  PLANTS,
  SENSITIVITIES,
  SPEEDS_M_S,
  STIFFNESSES_N_PER_M,
  type Touch,
} from './contact-choreography.cases.ts';

const names = Object.keys(BODIES) as (keyof typeof BODIES)[];

/** All cases of one plant and body. */
function casesOf(plant: Touch['plant'], body: Touch['body']): Touch[] {
  return SENSITIVITIES.flatMap((sensitivity) =>
    SPEEDS_M_S.flatMap((speed_m_s) =>
      STIFFNESSES_N_PER_M.map((stiffness_n_per_m) => {
        return { plant, body, sensitivity, speed_m_s, stiffness_n_per_m };
      }),
    ),
  );
}

describe.each(PLANTS)(
  'every touch with detection enabled, %s',
  (plant) => {
    it.each(names)('by a %s is a collision until it is acknowledged', async (body) => {
      const wrong: string[] = [];
      let [peak_n, residual_n, rest_s] = [0, 0, 0];
      const cases = casesOf(plant, body);
      for (const touch of cases) {
        const report = await collide(touch);
        const faults = faultsOf(report, body);
        if (faults.length > 0) wrong.push(`${JSON.stringify(touch)}: ${faults.join('; ')}`);
        peak_n = Math.max(peak_n, report.peak_n);
        residual_n = Math.max(residual_n, report.residual_n);
        rest_s = Math.max(rest_s, report.rest_s);
      }
      const worst = `peak ${peak_n.toFixed(0)} N, at rest ${residual_n.toFixed(1)} N`;
      process.stdout.write(`${plant}, ${body}: ${cases.length} cases, ${worst}, ${rest_s} s\n`);
      expect(wrong).toEqual([]);
    });
  },
  900_000,
);
