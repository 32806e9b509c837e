/** The handlers of runs and workcells, over runs in memory. */

import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { EMPTY_HISTORY } from '../archive/run-history.ts';
import { failureActionsOf } from '../definition/workflow-model.ts';
import { historyOf } from '../run/live-history.ts';
import { PLATE_A, PLATE_B, READ_A, WASH_A, WASHER } from '../run/run-parts.cases.ts';
import { changeOf, type LiveStub, OWNER, RunsStage, recordOf } from '../run/runs-stage.cases.ts';
import { waitingOf } from '../run/waiting-tasks.ts';
import { instrumentHandlers } from './instrument-handlers.ts';
import { runHandlers } from './run-handlers.ts';
import { workcellHandlers } from './workcell-handlers.ts';

type Answered = { readonly reply?: Record<string, unknown>; readonly refused?: string };

let stage: RunsStage;
beforeEach(() => {
  stage = new RunsStage([recordOf({ id: 6, state: 'stopped' })]);
});

/** Calls a handler for the owner; `change` replaces parts of the call. */
async function ask(name: string, change: object = {}, workflows: object = {}): Promise<Answered> {
  const { runs, cells } = stage;
  const handlers = {
    ...runHandlers(runs, workflows as never),
    ...workcellHandlers(runs, cells as never),
    ...instrumentHandlers(runs),
  };
  const parameters = { run_id: 7, workcell_id: 1, workflow_id: 2 };
  const call = { caller: { user_id: OWNER }, parameters, query: {}, body: {}, recheck: () => null };
  const handler = handlers[name as 'getRun']!;
  return (await handler({ ...call, ...change } as never, {} as never)) as Answered;
}

const stranger = { caller: { user_id: OWNER + 1 } };
const stoppedRun = { parameters: { run_id: 6 } };
const EMPTY = { reply: {} };

describe('the list of runs', () => {
  it('is that of the caller', async () => {
    const { record } = stage.addLive();
    const heads = [stage.records.get(6)!.head, record.head];
    expect(await ask('listRuns')).toEqual({ reply: { runs: heads } });
    expect(await ask('listRuns', stranger)).toEqual({ reply: { runs: [] } });
  });
});

describe('a run that is shown', () => {
  it('has what it does now while it is live', async () => {
    const { record, run } = stage.addLive();
    run.isPausing = true;
    run.now_s = 12;
    run.progress.held.add(PLATE_B);
    const live = stage.runs.liveOf(7)!;
    const { reply } = await ask('getRun');
    expect(reply!['run']).toEqual({
      ...record.head,
      ...historyOf(live),
      uses_arm: true,
      pausing: true,
      waiting: waitingOf(live),
      late: [],
      prompts: [],
      supplies: [],
      limits: [],
      schedule: { priority: 5, start_after_s: 1, due_s: null, held_labware: ['plate_b'] },
    });
    run.schedule.due_s = 90;
    const next = await ask('getRun');
    expect(next.reply!['run']).toMatchObject({ schedule: { due_s: 90 } });
  });

  it('has nothing to wait for once it is stopped', async () => {
    const { head } = stage.records.get(6)!;
    const nothing = {
      uses_arm: false,
      pausing: false,
      waiting: [],
      late: [],
      prompts: [],
      supplies: [],
      limits: [],
    };
    const run = { ...head, ...EMPTY_HISTORY, ...nothing, schedule: null };
    expect(await ask('getRun', stoppedRun)).toEqual({ reply: { run } });
  });

  it('is hidden from others, as are all actions on it', async () => {
    stage.addLive();
    for (const name of ['getRun', 'listRunEvents', 'pauseRun', 'whatIf']) {
      const found = await ask(name, stranger);
      expect(found).toMatchObject({ refused: 'not_found', details: expect.stringMatching(/7$/) });
    }
  });
});

