import { expect, it } from 'vitest';
import type { FinderEntry } from './finder-entries.ts';
import { FinderState } from './finder-state.ts';

const entry = (label: string, on: boolean | null = null): FinderEntry => ({
  ...{ label, on, group: 'Command', icon: null, key: '' },
  run: () => undefined,
});
const started = (...labels: readonly string[]) => {
  const state = new FinderState();
  state.start(labels.map((label) => entry(label)));
  return state;
};
const selectedIn = ({ shown, selected }: FinderState) => shown.value[selected.value]?.label;

it('selects the best match of each search, and stays within the rows', () => {
  const state = started('Fit', 'Pause', 'Play');
  state.select(9);
  expect(selectedIn(state)).toBe('Play');
  state.select(-1);
  expect(selectedIn(state)).toBe('Fit');
  state.search('pa');
  expect(selectedIn(state)).toBe('Pause');
  state.search('nothing');
  expect(selectedIn(state)).toBeUndefined();
});

it('keeps the selected row while buttons come and go', () => {
  const state = started('Fit', 'Pause', 'Play');
  state.select(1);
  state.refresh([entry('Pause'), entry('Play')]);
  expect(selectedIn(state)).toBe('Pause');
  state.refresh([entry('Play')]);
  expect(selectedIn(state)).toBe('Play');
});

it('shows a switch that has changed', () => {
  const state = started('Trail');
  state.refresh([entry('Trail', true)]);
  expect(state.shown.value[0]!.on).toBe(true);
});
