/** What becomes of a run that the twin no longer has, and of a refusal that is over. */

import { expect, it } from 'vitest';
import { failure, success } from '../../../contract/result.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import type { CallFailure } from '../../link/call-failure.ts';
import { RUN } from './run.cases.ts';
import { nameIn, WorkflowActions } from './workflow-actions.ts';
import { WorkflowState } from './workflow-state.ts';

/** Calls of a server that refuses all of them with a status. */
function refusing(status: number) {
  let count = 0;
  const error: CallFailure = { kind: 'refused', status, code: 8, title: 'Not found', details: [] };
  const calls = {
    call: async () => {
      count++;
      return failure(error);
    },
  } as Partial<ArmCalls> as ArmCalls;
  return { calls, count: () => count };
}

/** What the page shows of a run. */
function shown({ run, events, deliveries, mode }: WorkflowState) {
  const [of, listed, sent] = [run.value, events.value, deliveries.value];
  return { run: of, events: listed, deliveries: sent, mode: mode.value };
}

function opened(status: number) {
  const state = new WorkflowState();
  const server = refusing(status);
  state.open(1, 'Assay', '{}');
  state.showRun(RUN);
  state.showMode('run');
  return { state, actions: new WorkflowActions(state, server.calls), count: server.count };
}

it('closes a run that does not exist, says so once, and asks for it no more', async () => {
  const { state, actions, count } = opened(404);
  await actions.refreshRun();
  expect(shown(state)).toEqual({ run: null, events: [], deliveries: [], mode: 'json' });
  expect(state.problem.value).toBe('Run 3 no longer exists: the twin was reset.');
  // The definition went with it: a save makes a new one.
  expect(state.draft.value).toMatchObject({ workflow_id: null, saved: null, text: '{}' });
  const before = count();
  await actions.refreshRun();
  expect(count()).toBe(before);
});

it('keeps a run that cannot be read for a moment', async () => {
  const { state, actions } = opened(503);
  await actions.refreshRun();
  expect(shown(state)).toMatchObject({ run: RUN, mode: 'run' });
  expect(state.problem.value).toBeNull();
});

it('forgets a refusal when something else is shown', async () => {
  const { state, actions } = opened(404);
  await actions.openRun(88, 7);
  expect(shown(state)).toMatchObject({ run: null, mode: 'library' });
  expect(state.problem.value).toContain('Not found');
  state.showMode('library');
  expect(state.problem.value).toBeNull();
});

it('takes a run that began at another time for another run', () => {
  const { state } = opened(404);
  state.select({ kind: 'bar', key: 'task/fill' });
  state.showRun({ ...RUN, now_s: 61 });
  expect(state.selected.value).not.toBeNull();
  state.showRun({ ...RUN, started_at: '2026-11-22T10:00:00.000Z' });
  expect(state.selected.value).toBeNull();
});

it('accepts only a string as name', () => {
  expect([null, 3, {}, { name: 4 }, { name: 'Assay' }].map(nameIn)).toEqual([
    '',
    '',
    '',
    '',
    'Assay',
  ]);
});

it('shows the tasks that templates make once they are saved, and saves them again', async () => {
  const made = { name: 'one', workflow: { labware: [], tasks: { wash_p: {} } } };
  const saved: unknown[] = [];
  const keep = (body: unknown) => {
    saved.push(body);
    return { workflow: { id: 7, name: 'one', warnings: [] } };
  };
  const client = {
    createWorkflow: keep,
    updateWorkflow: (_: unknown, body: unknown) => keep(body),
    getWorkflow: () => ({ workflow: { id: 7, name: 'one', warnings: [], definition: made } }),
    listWorkflows: () => ({ workflows: [] }),
    listRuns: () => ({ runs: [] }),
    validateWorkflow: () => ({ is_valid: true, errors: [], warnings: [] }),
  };
  const calls = {
    call: async (ask: (one: never) => unknown) => success(await ask(client as never)),
  } as Partial<ArmCalls> as ArmCalls;
  const state = new WorkflowState();
  const actions = new WorkflowActions(state, calls);
  const sent = { name: 'one', workflow: { labware: [], tasks: {}, templates: [{}] } };
  actions.openText(null, 'one', JSON.stringify(sent));
  expect(await actions.save()).toBe(true);
  const text = `${JSON.stringify(made, null, 2)}\n`;
  expect(state.draft.value).toMatchObject({ workflow_id: 7, text, saved: text });
  expect(await actions.save()).toBe(true);
  expect(saved).toEqual([sent, made]);
});
