import { readFileSync } from 'node:fs';
import { PerspectiveCamera } from 'three';
import { expect, test } from 'vitest';
import { deckOf, nestOf, PLATE_M } from '../workflow/deck-layout.ts';
import { createArm } from './arm.ts';
import { createDeckLayer } from './deck-layer.ts';
import type { Label, Labels } from './labels.ts';

const ASSAY = JSON.parse(
  readFileSync(new URL('../../fixtures/workflows/assay.json', import.meta.url), 'utf8'),
) as unknown;
/** The grip pose of the washer's only slot. */
const GRIP = [0, -0.1513, -2.1669, 0, -0.8234, 0];
const DECK = deckOf(ASSAY);

function drawnDeck() {
  const arm = createArm();
  const told = { labels: [] as readonly Label[], frames: 0 };
  const labels: Labels = {
    element: null as never,
    set: (list) => {
      told.labels = list;
    },
    place: () => {},
  };
  const layer = createDeckLayer({ arm, labels, redraw: () => told.frames++ });
  return { arm, layer, told };
}

function farther(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, axis) => value - b[axis]!));
}

test('draws a nest for each slot, a name for each instrument, a plate where labware is', () => {
  const { layer, told } = drawnDeck();
  layer.set(DECK, [
    { labware_id: 'a', instrument_id: 'hotel', slot: 2 },
    { labware_id: 'lost', instrument_id: 'nowhere', slot: 1 },
  ]);
  const { nests, plates } = layer.drawn();
  expect(nests).toBe(9);
  expect(told.labels.map(({ text }) => text)).toContain('Plate hotel');
  expect(told.frames).toBe(1);
  const [x, y, z] = nestOf(DECK, 'hotel', 2)!.at_m;
  expect(plates.map(({ labware_id }) => labware_id)).toEqual(['a']);
  expect(farther(plates[0]!.at_m, [x, y, z - PLATE_M.z / 2])).toBeLessThan(1e-9);
});

test('has a carried plate at the flange, where the nest would have it when the arm grips', () => {
  const { arm, layer } = drawnDeck();
  arm.setPose(GRIP);
  layer.set(DECK, [{ labware_id: 'a', instrument_id: null, slot: null }]);
  layer.advance();
  const nest = nestOf(DECK, 'washer', 1)!.at_m;
  const held = layer.drawn().plates[0]!;
  expect(held.carried).toBe(true);
  expect(farther(held.at_m, [nest[0], nest[1], nest[2] - PLATE_M.z / 2])).toBeLessThan(1e-3);
  arm.setPose([0.5, ...GRIP.slice(1)]);
  layer.advance();
  const moved = layer.drawn().plates[0]!.at_m;
  const turn = Math.atan2(moved[1]!, moved[0]!) - Math.atan2(held.at_m[1]!, held.at_m[0]!);
  expect(turn).toBeCloseTo(0.5, 6);
});

test('asks for a frame only when something has changed', () => {
  const { layer } = drawnDeck();
  expect(layer.advance()).toBe(true);
  expect(layer.advance()).toBe(false);
  layer.set(DECK, []);
  expect(layer.advance()).toBe(true);
  layer.place(new PerspectiveCamera(), 10, 10);
});