describe('the events of a run', () => {
  const events = [4, 5, 6, 7].map((sequence) => changeOf('paused', sequence));
  it.each([
    { query: {}, ids: [4, 5, 6, 7], next: null },
    { query: { after: 0 }, ids: [4, 5, 6, 7], next: null },
    { query: { after: 4 }, ids: [5, 6, 7], next: null },
    { query: { after: 4, limit: 2 }, ids: [5, 6], next: 6 },
    { query: { after: 4, limit: 3 }, ids: [5, 6, 7], next: null },
    { query: { limit: 1 }, ids: [4], next: 4 },
    { query: { after: 7 }, ids: [], next: null },
  ])('are given by $query', async ({ query, ids, next }) => {
    const { record } = stage.addLive();
    record.events.push(...events);
    const { reply } = await ask('listRunEvents', { query });
    const found = reply!['events'] as { sequence: number }[];
    expect(found.map(({ sequence }) => sequence)).toEqual(ids);
    expect(reply!['next']).toBe(next);
  });

  it('are pages of limited size', async () => {
    const { record } = stage.addLive();
    const count = limits.page_entries + 1;
    record.events.push(...Array.from({ length: count }, (_, i) => changeOf('paused', i + 1)));
    expect((await ask('listRunEvents', { query: { limit: 2 } })).reply!['next']).toBe(2);
    const { text } = (await ask('listRunEvents')) as { text?: Iterable<string> };
    const page = JSON.parse([...text!].join('')) as { events: object[]; next: number };
    expect([page.events.length, page.next]).toEqual([count - 1, count - 1]);
  });

  it('are given once they are saved; those of a new run are none', async () => {
    const { record } = stage.addLive();
    expect(await ask('listRunEvents')).toEqual({ reply: { events: [], next: null } });
    stage.runs.onEvent(record, changeOf('paused'));
    const { reply } = await ask('listRunEvents');
    expect(reply!['events']).toHaveLength(1);
  });
});

describe('an action on a run', () => {
  it.each([
    ['pauseRun', {}, 'pause false'],
    ['pauseRun', { immediate: false }, 'pause false'],
    ['pauseRun', { immediate: true }, 'pause true'],
    ['resumeRun', {}, 'resume'],
    ['stopRun', {}, 'stop'],
  ])('%s with %j is done after what has happened, and saved', async (name, body, call) => {
    const { run } = stage.addLive();
    expect(await ask(name, { body })).toEqual(EMPTY);
    expect(run.calls).toEqual(['safety', call]);
    expect(stage.saves).toEqual(['save 7: ', 'send 7: 0']);
    run.fault = 'no way';
    expect(await ask(name, { body })).toMatchObject({ refused: 'wrong_state', details: 'no way' });
    expect(stage.saves).toHaveLength(4);
  });

  it('is refused once the run is stopped', async () => {
    for (const name of ['stopRun', 'whatIf']) {
      const refused = { refused: 'wrong_state', details: 'The run is stopped' };
      expect(await ask(name, stoppedRun)).toMatchObject(refused);
    }
    expect(stage.saves).toEqual([]);
  });

  it('replans', async () => {
    const { run } = stage.addLive();
    expect(await ask('replanRun')).toEqual(EMPTY);
    expect(run.calls).toEqual(['safety', 'replan', 'dispatch']);
  });

  /** A live run whose task wash_a has failed and allows everything. */
  function failed(): LiveStub {
    const { run } = stage.addLive();
    const all = { retry: true, complete_manually: true, ignore: true };
    Object.assign(run.model.tasks[WASH_A]!, { failureActions: failureActionsOf(all) });
    run.progress.startTask(WASH_A, WASHER, 0);
    run.progress.endTask(WASH_A, 1, 'jammed');
    return run;
  }

  it.each([
    ['retryTask', 'waiting', ['safety', 'replan']],
    ['skipTask', 'skipped', ['safety', 'replan']],
    ['completeTask', 'failed', ['safety', `complete ${WASH_A}`, 'replan']],
  ])('%s decides about a failed task', async (name, state, calls) => {
    const run = failed();
    expect(await ask(name, { body: { task_id: 'wash_a' } })).toEqual(EMPTY);
    expect([run.progress.tasks[WASH_A]!.state, run.calls]).toEqual([state, calls]);
    const other = await ask(name, { body: { task_id: 'rinse' } });
    expect(other).toMatchObject({ refused: 'wrong_state' });
  });

  it('compares what could be decided', async () => {
    failed();
    const { reply } = await ask('whatIf', { body: { task_id: 'wash_a' } });
    const choices = reply!['choices'] as { choice: string }[];
    expect(choices.map(({ choice }) => choice)).toEqual([
      'retry',
      'complete_manually',
      'ignore',
      'abort_labware',
      'stop',
    ]);
    const other = await ask('whatIf', { body: { task_id: 'read_a' } });
    expect(other).toMatchObject({ refused: 'wrong_state' });
  });

  it('gives up, holds and releases labware', async () => {
    const { run } = stage.addLive();
    const body = { labware_id: 'plate_a' };
    expect(await ask('holdLabware', { body })).toEqual(EMPTY);
    expect(run.progress.held).toEqual(new Set([PLATE_A]));
    expect(await ask('releaseLabware', { body })).toEqual(EMPTY);
    expect(run.progress.held).toEqual(new Set());
    expect(await ask('releaseLabware', { body })).toMatchObject({
      refused: 'wrong_state',
      details: 'plate_a is not on hold',
    });
    expect(await ask('abortLabware', { body })).toEqual(EMPTY);
    expect(run.progress.abortedTasks).toEqual([WASH_A, READ_A]);
  });
});

