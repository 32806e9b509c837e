import { expect, test } from 'vitest';

import { ganttRows } from './gantt-rows.ts';
import { barSentence, emptyText } from './gantt-text.ts';
import { PLAN, RUN } from './run.cases.ts';
import { WorkflowState } from './workflow-state.ts';

test('describes a bar with plan and lateness', () => {
  const rows = ganttRows({ run: RUN, plan: RUN.plan, firstPlan: PLAN, instruments: [] });
  const bars = rows.flatMap((row) => row.bars);
  const [fill] = bars.filter(({ key }) => key === 'task/fill');
  expect(barSentence(fill!, 'Dispenser')).toBe(
    'fill, plate, Dispenser, done, 0:12 to 0:35, planned 0:10 to 0:30, 0:05 late',
  );
});

test('the empty chart beside the editor says that a plan is on its way', () => {
  const state = new WorkflowState();
  state.mode.value = 'json';
  state.isPlanning.value = true;
  expect(emptyText(state)).toBe('Planning…');
  state.isPlanning.value = false;
  expect(emptyText(state)).toMatch(/when the text has no errors/);
  state.checks.value = { checked: true, errors: [], warnings: [] };
  expect(emptyText(state)).toBe('There is nothing to plan yet: add a task.');
  state.mode.value = 'run';
  expect(emptyText(state)).toBe('Save the definition, then plan it.');
  state.busy.value = true;
  expect(emptyText(state)).toBe('Planning…');
});
