/** Events, simulated tasks and the history of a run, from hand-made parts. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import type { RunEvent, RunFault } from '../../contract/types.generated.ts';
import { interruptedEvents, interruptedHistory } from '../archive/interruption.ts';
import { EMPTY_HISTORY, historyChanges } from '../archive/run-history.ts';
import { addEvents } from '../archive/run-record.ts';
import { RunProgress } from './progress.ts';
import { completionText } from './run.ts';
import { RunLog } from './run-log.ts';
import { modelOf, READ_A, READER, StepClock, WASH_A, WASH_B, WASHER } from './run-parts.cases.ts';
import { RunSupplies } from './run-supplies.ts';
import { RunTasks } from './run-tasks.ts';
import { SimulatedResults, unknownFaults } from './simulated-results.ts';

describe('the log of a run', () => {
  const start = '2020-01-01T00:00:00.000Z';

  it('numbers the events, each with the run, the time and its content', () => {
    const clock = new StepClock();
    const events: RunEvent[] = [];
    const log = new RunLog(7, clock, (event) => events.push(event));
    const task = { task_id: 't', instrument_id: 'i', state: 'started', action: 'a' } as const;
    const move = {
      labware_id: 'l',
      state: 'finished',
      source_instrument_id: 'i',
      destination_instrument_id: 'j',
      source_slot: 1,
      destination_slot: 2,
    } as const;
    log.publish('RunStateChangeHook', { state: 'started', message: '' });
    log.publish('RunStateChangeHook', { state: 'paused', message: 'why' });
    log.publish('TaskStateChangeHook', { ...task, error: '' });
    log.publish('SafetyStateChangeHook', { state: 'ok' });
    log.publish('LabwareMovementHook', move);
    clock.advanceTo(2);
    log.publish('NewPlanHook', { remaining_worktime: 9 });
    const head = { run_id: '7', timestamp: start };
    const change = 'RunStateChangeHook';
    expect(events).toEqual([
      { sequence: 1, hook_type: change, body: { ...head, state: 'started', message: '' } },
      { sequence: 2, hook_type: change, body: { ...head, state: 'paused', message: 'why' } },
      { sequence: 3, hook_type: 'TaskStateChangeHook', body: { ...head, ...task, error: '' } },
      { sequence: 4, hook_type: 'SafetyStateChangeHook', body: { ...head, state: 'ok' } },
      { sequence: 5, hook_type: 'LabwareMovementHook', body: { ...head, ...move } },
      {
        sequence: 6,
        hook_type: 'NewPlanHook',
        body: { run_id: '7', timestamp: '2020-01-01T00:00:02.000Z', remaining_worktime: 9 },
      },
    ]);
  });

  it('lets what has come before an event be published first', () => {
    const states: string[] = [];
    const log = new RunLog(1, new StepClock(), ({ sequence, body }) => {
      states.push(`${sequence} ${'state' in body ? body.state : ''}`);
    });
    log.beforeEach = () => {
      log.beforeEach = () => {};
      log.publish('SafetyStateChangeHook', { state: 'emergency_stop' });
    };
    log.publish('RunStateChangeHook', { state: 'paused', message: '' });
    expect(states).toEqual(['1 emergency_stop', '2 paused']);
  });

  it('never goes back in time', () => {
    const clock = new StepClock();
    const times: string[] = [];
    const log = new RunLog(1, clock, ({ body }) => times.push(body.timestamp));
    for (const time_s of [5, 3, 8]) {
      clock.tick = time_s * 250;
      log.publish('RunStateChangeHook', { state: 'started', message: '' });
    }
    expect(times.map((time) => time.slice(17, 19))).toEqual(['05', '05', '08']);
  });
});

describe('faults of a start', () => {
  it('must name tasks, each by its place', () => {
    const model = modelOf();
    expect(unknownFaults(model, [])).toEqual([]);
    const faults = ['wash_a', 'rinse', 'read_b', 'spin'].map((task_id) => ({ task_id }));
    const found = unknownFaults(model, faults);
    expect(found.map(({ path }) => path)).toEqual(['/faults/1/task_id', '/faults/3/task_id']);
    expect(found[0]!.problem).toContain('rinse');
  });

  const twice: RunFault = { task_id: 'wash_a', error: 'clogged', times: 2 };
  it.each<[string, RunFault[], (string | null)[]]>([
    ['one', [{ task_id: 'wash_a', error: 'clogged' }], ['clogged', null, null]],
    ['several', [twice], ['clogged', 'clogged', null]],
    ['none', [{ ...twice, times: 0 }], [null, null, null]],
    ['none of another task', [{ ...twice, task_id: 'read_a' }], [null, null, null]],
    ['none of an unknown task', [{ ...twice, task_id: 'rinse' }], [null, null, null]],
  ])('let %s of the next executions fail', (_, faults, wanted) => {
    const one = new SimulatedResults(modelOf(), faults, 1);
    expect(wanted.map(() => one.next(WASH_A, 1).error)).toEqual(wanted);
  });

  it('have an error of their own, before that of the simulated instrument', () => {
    const model = modelOf({ changed: { [WASH_A]: { succeeds: false } } });
    const own = new SimulatedResults(model, [{ task_id: 'wash_a' }], 1);
    const [first, second] = [own.next(WASH_A, 1).error, own.next(WASH_A, 1).error];
    expect(first).toMatch(/\w/);
    expect(second).toMatch(/\w/);
    expect(second).not.toBe(first);
    expect(own.next(WASH_A, 1).error).toBe(second);
    expect(own.next(WASH_B, 1).error).toBeNull();
  });
});

/** Tasks of a run that began at 10 s of the twin, and what they publish. */
class TaskStage {
  readonly clock = new StepClock();
  readonly lines: string[] = [];
  readonly ended: unknown[] = [];
  readonly progress: RunProgress;
  readonly tasks: RunTasks;