describe('the start of a run', () => {
  const check = (definition: object | null) => async () => ({ definition });
  const workflows = (definition: object | null = {}) => ({
    find: (owner_id: number, id: number) => (owner_id === OWNER && id === 2 ? { id } : null),
    checks: async (id: number, stored: object) => {
      expect([id, stored]).toEqual([2, { id: 2 }]);
      return check(definition);
    },
  });

  it('needs a valid workflow of the caller', async () => {
    expect(await ask('startRun', stranger, workflows())).toMatchObject({ refused: 'not_found' });
    expect(await ask('startRun', {}, workflows(null))).toMatchObject({ refused: 'wrong_state' });
  });

  it('gives the new run, which is recorded for the call', async () => {
    const requests: object[] = [];
    const recorded: unknown[] = [];
    stage.runs.start = async (request) => {
      requests.push(request);
      request.onCreated!('draft' as never, recordOf({ id: 9 }).head);
      return recordOf({ id: 9 }).head;
    };
    const body = { priority: 2 };
    const record = (draft: unknown, outcome: unknown) => recorded.push([draft, outcome]);
    const reply = { run: recordOf({ id: 9 }).head };
    const definition = { name: 'day' };
    const recheck = () => null;
    expect(await ask('startRun', { body, record, recheck }, workflows(definition))).toEqual({
      reply,
    });
    expect(recorded).toEqual([['draft', { reply }]]);
    const caller = { user_id: OWNER };
    const wanted = { caller, workflow_id: 2, definition, options: body, recheck };
    expect(requests).toMatchObject([wanted]);
  });

  it('can be refused', async () => {
    const refused = { refused: 'not_supported', details: 'no', count: 0 } as const;
    stage.runs.start = async () => refused;
    expect(await ask('startRun', {}, workflows())).toBe(refused);
  });
});

describe('a workcell', () => {
  const one = () => stage.cells.rows.get(1)!;
  const shown = (change = {}) => {
    const { instruments } = one();
    return { reply: { workcell: { id: 1, name: 'one', instruments, ...change } } };
  };

  it('is listed and shown to its owner', async () => {
    const workcells = [
      { id: 1, name: 'one' },
      { id: 2, name: 'two' },
    ];
    expect(await ask('listWorkcells')).toEqual({ reply: { workcells } });
    expect(await ask('getWorkcell')).toEqual(shown());
    Object.assign(one(), { transport_matrix: { default: 4 } });
    expect(await ask('getWorkcell')).toEqual(shown({ transport_matrix: { default: 4 } }));
  });

  it.each(['getWorkcell', 'updateWorkcell', 'deleteWorkcell', 'getDeck', 'setDeck'])(
    'is hidden from others: %s',
    async (name) => {
      const refused = { refused: 'not_found', details: expect.stringMatching(/1$/) };
      expect(await ask(name, stranger)).toMatchObject(refused);
    },
  );

  it('is created, and recorded for the call', async () => {
    const recorded: unknown[] = [];
    const record = (draft: unknown, outcome: unknown) => recorded.push([draft, outcome]);
    const recheck = () => null;
    const body = { name: 'three', instruments: [] };
    const made = { id: 4, owner_id: OWNER, deck: new Map(), ...body };
    const create = async (owner_id: number, given: object, rest: Record<string, unknown>) => {
      expect([owner_id, given, rest['guard']]).toEqual([OWNER, body, recheck]);
      (rest['onCreated'] as (draft: string, one: object) => void)('draft', made);
      return made;
    };
    Object.assign(stage.cells, { create });
    const reply = { workcell: { id: 4, ...body } };
    expect(await ask('createWorkcell', { body, record, recheck })).toEqual({ reply });
    expect(recorded).toEqual([['draft', { reply }]]);
    const refused = { refused: 'invalid_arguments' };
    Object.assign(stage.cells, { create: async () => refused });
    expect(await ask('createWorkcell', { body, record })).toBe(refused);
  });

  it('is changed under its own name or a new one', async () => {
    for (const name of ['one', 'three']) {
      const body = { name, instruments: one().instruments };
      expect(await ask('updateWorkcell', { body })).toEqual(shown({ name }));
    }
    const refused = await ask('updateWorkcell', { body: { ...one(), name: 'two' } });
    expect(refused).toMatchObject({ refused: 'invalid_arguments' });
    expect(one().name).toBe('three');
  });

  it('is not changed where labware would lose its place', async () => {
    one().deck.set('box', { instrument_id: 'hotel', slot: 2 });
    one().deck.set('cap', { instrument_id: 'reader', slot: 1 });
    const body = { name: 'one', instruments: one().instruments.slice(1, 2) };
    const found = await ask('updateWorkcell', { body });
    const details = expect.stringMatching(/^box .*; cap /);
    expect(found).toMatchObject({ refused: 'wrong_state', details });
    expect(one().instruments).toHaveLength(3);
  });

  it('is neither changed nor deleted while a run uses it', async () => {
    stage.addLive();
    for (const name of ['updateWorkcell', 'deleteWorkcell']) {
      const found = await ask(name, { body: one() });
      expect(found).toMatchObject({ refused: 'wrong_state', details: 'Run 7 uses the workcell' });
    }
    expect(stage.cells.rows.size).toBe(2);
  });

  it('is deleted', async () => {
    const reply = shown();
    expect(await ask('deleteWorkcell')).toEqual(reply);
    expect([...stage.cells.rows.keys()]).toEqual([2]);
  });
});

