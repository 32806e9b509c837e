import { expect, it } from 'vitest';
import { falseTrips } from './detection.cases.ts';
import { createFastPlant } from './fast-plant.ts';
import { createRapierPlant } from './rapier-plant.ts';

const BENT = Float64Array.of(0, -0.6, -1.2, 0, -1.2, 0);

for (const seed of [31, 5, 2024]) {
  it(`ten minutes of full-speed moves with a payload error: no trip on fast (${seed})`, () => {
    expect([...falseTrips(createFastPlant(BENT), seed, 600).values()]).toEqual([0, 0, 0]);
  });
}

it('ten minutes of full-speed moves with a payload error: no trip on Rapier', async () => {
  const plant = await createRapierPlant(BENT);
  expect([...falseTrips(plant, 31, 600).values()]).toEqual([0, 0, 0]);
  plant.free();
}, 120_000);
