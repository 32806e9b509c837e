/** The report of a run as rows and CSV, and its plan as a calendar, from a hand-made history. */

import { describe, expect, it } from 'vitest';
import type { RunHead, RunOperation, WorkflowPlan } from '../../contract/types.generated.ts';
import { EMPTY_HISTORY, type RunHistory } from '../archive/run-history.ts';
import { calendarOf } from './run-calendar.ts';
import { csvOf, operationsOfRun } from './run-report.ts';

const head: RunHead = {
  id: 7,
  workflow_id: 2,
  workcell_id: 1,
  name: 'day',
  state: 'started',
  message: '',
  started_at: '2020-01-01T10:00:00.000Z',
  stopped_at: null,
};

const untimed = { started_at_s: null, ended_at_s: null };

const taskRow = (id: string, change: Partial<RunHistory['tasks'][number]> = {}) => {
  return { id, state: 'waiting' as const, instrument_id: null, error: '', ...untimed, ...change };
};
const moveRow = (labware_id: string, change: Partial<RunHistory['moves'][number]> = {}) => ({
  labware_id,
  source_instrument_id: 'hotel',
  source_slot: 3,
  destination_instrument_id: 'washer',
  destination_slot: 1,
  ...untimed,
  ...change,
});
const report = (history: Partial<RunHistory>) =>
  operationsOfRun({ head, history: { ...EMPTY_HISTORY, ...history } });

describe('the operations of a run', () => {
  it('are its tasks, with the times of the run and of the twin', () => {
    const done = { state: 'failed', instrument_id: 'washer', error: 'jammed' } as const;
    const times = { started_at_s: 5, ended_at_s: 25.5 };
    const planned = { planned_start_s: 4, planned_end_s: 24 };
    expect(report({ tasks: [taskRow('wash', { ...done, ...times, ...planned })] })).toEqual([
      {
        kind: 'task',
        task_id: 'wash',
        labware_id: null,
        instrument_id: 'washer',
        slot: null,
        source_instrument_id: null,
        source_slot: null,
        state: 'failed',
        ...planned,
        ...times,
        started_at: '2020-01-01T10:00:05.000Z',
        ended_at: '2020-01-01T10:00:25.500Z',
        error: 'jammed',
        arm_started_at_s: null,
        arm_ended_at_s: null,
      },
    ]);
  });

  it('are its moves, with the times of the arm', () => {
    const times = { started_at_s: 0, ended_at_s: 4 };
    const arm = { arm_started_at_s: 0, arm_ended_at_s: 5 };
    const planned = { planned_start_s: 1, planned_end_s: 3 };
    expect(report({ moves: [moveRow('plate', { ...times, ...arm, ...planned })] })).toEqual([
      {
        kind: 'move',
        task_id: null,
        labware_id: 'plate',
        instrument_id: 'washer',
        slot: 1,
        source_instrument_id: 'hotel',
        source_slot: 3,
        state: 'finished',
        ...planned,
        ...times,
        started_at: '2020-01-01T10:00:00.000Z',
        ended_at: '2020-01-01T10:00:04.000Z',
        error: '',
        ...arm,
      },
    ]);
  });

  it('have null for what is unknown', () => {
    const none = { started_at: null, ended_at: null, planned_start_s: null, planned_end_s: null };
    const arm = { arm_started_at_s: null, arm_ended_at_s: null };
    const [move, task] = report({ tasks: [taskRow('wash')], moves: [moveRow('plate')] });
    expect(task).toMatchObject({ ...none, ...arm, instrument_id: null });
    expect(move).toMatchObject({ ...none, ...arm, state: 'begun' });
  });

  it('are in the order of their starts, as planned where they have not begun', () => {
    const operations = report({
      tasks: [
        taskRow('never'),
        taskRow('planned', { planned_start_s: 20 }),
        taskRow('late', { started_at_s: 30, planned_start_s: 1 }),
        taskRow('first', { started_at_s: 0, planned_start_s: 50 }),
      ],
      moves: [
        moveRow('then', { started_at_s: 10, planned_start_s: 90 }),
        moveRow('same', { started_at_s: 20 }),
      ],
    });
    const names = operations.map(({ task_id, labware_id }) => task_id ?? labware_id);
    expect(names).toEqual(['first', 'then', 'same', 'planned', 'late', 'never']);
  });
});

