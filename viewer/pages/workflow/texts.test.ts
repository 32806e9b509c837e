import { expect, test } from 'vitest';
import type { Delivery } from '../../../contract/types.ts';
import { installationProgress } from '../users/updates-panel.ts';
import { plateNames } from './deck-map.ts';
import { countedTexts, groupFindings, lineStart, notesByLine } from './definition-notes.ts';
import { bodyLines, curlText } from './delivery-details.ts';
import { bodyOf, bodyText, deliveryStatus, idsText } from './delivery-text.ts';
import { barSentence, emptyText } from './gantt-bar.ts';
import { ganttRows } from './gantt-rows.ts';
import { PLAN, RUN } from './run.cases.ts';
import { definitionProblem } from './run-header.ts';
import { nameIn } from './workflow-actions.ts';
import { waitingGroups } from './workflow-inspector.ts';

function delivery(state: Delivery['state'], ...answers: (number | null)[]): Delivery {
  const attempts = answers.map((status) => ({ at: '', status, error: 'down', duration_ms: 1 }));
  const content = { hook_type: 'RunStateChangeHook', url: 'http://a', body: '{}' } as const;
  return { id: 1, message_id: 'msg_1', run_id: '1', sequence: 1, ...content, state, attempts };
}

test('describes the status of a delivery', () => {
  expect(deliveryStatus(delivery('delivered', 204)).text).toBe('Delivered');
  expect(deliveryStatus(delivery('pending')).text).toBe('Sending');
  expect(deliveryStatus(delivery('pending', 503)).text).toBe('Retrying');
  expect(deliveryStatus(delivery('disabled', 410)).text).toBe('Disabled, 410');
  expect(deliveryStatus(delivery('dead', 503, null)).text).toBe('Dead');
});

test('says which delivery goes first to an address', () => {
  const first = delivery('pending', 503);
  const second = { ...delivery('pending'), id: 2 };
  const elsewhere = { ...delivery('pending'), id: 3, url: 'http://b' };
  const all = [elsewhere, second, first];
  const of = (one: Delivery, among = all) => deliveryStatus(one, among).text;
  expect(all.map((one) => of(one))).toEqual(['Sending', 'Waits for delivery 1', 'Retrying']);
  expect(of(second, [second, { ...first, state: 'dead' }])).toBe('Sending');
});

