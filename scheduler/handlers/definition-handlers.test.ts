/** The calls of workflow definitions, without HTTP: their answers, refusals and records. */

import { beforeEach, describe, expect, it } from 'vitest';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { RouteId } from '../../contract/routes.ts';
import type { PlanAnalysis, WorkflowPlan } from '../../contract/types.generated.ts';
import { systemClock } from '../../server/clock/wall-clock.ts';
import { DocumentReader } from '../../server/documents/document-reader.ts';
import type { SessionCall } from '../../server/service/http/call.ts';
import type { Reply } from '../../server/service/http/reply.ts';
import type { Services } from '../../server/service/http/services.ts';
import { Database } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import { checkDefinition } from '../definition/checked-definition.ts';
import { definitionRefusal } from '../definition/definition-refusal.ts';
import type { CheckStored } from '../definition/definition-task.ts';
import { NOTHING_STARTED, planProblem } from '../definition/plan-problem.ts';
import { planRefusal } from '../definition/plan-refusal.ts';
import { planReply } from '../definition/plan-reply.ts';
import { washAndRead } from '../definition/workflow.cases.ts';
import type { WorkflowDocument } from '../definition/workflow-document.ts';
import { Workflows } from '../definition/workflows.ts';
import { plan } from '../plan/planner.ts';
import type { Plan } from '../plan/problem.ts';
import { planRobustness } from '../plan/robustness.ts';
import { freePlanning } from '../run/free-planning.cases.ts';
import { Workcells } from '../workcell/workcells.ts';
import { definitionHandlers } from './definition-handlers.ts';

/** An object with the members that a test needs of its type. */
function partial<Type>(members: Partial<Type>): Type {
  return Object.assign(Object.create(null), members);
}

const LATE = refuse('timed_out');
const HOME = [0, 0.5, -1.7, 0, -1.2, 0];

type Document = ReturnType<typeof washAndRead>;
type Call = Partial<SessionCall> & { readonly id?: number };

let store: Store;
let turns: number;
let call: (route: RouteId, given?: Call) => Promise<Partial<Reply & Refusal>>;

beforeEach(async () => {
  store = await Store.open(null);
  const database = Database.over(store);
  await store.change((draft) => {
    for (const id of [1, 2]) {
      draft.put(database.users, id, { row: { id, email: 'a', role: 'user', password: null } });
    }
  });
  turns = 0;
  // No time passes: a search takes one slice.
  const soon = (callback: () => void) => {
    turns++;
    return systemClock.soon(callback);
  };
  const wall = { ...systemClock, now_ms: () => 0, soon };
  const documents = new DocumentReader({ wall, keepsTime: () => false });
  const checkStored: CheckStored = (task) => documents.workflow(task);
  const workflows = new Workflows({ database, checkStored, workcells: new Workcells(store) });
  const loader = { load: async () => ({ kind: 'hard', error: 'too far' }) as const };
  const arm = { loaderFor: () => loader };
  let last_id = 40;
  const handlers = definitionHandlers({
    ...{ workflows, arm, wall, nextPlanId: () => ++last_id, planning: freePlanning() },
    time: { tick: 0, epoch_ms: 0 },
  });
  call = async (route, { id = 1, ...given } = {}) => {
    const plain = { caller: { user_id: 1, token_id: 1, role: 'user' as const }, query: {} };
    const rest = { parameters: { workflow_id: id }, recheck: () => null, record: () => {} };
    const whole = partial<SessionCall>({ ...plain, ...rest, ...given });
    return (await handlers[route]!(whole as never, partial<Services>({}))) as Partial<
      Reply & Refusal
    >;
  };
});

/** Waits until no work is left of an earlier call, and counts the turns from now. */
async function atRest(): Promise<void> {
  for (let n = 0; n < 2; n++) await new Promise<void>((resolve) => systemClock.soon(resolve));
  turns = 0;
}

const OTHER: Call = { caller: { user_id: 2, token_id: 2, role: 'user' } };

/** A document as it is read from a body. */
function bodyOf(document: object): WorkflowDocument {
  const { model, errors, warnings } = checkDefinition(document);
  const json = new TextEncoder().encode(JSON.stringify(document));
  return { json, name: model?.name ?? null, workcell: null, errors, warnings };
}

function edited(edit: (document: Document) => void): Document {
  const document = washAndRead();
  edit(document);
  return document;
}

