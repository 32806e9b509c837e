import { readFileSync } from 'node:fs';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Drawn, draw } from '../../ui/drawn.cases.ts';
import { DefinitionForm } from './definition-form.tsx';
import { DraftHistory } from './draft-history.ts';
import { EditorState } from './editor-state.ts';
import { WorkflowState } from './workflow-state.ts';

const ASSAY = readFileSync('fixtures/workflows/assay.json', 'utf8');

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The form of the assay with its task `wash_1` open. */
async function formOf() {
  const state = new WorkflowState();
  const form = new EditorState(state, new DraftHistory(state, () => undefined));
  state.open(null, 'Assay', ASSAY);
  form.toggle(form.outline.value.items.tasks.find(({ id }) => id === 'wash_1')!);
  vi.stubGlobal('requestAnimationFrame', () => 0);
  const drawn = draw(<DefinitionForm form={form} state={state} />);
  const tasks = () => JSON.parse(state.draft.value.text).workflow.tasks;
  return { state, form, tasks, ...drawn };
}

/** Types a text into a field of the open item. */
async function type({ find, fire }: Drawn, label: string, text: string, ends = false) {
  const field = `[data-open] [aria-label="${label}"]`;
  Object.defineProperty(find(field), 'value', { value: text, writable: true, configurable: true });
  await fire(field, 'input');
  if (ends) await fire(field, 'change');
}

it('writes a field as one types', async () => {
  const { tasks, ...drawn } = await formOf();
  await type(drawn, 'Duration, s', '75');
  expect(tasks().wash_1.time_estimate).toBe(75);
  await type(drawn, 'Duration, s', 'soon');
  expect(tasks().wash_1.time_estimate).toBe('soon');
  await type(drawn, 'Duration, s', '');
  expect(tasks().wash_1).not.toHaveProperty('time_estimate');
});

it('takes an id over at its end, with all that names it, and no id that is taken', async () => {
  const { tasks, ...drawn } = await formOf();
  await type(drawn, 'Id', 'rinse');
  expect(tasks()).toHaveProperty('wash_1');
  await type(drawn, 'Id', 'rinse', true);
  expect(tasks().read_1.labware_sources.plate_1.source_task).toBe('rinse');
  expect(drawn.find('[data-open] .def-toggle').textContent).toContain('rinse');
  for (const [typed, refusal] of [
    ['read_1', 'another one is called read_1'],
    ['', 'must not be empty'],
  ] as const) {
    await type(drawn, 'Id', typed, true);
    expect(drawn.find('[data-open] .def-problem').textContent).toBe(refusal);
    const id = drawn.find('[data-open] [aria-label="Id"]');
    expect(id.getAttribute('aria-describedby')).toBe(drawn.find('[data-open] .def-problem').id);
    expect(tasks()).toHaveProperty('rinse');
  }
});

it('offers what is chosen, also where it is unknown', async () => {
  const { state, find } = await formOf();
  const { text } = state.draft.value;
  await act(() => state.edit({ text: text.replace('"type": "washer"', '"type": "laser"') }));
  const options = [...find('[data-open] [aria-label="Instrument type"]').children];
  expect(options[0]?.textContent).toBe('laser (unknown)');
});
