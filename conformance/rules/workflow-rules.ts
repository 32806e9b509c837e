/**
 * Rules for workflows, runs and webhooks (second specification). Rules cannot receive webhooks, so
 * they check the delivery log. Their workflows do not move the arm.
 */

import type { Hook, RunEvent } from '../../contract/types.generated.ts';
import type { Actor } from '../actor.ts';
import { INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';
import {
  branchedWorkflow,
  sampleWorkflow,
  UNREACHABLE_HOOK,
  WORK_S,
} from '../samples/sample-workflow.ts';

const missing = { status: 404, error_code: 8 } as const;
const state = { status: 400, error_code: 1 } as const;

interface Begun {
  readonly user: Actor;
  readonly run: { readonly run_id: number };
}

async function started(context: RuleContext, hooks: readonly Hook[], body = {}): Promise<Begun> {
  const user = await context.as('user');
  const { workflow } = await user.does('createWorkflow', sampleWorkflow({ hooks }));
  const parameters = { workflow_id: workflow.id };
  const { run } = await user.does('startRun', parameters, { simulate_drivers: true, ...body });
  return { user, run: { run_id: run.id } };
}

async function eventsOf({ user, run }: Begun): Promise<readonly RunEvent[]> {
  return (await user.does('listRunEvents', run)).events;
}

async function finished(context: RuleContext, begun: Begun): Promise<readonly RunEvent[]> {
  await context.settle(WORK_S + 5);
  await context.until('the run has stopped', async () => {
    return (await begun.user.does('getRun', begun.run)).run.state === 'stopped';
  });
  return eventsOf(begun);
}

function statesOf(events: readonly RunEvent[], type: RunEvent['hook_type']): string[] {
  return events.flatMap(({ hook_type, body }) =>
    hook_type === type && 'state' in body ? [body.state] : [],
  );
}

function isStamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);
}

const refusedHooks: readonly object[] = [
  {},
  { parameters: {} },
  UNREACHABLE_HOOK,
  { ...UNREACHABLE_HOOK, type: 'AnotherHook' },
];

