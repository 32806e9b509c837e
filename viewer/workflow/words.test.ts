import { expect, test } from 'vitest';
import type { Delivery } from '../../contract/types.ts';
import { installedShare } from '../people/updates-panel.ts';
import { plateNames } from './deck-map.ts';
import { lineStart, notesByLine } from './editor-panel.ts';
import { barSentence } from './gantt-bar.ts';
import { ganttRows } from './gantt-rows.ts';
import { bodyOf, bodyWords, deliveryLook } from './log-panel.ts';
import { PLAN, RUN } from './run.cases.ts';
import { bodyLines, curlText } from './work-inspector.ts';
import { nameIn } from './workflow-acts.ts';

function delivery(state: Delivery['state'], ...answers: (number | null)[]): Delivery {
  const attempts = answers.map((status) => ({ at: '', status, error: 'down', duration_ms: 1 }));
  const told = { hook_type: 'RunStateChangeHook', url: 'http://a', body: '{}' } as const;
  return { id: 1, message_id: 'msg_1', run_id: '1', sequence: 1, ...told, state, attempts };
}

test('says how a delivery went', () => {
  expect(deliveryLook(delivery('delivered', 204)).words).toBe('Delivered');
  expect(deliveryLook(delivery('pending')).words).toBe('On its way');
  expect(deliveryLook(delivery('pending', 503)).words).toBe('Tried again soon');
  expect(deliveryLook(delivery('disabled', 410)).words).toBe('Switched off, 410');
  expect(deliveryLook(delivery('dead', 503, null)).words).toBe('Given up');
});

test('says what a body holds, and takes any text for one', () => {
  expect(bodyWords({ task_id: 'wash', state: 'failed', error: 'no water' })).toBe(
    'wash failed no water',
  );
  expect(bodyWords({ remaining_worktime: 61 })).toBe('2 min of work left');
  expect(['', 'null', '3', '[', '{"a":1}'].map(bodyOf)).toEqual([{}, {}, {}, {}, { a: 1 }]);
  expect(bodyLines('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(bodyLines('no json')).toBe('no json');
});

test('writes a call for the shell in which nothing of the body runs', () => {
  const text = curlText({ url: "http://a/'$(id)", body: '{"a":"\'; rm -rf /; \'"}' });
  expect(text).toBe(
    "curl -X POST -H 'Content-Type: application/json' " +
      `--data-binary '{"a":"'\\''; rm -rf /; '\\''"}' -- 'http://a/'\\''$(id)'`,
  );
});

test('tells a bar in words, with plan and lateness', () => {
  const rows = ganttRows({ run: RUN, plan: RUN.plan, first: PLAN, instruments: [] });
  const bars = rows.flatMap((row) => row.bars);
  const [fill] = bars.filter(({ key }) => key === 'task/fill');
  expect(barSentence(fill!, 'Dispenser')).toBe(
    'fill, Dispenser, done, 0:12 to 0:35, planned 0:10 to 0:30, 0:05 late',
  );
});

test('finds lines of a text, and joins what is wrong with one', () => {
  const text = 'a\nbc\n\nd';
  expect([1, 2, 3, 4, 9].map((line) => lineStart(text, line))).toEqual([0, 2, 5, 6, 6]);
  const wrong = (line: number, message: string) => ({ line, message, path: '' });
  const notes = notesByLine([wrong(2, 'one'), wrong(3, 'two'), wrong(2, 'three')]);
  expect([...notes]).toEqual([
    [2, 'one; three'],
    [3, 'two'],
  ]);
});

test('names what is missing, which has no line of its own', () => {
  const path = '/workflow/tasks';
  const told = [
    { line: 1, path, message: 'is missing, and it is required' },
    { line: 2, path, message: 'these wait for each other' },
  ];
  expect([...notesByLine(told).values()]).toEqual([
    'tasks is missing, and it is required',
    'these wait for each other',
  ]);
});

test('writes on plates what tells them apart', () => {
  const words = (...ids: string[]) => [...plateNames(ids).values()];
  expect(words('plate_1', 'plate_2')).toEqual(['1', '2']);
  expect(words('plate')).toEqual(['…ate']);
  expect(words('a', 'ab')).toEqual(['a', 'b']);
  expect(words('x_first', 'x_second')).toEqual(['…rst', '…ond']);
});

test('takes only a text for a name', () => {
  expect([null, 3, {}, { name: 4 }, { name: 'Assay' }].map(nameIn)).toEqual([
    ...['', '', '', '', 'Assay'],
  ]);
});

test('knows how far an installation is on any clock that tells', () => {
  expect(installedShare('1', 15)).toBe(0.5);
  expect(installedShare('20', 15)).toBe(1);
  expect(installedShare(null, 3)).toBe(0.1);
  expect([installedShare('max', 3), installedShare('stepped', 3)]).toEqual([null, null]);
});
