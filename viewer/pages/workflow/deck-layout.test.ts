import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { deckOf, nestOf, startingPlaces } from './deck-layout.ts';
import { ganttLinks } from './gantt-links.ts';
import { resolutionsOf } from './resolutions.ts';
import { RUN } from './run.cases.ts';

const ASSAY = JSON.parse(
  readFileSync(new URL('../../../fixtures/workflows/assay.json', import.meta.url), 'utf8'),
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

test('links tasks by their labware, dependencies and limits', () => {
  const need = { labware_id: 'plate', source_task: 'fill' };
  const limit = { id: 'soon', start_task_id: 'fill', end_task_id: 'warm', max_duration: 9 };
  const workflow = {
    tasks: {
      fill: { labware_sources: { plate: { labware_id: 'plate' } } },
      warm: { labware_sources: { plate: need }, dependencies: ['fill', 'other', 3] },
    },
    time_constraints: [{ ...limit, type: 'end_to_start' }],
  };
  const ends = { from: 'task/fill', to: 'task/warm', fromEnd: true, toEnd: false };
  const dependency = { kind: 'dependency', ...ends, state: '', text: '' };
  const [own, other, drawn] = ganttLinks({ workflow }, null);
  expect(own).toEqual(dependency);
  expect(other).toEqual({ ...dependency, from: 'task/other' });
  expect(drawn).toEqual({ kind: 'limit', ...ends, state: '', text: 'at most 9 s' });
  const state = { min_s: 0, max_s: 9, elapsed_s: 1, planned_s: 11 };
  const late = { constraint_id: 'soon', state: 'running' as const, slack_s: -2, ...state };
  const inRun = ganttLinks({ workflow }, { ...RUN, limits: [late] })[2];
  expect(inRun).toMatchObject({ state: 'late', text: 'at most 9 s, slack -2 s' });
  const broken = { ...late, state: 'broken' as const };
  const after = ganttLinks({ workflow }, { ...RUN, limits: [broken] })[2];
  expect(after).toMatchObject({ state: 'broken', text: 'soon: broken' });
  for (const wrong of [null, 3, {}, { workflow: { tasks: [1], time_constraints: {} } }]) {
    expect(ganttLinks(wrong, null)).toEqual([]);
  }
});

test('knows what a definition allows after a failure', () => {
  const failing = (available_failure_actions?: object) => ({
    workflow: { tasks: { wash: { available_failure_actions } } },
  });
  expect(resolutionsOf(ASSAY, 'dispense_1')).toEqual(['retry', 'complete']);
  expect(resolutionsOf(failing(), 'wash')).toEqual(['retry', 'complete']);
  expect(resolutionsOf(failing({ retry: false, ignore: true }), 'wash')).toEqual([
    'complete',
    'skip',
  ]);
  expect(resolutionsOf(null, 'wash')).toEqual(['retry', 'complete', 'skip']);
});