/** Another plate stands in the washer and has no task. */
const blocked = () =>
  edited(({ workflow }) => {
    workflow.labware.push({ id: 'other', starting_location: { instrument: 'washer', slot: 1 } });
  });

/** The arm refuses every motion. */
const unreachable = () =>
  edited(({ workcell }) => {
    const poses = { 1: { approach: HOME, grip: HOME } };
    const gripper = { location: 'end_effector', type: 'digital', index: 0, closed: true };
    const config = {
      home: HOME,
      default_max_speed: 0.5,
      gripper: { ...gripper, settle_s: 0.3 },
      stations: { hotel: poses, washer: poses, reader: poses },
    };
    Object.assign(workcell.instruments[3]!, { config });
  });

const broken = () =>
  edited(({ workflow }) => {
    workflow.labware[0]!.starting_location.slot = 11;
  });

async function created(document: object = washAndRead()): Promise<void> {
  const { reply } = await call('createWorkflow', { body: bodyOf(document) });
  expect(reply).toBeDefined();
}

/** Stores a definition that another version of the program has not refused. */
function stored(definition: object): Promise<void> {
  const row = { owner_id: 1, name: 'old', warnings: [], workcell: null };
  const body = JSON.stringify(definition);
  return store.change((draft) => draft.put(store.table('workflows'), 1, { row, body }));
}

describe('refusals', () => {
  it('have the places of errors', () => {
    expect(definitionRefusal([{ path: '/a', message: 'b' }])).toMatchObject({
      refused: 'invalid_arguments',
      details: [{ path: '/a', problem: 'b' }],
    });
  });

  it('have the kind of a fault first, then what is known of it', () => {
    const fault = { kind: 'deadlock', messages: ['a', 'b'] } as const;
    const texts = (refusal: Refusal) => refusal.details as { path: string; problem: string }[];
    expect(texts(planRefusal(fault)).map(({ problem }) => problem)).toEqual([
      'no plan (deadlock)',
      'a',
      'b',
    ]);
    const more = planRefusal(fault, ['c']);
    expect(more.refused).toBe('invalid_arguments');
    expect(
      texts(more)
        .map(({ problem }) => problem)
        .slice(1),
    ).toEqual(['a', 'b', 'c']);
    expect(texts(more).every(({ path }) => path === '')).toBe(true);
  });
});

describe('saved definitions', () => {
  it('are answered and recorded with their heads', async () => {
    const records: unknown[] = [];
    const record: SessionCall['record'] = (_, outcome) => void records.push(outcome);
    const workflow = { id: 1, name: 'wash and read', warnings: [] };
    const made = await call('createWorkflow', { body: bodyOf(washAndRead()), record });
    expect(made).toEqual({ reply: { workflow } });
    expect(records).toEqual([{ reply: { workflow } }]);
    expect(await call('listWorkflows')).toEqual({ reply: { workflows: [workflow] } });
    expect(await call('listWorkflows', OTHER)).toEqual({ reply: { workflows: [] } });
  });

  it('are refused with errors, or by the guard', async () => {
    const place = '/workflow/labware/0/starting_location/slot';
    const errors = { refused: 'invalid_arguments', details: [{ path: place }] };
    expect(await call('createWorkflow', { body: bodyOf(broken()) })).toMatchObject(errors);
    const late = { body: bodyOf(washAndRead()), recheck: () => LATE };
    expect(await call('createWorkflow', late)).toBe(LATE);
    expect(await call('listWorkflows')).toEqual({ reply: { workflows: [] } });
    await created();
    expect(await call('updateWorkflow', { body: bodyOf(broken()) })).toMatchObject(errors);
    expect(await call('updateWorkflow', late)).toBe(LATE);
    expect(await call('deleteWorkflow', { recheck: () => LATE })).toBe(LATE);
    expect(await call('listWorkflows')).toMatchObject({ reply: { workflows: [{ id: 1 }] } });
  });

  it('are shown with their text', async () => {
    await created();
    const { reply, text } = await call('getWorkflow');
    expect(reply).toEqual({});
    const pieces = [...(text as Iterable<string | Uint8Array>)];
    const whole = pieces.map((piece) => (typeof piece === 'string' ? piece : `${piece}`)).join('');
    expect(JSON.parse(whole)).toEqual({
      workflow: { id: 1, name: 'wash and read', warnings: [], definition: washAndRead() },
    });
  });

  it('are replaced and deleted', async () => {
    await created();
    const body = bodyOf({ ...washAndRead(), name: 'next' });
    const workflow = { id: 1, name: 'next', warnings: [] };
    expect(await call('updateWorkflow', { body })).toEqual({ reply: { workflow } });
    expect(await call('deleteWorkflow')).toEqual({ reply: { workflow } });
    expect(await call('listWorkflows')).toEqual({ reply: { workflows: [] } });
  });

  it.each([
    'getWorkflow',
    'updateWorkflow',
    'deleteWorkflow',
    'planWorkflow',
    'getRobustness',
  ] as const)('are not found by others: %s', async (route) => {
    await created();
    const body = bodyOf(washAndRead());
    expect((await call(route, { ...OTHER, body })).refused).toBe('not_found');
    expect((await call(route, { id: 2, body })).refused).toBe('not_found');
    // What is wrong with a body is of no interest then.
    expect((await call(route, { id: 2, body: bodyOf(broken()) })).refused).toBe('not_found');
    expect(await call('listWorkflows')).toMatchObject({ reply: { workflows: [{ id: 1 }] } });
  });
});