  constructor(faults: readonly RunFault[] = []) {
    const model = modelOf({ changed: { [WASH_A]: { estimate_s: 20, execution_s: 7 } } });
    const { clock, lines } = this;
    clock.advanceTo(10);
    this.progress = new RunProgress(model);
    const log = new RunLog(1, clock, ({ body }) => {
      if (!('task_id' in body)) return;
      const { task_id, instrument_id, state, action, error } = body;
      lines.push(`${clock.now_s} ${task_id} ${instrument_id} ${state} ${action} (${error})`);
    });
    this.tasks = new RunTasks({
      model,
      progress: this.progress,
      log,
      results: new SimulatedResults(model, faults, 1),
      supplies: new RunSupplies(model, new Map()),
      time: clock,
      timers: clock.timers,
      now_s: () => clock.now_s - 10,
      onEnded: (task, error) => this.ended.push([task, error, lines.length]),
    });
  }

  start(task: number, instrument: number): void {
    this.tasks.start({ task, instrument, start_s: 0, end_s: 20 });
  }

  /** State, start and end of a task. */
  of(task: number) {
    const { state, start_s, end_s } = this.progress.tasks[task]!;
    return [state, start_s, end_s];
  }
}

describe('a task on a simulated instrument', () => {
  it('ends after its execution time and is published', () => {
    const stage = new TaskStage();
    stage.clock.advanceTo(12);
    stage.start(WASH_A, WASHER);
    stage.clock.advanceTo(18.996);
    expect(stage.of(WASH_A)).toEqual(['running', 2, null]);
    stage.clock.advanceTo(100);
    expect(stage.lines).toEqual([
      '12 wash_a washer started wash ()',
      '19 wash_a washer succeeded wash ()',
    ]);
    expect(stage.of(WASH_A)).toEqual(['succeeded', 2, 9]);
    expect(stage.ended).toEqual([[WASH_A, null, 2]]);
  });

  it('fails with an injected fault', () => {
    const stage = new TaskStage([{ task_id: 'wash_a', error: 'clogged' }]);
    stage.start(WASH_A, WASHER);
    stage.clock.advanceTo(100);
    expect(stage.lines.at(-1)).toBe('17 wash_a washer failed wash (clogged)');
    expect([stage.of(WASH_A)[0], stage.ended]).toEqual(['failed', [[WASH_A, 'clogged', 2]]]);
  });

  it('that an operator completes has succeeded', () => {
    const stage = new TaskStage([{ task_id: 'wash_a', error: 'clogged' }]);
    stage.start(WASH_A, WASHER);
    stage.clock.advanceTo(30);
    stage.tasks.complete(WASH_A, {});
    expect(stage.of(WASH_A)).toEqual(['completed_manually', 0, 20]);
    expect(stage.lines.at(-1)).toBe('30 wash_a washer succeeded wash ()');
  });

  it.each([true, false])('fails without a start, published: %s', (publish) => {
    const stage = new TaskStage();
    stage.clock.advanceTo(14);
    stage.tasks.failUnstarted({ task: READ_A, instrument: READER }, 'lost', { publish });
    expect(stage.of(READ_A)).toEqual(['failed', null, 4]);
    expect(stage.progress.tasks[READ_A]).toMatchObject({ instrument: READER, error: 'lost' });
    expect(stage.lines).toEqual(publish ? ['14 read_a reader failed read (lost)'] : []);
    stage.tasks.failUnstarted({ task: READ_A, instrument: WASHER }, 'again', { publish: true });
    expect(stage.progress.tasks[READ_A]).toMatchObject({ instrument: READER, error: 'lost' });
    expect([stage.lines.length, stage.ended]).toEqual([publish ? 1 : 0, []]);
  });

  it('fails when its instrument goes down, and no other does', () => {
    const stage = new TaskStage();
    stage.start(WASH_A, WASHER);
    stage.start(READ_A, READER);
    stage.clock.advanceTo(13);
    stage.tasks.failOnDown((instrument) => instrument === WASHER);
    expect([stage.of(WASH_A)[0], stage.of(READ_A)[0]]).toEqual(['failed', 'running']);
    expect(stage.lines.at(-1)).toBe('13 wash_a washer failed wash (washer is down)');
    stage.clock.advanceTo(100);
    expect(stage.ended).toEqual([
      [WASH_A, 'washer is down', 3],
      [READ_A, null, 4],
    ]);
  });

  it.each([true, false])('fails at the end of its run, published: %s', (publish) => {
    const stage = new TaskStage();
    stage.start(WASH_A, WASHER);
    stage.clock.advanceTo(18);
    stage.start(READ_A, READER);
    stage.start(WASH_B, WASHER);
    const before = stage.lines.length;
    stage.tasks.cancelAll({ publish });
    expect(stage.of(WASH_A)).toEqual(['succeeded', 0, 7]);
    expect([stage.of(READ_A), stage.of(WASH_B)]).toEqual([
      ['failed', 8, 8],
      ['failed', 8, 8],
    ]);
    expect(stage.progress.tasks[READ_A]!.error).toMatch(/\w/);
    const failures = stage.lines.slice(before).map((line) => line.split(' ').slice(0, 4).join(' '));
    const wanted = ['18 read_a reader failed', '18 wash_b washer failed'];
    expect(failures).toEqual(publish ? wanted : []);
    stage.tasks.cancelAll({ publish: true });
    stage.clock.advanceTo(100);
    expect([stage.lines.length, stage.ended.length]).toEqual([before + failures.length, 1]);
  });
});

