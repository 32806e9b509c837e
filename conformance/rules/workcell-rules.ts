/** Rules for workcells and the decks that live across runs. */
import { INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import {
  SPIN_S,
  sampleWorkflow,
  spinWorkflow,
  supplyWorkflow,
  WORK_S,
} from '../samples/sample-workflow.ts';

/** Slots that balance each other. */
const PAIR: [number, number] = [1, 2];
const missing = { status: 404, error_code: 8 } as const;
const state = { status: 400, error_code: 1 } as const;

export const WORKCELL_RULES: readonly Rule[] = [
  {
    id: 'workcell/stored',
    requirements: [],
    routes: ['createWorkcell', 'listWorkcells', 'getWorkcell', 'updateWorkcell', 'deleteWorkcell'],
    statement:
      'A workcell is stored with its instruments, and a definition can refer to it by name.',
    async check(context) {
      const user = await context.as('user');
      const { workcell: described, ...definition } = sampleWorkflow();
      const waste = { id: 'waste', name: 'Waste', type: 'waste', bench: 'b', driver: 'none' };
      const rack = { id: 'rack', type: 'rack', capacity: 2, role: 'buffer' } as const;
      const centrifuge = {
        ...{ id: 'centrifuge', type: 'centrifuge', slots: 2, max_tasks: 1, balance: [PAIR] },
        ...{ closed_while_running: true, warm_up_s: 20, cool_down_s: 5 },
        shifts: [{ from: '00:00', to: '00:00' }],
        data_outputs: { speed: { values: [4000, 4100], order: 'drawn' as const } },
      };
      const instruments = [
        ...described.instruments,
        rack,
        centrifuge,
        { ...waste, is_slotless_container: true, config: {}, mappings: ['ALL'], simulate: true },
      ];
      const paths = [{ source: 'a', destination: 'b', time: 9 }];
      const transport_matrix = { default: 1, paths };
      const body = { name: 'rules workcell', instruments, transport_matrix };
      const referring = { ...definition, workcell: { workcell_id: body.name } };
      await user.refused('createWorkflow', { body: referring }, INVALID);
      const { workcell } = await user.does('createWorkcell', body);
      const path = { workcell_id: workcell.id };
      await user.refused('createWorkcell', { body }, INVALID);
      const { id, ...shown } = (await user.does('getWorkcell', path)).workcell;
      context.expect.equal([id, shown], [workcell.id, body], 'the workcell');
      const { workcells } = await user.does('listWorkcells');
      context.expect.ok(
        workcells.some(({ id }) => id === workcell.id),
        'the workcell is listed',
      );
      const saved = await user.does('createWorkflow', referring);
      const { plan } = await user.does('planWorkflow', { workflow_id: saved.workflow.id });
      context.expect.equal(plan.makespan, WORK_S, 'makespan');
      const slower = { ...body, transport_matrix: { default: 3 } };
      await user.does('updateWorkcell', path, slower);
      const again = await user.does('planWorkflow', { workflow_id: saved.workflow.id });
      context.expect.equal(again.plan.makespan, WORK_S + 4, 'makespan with slower moves');
      await user.does('deleteWorkcell', path);
      await user.refused('getWorkcell', { parameters: path }, missing);
    },
  },
  {
    id: 'workcell/instrument-terms',
    requirements: [],
    routes: ['planWorkflow', 'validateWorkflow'],
    statement:
      'An instrument has so many slots, tasks at a time and rests as it says; into a closed one nothing goes while a task runs, and pairs of slots are balanced.',
    async check(context) {
      const user = await context.as('user');
      const { workflow } = await user.does('createWorkflow', spinWorkflow({}));
      const path = { workflow_id: workflow.id };
      const { plan } = await user.does('planWorkflow', path);
      // The second plate goes in beside the first spin; the spins follow each other.
      context.expect.equal(plan.makespan, 1 + 2 * SPIN_S, 'makespan');
      const closed = spinWorkflow({ closed_while_running: true });
      await user.does('updateWorkflow', path, closed);
      const again = await user.does('planWorkflow', path);
      context.expect.equal(again.plan.makespan, 2 + 2 * SPIN_S, 'makespan of a closed one');
      const rests = { warm_up_s: 20, cool_down_s: 5 };
      await user.does('updateWorkflow', path, spinWorkflow(rests));
      const rested = await user.does('planWorkflow', path);
      context.expect.equal(rested.plan.makespan, 20 + 5 + 2 * SPIN_S, 'makespan with rests');
      const allDay = { shifts: [{ from: '00:00', to: '00:00' }] };
      await user.does('updateWorkflow', path, spinWorkflow(allDay));
      const always = await user.does('planWorkflow', path);
      context.expect.equal(always.plan.makespan, 1 + 2 * SPIN_S, 'makespan in an endless shift');
      const { is_valid } = await user.does('validateWorkflow', spinWorkflow({ slots: 1 }));
      context.expect.equal(is_valid, false, 'slot 2 of an instrument with one');
      const half = spinWorkflow({ balance: [PAIR] });
      context.expect.equal((await user.does('validateWorkflow', half)).is_valid, false, 'a half');
      const none = spinWorkflow({ max_tasks: 0 });
      context.expect.equal((await user.does('validateWorkflow', none)).is_valid, false, 'no task');
      await user.does('deleteWorkflow', path);
    },
  },
  {
    id: 'workflow/any-slot',
    requirements: [],
    routes: ['planWorkflow'],
    statement: 'A piece without a slot goes to any free one.',
    async check(context) {
      const user = await context.as('user');
      const { workflow } = await user.does('createWorkflow', spinWorkflow({}, { isNamed: false }));
      const path = { workflow_id: workflow.id };
      const { transports } = (await user.does('planWorkflow', path)).plan;
      const slots = transports.map(({ destination_slot }) => destination_slot);
      context.expect.equal(slots.sort(), [1, 2], 'the slots');
      await user.does('deleteWorkflow', path);
    },
  },
  {
    id: 'workcell/deck',
    requirements: [],
    routes: ['getDeck', 'setDeck', 'startRun'],
    statement: 'The deck is kept, contradictions are refused, and no run starts against it.',
    async check(context) {
      const user = await context.as('user');
      const { workcell: described, ...definition } = sampleWorkflow();
      const { workcell } = await user.does('createWorkcell', { name: 'rules deck', ...described });
      const parameters = { workcell_id: workcell.id };
      const at = (instrument_id: string, slot: number, labware_id = 'plate') => {
        return { labware_id, instrument_id, slot };
      };
      const contradictions = [
        { labware: [at('hotel', 1), at('hotel', 1, 'other')], gripper: null },
        { labware: [at('hotel', 1), at('hotel', 2)], gripper: null },
        { labware: [at('hotel', 1)], gripper: 'plate' },
        { labware: [at('hotel', 99)], gripper: null },
        { labware: [at('nowhere', 1)], gripper: null },
      ];
      for (const body of contradictions) {
        await user.refused('setDeck', { parameters, body }, INVALID);
      }
      const deck = { labware: [at('hotel', 3)], gripper: null };
      await user.does('setDeck', parameters, deck);
      const shown = await user.does('getDeck', parameters);
      context.expect.equal(shown.deck.labware, deck.labware, 'labware');
      const referring = { ...definition, workcell: { workcell_id: 'rules deck' } };
      const { workflow } = await user.does('createWorkflow', referring);
      const call = { parameters: { workflow_id: workflow.id }, body: {} };
      await user.refused('startRun', call, state);
      const { run } = await user.does('startRun', call.parameters, { deck: 'as_found' });
      await user.refused('setDeck', { parameters, body: deck }, state);
      const continued = {
        deck: 'as_found',
        continue_run_id: run.id,
        interrupted_tasks: { wash: 'repeat' },
      } as const;
      await user.refused('startRun', { ...call, body: continued }, state);
      await user.does('stopRun', { run_id: run.id });
      const next = await user.does('startRun', call.parameters, continued);
      await user.does('stopRun', { run_id: next.run.id });
      await user.does('deleteWorkcell', parameters);
    },
  },
  {
    id: 'run/supplies',
    requirements: [],
    routes: ['validateWorkflow', 'startRun', 'getRun', 'completeTask', 'getDeck', 'setDeck'],
    statement:
      'Tasks take units of consumables; a run that would run out is refused, or asks a person to refill.',
    needs: { armTime_s: 60 },
    async check(context) {
      const user = await context.as('user');
      const { is_valid } = await user.does('validateWorkflow', supplyWorkflow({ units: 7 }));
      context.expect.equal(is_valid, false, 'fewer units than the tasks take');
      const tips = { units: 6, refill: 'New tips' };
      const { workflow } = await user.does('createWorkflow', supplyWorkflow(tips));
      const path = { workflow_id: workflow.id };
      const { run } = await user.does('startRun', path, { simulate_drivers: true });
      const parameters = { run_id: run.id };
      const shown = async () => (await user.does('getRun', parameters)).run;
      await context.until('a person is asked', async () => (await shown()).prompts.length > 0);
      const { prompts, supplies = [] } = await shown();
      context.expect.equal(
        [prompts[0]!.task_id, prompts[0]!.prompt],
        ['read', tips.refill],
        'prompt',
      );
      const left = supplies.map(({ labware_id, units, needed }) => [labware_id, units, needed]);
      context.expect.equal(left, [['tips', 2, 4]], 'what is left');
      await user.does('completeTask', parameters, { task_id: 'read' });
      await context.settle(WORK_S + 5);
      await context.until('the run has stopped', async () => (await shown()).state === 'stopped');
      const { workcell } = supplyWorkflow(tips);
      const made = await user.does('createWorkcell', { name: 'rules supplies', ...workcell });
      const at = { labware_id: 'tips', instrument_id: 'deck', slot: 4, units: 3 };
      const deck = { workcell_id: made.workcell.id };
      await user.does('setDeck', deck, { labware: [at], gripper: null });
      const { labware } = (await user.does('getDeck', deck)).deck;
      context.expect.equal(labware, [at], 'the deck');
      await user.does('deleteWorkcell', deck);
    },
  },
  {
    id: 'run/shared-workcell',
    requirements: [],
    routes: ['startRun', 'getRun', 'holdLabware', 'releaseLabware'],
    statement: 'Runs share a workcell by priority; a piece belongs to one of them and can be held.',
    async check(context) {
      const user = await context.as('user');
      const { workcell: described, ...definition } = sampleWorkflow();
      const name = 'rules shared';
      const { workcell } = await user.does('createWorkcell', { name, ...described });
      const referring = { ...definition, workcell: { workcell_id: name } };
      const { workflow } = await user.does('createWorkflow', referring);
      const call = { parameters: { workflow_id: workflow.id } };
      const terms = { priority: 7, start_after_s: 600, due_s: 900 };
      for (const body of [{ priority: 10 }, { start_after_s: -1 }, { due_s: -1 }]) {
        await user.refused('startRun', { ...call, body }, INVALID);
      }
      const { run } = await user.does('startRun', call.parameters, terms);
      const parameters = { run_id: run.id };
      const schedule = async () => (await user.does('getRun', parameters)).run.schedule;
      context.expect.equal(await schedule(), { ...terms, held_labware: [] }, 'the schedule');
      await user.refused('startRun', { ...call, body: {} }, state);
      const body = { labware_id: 'plate' };
      await user.refused('releaseLabware', { parameters, body }, state);
      await user.does('holdLabware', parameters, body);
      await user.refused('holdLabware', { parameters, body }, state);
      context.expect.equal((await schedule())?.held_labware, ['plate'], 'the labware on hold');
      await user.does('releaseLabware', parameters, body);
      await user.does('stopRun', parameters);
      context.expect.equal(await schedule(), null, 'the schedule of a stopped run');
      await user.does('deleteWorkcell', { workcell_id: workcell.id });
    },
  },
  {
    id: 'run/interrupted',
    requirements: [],
    routes: ['startRun', 'pauseRun', 'resumeRun', 'getRun'],
    statement:
      'An immediate pause interrupts a move; without it the run pauses once its operations end.',
    async check(context) {
      const user = await context.as('user');
      const { workflow } = await user.does('createWorkflow', sampleWorkflow());
      const call = { parameters: { workflow_id: workflow.id } };
      for (const body of [{ seed: -1 }, { seed: 0.5 }, { simulate_time: 1 }]) {
        await user.refused('startRun', { ...call, body: body as never }, INVALID);
      }
      const begin = { simulate_drivers: true, simulate_time: false, seed: 7 };
      const { run } = await user.does('startRun', call.parameters, begin);
      const path = { run_id: run.id };
      const isPaused = async () => (await user.does('getRun', path)).run.state === 'paused';
      await context.settle(0.3);
      await user.does('pauseRun', path, { immediate: true });
      await context.until('the run has paused', isPaused);
      const { tasks } = (await user.does('getRun', path)).run;
      const begun = tasks.filter(({ state: of }) => of === 'running' || of === 'succeeded');
      context.expect.equal(begun, [], 'tasks begun before the interrupted move has ended');
      await user.does('resumeRun', path);
      await user.does('stopRun', path);
    },
  },
  {
    id: 'run/limits',
    requirements: [],
    routes: ['validateWorkflow', 'getRobustness', 'startRun', 'getRun', 'abortLabware'],
    statement: 'A broken limit of time is shown and handled as the definition says.',
    needs: { armTime_s: 25 },
    async check(context) {
      const user = await context.as('user');
      const limit = { id: 'soon', type: 'start_to_end', on_violation: 'abort_labware' };
      const time_constraints = [
        { ...limit, start_task_id: 'wash', end_task_id: 'wash', max_duration: 10 },
      ];
      const { workflow: parts, ...definition } = sampleWorkflow();
      const slow = { ...parts.tasks.wash, mock_behaviour: { execution_time: 14 } };
      const tasks = { ...parts.tasks, wash: slow };
      const late = time_constraints.map((one) => ({ ...one, max_duration: 9 }));
      const impossible = { ...parts, tasks, time_constraints: late };
      const checked = { ...definition, workflow: impossible };
      const { is_valid } = await user.does('validateWorkflow', checked, {});
      context.expect.ok(is_valid, 'the definition is valid');
      const planned = await user.does('validateWorkflow', checked, { plan: 1 });
      const [first] = planned.errors;
      context.expect.ok(first?.message.includes('soon') ?? false, 'the impossible limit is named');
      const document = { ...definition, workflow: { ...parts, tasks, time_constraints } };
      const { workflow } = await user.does('createWorkflow', document);
      const path = { workflow_id: workflow.id };
      const tried = { executions: 200, scatter_percent: 10, seed: 2 };
      const { robustness } = await user.does('getRobustness', path, tried);
      const [soon] = robustness.limits;
      context.expect.equal([soon?.id, robustness.executions], ['soon', 200], 'the limit');
      context.expect.ok(soon!.holds > 0 && soon!.holds < 1, 'it holds in some executions');
      const { run } = await user.does('startRun', path, { simulate_drivers: true });
      const parameters = { run_id: run.id };
      const shown = async () => (await user.does('getRun', parameters)).run;
      // The clock runs on: the task may have begun before the reply.
      const open = ['waiting', 'running'].includes((await shown()).limits[0]?.state ?? '');
      context.expect.ok(open, 'the limit is shown as open');
      await context.settle(20);
      await context.until('the run has stopped', async () => (await shown()).state === 'stopped');
      const { tasks: ended, violations } = await shown();
      const states = ended.map(({ state: of }) => of);
      context.expect.equal(states, ['succeeded', 'aborted'], 'states of the tasks');
      const broken = violations.map(({ constraint_id }) => constraint_id);
      context.expect.equal(broken, ['soon'], 'broken limits');
      const body = { labware_id: 'plate' };
      await user.refused('abortLabware', { parameters, body }, state);
    },
  },
  {
    id: 'run/reported',
    requirements: [],
    routes: ['getRunPlan', 'getRunReport', 'getRunReportCsv', 'streamRunEvents'],
    statement: 'Plan, report and events of a run are there as JSON, CSV and event stream.',
    needs: { armTime_s: WORK_S + 5 },
    async check(context) {
      const user = await context.as('user');
      const { workflow } = await user.does('createWorkflow', sampleWorkflow());
      const path = { workflow_id: workflow.id };
      const head = (await user.does('startRun', path, { simulate_drivers: true })).run;
      const run = { run_id: head.id };
      const { analysis } = await user.does('getRunPlan', run);
      const latest_s = Math.max(...analysis.operations.map(({ end_s }) => end_s));
      context.expect.equal(latest_s, WORK_S, 'the end of the plan');
      const [critical] = analysis.operations.filter(({ is_critical }) => is_critical);
      context.expect.equal(critical?.slack_s, 0, 'slack of a critical operation');
      await context.settle(WORK_S + 5);
      await context.until('the run has stopped', async () => {
        return (await user.does('getRun', run)).run.state === 'stopped';
      });
      const { events } = await user.does('listRunEvents', run);
      await user.refused('getRunPlan', { parameters: run }, state);
      const { operations } = await user.does('getRunReport', run);
      const done = operations.filter(
        ({ kind, ended_at_s }) => kind === 'task' && ended_at_s !== null,
      );
      context.expect.equal(done.length, 2, 'tasks that have ended');
      const lines = (await user.does('getRunReportCsv', run)).trimEnd().split('\r\n');
      context.expect.equal(lines.length, 1 + operations.length, 'lines of the CSV');
      const stream = await context.raw({
        method: 'GET',
        path: `/workflow/v1/runs/${run.run_id}/events/stream?after=1`,
        headers: { Authorization: `Bearer ${user.session}` },
      });
      const ids = [...stream.text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
      const rest = events.slice(1).map(({ sequence }) => sequence);
      context.expect.equal(ids, rest, 'the events after the cursor');
      await user.refused('getRunReport', { parameters: { run_id: 999_999 } }, missing);
    },
  },
];