describe('a deck', () => {
  const box = { labware_id: 'box', instrument_id: 'washer', slot: 1 };
  const plate = (change = {}) => {
    return { labware_id: 'plate_a', instrument_id: 'hotel', slot: 1, ...change };
  };
  const other = { labware_id: 'plate_b', instrument_id: 'hotel', slot: 2 };

  it('is shown with the runs on it, whose pieces it has', async () => {
    expect(await ask('getDeck')).toEqual({
      reply: { deck: { workcell_id: 1, labware: [], gripper: null, runs: [] } },
    });
    const { run } = stage.addLive();
    run.progress.locations[PLATE_A] = null;
    expect(await ask('getDeck')).toEqual({
      reply: { deck: { workcell_id: 1, labware: [other], gripper: 'plate_a', runs: [7] } },
    });
  });

  it('is set, and replaces the pieces that belong to no run', async () => {
    const { run } = stage.addLive();
    const body = { labware: [box, plate(), other], gripper: 'cap' };
    expect(await ask('setDeck', { body })).toEqual({
      reply: { deck: { workcell_id: 1, ...body, runs: [7] } },
    });
    expect(run.shared.statics).toEqual([expect.any(Map), 'cap']);
    expect(stage.place('box')).toEqual({ instrument_id: 'washer', slot: 1 });
  });

  it('is set where no run is on it', async () => {
    const body = { labware: [box, other], gripper: 'cap' };
    expect(await ask('setDeck', { body })).toEqual({
      reply: { deck: { workcell_id: 1, ...body, runs: [] } },
    });
    expect(stage.place('plate_b')).toEqual({ instrument_id: 'hotel', slot: 2 });
  });

  it('needs places that there are', async () => {
    const body = { labware: [{ ...box, slot: 2 }], gripper: null };
    expect(await ask('setDeck', { body })).toMatchObject({
      refused: 'invalid_arguments',
      details: [{ path: '/labware/0' }],
    });
  });

  it.each([
    ['another slot', [plate({ slot: 3 }), other], null],
    ['another instrument', [plate({ instrument_id: 'reader' }), other], null],
    ['no place', [other], null],
    ['the gripper', [other], 'plate_a'],
  ])('leaves the pieces of active runs: not in %s', async (_, labware, gripper) => {
    stage.addLive();
    const found = await ask('setDeck', { body: { labware, gripper } });
    expect(found).toMatchObject({
      refused: 'wrong_state',
      details: expect.stringMatching(/plate_a$/),
    });
    expect(stage.place('box')).toBeUndefined();
  });

  it('keeps a piece of an active run in the gripper', async () => {
    const { run } = stage.addLive();
    run.progress.locations[PLATE_A] = null;
    const held = { labware: [other], gripper: 'plate_a' };
    expect(await ask('setDeck', { body: held })).toHaveProperty('reply');
    const free = { labware: [plate(), other], gripper: null };
    expect(await ask('setDeck', { body: free })).toMatchObject({ refused: 'wrong_state' });
  });
});

describe('an instrument', () => {
  it('is set down and up', async () => {
    for (const is_up of [false, true]) {
      const body = { instrument_id: 'washer', is_up };
      expect(await ask('setInstrument', { body })).toEqual(EMPTY);
      expect(stage.runs.downSince('washer') !== null).toBe(!is_up);
    }
  });
});
