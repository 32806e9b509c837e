import { act } from 'preact/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { draw } from '../../ui/drawn.cases.ts';
import { ChartState } from './chart-state.ts';
import { Row } from './gantt-row.tsx';
import { PLAN, RUN } from './run.cases.ts';
import { WorkflowState } from './workflow-state.ts';

afterEach(() => vi.unstubAllGlobals());

/** The rows of a running run on an axis of ten pixels a second. */
function chartOf() {
  const state = new WorkflowState();
  const chart = new ChartState(state);
  state.showMode('run');
  state.showRun({ ...RUN, now_s: 0, plan: PLAN });
  state.showRun({ ...RUN, now_s: 50 });
  chart.width_px.value = 156 + 10 * chart.end_s.value;
  const Rows = () => (
    <>
      {state.rows.value.map((row) => (
        <Row key={row.id} row={row} chart={chart} />
      ))}
    </>
  );
  const drawn = draw(<Rows />);
  const bar = (key: string) => drawn.find(`.gantt-bar[data-key="${key}"]`);
  return { state, ...drawn, bar };
}

it('draws a bar from its start to its end, with what it is late by', () => {
  const { bar } = chartOf();
  const { left, width } = bar('task/fill').style;
  expect([left, width]).toEqual(['120.0px', '230.0px']);
  const late = bar('task/fill').querySelector<HTMLElement>('.gantt-late');
  expect(late?.style.width).toBe('50.0px');
  expect(bar('task/fill').querySelector('.gantt-done')).toBeNull();
});

it('moves the progress of what runs, and leaves the other bars as they are', async () => {
  const { state, root, bar } = chartOf();
  const progress = () => (bar('task/warm').querySelector('.gantt-done') as HTMLElement).style.width;
  expect(progress()).toBe('30.0px');
  const rows = state.rows.value;
  const boxes = [...root.querySelectorAll('.gantt-bar')];
  await act(() => state.showRun({ ...structuredClone(RUN), now_s: 52 }));
  expect(progress()).toBe('50.0px');
  expect(state.rows.value).toEqual(rows);
  expect(state.rows.value.map((row, i) => row === rows[i])).not.toContain(false);
  expect([...root.querySelectorAll('.gantt-bar')].map((box, i) => box === boxes[i])).not.toContain(
    false,
  );
});

it('marks the selected bar, which is the only tab stop', async () => {
  const { state, root, bar, fire } = chartOf();
  const stops = () => root.querySelectorAll('.gantt-bar[tabindex="0"]');
  expect([...stops()]).toEqual([root.querySelector('.gantt-bar')]);
  await fire('.gantt-bar[data-key="task/rest"]', 'click');
  expect(state.selected.value).toEqual({ kind: 'bar', key: 'task/rest' });
  expect([...stops()]).toEqual([bar('task/rest')]);
  expect(bar('task/rest').getAttribute('aria-pressed')).toBe('true');
});
