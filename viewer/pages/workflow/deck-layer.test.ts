import { readFileSync } from 'node:fs';
import { PerspectiveCamera } from 'three';
import { expect, test } from 'vitest';
import { createArm } from '../../scene/arm.ts';
import type { Label, Labels } from '../../scene/labels.ts';
import { DeckLayer } from './deck-layer.ts';
import { deckOf, nestOf, PLATE_M } from './deck-layout.ts';

const ASSAY = JSON.parse(
  readFileSync(new URL('../../../fixtures/workflows/assay.json', import.meta.url), 'utf8'),
) as unknown;
/** Grip pose of the washer's only slot. */
const GRIP = [0, -0.1513, -2.1669, 0, -0.8234, 0];
const DECK = deckOf(ASSAY);

function drawnDeck() {
  const arm = createArm();
  const calls = { labels: [] as readonly Label[], frames: 0 };
  const labels: Labels = {
    element: null as never,
    set: (list) => {
      calls.labels = list;
    },
    place: () => {},
  };
  const layer = new DeckLayer({ arm, labels, redraw: () => calls.frames++ });
  return { arm, layer, calls };
}

function farther(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, axis) => value - b[axis]!));
}

test('draws a nest for each slot, a name for each instrument, a plate where labware is', () => {
  const { layer, calls } = drawnDeck();
  layer.set(DECK, [
    { labware_id: 'a', instrument_id: 'hotel', slot: 2 },
    { labware_id: 'lost', instrument_id: 'nowhere', slot: 1 },
  ]);
  const { nests, plates } = layer.drawn();
  expect(nests).toBe(9);
  expect(calls.labels.map(({ text }) => text)).toContain('Plate hotel');
  expect(calls.frames).toBe(1);
  const [x, y, z] = nestOf(DECK, 'hotel', 2)!.at_m;
  expect(plates.map(({ labware_id }) => labware_id)).toEqual(['a']);
  expect(farther(plates[0]!.at_m, [x, y, z - PLATE_M.z / 2])).toBeLessThan(1e-9);
});

test('draws a carried plate at the flange, at its nest position in the grip pose', () => {
  const { arm, layer } = drawnDeck();
  arm.setPose(GRIP);
  layer.set(DECK, [{ labware_id: 'a', instrument_id: null, slot: null }]);
  layer.update();
  const nest = nestOf(DECK, 'washer', 1)!.at_m;
  const held = layer.drawn().plates[0]!;
  expect(held.carried).toBe(true);
  expect(farther(held.at_m, [nest[0], nest[1], nest[2] - PLATE_M.z / 2])).toBeLessThan(1e-3);
  arm.setPose([0.5, ...GRIP.slice(1)]);
  layer.update();
  const moved = layer.drawn().plates[0]!.at_m;
  const turn = Math.atan2(moved[1]!, moved[0]!) - Math.atan2(held.at_m[1]!, held.at_m[0]!);
  expect(turn).toBeCloseTo(0.5, 6);
});

test('requests a frame only after a change', () => {
  const { layer } = drawnDeck();
  expect(layer.update()).toBe(true);
  expect(layer.update()).toBe(false);
  layer.set(DECK, []);
  expect(layer.update()).toBe(true);
  layer.placeLabels(new PerspectiveCamera(), 10, 10);
});
