/** The report of a run as rows and CSV, from a hand-made history. */

import { describe, expect, it } from 'vitest';
import type { RunHead, RunOperation } from '../../contract/types.generated.ts';
import { EMPTY_HISTORY, type RunHistory } from '../archive/run-history.ts';
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
