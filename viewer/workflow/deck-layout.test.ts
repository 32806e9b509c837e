import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { deckOf, nestOf, startingPlaces } from './deck-layout.ts';

const ASSAY = JSON.parse(
  readFileSync(new URL('../../fixtures/workflows/assay.json', import.meta.url), 'utf8'),
) as unknown;

test('places a nest at the grip pose of each slot', () => {
  const deck = deckOf(ASSAY);
  expect(deck.instruments.map(({ name }) => name)).toEqual([
    ...['Plate hotel', 'Dispenser', 'Washer', 'Reader', 'Incubator'],
  ]);
  expect(deck.nests.length).toBe(9);
  const washer = nestOf(deck, 'washer', 1)!;
  const reader = nestOf(deck, 'reader', 1)!;
  const reach = (at: readonly number[]) => Math.hypot(at[0]!, at[1]!);
  // The reader's pose is the washer's, turned about the base by 0.5 rad.
  expect(reach(reader.at_m)).toBeCloseTo(reach(washer.at_m), 6);
  const turned = Math.atan2(...([...reader.at_m].slice(0, 2).reverse() as [number, number]));
  const before = Math.atan2(...([...washer.at_m].slice(0, 2).reverse() as [number, number]));
  expect(turned - before).toBeCloseTo(0.5, 6);
  expect(reader.at_m[2]).toBeCloseTo(washer.at_m[2], 6);
});

test('reads the starting locations of labware', () => {
  expect(startingPlaces(ASSAY)[1]).toEqual({
    labware_id: 'plate_2',
    instrument_id: 'hotel',
    slot: 2,
  });
});

test('reads any invalid definition as an empty deck', () => {
  const wrong = [null, 3, {}, { workcell: { instruments: [null, 1, { type: 'transport' }] } }];
  for (const definition of wrong) {
    expect(deckOf(definition)).toEqual({ instruments: [], nests: [] });
    expect(startingPlaces(definition)).toEqual([]);
  }
});