test('summarises a body, and accepts any text', () => {
  expect(bodyText({ task_id: 'wash', state: 'failed', error: 'no water' })).toBe(
    'wash failed: no water',
  );
  expect(bodyText({ state: 'stopped', message: 'stopped by user' })).toBe('stopped by user');
  expect(bodyText({ state: 'stopped', message: 'completed' })).toBe('completed');
  expect(bodyText({ state: 'started', message: '' })).toBe('started');
  expect(bodyText({ state: 'stopped', message: 'the arm reports an error' })).toBe(
    'stopped: the arm reports an error',
  );
  expect(bodyText({ remaining_worktime: 61 })).toBe('2 min of work left');
  expect(['', 'null', '3', '[', '{"a":1}'].map(bodyOf)).toEqual([{}, {}, {}, {}, { a: 1 }]);
  expect(bodyLines('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(bodyLines('no json')).toBe('no json');
});

test('says once what many findings, warnings and waiting tasks have in common', () => {
  const at = (line: number, message: string) => ({ path: `/${line}`, message, line });
  const findings = [at(2, 'no reader'), at(4, 'no lid'), at(9, 'no reader')];
  expect(groupFindings(findings)).toEqual([[findings[0], findings[2]], [findings[1]]]);
  expect(countedTexts(['late', 'unused', 'late'])).toEqual(['late (2 times)', 'unused']);
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const waiting = ids.map((task_id) => ({ task_id, reasons: ['the run is pausing'] }));
  const other = { task_id: 'f', reasons: ['no plate', 'no space'] };
  expect(waitingGroups([...waiting, other])).toEqual([
    ['the run is pausing', ids],
    ['no plate; no space', ['f']],
  ]);
  expect([idsText(ids), idsText(ids.slice(0, 3))]).toEqual(['a, b, c and 2 more', 'a, b, c']);
});

test('escapes the body in the curl command', () => {
  const text = curlText({ url: "http://a/'$(id)", body: '{"a":"\'; rm -rf /; \'"}' });
  expect(text).toBe(
    "curl -X POST -H 'Content-Type: application/json' " +
      `--data-binary '{"a":"'\\''; rm -rf /; '\\''"}' -- 'http://a/'\\''$(id)'`,
  );
});

test('describes a bar with plan and lateness', () => {
  const rows = ganttRows({ run: RUN, plan: RUN.plan, firstPlan: PLAN, instruments: [] });
  const bars = rows.flatMap((row) => row.bars);
  const [fill] = bars.filter(({ key }) => key === 'task/fill');
  expect(barSentence(fill!, 'Dispenser')).toBe(
    'fill, plate, Dispenser, done, 0:12 to 0:35, planned 0:10 to 0:30, 0:05 late',
  );
});

test('finds lines of a text, and joins the findings of a line', () => {
  const text = 'a\nbc\n\nd';
  expect([1, 2, 3, 4, 9].map((line) => lineStart(text, line))).toEqual([0, 2, 5, 6, 6]);
  const wrong = (line: number, message: string) => ({ line, message, path: '' });
  const notes = notesByLine([wrong(2, 'one'), wrong(3, 'two'), wrong(2, 'three')]);
  expect([...notes]).toEqual([
    [2, 'one; three'],
    [3, 'two'],
  ]);
});

test('names a missing field, which has no line of its own', () => {
  const path = '/workflow/tasks';
  const findings = [
    { line: 1, path, message: 'is missing, and it is required' },
    { line: 2, path, message: 'these wait for each other' },
  ];
  expect([...notesByLine(findings).values()]).toEqual([
    'tasks is missing, and it is required',
    'these wait for each other',
  ]);
});

test('labels plates with the distinguishing part of their ids', () => {
  const names = (...ids: string[]) => [...plateNames(ids).values()];
  expect(names('plate_1', 'plate_2')).toEqual(['1', '2']);
  expect(names('plate')).toEqual(['…ate']);
  expect(names('a', 'ab')).toEqual(['a', 'b']);
  expect(names('x_first', 'x_second')).toEqual(['…rst', '…ond']);
});

test('accepts only a string as name', () => {
  expect([null, 3, {}, { name: 4 }, { name: 'Assay' }].map(nameIn)).toEqual([
    '',
    '',
    '',
    '',
    'Assay',
  ]);
});

test('computes the progress of an installation', () => {
  expect(installationProgress('1', 15)).toBe(0.5);
  expect(installationProgress('20', 15)).toBe(1);
  expect(installationProgress(null, 3)).toBe(0.1);
  expect([installationProgress('max', 3), installationProgress('stepped', 3)]).toEqual([
    null,
    null,
  ]);
});

test('the empty chart beside the editor says that a plan is on its way', () => {
  const checks = { checked: false, errors: [], warnings: [] };
  const view = { run: null, workflow_id: null, mode: 'json', isPlanning: true, checks } as const;
  expect(emptyText(view)).toBe('Planning…');
  const valid = { ...view, isPlanning: false, checks: { ...checks, checked: true } };
  expect(emptyText(valid)).toBe('There is nothing to plan yet: add a task.');
  expect(emptyText({ ...view, isPlanning: false })).toMatch(/when the text has no errors/);
  expect(emptyText({ ...view, mode: 'run' })).toBe('Save the definition, then plan it.');
});

test('a definition with errors can be neither planned nor run', () => {
  const error = { path: '/workflow', message: 'is missing', line: 1 };
  const problem = (errors: number) =>
    definitionProblem({
      checks: { checked: true, warnings: ['late'], errors: Array(errors).fill(error) },
    });
  expect([0, 1, 2].map(problem)).toEqual([
    '',
    'Fix the error of the definition first',
    'Fix the 2 errors of the definition first',
  ]);
});
