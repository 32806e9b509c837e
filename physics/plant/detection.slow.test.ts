import { expect, it } from 'vitest';
import { REALISM } from '../arm/arm-model.ts';
import { falseTrips } from './detection.cases.ts';
import { createFastPlant } from './fast-plant.ts';
import { createRapierPlant } from './rapier-plant.ts';

const BENT = Float64Array.of(0, -0.6, -1.2, 0, -1.2, 0);

for (const seed of [31, 5, 2024]) {
  it(`ten minutes of full-speed moves with a payload error: no trip on fast (${seed})`, () => {
    expect([...falseTrips(createFastPlant(BENT), seed, 600).values()]).toEqual([0, 0, 0]);
  });
}

it.each(['fast', 'rapier'])(
  'ten minutes of full-speed moves with typical friction: no trip on %s',
  async (engine) => {
    const plant = engine === 'fast' ? createFastPlant(BENT) : await createRapierPlant(BENT);
    plant.frictionLaw = REALISM.typical.friction;
    expect([...falseTrips(plant, 77, 600, 1).values()]).toEqual([0, 0, 0]);
    plant.free();
  },
  120_000,
);

it('ten minutes of full-speed moves with a payload error: no trip on Rapier', async () => {
  const plant = await createRapierPlant(BENT);
  expect([...falseTrips(plant, 31, 600).values()]).toEqual([0, 0, 0]);
  plant.free();
}, 120_000);