describe('the changes of a history', () => {
  const task = (id: string, state: 'waiting' | 'running') => {
    const times = { started_at_s: null, ended_at_s: null };
    return { id, state, instrument_id: null, ...times, error: '' };
  };
  const place = (slot: number) => ({ labware_id: 'plate_a', instrument_id: 'hotel', slot });
  const violation = {
    constraint_id: 'soon',
    kind: 'too_long',
    limit_s: 1,
    elapsed_s: 2,
    at_s: 3,
    on_violation: 'continue',
  } as const;
  const move = {
    labware_id: 'plate_a',
    source_instrument_id: 'hotel',
    source_slot: 1,
    destination_instrument_id: 'washer',
    destination_slot: 1,
    started_at_s: 0,
    ended_at_s: null,
  };

  it('are the rows that differ or are new, by index', () => {
    const [a, b] = [task('a', 'waiting'), task('b', 'waiting')];
    const before = {
      ...EMPTY_HISTORY,
      tasks: [a, b],
      labware: [place(1)],
      violations: [violation],
    };
    const after = {
      ...before,
      now_s: 8,
      tasks: [{ ...a }, task('b', 'running'), task('c', 'waiting')],
      labware: [place(2)],
      moves: [move],
      violations: [],
    };
    expect(historyChanges(before, after)).toEqual({
      now_s: 8,
      tasks: {
        length: 3,
        rows: [
          [1, task('b', 'running')],
          [2, task('c', 'waiting')],
        ],
      },
      labware: { length: 1, rows: [[0, place(2)]] },
      moves: { length: 1, rows: [[0, move]] },
      violations: { length: 0, rows: [] },
    });
  });

  it('have the plan only if it is another one', () => {
    const plan = { id: 1, makespan: 0, lower_bound: 0, tasks: {}, transports: [] };
    const planned = { ...EMPTY_HISTORY, plan: { ...plan, critical_path: [] } };
    expect('plan' in historyChanges(planned, { ...planned })).toBe(false);
    expect(historyChanges(EMPTY_HISTORY, planned).plan).toBe(planned.plan);
    expect(historyChanges(planned, EMPTY_HISTORY).plan).toBeNull();
    const empty = { length: 0, rows: [] };
    expect(historyChanges(EMPTY_HISTORY, { ...EMPTY_HISTORY, now_s: 2 })).toEqual({
      now_s: 2,
      tasks: empty,
      labware: empty,
      moves: empty,
      violations: empty,
    });
  });

  it('of an interruption are the failures of running tasks', () => {
    const history = {
      ...EMPTY_HISTORY,
      now_s: 4,
      tasks: [task('a', 'waiting'), task('b', 'running')],
      labware: [place(1)],
    };
    expect(interruptedHistory(history, 'cut')).toEqual({
      ...history,
      tasks: [task('a', 'waiting'), { ...task('b', 'running'), state: 'failed', error: 'cut' }],
    });
  });
});

