import { expect, test } from 'vitest';
import { barSentence, emptyText } from './gantt-bar.ts';
import { ganttRows } from './gantt-rows.ts';
import { PLAN, RUN } from './run.cases.ts';

test('describes a bar with plan and lateness', () => {
  const rows = ganttRows({ run: RUN, plan: RUN.plan, firstPlan: PLAN, instruments: [] });
  const bars = rows.flatMap((row) => row.bars);
  const [fill] = bars.filter(({ key }) => key === 'task/fill');
  expect(barSentence(fill!, 'Dispenser')).toBe(
    'fill, plate, Dispenser, done, 0:12 to 0:35, planned 0:10 to 0:30, 0:05 late',
  );
});

test('the empty chart beside the editor says that a plan is on its way', () => {
  const checks = { checked: false, errors: [], warnings: [] };
  const begun = { run: null, workflow_id: null, busy: false, checks } as const;
  const view = { ...begun, mode: 'json', isPlanning: true } as const;
  expect(emptyText(view)).toBe('Planning…');
  const valid = { ...view, isPlanning: false, checks: { ...checks, checked: true } };
  expect(emptyText(valid)).toBe('There is nothing to plan yet: add a task.');
  expect(emptyText({ ...view, isPlanning: false })).toMatch(/when the text has no errors/);
  expect(emptyText({ ...view, mode: 'run' })).toBe('Save the definition, then plan it.');
  expect(emptyText({ ...view, mode: 'run', busy: true })).toBe('Planning…');
});
