/** What an operator decides in a run, on runs of hand-made models without a twin. */

import { describe, expect, it, vi } from 'vitest';
import { failure } from '../../contract/result.ts';
import type { RunEvent, WhatIfChoice } from '../../contract/types.generated.ts';
import { systemClock as wall } from '../../server/clock/wall-clock.ts';
import { toolpathOf } from '../../server/robot/robot-harness.cases.ts';
import { armOf, device, job, modelOf, piece } from '../definition/small-model.cases.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import { FakeTransporter, loadingArm } from '../workcell/fake-moves.cases.ts';
import { abortLabware, chooseForTask, holdLabware, replanRun } from './operator-actions.ts';
import { type SmallRun, smallRun } from './small-run.cases.ts';
import { whatIf } from './what-if.ts';

/** `a` is washed and read, each after a move of 5 s; `b` has no work. */
const MODEL = modelOf({
  instruments: [device('hotel', 3), device('washer'), device('reader'), device('camera')],
  tasks: [job('wash', [1], [[0, 1]]), { ...job('read', [2], [[0, 1]]), after: [0] }],
  labware: [piece('a', [0, 1], [0, 1]), piece('b', [0, 3])],
});
/** The camera films for 100 s from the start. */
const FILM = { ...job('film', [3]), estimate_s: 100, execution_s: 100 };
const FILMED = { ...MODEL, tasks: [...MODEL.tasks, FILM] };
const SOON = { id: 'soon', type: 'start_to_start', max_duration: 20.5 } as const;
const FAULTS = [{ task_id: 'wash' }];
const SKIPPED = { retry: true, complete: true, skip: true, isOffered: true, max_retries: 9 };

function withActions(model: WorkflowModel): WorkflowModel {
  return { ...model, tasks: model.tasks.map((task) => ({ ...task, failureActions: SKIPPED })) };
}

/** A run whose washing has failed at 15 s; it is paused then. */
async function failed(model: WorkflowModel = MODEL, now_s = 16): Promise<SmallRun> {
  const small = await smallRun(model, { faults: FAULTS });
  await small.run.start();
  small.pass(now_s);
  expect([small.run.state, small.run.progress.tasks[0]!.state]).toEqual(['paused', 'failed']);
  return small;
}

const plansOf = (events: readonly RunEvent[]) =>
  events.filter(({ hook_type }) => hook_type === 'NewPlanHook').length;
const startsOf = (events: readonly RunEvent[]) =>
  events.filter(({ body }) => Reflect.get(body, 'state') === 'started').length;
/** The planned tasks that wait. */
const waitingIn = ({ plan, progress }: SmallRun['run']) =>
  plan.current.tasks.filter(({ task }) => progress.tasks[task]!.state === 'waiting');
const statesOf = ({ run }: SmallRun) => run.progress.tasks.map(({ state }) => state);

async function stopped(): Promise<SmallRun> {
  const small = await smallRun(MODEL);
  await small.run.start();
  small.run.stop();
  return small;
}

describe('a replanning on request', () => {
  it('starts what is ready', async () => {
    const { run, events } = await smallRun(MODEL);
    expect(await replanRun(run)).toBeNull();
    expect(startsOf(events)).toBe(1);
  });

  it('publishes no plan that is the same', async () => {
    const { run, events, pass } = await smallRun(MODEL);
    await run.start();
    pass(1);
    expect([await replanRun(run), plansOf(events)]).toEqual([null, 1]);
  });

  it('makes a new plan after a change', async () => {
    const { run, events, pass } = await smallRun(MODEL);
    await run.start();
    pass(6);
    run.progress.skip(1);
    expect([await replanRun(run), plansOf(events)]).toEqual([null, 2]);
    expect(run.plan.current.makespan_s).toBe(15);
  });

  it('says why there is no plan, and starts nothing', async () => {
    const { run, events } = await smallRun(FILMED);
    run.shared.statics.set('box', { instrument: 1, slot: 1 });
    run.shared.version += 1;
    const fault = await replanRun(run);
    expect(fault).toBe(run.plan.faults.join('; '));
    expect(fault).toMatch(/wash.*slot 1.*held by box; read waits for wash/);
    expect(startsOf(events)).toBe(0);
  });

  it('is not possible in a stopped run', async () => {
    const { run } = await stopped();
    expect(await replanRun(run)).toBe('The run is stopped');
  });
});

