import { expect, it } from 'vitest';
import { History } from './digest.cases.ts';
import { createFastPlant } from './fast-plant.ts';
import type { Plant } from './plant.ts';
import { createRapierPlant } from './rapier-plant.ts';

const START = Float64Array.of(0.1, -0.4, -0.9, 0.2, -0.8, 0.3);
const RESTORES = 4;

const plants: Record<string, () => Promise<Plant>> = {
  fast: async () => createFastPlant(START),
  rapier: () => createRapierPlant(START),
};

/** Plays a million steps; with `restores` the plant goes through a snapshot that many times. */
async function play(create: () => Promise<Plant>, restores: number): Promise<string> {
  const plant = await create();
  const history = new History(plant, 12);
  for (let part = 0; part <= RESTORES; part++) {
    history.play(1_000_000 / (RESTORES + 1));
    if (part >= restores) continue;
    const bytes = plant.snapshot();
    plant.place(new Float64Array(6));
    plant.restore(bytes);
  }
  plant.free();
  return history.digest();
}

for (const [name, create] of Object.entries(plants)) {
  it(`a million steps of the ${name} plant are equal through any restore`, async () => {
    expect(await play(create, RESTORES)).toBe(await play(create, 0));
  }, 600_000);
}