describe('the report as CSV', () => {
  const COLUMNS =
    'kind,task_id,labware_id,source_instrument_id,source_slot,instrument_id,slot,state,' +
    'planned_start_s,planned_end_s,started_at_s,ended_at_s,started_at,ended_at,error,' +
    'arm_started_at_s,arm_ended_at_s';

  it('has a header and a line for each operation, with nothing for null', () => {
    const move = moveRow('plate', { started_at_s: 0, arm_started_at_s: 0 });
    const tasks = [taskRow('wash', { instrument_id: 'washer', planned_start_s: 5 })];
    expect(csvOf(report({ tasks, moves: [move] }))).toBe(
      [
        COLUMNS,
        'move,,plate,hotel,3,washer,1,begun,,,0,,2020-01-01T10:00:00.000Z,,,0,',
        'task,wash,,,,washer,,waiting,5,,,,,,,,',
        '',
      ].join('\r\n'),
    );
    expect(csvOf([])).toBe(`${COLUMNS}\r\n`);
  });

  it.each([
    ['plain text', 'plain text'],
    ['a,b', '"a,b"'],
    ['a "b" c', '"a ""b"" c"'],
    ['a\nb', '"a\nb"'],
    ['a\rb', '"a\rb"'],
  ])('quotes %j where that has a meaning', (error, field) => {
    const [row] = report({ tasks: [taskRow('wash', { error })] });
    const one: RunOperation = { ...row!, started_at: null };
    const wanted = `task,wash,,,,,,waiting,,,,,,,${field},,\r\n`;
    expect(csvOf([one])).toBe(`${COLUMNS}\r\n${wanted}`);
  });
});

const NO_PLAN = { id: 1, makespan: 0, lower_bound: 0, tasks: {}, transports: [] };
const plannedTask = (start: number, end: number, instrument: string | null) => {
  return { start, end, instrument, labware_in: [], labware_out: [] };
};
const calendar = (plan: Partial<WorkflowPlan> | null, name = 'day') => {
  const full = plan && { ...NO_PLAN, critical_path: [], ...plan };
  return calendarOf({ head: { ...head, name }, history: { ...EMPTY_HISTORY, plan: full } });
};
const unfolded = (text: string) => text.replaceAll('\r\n ', '').split('\r\n');

describe('the plan as a calendar', () => {
  const before = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//armtwin//workflow//EN', 'NAME:day'];

  it('has no events without a plan', () => {
    expect(unfolded(calendar(null))).toEqual([...before, 'END:VCALENDAR', '']);
  });

  it('has an event for each task and each move', () => {
    const route = {
      labware_id: 'plate',
      source_instrument_id: 'hotel',
      source_slot: 1,
      destination_instrument_id: 'washer',
      destination_slot: 1,
    };
    const text = calendar({
      tasks: { wash: plannedTask(5, 25, 'washer'), shake: plannedTask(25, 90, null) },
      transports: [
        { ...route, start: 0, end: 5 },
        { ...route, start: 30, end: 3600, destination_instrument_id: 'reader' },
      ],
    });
    const event = (id: string, [start, end]: [string, string], summary: string) => [
      'BEGIN:VEVENT',
      `UID:run-7-${id}@armtwin`,
      'DTSTAMP:20200101T100000Z',
      `DTSTART:20200101T${start}Z`,
      `DTEND:20200101T${end}Z`,
      `SUMMARY:${summary}`,
      'END:VEVENT',
    ];
    expect(unfolded(text)).toEqual([
      ...before,
      ...event('task-wash', ['100005', '100025'], 'wash (washer)'),
      ...event('task-shake', ['100025', '100130'], 'shake'),
      ...event('move-1', ['100000', '100005'], 'plate to washer'),
      ...event('move-2', ['100030', '110000'], 'plate to reader'),
      'END:VCALENDAR',
      '',
    ]);
  });

  it.each([
    ['a;b,c\\d', 'a\\;b\\,c\\\\d'],
    ['one\ntwo\r\nthree\rfour', 'one\\ntwo\\nthree\\nfour'],
    ['one\u0007two\u007f', 'one two '],
    ['a,b,c', 'a\\,b\\,c'],
  ])('escapes %j', (name, text) => {
    expect(unfolded(calendar(null, name))[3]).toBe(`NAME:${text}`);
    const tasks = { [name]: plannedTask(0, 1, null) };
    expect(unfolded(calendar({ tasks }))).toEqual(
      expect.arrayContaining([`UID:run-7-task-${text}@armtwin`, `SUMMARY:${text}`]),
    );
  });

  it.each([
    ['70 bytes in one line', 'a'.repeat(70), ['NAME:'.length + 70]],
    ['one more in two', 'a'.repeat(71), [75, 2]],
    ['a long one in lines of 75', 'a'.repeat(70 + 74 + 74 + 1), [75, 75, 75, 2]],
    ['characters of two bytes whole', 'é'.repeat(36), [75, 3]],
    ['none apart', `a${'é'.repeat(35)}`, [74, 3]],
  ])('folds %s', (_, name, sizes) => {
    const lines = calendar(null, name).split('\r\n').slice(3, -2);
    expect(lines.map((line) => Buffer.byteLength(line))).toEqual(sizes);
    expect(lines.slice(1).every((line) => line.startsWith(' '))).toBe(true);
    expect(lines.map((line, i) => (i === 0 ? line : line.slice(1))).join('')).toBe(`NAME:${name}`);
  });
});
