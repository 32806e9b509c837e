import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Toolpath } from '../../contract/types.ts';
import { placedGrids } from '../scene/cell-lattice.ts';
import { markList } from './mark-list.ts';
import { openToolpath } from './open-toolpath.ts';
import type { ToolpathView } from './toolpath-store.ts';

const url = new URL('../../fixtures/toolpaths/sorter.json', import.meta.url);
const outcome = openToolpath(readFileSync(url, 'utf8'));
const toolpath = (outcome.ok ? outcome.value.toolpath : null) as Toolpath;
const layers = { path: true, waypoints: true, zones: true, ghost: true };
const view = {
  opened: { toolpath, findings: [], notes: [] },
  selected: '/timeline/5',
  finding: null,
  layers,
} as Partial<Record<keyof ToolpathView, unknown>> as ToolpathView;
const marks = markList(view, placedGrids(toolpath));

it('marks home, goals and pass-throughs each once, by their names', () => {
  const named = marks.filter(({ kind }) => ['home', 'waypoint', 'pass'].includes(kind));
  expect(named.map(({ kind, words }) => `${kind} ${words}`).sort()).toEqual([
    'home home',
    'pass turn',
    'waypoint blue',
    'waypoint over blue',
    'waypoint over red',
    'waypoint red',
  ]);
});

it('selects the waypoint that the selected action goes to', () => {
  expect(marks.filter(({ selected }) => selected).map(({ words }) => words)).toEqual(['home']);
});

it('numbers the cells where the grid has them', () => {
  const cells = marks.filter(({ kind }) => kind === 'cell');
  expect(cells.map(({ words }) => words)).toEqual(['1', '2', '3', '4', '5', '6']);
  const [first, second] = cells.map(({ at_m }) => at_m);
  expect(Math.hypot(...first!.map((value, k) => value - second![k]!))).toBeGreaterThan(0.02);
});

it('leaves out what is hidden', () => {
  const hidden = { ...view, layers: { ...layers, zones: false, waypoints: false } };
  expect(markList(hidden, placedGrids(toolpath))).toEqual([]);
});