export const WORKFLOW_RULES: readonly Rule[] = [
  {
    id: 'workflow/stored',
    requirements: ['H3'],
    routes: ['createWorkflow', 'listWorkflows', 'getWorkflow', 'updateWorkflow', 'deleteWorkflow'],
    statement: 'A workflow with its hooks is stored as sent until it is deleted.',
    async check(context) {
      const user = await context.as('user');
      const document = sampleWorkflow({ hooks: [{ ...UNREACHABLE_HOOK, type: 'NewPlanHook' }] });
      const { workflow } = await user.does('createWorkflow', document);
      const path = { workflow_id: workflow.id };
      const { workflows } = await user.does('listWorkflows');
      const listed = workflows.filter(({ id }) => id === workflow.id);
      context.expect.equal(listed, [workflow], 'the entry in the list');
      const shown = await user.does('getWorkflow', path);
      context.expect.equal(shown.workflow.definition, document, 'the definition');
      const renamed = { ...document, name: 'rules renamed' };
      const changed = await user.does('updateWorkflow', path, renamed);
      context.expect.equal(changed.workflow.name, 'rules renamed', 'the new name');
      await user.does('deleteWorkflow', path);
      await user.refused('getWorkflow', { parameters: path }, missing);
    },
  },
  {
    id: 'workflow/templates',
    requirements: [],
    routes: ['validateWorkflow', 'createWorkflow', 'getWorkflow', 'planWorkflow'],
    statement:
      'A template makes a task of each step for each piece; what is wrong with it is named.',
    async check(context) {
      const user = await context.as('user');
      const { workflow, ...rest } = sampleWorkflow();
      const step = { instrument: { type: 'washer' }, action: 'wash', time_estimate: 5 };
      const again = { ...step, instrument: { type: 'reader' }, action: 'read' };
      const limit = { id: 'soon', type: 'end_to_start', max_duration: 60 };
      const template = {
        for_each: ['plate'],
        steps: [
          { ...step, id: 'rinse' },
          { ...again, id: 'check {n}', destination_slot: '{n}', dependencies: ['rinse'] },
        ],
        time_constraints: [{ ...limit, start_task_id: 'rinse', end_task_id: 'check {n}' }],
      };
      const documentWith = (templates: readonly object[]) => {
        return { ...rest, workflow: { ...workflow, tasks: {}, templates } };
      };
      const made = await user.does('createWorkflow', documentWith([template]));
      const path = { workflow_id: made.workflow.id };
      const { definition } = (await user.does('getWorkflow', path)).workflow;
      const shown = (definition as ReturnType<typeof sampleWorkflow>).workflow;
      const names = ['rinse_plate', 'check {n}_plate'];
      context.expect.equal(Object.keys(shown.tasks), names, 'the tasks that are shown');
      const { plan } = await user.does('planWorkflow', path);
      context.expect.equal(Object.keys(plan.tasks), names, 'the tasks that are planned');
      const unknown = documentWith([{ ...template, for_each: ['plate', 'lost'] }]);
      const { is_valid, errors } = await user.does('validateWorkflow', unknown);
      context.expect.ok(!is_valid, 'a template for unknown labware is not valid');
      context.expect.equal(errors[0]!.path, '/workflow/templates/0/for_each/1', 'its error');
      const cycle = documentWith([
        {
          ...template,
          steps: [
            { ...step, id: 'rinse', dependencies: ['dry'] },
            { ...again, id: 'dry' },
          ],
        },
      ]);
      await user.refused('createWorkflow', { body: cycle }, INVALID);
    },
  },
  {
    id: 'workflow/owned',
    requirements: [],
    routes: ['getWorkflow', 'planWorkflow', 'startRun', 'getRun', 'stopRun'],
    statement: 'Only the owner can read or change a workflow or a run.',
    needs: { secondUser: true },
    async check(context) {
      const user = await context.as('user');
      const other = await context.as('other');
      const { workflow } = await user.does('createWorkflow', sampleWorkflow());
      const parameters = { workflow_id: workflow.id };
      await other.refused('getWorkflow', { parameters }, missing);
      await other.refused('planWorkflow', { parameters }, missing);
      await other.refused('startRun', { parameters, body: {} }, missing);
      const { run } = await user.does('startRun', parameters, { simulate_drivers: true });
      await other.refused('getRun', { parameters: { run_id: run.id } }, missing);
      await other.refused('stopRun', { parameters: { run_id: run.id } }, missing);
      await user.does('stopRun', { run_id: run.id });
    },
  },
  {
    id: 'workflow/validated',
    requirements: ['H1', 'H2', 'H19'],
    routes: ['validateWorkflow', 'createWorkflow'],
    statement: 'A hook needs an address and a type; a filter alone implies the type.',
    async check(context) {
      const user = await context.as('user');
      for (const hook of refusedHooks) {
        const document = { ...sampleWorkflow(), hooks: [hook] };
        const { is_valid, errors } = await user.does('validateWorkflow', document);
        context.expect.ok(!is_valid, 'a hook of unclear type or address is not valid');
        context.expect.ok(errors[0]!.path.startsWith('/hooks/0'), 'the error names the hook');
        await user.refused('createWorkflow', { body: document }, INVALID);
      }
      const hooks = [
        { ...UNREACHABLE_HOOK, type: 'SafetyStateChangeHook' },
        { ...UNREACHABLE_HOOK, filter: 'on_new_plan' },
        { ...UNREACHABLE_HOOK, task_ids: [] },
        { ...UNREACHABLE_HOOK, trigger_on: 'end' },
      ];
      const reply = await user.does('validateWorkflow', { ...sampleWorkflow(), hooks });
      context.expect.equal(reply, { is_valid: true, errors: [], warnings: [] }, 'the reply');
    },
  },
  {
    id: 'workflow/planned',
    requirements: [],
    routes: ['planWorkflow'],
    statement: 'A plan has times for tasks and moves and is at least as long as its lower bound.',
    async check(context) {
      const user = await context.as('user');
      const { workflow } = await user.does('createWorkflow', sampleWorkflow());
      const { plan } = await user.does('planWorkflow', { workflow_id: workflow.id });
      context.expect.equal(plan.makespan, WORK_S, 'makespan');
      context.expect.ok(plan.lower_bound <= plan.makespan, 'the lower bound is no larger');
      context.expect.equal(plan.transports.length, 2, 'moves');
      context.expect.equal(Object.keys(plan.tasks), ['wash', 'read'], 'tasks');
    },
  },
  {
    id: 'hooks/bodies',
    requirements: ['H4', 'H5', 'H7', 'H8', 'H9', 'H10', 'H11', 'H13', 'H14', 'H15', 'H17'],
    routes: ['startRun', 'getRun', 'listRuns', 'listRunEvents'],
    statement: 'A run publishes plan, start, moves, tasks and end in order, with RFC 3339 times.',
    needs: { armTime_s: 25 },
    async check(context) {
      const begun = await started(context, []);
      const events = await finished(context, begun);
      for (const [i, event] of events.entries()) {
        context.expect.equal(event.sequence, i + 1, 'the number of the event');
        context.expect.equal(event.body.run_id, String(begun.run.run_id), 'run_id');
        context.expect.ok(isStamp(event.body.timestamp), 'the time is RFC 3339');
      }
      const kinds = events.slice(0, 2).map(({ hook_type }) => hook_type);
      context.expect.equal(kinds, ['NewPlanHook', 'RunStateChangeHook'], 'first events');
      const runs = statesOf(events, 'RunStateChangeHook');
      context.expect.equal(runs, ['started', 'stopped'], 'states of the run');
      const tasks = statesOf(events, 'TaskStateChangeHook');
      const both = ['started', 'succeeded', 'started', 'succeeded'];
      context.expect.equal(tasks, both, 'states of the tasks');
      const moves = statesOf(events, 'LabwareMovementHook');
      context.expect.equal(moves, ['started', 'finished', 'started', 'finished'], 'moves');
      const last = await begun.user.does('listRunEvents', begun.run, { after: events.length - 1 });
      const wanted = { events: events.slice(-1), next: null };
      context.expect.equal(last, wanted, 'events after a number');
      const path = `/workflow/v1/runs/${begun.run.run_id}/events?after=1x`;
      const headers = { Authorization: `Bearer ${begun.user.session}` };
      const none = await context.raw({ method: 'GET', path, headers });
      context.expect.equal(none.status, 400, 'status where that is no number');
      const { runs: all } = await begun.user.does('listRuns');
      context.expect.ok(
        all.some(({ id }) => id === begun.run.run_id),
        'the run is listed',
      );
    },
  },
  {
    id: 'hooks/sent',
    requirements: ['H18'],
    routes: ['listDeliveries', 'getDelivery', 'redeliver'],
    statement: 'Each event is delivered only to the hooks that it triggers.',
    needs: { armTime_s: 25 },
    async check(context) {
      const begun = await started(context, [
        { ...UNREACHABLE_HOOK, type: 'TaskStateChangeHook', task_ids: ['read'] },
        {
          ...UNREACHABLE_HOOK,
          type: 'LabwareMovementHook',
          labware_ids: ['plate'],
          trigger_on: 'end',
        },
        { ...UNREACHABLE_HOOK, type: 'LabwareMovementHook', labware_ids: ['another'] },
      ]);
      const events = await finished(context, begun);
      const { deliveries } = await begun.user.does('listDeliveries');
      const own = deliveries.filter(({ run_id }) => run_id === String(begun.run.run_id));
      const wanted = events.filter(
        ({ body }) =>
          ('task_id' in body && body.task_id === 'read') ||
          ('labware_id' in body && body.state === 'finished'),
      );
      const sent = [...own].reverse().map(({ body }) => JSON.parse(body) as unknown);
      context.expect.equal(
        sent,
        wanted.map(({ body }) => body),
        'bodies',
      );
      const parameters = { delivery_id: own[0]!.id };
      const { delivery } = await begun.user.does('getDelivery', parameters);
      context.expect.equal(delivery.url, UNREACHABLE_HOOK.parameters.url, 'the address');
      if (delivery.state === 'pending') {
        await begun.user.refused('redeliver', { parameters }, state);
      }
    },
  },
  {
    id: 'hooks/failure',
    requirements: ['H5', 'H11'],
    routes: [
      'pauseRun',
      'resumeRun',
      'retryTask',
      'skipTask',
      'completeTask',
      'whatIf',
      'replanRun',
      'stopRun',
    ],
    statement:
      'A failed task is published with its error; the run pauses if the failure can be handled.',
    needs: { armTime_s: 55 },
    async check(context) {
      const faults = [{ task_id: 'wash', error: 'clogged', times: 2 }];
      const begun = await started(context, [], { faults });
      const { user, run } = begun;
      await user.refused('resumeRun', { parameters: run }, state);
      const paused = async () => (await user.does('getRun', run)).run.state === 'paused';
      await context.until('the run has paused', paused);
      const failed = (await eventsOf(begun)).filter(
        ({ body }) => 'error' in body && body.error === 'clogged',
      );
      context.expect.equal(statesOf(failed, 'TaskStateChangeHook'), ['failed'], 'state');
      await user.refused('pauseRun', { parameters: run, body: {} }, state);
      await user.does('retryTask', run, { task_id: 'wash' });
      await user.does('resumeRun', run);
      await user.does('replanRun', run);
      await context.until('the run has paused again', paused);
      const { choices } = await user.does('whatIf', run, { task_id: 'wash' });
      const allowed = choices.every(({ is_allowed }) => is_allowed);
      context.expect.ok(allowed && choices.length === 5, 'choices for a failed task');
      await user.does('completeTask', run, { task_id: 'wash' });
      const late = { parameters: run, body: { task_id: 'wash' } };
      await user.refused('skipTask', late, state);
      await user.does('resumeRun', run);
      const states = statesOf(await finished(context, begun), 'RunStateChangeHook');
      const wanted = ['started', 'paused', 'resumed', 'paused', 'resumed', 'stopped'];
      context.expect.equal(states, wanted, 'states of the run');
      await user.refused('stopRun', { parameters: run }, state);
    },
  },
  {
    id: 'run/failure-policy',
    requirements: [],
    routes: ['createWorkflow', 'startRun', 'getRun'],
    statement: 'A failed task is tried again as its policy says, and then its labware is rejected.',
    needs: { armTime_s: 60 },
    async check(context) {
      const user = await context.as('user');
      const { name, workflow, workcell } = sampleWorkflow();
      const on_failure = { retries: 1, retry_delay_s: 1, action: 'continue_without' } as const;
      const wash = { ...workflow.tasks.wash, on_failure };
      const bin = { id: 'bin', type: 'bin', role: 'reject' } as const;
      const document = {
        name,
        workflow: {
          ...workflow,
          tasks: { ...workflow.tasks, wash },
          on_failure: { action: 'pause_plate' } as const,
        },
        workcell: { ...workcell, instruments: [...workcell.instruments, bin] },
      };
      const { workflow: made } = await user.does('createWorkflow', document);
      const faults = [{ task_id: 'wash', error: 'clogged', times: 2 }];
      const path = { workflow_id: made.id };
      const started = await user.does('startRun', path, { simulate_drivers: true, faults });
      const begun = { user, run: { run_id: started.run.id } };
      const events = await finished(context, begun);
      const states = statesOf(events, 'TaskStateChangeHook');
      context.expect.equal(
        states,
        ['started', 'failed', 'started', 'failed'],
        'states of the task',
      );
      const { run } = await user.does('getRun', begun.run);
      context.expect.equal(run.labware[0]!.instrument_id, 'bin', 'place of the plate');
      context.expect.ok(run.message.startsWith('completed'), 'the run has gone on');
    },
  },
  {
    id: 'run/prompt',
    requirements: [],
    routes: ['startRun', 'getRun', 'completeTask'],
    statement: 'A task with a prompt waits until a person says that it is done, or fails in time.',
    needs: { armTime_s: 60 },
    async check(context) {
      const user = await context.as('user');
      const { workflow, ...rest } = sampleWorkflow();
      const asks = { prompt: 'Shake the plate', on_failure: { action: 'stop' } } as const;
      const wash = { ...workflow.tasks.wash, ...asks, time_out_s: 600 };
      const read = { ...workflow.tasks.read, ...asks, time_out_s: 1 };
      const document = { ...rest, workflow: { ...workflow, tasks: { wash, read } } };
      const { workflow: made } = await user.does('createWorkflow', document);
      const options = { simulate_drivers: true };
      const { run } = await user.does('startRun', { workflow_id: made.id }, options);
      const path = { run_id: run.id };
      const prompts = async () => (await user.does('getRun', path)).run.prompts;
      await context.until('a person is asked', async () => (await prompts()).length > 0);
      const [asked] = await prompts();
      context.expect.equal([asked!.task_id, asked!.prompt], ['wash', asks.prompt], 'the prompt');
      context.expect.equal(asked!.times_out_at_s, asked!.since_s + 600, 'the time-out');
      await user.does('completeTask', path, { task_id: 'wash' });
      const tasks = statesOf(await finished(context, { user, run: path }), 'TaskStateChangeHook');
      const wanted = ['started', 'succeeded', 'started', 'failed'];
      context.expect.equal(tasks, wanted, 'states of the tasks');
    },
  },
  {
    id: 'run/branches',
    requirements: [],
    routes: ['validateWorkflow', 'createWorkflow', 'startRun', 'getRun'],
    statement:
      'What a task returns decides which tasks follow; the others are cancelled and named.',
    needs: { armTime_s: 60 },
    async check(context) {
      const user = await context.as('user');
      const document = branchedWorkflow({ below: 1, at_least: 0.5 });
      const { workflow: made } = await user.does('createWorkflow', document);
      const path = { workflow_id: made.id };
      const ended = async (body: object) => {
        const options = { simulate_drivers: true, ...body };
        const begun = {
          user,
          run: { run_id: (await user.does('startRun', path, options)).run.id },
        };
        await finished(context, begun);
        return (await user.does('getRun', begun.run)).run;
      };
      const first = await ended({});
      const states = first.tasks.map(({ state: of }) => of);
      context.expect.equal(states, ['succeeded', 'succeeded', 'cancelled'], 'the states');
      context.expect.equal(first.message, 'completed; cancelled tasks: store', 'the message');
      const outputs = first.tasks.map(({ data_outputs }) => data_outputs ?? null);
      context.expect.equal(outputs, [{ kind: 'ready' }, { od: 0.2 }, null], 'what was returned');
      const faults = [{ task_id: 'read', data_outputs: { od: 0.7 } }];
      const second = await ended({ faults });
      context.expect.equal(second.tasks[2]!.state, 'succeeded', 'the task with another result');
      const never = await user.does(
        'validateWorkflow',
        branchedWorkflow({ below: 1, at_least: 1 }),
      );
      context.expect.equal(never.is_valid, false, 'a condition that nothing meets');
    },
  },
  {
    id: 'run/branches-by-hand',
    requirements: [],
    routes: ['startRun', 'getRun', 'completeTask'],
    statement: 'A person who does a task says what it returned, where others depend on it.',
    needs: { armTime_s: 30 },
    async check(context) {
      const user = await context.as('user');
      const document = branchedWorkflow({ at_least: 0.5 }, { prompt: 'Look at the plate' });
      const { workflow: made } = await user.does('createWorkflow', document);
      const options = { simulate_drivers: true };
      const { run } = await user.does('startRun', { workflow_id: made.id }, options);
      const parameters = { run_id: run.id };
      const shown = async () => (await user.does('getRun', parameters)).run;
      await context.until('a person is asked', async () => (await shown()).prompts.length > 0);
      context.expect.equal((await shown()).prompts[0]!.outputs, ['kind'], 'what is asked for');
      await user.refused('completeTask', { parameters, body: { task_id: 'wash' } }, state);
      const data_outputs = { kind: 'spoilt' };
      await user.does('completeTask', parameters, { task_id: 'wash', data_outputs });
      await context.until('the run has stopped', async () => (await shown()).state === 'stopped');
      const states = (await shown()).tasks.map(({ state: of }) => of);
      context.expect.equal(states, ['succeeded', 'cancelled', 'cancelled'], 'the states');
    },
  },
  {
    id: 'run/barcode',
    requirements: [],
    routes: ['validateWorkflow', 'startRun', 'getRun'],
    statement:
      'A task that reads a barcode names its plate, and fails where it is that of another.',
    needs: { armTime_s: 60 },
    async check(context) {
      const user = await context.as('user');
      const { workflow, ...rest } = sampleWorkflow();
      const [plate] = workflow.labware;
      const wash = { ...workflow.tasks.wash, reads_barcode: true };
      const named = (barcode: string) => {
        const labware = [{ ...plate!, barcode }];
        return { ...rest, workflow: { ...workflow, labware, tasks: { ...workflow.tasks, wash } } };
      };
      const { workflow: made } = await user.does('createWorkflow', named('B-1'));
      const path = { workflow_id: made.id };
      const options = { simulate_drivers: true };
      const right = await user.does('startRun', path, options);
      await finished(context, { user, run: { run_id: right.run.id } });
      const { run } = await user.does('getRun', { run_id: right.run.id });
      context.expect.equal(run.labware[0]!.barcode ?? null, 'B-1', 'the barcode of the plate');
      const faults = [{ task_id: 'wash', data_outputs: { barcode: 'B-2' } }];
      const wrong = await user.does('startRun', path, { ...options, faults });
      const parameters = { run_id: wrong.run.id };
      const shown = async () => (await user.does('getRun', parameters)).run;
      await context.until('the run has paused', async () => (await shown()).state === 'paused');
      const { error } = (await shown()).tasks[0]!;
      context.expect.equal(error, 'the barcode on plate is B-2, not B-1', 'the error');
      await user.does('stopRun', parameters);
      const { is_valid } = await user.does('validateWorkflow', named(''));
      context.expect.equal(is_valid, false, 'an empty barcode');
    },
  },
  {
    id: 'hooks/safety',
    requirements: ['H6', 'H12', 'H16'],
    routes: ['startRun', 'listRunEvents', 'setEmergencyStop'],
    statement: 'An emergency stop is published and pauses the run; its release does not resume it.',
    needs: { sim: true },
    async check(context) {
      const admin = await context.as('admin');
      const begun = await started(context, []);
      await context.settle(0.5);
      await admin.does('setEmergencyStop', { engaged: true });
      await context.settle(0.5);
      await admin.does('setEmergencyStop', { engaged: false });
      await context.settle(0.5);
      const events = await eventsOf(begun);
      const safety = statesOf(events, 'SafetyStateChangeHook');
      context.expect.equal(safety, ['emergency_stop', 'ok'], 'safety states');
      const { run } = await begun.user.does('getRun', begun.run);
      context.expect.equal(run.state, 'paused', 'state of the run');
      await begun.user.does('stopRun', begun.run);
    },
  },
  {
    id: 'hooks/instrument-down',
    requirements: [],
    routes: ['setInstrument', 'getRun'],
    statement: 'Tasks of an offline instrument wait, and the run shows the reason.',
    needs: { sim: true },
    async check(context) {
      const admin = await context.as('admin');
      const begun = await started(context, []);
      await admin.does('setInstrument', { instrument_id: 'reader', is_up: false });
      await context.settle(0.5);
      const { run } = await begun.user.does('getRun', begun.run);
      const reasons = run.waiting.find(({ task_id }) => task_id === 'read')!.reasons;
      context.expect.ok(reasons.includes('reader is down'), 'the reason is named');
      await admin.does('setInstrument', { instrument_id: 'reader', is_up: true });
      await begun.user.does('stopRun', begun.run);
    },
  },
];