describe('a choice for a failed task', () => {
  it.each([
    ['retry', 'waiting', [26, 41]],
    ['complete', 'completed_manually', [31]],
    ['skip', 'skipped', [31]],
  ] as const)('to %s makes it %s, and plans the rest', async (action, state, ends_s) => {
    const small = await failed(withActions(MODEL));
    const before = plansOf(small.events);
    expect(await chooseForTask(small.run, 'wash', action)).toBeNull();
    expect(statesOf(small)).toEqual([state, 'waiting']);
    const ends = waitingIn(small.run).map(({ end_s }) => end_s);
    expect([ends, plansOf(small.events)]).toEqual([ends_s, before + 1]);
    expect([small.run.state, small.run.progress.tasks[0]!.retries]).toEqual([
      'paused',
      action === 'retry' ? 1 : 0,
    ]);
  });

  it('publishes a task that was completed by hand', async () => {
    const { run, events } = await failed();
    await chooseForTask(run, 'wash', 'complete');
    const tasks = events.filter(({ hook_type }) => hook_type === 'TaskStateChangeHook');
    expect(tasks.map(({ body }) => Reflect.get(body, 'state'))).toEqual([
      'started',
      'failed',
      'succeeded',
    ]);
  });

  it('publishes no plan where nothing is left', async () => {
    const { run, events } = await failed(
      withActions({
        ...MODEL,
        tasks: [MODEL.tasks[0]!],
        labware: [piece('a', [0, 1], [0])],
      }),
    );
    const before = plansOf(events);
    expect(await chooseForTask(run, 'wash', 'skip')).toBeNull();
    expect(plansOf(events)).toBe(before);
  });

  it('is refused where it is not allowed', async () => {
    const small = await failed();
    expect(await chooseForTask(small.run, 'other', 'retry')).toBe('There is no task other');
    expect(await chooseForTask(small.run, 'read', 'retry')).toMatch(/read has not failed/);
    expect(await chooseForTask(small.run, 'wash', 'skip')).toMatch(/does not allow skip/);
    expect(statesOf(small)).toEqual(['failed', 'waiting']);
  });

  it('breaks a limit that it ends too early', async () => {
    const limit = { id: 'rest', type: 'start_to_start', min_duration: 1 } as const;
    const constraints = [{ ...limit, start_task_id: 'film', end_task_id: 'wash' }];
    const small = await smallRun({ ...FILMED, constraints }, { faults: FAULTS });
    await small.run.start();
    small.pass(16);
    small.run.progress.tasks[2]!.start_s = 5;
    await chooseForTask(small.run, 'wash', 'complete');
    expect(small.run.limits.violations).toMatchObject([{ constraint_id: 'rest' }]);
  });

  it('prepares the moves from where the piece was left', async () => {
    const { run, names } = await undelivered();
    expect(names()).not.toContain(AROUND);
    expect(await chooseForTask(run, 'wash', 'complete')).toBeNull();
    expect(names()).toContain(AROUND);
    expect(run.plan.faults).toEqual([]);
  });
});

const AROUND = 'hotel slot 1 to reader slot 1';

/** A run by the arm whose first move has failed before the pick-up: the washing has failed. */
async function undelivered() {
  const transporter = new FakeTransporter();
  const arm = loadingArm(() => toolpathOf([]));
  const model = { ...MODEL, arm: armOf(['0/1', '1/1', '2/1']) };
  const { run, pass } = await smallRun(model, { transporter, arm });
  await run.start();
  pass(1);
  transporter.isBusy = false;
  transporter.observer.onFailed('it failed');
  expect(run.state).toBe('paused');
  return { run, names: () => arm.requests.map(({ name }) => name) };
}

describe('giving up a piece', () => {
  it('aborts its tasks, and the others go on', async () => {
    const tasks = [...MODEL.tasks, job('scan', [3], [[1, 1]])];
    const labware = [MODEL.labware[0]!, piece('b', [0, 3], [2])];
    const small = await smallRun({ ...MODEL, tasks, labware });
    expect(await abortLabware(small.run, 'a')).toBeNull();
    expect(statesOf(small)).toEqual(['aborted', 'aborted', 'waiting']);
    expect(waitingIn(small.run).map(({ task }) => task)).toEqual([2]);
    expect(startsOf(small.events)).toBe(1);
    expect(small.events.map(({ body }) => Reflect.get(body, 'labware_id'))).toContain('b');
  });

  it('publishes no plan where that does not change', async () => {
    const small = await failed({
      ...MODEL,
      tasks: [MODEL.tasks[0]!, FILM],
      labware: [piece('a', [0, 1], [0])],
    });
    const before = plansOf(small.events);
    expect(await abortLabware(small.run, 'a')).toBeNull();
    expect([statesOf(small), plansOf(small.events)]).toEqual([['aborted', 'running'], before]);
  });

  it('is refused without such a piece, without its tasks, and in a stopped run', async () => {
    const { run } = await smallRun(MODEL);
    expect(await abortLabware(run, 'c')).toBe('There is no labware c');
    expect(await abortLabware(run, 'b')).toBe('b has no open tasks');
    const ended = await stopped();
    expect(await abortLabware(ended.run, 'a')).toBe('The run is stopped');
  });
});