describe('the last events of an interrupted run', () => {
  const past = '2020-01-01T00:00:01.000Z';
  const now = '2020-01-01T00:00:09.000Z';
  const head = { id: 7, workflow_id: 1, name: 'n', state: 'started', message: '' } as const;
  const record = { head: { ...head, workcell_id: 1, started_at: past, stopped_at: null } };
  const stamped = { run_id: '7', timestamp: past };
  const task = (task_id: string, state: 'started' | 'succeeded' | 'failed', error = '') => ({
    hook_type: 'TaskStateChangeHook' as const,
    body: { ...stamped, task_id, instrument_id: 'washer', action: 'wash', state, error },
  });
  const move = (labware_id: string, state: 'started' | 'finished' | 'failed') => ({
    hook_type: 'LabwareMovementHook' as const,
    body: {
      ...stamped,
      labware_id,
      state,
      source_instrument_id: 'hotel',
      destination_instrument_id: 'washer',
      source_slot: 1,
      destination_slot: 2,
    },
  });
  const change = (state: 'started' | 'paused' | 'stopped', message = '') => ({
    hook_type: 'RunStateChangeHook' as const,
    body: { ...stamped, state, message },
  });
  const numbered = (from: number, ...events: Omit<RunEvent, 'sequence'>[]) =>
    events.map((event, i) => ({ ...event, sequence: from + i })) as RunEvent[];
  const at_now = <Body extends object>({ hook_type, body }: { hook_type: string; body: Body }) => ({
    hook_type,
    body: { ...body, timestamp: now },
  });

  it('are the failures of what has begun, and the stop', () => {
    const plan = { hook_type: 'NewPlanHook', body: { ...stamped, remaining_worktime: 3 } } as const;
    const events = numbered(
      4,
      plan,
      change('started'),
      move('a', 'started'),
      move('b', 'started'),
      move('a', 'finished'),
      task('a', 'started'),
      task('b', 'started'),
      task('b', 'succeeded'),
      task('c', 'failed'),
    );
    const found = interruptedEvents({ ...record, events, pausing: false }, now, 'cut');
    expect(found).toEqual([
      { sequence: 13, ...at_now(move('b', 'failed')) },
      { sequence: 14, ...at_now(task('a', 'failed', 'cut')) },
      { sequence: 15, ...at_now(change('stopped', 'cut')) },
    ]);
  });

  it('have the pause that was requested, before the stop', () => {
    const found = interruptedEvents({ ...record, events: [], pausing: true }, now, 'cut');
    expect(found).toEqual([
      { sequence: 1, ...at_now(change('paused')) },
      { sequence: 2, ...at_now(change('stopped', 'cut')) },
    ]);
  });

  it('are added, and the oldest above the limit are removed', () => {
    const count = limits.run_events;
    const [first, second, ...rest] = numbered(1, ...Array(5).fill(change('paused')));
    const events = [first!, ...Array<RunEvent>(count - 2).fill(second!)];
    addEvents({ events }, rest.slice(0, 1));
    expect([events.length, events[0]]).toEqual([count, first]);
    addEvents({ events }, rest.slice(1));
    expect([events.length, events[0]!.sequence]).toEqual([count, 2]);
    expect(events.slice(-3)).toEqual(rest);
  });
});