describe('plans', () => {
  const planOf = async (given?: Call) => {
    const { reply } = await call('planWorkflow', given);
    return reply as { plan: WorkflowPlan; analysis: PlanAnalysis };
  };

  it('are made of saved definitions, in turns of the event loop', async () => {
    await created();
    await atRest();
    const { plan, analysis } = await planOf();
    // To the washer 5 s, wash 20 s, to the reader 5 s, read 30 s.
    expect([plan.id, plan.makespan]).toEqual([41, 60]);
    expect(Object.keys(plan.tasks).sort()).toEqual(['read_plate_1', 'wash_plate_1']);
    expect(analysis).toBeDefined();
    // One before the search, one for it, one after it; the last finds nothing to do.
    expect(turns).toBe(4);
    expect((await planOf()).plan.id).toBe(42);
  });

  describe.each(['planWorkflow', 'getRobustness'] as const)('are refused by %s', (route) => {
    it('where the definition has errors', async () => {
      await stored(broken());
      expect((await call(route)).details).toMatchObject([
        { path: '/workflow/labware/0/starting_location/slot' },
      ]);
    });

    it('where tasks wait for each other', async () => {
      await stored(blocked());
      const { refused, details } = await call(route);
      expect([refused, details]).toMatchObject([
        'invalid_arguments',
        [{ path: '', problem: 'no plan (deadlock)' }, { path: '' }, { path: '' }],
      ]);
    });

    it('where the arm cannot move', async () => {
      await stored(unreachable());
      const texts = (await call(route)).details as { problem: string }[];
      expect(texts[0]!.problem).toBe('no plan (unreachable)');
      expect(texts.at(-1)!.problem).toContain('too far');
    });
  });

  const robustnessOf = async (query: Record<string, number>) => {
    const { reply } = await call('getRobustness', { query });
    return (reply as { robustness: Record<string, unknown> }).robustness;
  };

  it('last as long as planned where times do not scatter', async () => {
    await created();
    await atRest();
    const found = await robustnessOf({ executions: 10, scatter_percent: 0 });
    expect(found).toMatchObject({ planned_makespan_s: 60, executions: 10, limits: [] });
    expect(found['mean_makespan_s']).toBeCloseTo(60);
    expect(found['p90_makespan_s']).toBeCloseTo(60);
    // One before the search, one for it, one for the executions; the last finds nothing to do.
    expect(turns).toBe(4);
  });

  it('are tried a thousand times with a fifth of scatter by default', async () => {
    await created();
    const found = await robustnessOf({});
    expect(found).toMatchObject({ planned_makespan_s: 60, executions: 1000 });
    expect(found).toEqual(await robustnessOf({ executions: 1000, scatter_percent: 20, seed: 1 }));
    expect(found).not.toEqual(await robustnessOf({ seed: 2 }));
    const mean_s = found['mean_makespan_s'] as number;
    const wide = await robustnessOf({ scatter_percent: 40 });
    const late_s = (one: Record<string, unknown>) => (one['p90_makespan_s'] as number) - 60;
    expect([mean_s > 40, mean_s < 80, late_s(wide) > late_s(found)]).toEqual([true, true, true]);
  });

  it('say how often limits of time hold', async () => {
    const document = edited(({ workflow }) => {
      const ends = { start_task_id: 'wash_plate_1', end_task_id: 'read_plate_1' };
      const soon = { id: 'soon', type: 'end_to_start', ...ends, max_duration: 60 };
      Object.assign(workflow, { time_constraints: [soon] });
    });
    await created(document);
    const { limits } = await robustnessOf({ executions: 5, scatter_percent: 0 });
    expect(limits).toEqual([{ id: 'soon', holds: 1 }]);
  });
});