describe('holding a piece', () => {
  it('takes its tasks out of the plan until it is released', async () => {
    const { run, events, pass } = await smallRun(MODEL);
    expect(await holdLabware(run, 'a', { isHeld: true })).toBeNull();
    expect([[...run.progress.held], run.plan.current.makespan_s]).toEqual([[0], 0]);
    pass(1);
    expect(startsOf(events)).toBe(0);
    expect(await holdLabware(run, 'a', { isHeld: true })).toBe('a is on hold');
    expect(await holdLabware(run, 'a', { isHeld: false })).toBeNull();
    expect([run.progress.held.size, run.plan.current.makespan_s]).toEqual([0, 31]);
    expect(startsOf(events)).toBe(1);
    expect(await holdLabware(run, 'a', { isHeld: false })).toBe('a is not on hold');
  });

  it('publishes no plan where that does not change', async () => {
    const { run, events, pass } = await smallRun(MODEL);
    await run.start();
    pass(1);
    expect(await holdLabware(run, 'b', { isHeld: true })).toBeNull();
    expect([plansOf(events), [...run.progress.held]]).toEqual([1, [1]]);
  });

  it('lets the other operations start', async () => {
    const { run, events } = await smallRun(FILMED);
    await holdLabware(run, 'a', { isHeld: true });
    expect(events.map(({ body }) => Reflect.get(body, 'task_id'))).toContain('film');
  });

  it('is refused without such a piece, and in a stopped run', async () => {
    const { run } = await smallRun(MODEL);
    expect(await holdLabware(run, 'c', { isHeld: true })).toBe('There is no labware c');
    const ended = await stopped();
    expect(await holdLabware(ended.run, 'a', { isHeld: true })).toBe('The run is stopped');
  });
});

