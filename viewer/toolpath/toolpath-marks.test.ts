import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Toolpath } from '../../contract/types.generated.ts';
import { freeHeight } from '../scene/label-box.ts';
import { placedGrids } from './grid-lattice.ts';
import type { Mark } from './mark.ts';
import { toolpathMarks } from './mark-list.ts';
import { openToolpath } from './open-toolpath.ts';
import { nameBoxes } from './toolpath-marks.ts';
import type { ToolpathView } from './toolpath-view.ts';

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
const marks = toolpathMarks(view, placedGrids(toolpath));

it('marks home, goals and pass-throughs once each, by name', () => {
  const named = marks.filter(({ kind }) => ['home', 'waypoint', 'pass'].includes(kind));
  expect(named.map(({ kind, text }) => `${kind} ${text}`).sort()).toEqual([
    'home home',
    'pass turn',
    'waypoint blue',
    'waypoint over blue',
    'waypoint over red',
    'waypoint red',
  ]);
});

it('selects the waypoint that the selected action goes to', () => {
  expect(marks.filter(({ selected }) => selected).map(({ text }) => text)).toEqual(['home']);
});

it('numbers the cells of a grid', () => {
  const cells = marks.filter(({ kind }) => kind === 'cell');
  expect(cells.map(({ text }) => text)).toEqual(['1', '2', '3', '4', '5', '6']);
  const [first, second] = cells.map(({ at_m }) => at_m);
  expect(Math.hypot(...first!.map((value, k) => value - second![k]!))).toBeGreaterThan(0.02);
});

it('omits hidden layers', () => {
  const hidden = { ...view, layers: { ...layers, zones: false, waypoints: false } };
  expect(toolpathMarks(hidden, placedGrids(toolpath))).toEqual([]);
});

it('moves a label below a panel, and hides it where nothing is free near its place', () => {
  const panel = { left: 0, right: 200, top: 12, bottom: 46 };
  const at = { x: 100, y: 14, half: 30 };
  expect(freeHeight(at, 600, [])).toBe(14);
  expect(freeHeight({ ...at, y: 3 }, 600, [])).toBe(10);
  expect(freeHeight(at, 600, [panel])).toBe(56);
  expect(freeHeight({ ...at, x: 300 }, 600, [panel])).toBe(14);
  expect(freeHeight(at, 600, [{ ...panel, bottom: 120 }])).toBe(null);
});

it('puts a name left of its dot where another is at the right, and hides it between two', () => {
  const mark = (kind: Mark['kind'], selected = false): Mark => {
    return { kind, text: 'Waypoint', at_m: [0, 0, 0], target: null, selected };
  };
  const at = (x: number, kind: Mark['kind'] = 'waypoint', selected = false) => {
    return { mark: mark(kind, selected), place: { x, y: 100 } };
  };
  const free = { over: [], handles: null, width: 600 };
  const [alone] = nameBoxes([at(300)], free);
  expect(alone?.left).toBe(310);
  expect(nameBoxes([at(300), at(340)], free)[0]?.right).toBe(290);
  expect(nameBoxes([at(300), at(260), at(340)], free)[0]).toBe(null);
  // What is selected is named all the same.
  expect(nameBoxes([at(300, 'waypoint', true), at(260), at(340)], free)[0]).toEqual(alone);
  const panel = { left: 320, right: 400, top: 0, bottom: 200 };
  expect(nameBoxes([at(300)], { ...free, over: [panel] })[0]?.right).toBe(290);
  // Among the handles of the gizmo it goes beside them, at the height of its dot.
  const handles = { left: 240, right: 420, top: 20, bottom: 180 };
  expect(nameBoxes([at(300)], { ...free, handles })[0]).toMatchObject({ left: 430, top: 91 });
  expect(nameBoxes([at(300)], { ...free, handles, width: 470 })[0]?.right).toBe(230);
  expect(nameBoxes([at(200)], { ...free, handles })[0]?.right).toBe(190);
  // It is never cut by the edge of the scene.
  expect(nameBoxes([at(300)], { ...free, width: 370 })[0]?.right).toBe(290);
  expect(nameBoxes([at(20)], { ...free, width: 80 })[0]).toBe(null);
});