describe('the seed of a definition', () => {
  const SEED = 3;
  /** Five plates whose order is a matter of chance. */
  const document = () => {
    const given = washAndRead({ plates: 5 });
    Object.values(given.workflow.tasks).forEach((task: object, i) => {
      Object.assign(task, { time_estimate: 10 + ((i * 7919) % 23) });
    });
    return Object.assign(given, { options: { seed: SEED } });
  };
  const { model } = checkDefinition(document());
  const problem = planProblem(model!, () => 5, NOTHING_STARTED);
  const planned = (seed: number): Plan => {
    const found = plan(problem, { seed });
    if (!found.ok) throw new Error(found.error.kind);
    return found.value;
  };
  const wanted = planReply(41, model!, planned(SEED));

  it('decides its plan', async () => {
    expect(planReply(41, model!, planned(1))).not.toEqual(wanted);
    await created(document());
    expect((await call('planWorkflow')).reply).toMatchObject({ plan: wanted });
  });

  it('decides the plan of its check', async () => {
    const checked = await call('validateWorkflow', {
      body: bodyOf(document()),
      query: { plan: 1 },
    });
    expect(checked.reply).toMatchObject({ plan: wanted });
  });

  it('decides the plan whose robustness is tried', async () => {
    await created(document());
    const { constraints } = problem;
    const options = { executions: 20, scatter: 0.2, seed: 1, constraints };
    const robustnessOf = (seed: number) => {
      const steps = planRobustness(problem, planned(seed), options);
      for (;;) {
        const step = steps.next();
        if (step.done) return step.value;
      }
    };
    const { reply } = await call('getRobustness', { query: { executions: 20 } });
    expect(reply).toMatchObject({ robustness: robustnessOf(SEED) });
    expect(robustnessOf(1)).not.toEqual(robustnessOf(SEED));
  });
});

describe('a check', () => {
  const check = async (document: object, query = {}) => {
    const { reply } = await call('validateWorkflow', { body: bodyOf(document), query });
    return reply as { errors: { path: string; message: string }[]; plan?: WorkflowPlan };
  };
  const warned = { ...washAndRead(), colour: 1 };

  it('answers errors and warnings', async () => {
    expect(await check(washAndRead())).toEqual({ is_valid: true, warnings: [], errors: [] });
    expect(await check(warned)).toMatchObject({ is_valid: true, warnings: [expect.any(String)] });
    const { errors, ...rest } = await check(broken());
    expect(rest).toEqual({ is_valid: false, warnings: [] });
    expect(errors).toHaveLength(1);
  });

  it('has a plan on request', async () => {
    await atRest();
    const { plan, ...rest } = await check(washAndRead(), { plan: 1 });
    expect(rest).toEqual({ is_valid: true, warnings: [], errors: [] });
    expect([plan!.id, plan!.makespan, turns]).toEqual([41, 60, 3]);
    expect((await check(washAndRead(), { plan: 0 })).plan).toBeUndefined();
    const wrong = await check(broken(), { plan: 1 });
    expect([wrong.plan, wrong.errors.length]).toEqual([undefined, 1]);
  });

  it('plans nothing with errors that were found when the body was read', async () => {
    const errors = [{ path: '/hooks/0', message: 'is bad' }];
    const body = { ...bodyOf(washAndRead()), errors };
    const { reply } = await call('validateWorkflow', { body, query: { plan: 1 } });
    expect(reply).toEqual({ is_valid: false, warnings: [], errors });
  });

  it('says why there is no plan', async () => {
    expect(await check(blocked())).toMatchObject({ is_valid: true, errors: [] });
    const { errors, plan, ...rest } = await check(blocked(), { plan: 1 });
    expect([plan, rest]).toEqual([undefined, { is_valid: false, warnings: [] }]);
    expect(errors.map(({ path }) => path)).toEqual(['/workflow/tasks', '/workflow/tasks']);
    expect(errors[0]!.message).toMatch(/^no plan \(deadlock\): ./);
  });

  it('says which moves the arm cannot make', async () => {
    const far = await check(unreachable(), { plan: 1 });
    expect(far.errors.at(-1)!.message).toMatch(/^no plan \(unreachable\): .*too far$/);
    expect(far.errors.length).toBeGreaterThan(1);
  });
});