describe('what would follow from each choice', () => {
  async function choicesOf({ run }: SmallRun): Promise<WhatIfChoice[]> {
    const choices = await whatIf(run, 'wash', wall);
    if (typeof choices === 'string') throw new Error(choices);
    return choices;
  }

  it('is planned from now, and changes nothing', async () => {
    const small = await failed();
    const before = structuredClone(small.run.progress.tasks);
    const rest = { broken_limits: [], aborted_tasks: [], problems: [] };
    expect(await choicesOf(small)).toEqual([
      { ...rest, choice: 'retry', is_allowed: true, makespan_s: 41 },
      { ...rest, choice: 'complete_manually', is_allowed: true, makespan_s: 31 },
      { ...rest, choice: 'ignore', is_allowed: false, makespan_s: 31 },
      {
        ...rest,
        choice: 'abort_labware',
        is_allowed: true,
        makespan_s: 16,
        aborted_tasks: ['wash', 'read'],
      },
      {
        ...rest,
        choice: 'stop',
        is_allowed: true,
        makespan_s: 16,
        aborted_tasks: ['wash', 'read'],
      },
    ]);
    expect(small.run.progress.tasks).toEqual(before);
    expect([plansOf(small.events), small.run.state]).toEqual([1, 'paused']);
  });

  it('says what is allowed', async () => {
    const allowed = async (model: WorkflowModel) =>
      (await choicesOf(await failed(model))).map(({ is_allowed }) => is_allowed);
    expect(await allowed(withActions(MODEL))).toEqual([true, true, true, true, true]);
  });

  it('names the tasks that a stop ends: those that wait, run or have failed', async () => {
    const model = { ...FILMED, tasks: [...FILMED.tasks, job('scan', [0])] };
    const choices = await choicesOf(await failed(model));
    expect(choices.at(-1)).toMatchObject({ aborted_tasks: ['wash', 'read', 'film'] });
    expect(choices[3]).toMatchObject({ aborted_tasks: ['wash', 'read'], makespan_s: 100 });
  });

  it('breaks no limit of a task that is given up', async () => {
    const [wash, read] = MODEL.tasks;
    // Film and scan take until the reading may begin: the film has no room to begin later.
    const scan = { ...job('scan', [3]), after: [3] };
    const tasks = [wash!, { ...read!, after: [0, 2] }, scan, job('film', [0])];
    const limit = { id: 'next', type: 'start_to_start', max_duration: 25 } as const;
    const constraints = [{ ...limit, start_task_id: 'film', end_task_id: 'read' }];
    const faults = [{ task_id: 'wash' }, { task_id: 'scan' }];
    const small = await smallRun({ ...MODEL, tasks, constraints }, { faults });
    await small.run.start();
    small.pass(21);
    expect(statesOf(small)).toEqual(['failed', 'waiting', 'failed', 'succeeded']);
    const choices = await choicesOf(small);
    const broken = choices.map(({ broken_limits }) => broken_limits.join());
    expect(broken).toEqual(['next', 'next', 'next', '', '']);
  });

  it.each([
    [15.4, ['soon', '', '', '', '']],
    [21, ['soon', 'soon,next', 'soon', 'soon', 'soon']],
  ])('at %d s names the limits that are broken, and that would be', async (now_s, broken) => {
    const next = { id: 'next', type: 'start_to_start', max_duration: 17 } as const;
    const constraints = [
      { ...SOON, start_task_id: 'film', end_task_id: 'read' },
      { ...next, start_task_id: 'wash', end_task_id: 'read' },
    ];
    const choices = await choicesOf(await failed({ ...FILMED, constraints }, now_s));
    expect(choices.map(({ broken_limits }) => broken_limits.join())).toEqual(broken);
  });

  it('breaks no limit that is just kept', async () => {
    const limit = { id: 'next', type: 'start_to_start', max_duration: 16 } as const;
    const constraints = [{ ...limit, start_task_id: 'wash', end_task_id: 'read' }];
    const [, complete] = await choicesOf(await failed({ ...MODEL, constraints }));
    expect(complete).toMatchObject({ makespan_s: 31, broken_limits: [] });
  });

  it('says why there is no plan for a choice', async () => {
    const small = await failed();
    small.run.shared.statics.set('box', { instrument: 2, slot: 1 });
    const choices = await choicesOf(small);
    expect(choices.map(({ makespan_s }) => makespan_s)).toEqual([null, null, null, 16, 16]);
    expect(choices.map(({ problems }) => problems.length)).toEqual([1, 1, 1, 0, 0]);
    expect(choices[0]).toMatchObject({ broken_limits: [], aborted_tasks: [] });
    expect(choices[0]!.problems[0]).toContain('held by box');
  });

  it('names broken limits and lost tasks without a plan, too', async () => {
    const scan = { ...job('scan', [4], [[1, 1]]), after: [2] };
    const small = await failed(
      {
        ...FILMED,
        instruments: [...MODEL.instruments, device('scanner')],
        tasks: [...FILMED.tasks, scan],
        labware: [MODEL.labware[0]!, piece('b', [4, 1], [3])],
        constraints: [{ ...SOON, start_task_id: 'film', end_task_id: 'read' }],
      },
      21,
    );
    const fault = { kind: 'deadlock', messages: ['no way'] } as const;
    vi.spyOn(small.run.shared.joint, 'planFor').mockResolvedValue(failure(fault));
    const lost = { makespan_s: null, broken_limits: ['soon'] };
    expect((await choicesOf(small)).slice(0, 4)).toMatchObject([
      { ...lost, aborted_tasks: [] },
      { ...lost, aborted_tasks: [] },
      { ...lost, aborted_tasks: [] },
      { ...lost, aborted_tasks: ['wash', 'read'] },
    ]);
  });

  it('needs moves from where the piece was left', async () => {
    const { run } = await undelivered();
    const choices = await whatIf(run, 'wash', wall);
    expect(choices).toMatchObject([{}, { problems: [], makespan_s: 11 }, {}, {}, {}]);
  });

  it('is refused for a task that has not failed, and in a stopped run', async () => {
    const { run } = await failed();
    expect(await whatIf(run, 'other', wall)).toBe('There is no task other');
    expect(await whatIf(run, 'read', wall)).toBe('Task read has not failed in a paused run');
    run.stop();
    expect(run.progress.tasks[0]!.state).toBe('failed');
    expect(await whatIf(run, 'wash', wall)).toBe('Task wash has not failed in a paused run');
  });
});
