/**
 * The plants give the same bits on every machine and version of Node: the digests of one history
 * are recorded in fixtures/goldens/plant-digests.json. A change of the arm model or of the order of
 * operations changes them; then record the new ones on purpose.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PHYSICS_FINGERPRINT } from '../arm/arm-model.ts';
import { History } from './digest.cases.ts';
import { createFastPlant } from './fast-plant.ts';
import { createRapierPlant } from './rapier-plant.ts';

const START = Float64Array.of(0.1, -0.4, -0.9, 0.2, -0.8, 0.3);
const goldens = JSON.parse(
  readFileSync(new URL('../../fixtures/goldens/plant-digests.json', import.meta.url), 'utf8'),
) as { readonly fast: string; readonly rapier: string };

it('the fingerprint of recordings names these digests', () => {
  const starts = [goldens.fast, goldens.rapier].map((digest) => digest.slice(0, 8));
  expect(PHYSICS_FINGERPRINT).toBe(starts.join('-'));
});

it('the fast plant gives its recorded bits over 20 seconds', () => {
  const history = new History(createFastPlant(START), 12);
  history.play(20_000);
  expect(history.digest()).toBe(goldens.fast);
});

it('the Rapier plant gives its recorded bits over 12 seconds', async () => {
  const history = new History(await createRapierPlant(START), 12);
  history.play(12_000);
  expect(history.digest()).toBe(goldens.rapier);
});
