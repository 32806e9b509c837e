import { readFileSync } from 'node:fs';
import { signal } from '@preact/signals';
import { act } from 'preact/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { ArmStore } from '../../link/arm-store.ts';
import { draw } from '../../ui/drawn.cases.ts';
import { DeckMap, plateNames } from './deck-map.tsx';
import { RUN } from './run.cases.ts';
import { WorkflowState } from './workflow-state.ts';

const ASSAY = JSON.parse(readFileSync('fixtures/workflows/assay.json', 'utf8'));

afterEach(() => vi.unstubAllGlobals());

it('labels plates with the distinguishing part of their ids', () => {
  const names = (...ids: string[]) => [...plateNames(ids).values()];
  expect(names('plate_1', 'plate_2')).toEqual(['1', '2']);
  expect(names('plate')).toEqual(['…ate']);
  expect(names('a', 'ab')).toEqual(['a', 'b']);
  expect(names('x_first', 'x_second')).toEqual(['…rst', '…ond']);
});

it('draws the nests with what stands in them, and says where it is; without poses it says so', async () => {
  const state = new WorkflowState();
  state.definition.value = ASSAY;
  const { root } = draw(<DeckMap state={state} arm={signal(new ArmStore().view())} />);
  const texts = (selector: string) =>
    [...root.querySelectorAll(selector)].map(({ textContent }) => textContent);
  expect(root.querySelectorAll('.deck-nest').length).toBe(state.deck.value.nests.length);
  expect(texts('.deck-label')).toEqual(['1', '2', '3']);
  expect(texts('.sr-only li')[0]).toMatch(/^plate_1: .+, slot 1$/);
  await act(() =>
    state.showRun({ ...RUN, labware: [{ ...RUN.labware[0]!, instrument_id: null }] }),
  );
  expect(texts('.deck-label')).toEqual([]);
  expect(texts('.sr-only li')).toEqual(['plate: on the arm']);
  await act(() => {
    state.definition.value = {};
  });
  expect(root.querySelector('svg')).toBeNull();
  expect(texts('.deck-places li')).toEqual(['plate: on the arm']);
});
