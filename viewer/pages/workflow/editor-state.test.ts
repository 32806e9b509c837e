import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DraftHistory } from './draft-history.ts';
import { EditorState } from './editor-state.ts';
import { WorkflowState } from './workflow-state.ts';

const ASSAY = readFileSync('fixtures/workflows/assay.json', 'utf8');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The editor with the assay opened. */
function editorOf() {
  const state = new WorkflowState();
  const history = new DraftHistory(state, () => undefined);
  const form = new EditorState(state, history);
  state.open(null, 'Assay', ASSAY);
  const task = (id: string) => form.outline.value.items.tasks.find((one) => one.id === id)!;
  return { state, history, form, task };
}

it('keeps an item open through a new id and a new place, and closes it with its definition', () => {
  const { state, form, task } = editorOf();
  form.toggle(task('wash_1'));
  expect(state.selected.value).toEqual({ kind: 'bar', key: 'task/wash_1' });
  form.edit(state.draft.value.text.replaceAll('wash_1', 'rinse'), { id: 'rinse' });
  expect(form.openItem.value).toBe(task('rinse'));
  form.move('tasks', 2, 0);
  expect(form.openItem.value).toMatchObject({ id: 'rinse', index: 0 });
  expect(form.said.value).toBe('rinse is now 1 of 15');
  state.open(null, 'Other', ASSAY.replaceAll('wash_1', 'rinse'));
  expect(form.openItem.value).toBeNull();
});

it('opens what is added, and undo takes it away', () => {
  const { state, history, form } = editorOf();
  form.add('labware');
  expect(form.openItem.value).toMatchObject({ section: 'labware', index: 3 });
  expect([history.canUndo.value, history.canRedo.value]).toEqual([true, false]);
  history.step('undo');
  expect(state.draft.value.text).toBe(ASSAY);
  expect(form.openItem.value).toBeNull();
  expect(history.canRedo.value).toBe(true);
});

it('stands still while the text is no JSON', () => {
  const { state, form } = editorOf();
  const before = form.outline.value;
  state.edit({ text: '{\n"name":' });
  expect(form.outline.value).toBe(before);
  expect(form.obstacle.value).toContain('line 2');
  state.edit({ text: '' });
  expect(form.obstacle.value).toBeNull();
  state.edit({ text: '{}' });
  expect(form.obstacle.value).toBe('');
});

it('says what is wrong at the nearest place that the form shows', () => {
  const { state, form, task } = editorOf();
  const path = '/workflow/tasks/wash_1/labware_sources/plate_1/source_task';
  const other = '/workflow/tasks/read_1/time_estimate';
  const errors = [path, other, '/metadata/author'].map((at) => ({
    path: at,
    message: at,
    line: 1,
  }));
  state.checks.value = { checked: true, warnings: [], errors };
  const row = '/workflow/tasks/wash_1';
  expect([...form.problems.value.keys()]).toEqual([row, '/workflow/tasks/read_1', '']);
  form.toggle(task('wash_1'));
  expect([...form.problems.value.keys()]).toEqual([path, '/workflow/tasks/read_1', '']);
});
