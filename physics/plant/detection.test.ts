import { describe, expect, it } from 'vitest';
import { BENT, falseTrips, stepsToTrip } from './detection.cases.ts';
import { createFastPlant } from './fast-plant.ts';
import { createRapierPlant } from './rapier-plant.ts';

const SEED = 31;
describe('contact detection', () => {
  const limits = [
    { speed_m_s: 0.25, stiffness_n_per_m: 25_000, level: 'medium' as const, steps: 5 },
    { speed_m_s: 0.75, stiffness_n_per_m: 25_000, level: 'medium' as const, steps: 3 },
    { speed_m_s: 0.25, stiffness_n_per_m: 5_000, level: 'medium' as const, steps: 15 },
    { speed_m_s: 0.25, stiffness_n_per_m: 25_000, level: 'low' as const, steps: 9 },
  ];
  for (const { level, steps, ...block } of limits) {
    const what = `${block.stiffness_n_per_m / 1000} N/mm at ${block.speed_m_s} m/s, ${level}`;
    for (const joint of [0, 1]) {
      it(`takes ${what}, joint ${joint} in ${steps} ms on both plants`, async () => {
        const sweep = { joint, ...block };
        const rapier = await createRapierPlant(BENT);
        const took = [
          stepsToTrip(createFastPlant(BENT), sweep, level),
          stepsToTrip(rapier, sweep, level),
        ];
        rapier.free();
        expect(Math.max(...took), took.join(' and ')).toBeLessThanOrEqual(steps);
      });
    }
  }

  it('has no false detection in 30 s of full-speed moves with a payload error', () => {
    const trips = falseTrips(createFastPlant(BENT), SEED, 30);
    expect([...trips.values()], `seed ${SEED}`).toEqual([0, 0, 0]);
  });

  it('has no false detection in the same moves on Rapier', async () => {
    const plant = await createRapierPlant(BENT);
    const trips = falseTrips(plant, SEED, 5);
    expect([...trips.values()], `seed ${SEED}`).toEqual([0, 0, 0]);
    plant.free();
  });
});