describe('the message of a completed run', () => {
  const broken = (...ids: string[]) => ({
    violations: ids.map((constraint_id) => ({ constraint_id })),
  });
  it.each([
    { limits: broken(), notes: [] },
    { limits: broken('soon', 'late'), notes: ['broken limits: soon, late'] },
    { limits: broken(), aborted: [READ_A, WASH_B], notes: ['aborted tasks: read_a, wash_b'] },
    { limits: broken(), cancelled: [WASH_B], notes: ['cancelled tasks: wash_b'] },
    {
      limits: broken('soon'),
      aborted: [READ_A],
      cancelled: [WASH_B],
      notes: ['broken limits: soon', 'aborted tasks: read_a', 'cancelled tasks: wash_b'],
    },
  ])('has the notes $notes', ({ limits, aborted = [], cancelled = [], notes }) => {
    const progress = { abortedTasks: aborted, cancelledTasks: cancelled };
    const run = { limits, progress };
    expect(completionText(modelOf(), run as never)).toBe(['completed', ...notes].join('; '));
  });
});

describe('what a simulated instrument returns', () => {
  const reads = (outputs: object, own: object = {}) => {
    const model = modelOf({ changed: { [READ_A]: { outputs: own as never } } });
    const instruments = model.instruments.map((one) => ({ ...one, outputs: outputs as never }));
    return { ...model, instruments };
  };
  const listed = { od: { values: [1, 2] }, well: { values: ['A'] } };

  it('is listed, value after value of its own tasks, and again from the first', () => {
    const results = new SimulatedResults(reads(listed), [], 1);
    const found = [READER, READER, WASHER, READER].map((on) => results.next(READ_A, on).outputs);
    expect(found.map(({ od }) => od)).toEqual([1, 2, 1, 1]);
    expect(found[0]).toEqual({ od: 1, well: 'A' });
  });

  it('is before that what its task says, and first what a fault says, so many times', () => {
    const fault = { task_id: 'read_a', data_outputs: { od: 9 }, times: 2 };
    const results = new SimulatedResults(reads(listed, { od: 5, ph: 7 }), [fault], 1);
    const found = [1, 2, 3].map(() => results.next(READ_A, READER));
    expect(found.map(({ error }) => error)).toEqual([null, null, null]);
    expect(found.map(({ outputs }) => outputs['od'])).toEqual([9, 9, 5]);
    expect(found[0]!.outputs).toEqual({ od: 9, ph: 7, well: 'A' });
  });

  it('is nothing where the task fails', () => {
    const fault = { task_id: 'read_a', error: 'dark', data_outputs: { od: 9 } };
    const results = new SimulatedResults(reads(listed), [fault], 1);
    expect(results.next(READ_A, READER)).toEqual({ error: 'dark', outputs: {} });
  });
});
