/** The problem of a workflow in a situation, and plans as replies. */

import { describe, expect, it } from 'vitest';
import type { WorkflowTimeConstraint } from '../../contract/types.generated.ts';
import type { LabwareUse, Plan, StartedOperation } from '../plan/problem.ts';
import { instrument } from '../plan/problems.cases.ts';
import { planAnalysis } from './plan-analysis.ts';
import { NOTHING_STARTED, type PlanSituation, planProblem } from './plan-problem.ts';
import { planReply } from './plan-reply.ts';
import { modelOf as smallModel } from './small-model.cases.ts';
import {
  failureActionsOf,
  failurePolicyOf,
  type ModelTask,
  type WorkflowModel,
} from './workflow-model.ts';

const use = (labware: number, slot = 1): LabwareUse => ({ labware, slot, slot_after: slot });

function modelTask(id: string, parts: Partial<ModelTask> = {}): ModelTask {
  return {
    id,
    action: 'act',
    estimate_s: 10,
    execution_s: 10,
    time_out_s: Number.POSITIVE_INFINITY,
    succeeds: true,
    skip: false,
    failureActions: failureActionsOf(),
    onFailure: failurePolicyOf(failureActionsOf()),
    candidates: [1],
    after: [],
    uses: [],
    ...parts,
  };
}

/** Two pieces in a hotel; the first one goes to either reader, the second one to the second. */
function modelOf(parts: Partial<WorkflowModel> = {}): WorkflowModel {
  const instruments = ['hotel', 'left', 'right'].map((id) => {
    return { ...instrument(id), type: 'any', bench: 'bench', slots: 1, mappings: [] };
  });
  return smallModel({
    name: 'workflow',
    instruments,
    tasks: [
      modelTask('read', { candidates: [1, 2], uses: [use(0)] }),
      modelTask('store', { candidates: [0], uses: [use(0)], after: [0] }),
      modelTask('other', { candidates: [2], uses: [use(1, 3)], estimate_s: 20 }),
    ],
    labware: [
      { id: 'red', location: { instrument: 0, slot: 1 }, tasks: [0, 1] },
      { id: 'blue', location: { instrument: 0, slot: 2 }, tasks: [2] },
    ],
    default_move_s: 15,
    ...parts,
  });
}

const situationOf = (parts: Partial<PlanSituation>): PlanSituation => {
  return { ...NOTHING_STARTED, ...parts };
};

const problemIn = (parts: Partial<PlanSituation>, model = modelOf()) =>
  planProblem(model, () => 15, situationOf(parts));

describe('the problem of a workflow', () => {
  it('has everything of the model where nothing has started', () => {
    const model = modelOf({ buffers: [{ instrument: 2, slot: 9 }] });
    const move_s = () => 15;
    expect(planProblem(model, move_s, NOTHING_STARTED)).toEqual({
      instruments: model.instruments,
      tasks: [
        { id: 'read', duration_s: 10, candidates: [1, 2], after: [], uses: [use(0)] },
        { id: 'store', duration_s: 10, candidates: [0], after: [0], uses: [use(0)] },
        { id: 'other', duration_s: 20, candidates: [2], after: [], uses: [use(1, 3)] },
      ],
      labware: model.labware,
      constraints: [],
      buffers: [{ instrument: 2, slot: 9 }],
      move_s,
      now_s: 0,
      started: [],
    });
  });

  it('has the time and what has started', () => {
    const started: StartedOperation[] = [
      { kind: 'task', task: 2, instrument: 2, start_s: 0, end_s: 20 },
    ];
    expect(problemIn({ now_s: 7, started })).toMatchObject({ now_s: 7, started });
  });

  it('keeps the place of skipped tasks, without work and labware', () => {
    const nothing = { id: 'read', duration_s: 0, candidates: [], after: [], uses: [] };
    const problem = problemIn({ skipped: new Set([0]) });
    expect(problem.tasks[0]).toEqual(nothing);
    expect(problem.tasks[1]).toMatchObject({ id: 'store', duration_s: 10, after: [0] });
    expect(problem.labware.map(({ tasks }) => tasks)).toEqual([[1], [2]]);
    const { tasks } = modelOf();
    const skipping = modelOf({ tasks: [{ ...tasks[0]!, skip: true }, ...tasks.slice(1)] });
    expect(problemIn({}, skipping).tasks[0]).toEqual(nothing);
  });

  it('leaves out instruments that are down', () => {
    const buffers = [1, 2].map((on) => ({ instrument: on, slot: 9 }));
    const problem = problemIn({ back_s: (one) => (one === 1 ? 60 : null) }, modelOf({ buffers }));
    expect(problem.tasks.map(({ candidates }) => candidates)).toEqual([[2], [0], [2]]);
    expect(problem.tasks.every((one) => one.down === undefined)).toBe(true);
    expect(problem.buffers).toEqual([{ instrument: 2, slot: 9 }]);
  });

  it('names the instruments of a task that are all down', () => {
    const problem = problemIn({ back_s: (one) => (one > 0 ? 60 : null) });
    expect(problem.tasks).toMatchObject([
      { id: 'read', candidates: [1, 2], down: ['left', 'right'] },
      { id: 'store', candidates: [0] },
      { id: 'other', candidates: [2], down: ['right'] },
    ]);
    expect(problem.tasks[1]!.down).toBeUndefined();
    expect(problem.instruments.map(({ from_s }) => from_s)).toEqual([undefined, 60, 60]);
  });

  it('plans for the return of instruments where none has to be up', () => {
    const problem = problemIn({ back_s: (one) => (one > 0 ? 60 : null), mustBeUp: false });
    expect(problem.tasks.map(({ candidates }) => candidates)).toEqual([[1, 2], [0], [2]]);
    expect(problem.tasks.every((one) => one.down === undefined)).toBe(true);
  });

  it('keeps the instruments of a task that has begun, or a move for it', () => {
    const [from, to] = [
      { instrument: 0, slot: 1 },
      { instrument: 1, slot: 1 },
    ];
    const started: StartedOperation[] = [
      { kind: 'move', task: 0, labware: 0, from, to, start_s: 0, end_s: 15 },
    ];
    const problem = problemIn({ started, back_s: (one) => (one > 0 ? 60 : null) });
    expect(problem.tasks).toMatchObject([{ candidates: [1, 2] }, {}, { candidates: [2] }]);
    expect(problem.tasks[0]!.down).toBeUndefined();
  });

  const limit = (id: string, start: string, end: string): WorkflowTimeConstraint => {
    return { id, type: 'end_to_start', start_task_id: start, end_task_id: end, max_duration: 9 };
  };
  const constraints = [limit('c1', 'read', 'store'), limit('c2', 'store', 'other')];
  const limitsIn = (parts: Partial<PlanSituation>, model = modelOf({ constraints })) =>
    problemIn(parts, model).constraints.map(({ id }) => id);

  it('has the limits of time by index', () => {
    expect(problemIn({}, modelOf({ constraints: constraints.slice(0, 1) })).constraints).toEqual([
      { id: 'c1', from: 0, from_end: true, to: 1, to_end: false, min_s: 0, max_s: 9 },
    ]);
  });

  it.each<[string, Partial<PlanSituation>, string[]]>([
    ['all that hold', {}, ['c1', 'c2']],
    ['none from a skipped task', { skipped: new Set([0]) }, ['c2']],
    ['none to a skipped task', { skipped: new Set([2]) }, ['c1']],
    ['none that is broken', { isBroken: (id) => id === 'c1' }, ['c2']],
  ])('has of the limits %s', (_, situation, ids) => {
    expect(limitsIn(situation)).toEqual(ids);
  });

  it('has no limits of tasks that the definition skips', () => {
    const tasks = modelOf().tasks.map((one, t) => ({ ...one, skip: t === 2 }));
    expect(limitsIn({}, modelOf({ constraints, tasks }))).toEqual(['c1']);
  });

  it('is one where no instrument is down and no limit is broken before a run', () => {
    expect(NOTHING_STARTED).toMatchObject({ now_s: 0, started: [], skipped: new Set() });
    expect([NOTHING_STARTED.back_s(0), NOTHING_STARTED.isBroken('c1')]).toEqual([null, false]);
    expect(NOTHING_STARTED.begun_s).toBe(0);
  });
});

/** A plan of the model, with parts of seconds. */
const PLAN: Plan = {
  tasks: [
    { task: 0, instrument: 1, start_s: 15.4, end_s: 25.4 },
    { task: 2, instrument: -1, start_s: 30.6, end_s: 50.6 },
  ],
  moves: [
    {
      task: 0,
      labware: 0,
      from: { instrument: 0, slot: 1 },
      to: { instrument: 1, slot: 4 },
      start_s: 0.4,
      end_s: 15.4,
    },
  ],
  makespan_s: 50.6,
  lower_bound_s: 40.4,
};

describe('a plan as a reply', () => {
  it('has names instead of indices, and whole seconds', () => {
    expect(planReply(7, modelOf(), PLAN)).toEqual({
      id: 7,
      makespan: 51,
      lower_bound: 40,
      tasks: {
        read: {
          start: 15,
          end: 25,
          instrument: 'left',
          labware_in: ['red'],
          labware_out: ['red'],
        },
        other: {
          start: 31,
          end: 51,
          instrument: null,
          labware_in: ['blue'],
          labware_out: ['blue'],
        },
      },
      transports: [
        {
          labware_id: 'red',
          source_instrument_id: 'hotel',
          source_slot: 1,
          destination_instrument_id: 'left',
          destination_slot: 4,
          start: 0,
          end: 15,
        },
      ],
      critical_path: ['other'],
    });
  });

  it('has the cycle by unit', () => {
    const cycle = { units: 6, pieces_per_unit: 2, units_per_cycle: 4, cycle_s: 50 };
    const bound = { lower_bound_s: 11, resource: 2 };
    const reply = {
      period_s: 12.5,
      lower_bound_s: 11,
      equal_groups: 6,
      pieces_per_group: 2,
      groups_per_cycle: 4,
    };
    const withCycle = (resource: number) =>
      planReply(1, modelOf(), { ...PLAN, cycle: { ...cycle, ...bound, resource } }).cycle;
    expect(withCycle(2)).toEqual({ ...reply, instrument_id: 'right' });
    expect(withCycle(-1)).toEqual({ ...reply, instrument_id: null });
    expect(planReply(1, modelOf(), PLAN)).not.toHaveProperty('cycle');
  });

  it('has the slack of its operations and the bottleneck', () => {
    const { operations, bottleneck } = planAnalysis(modelOf(), PLAN);
    expect(operations).toMatchObject([
      { task_id: 'read', labware_id: 'red', instrument_id: 'left', is_critical: false },
      { name: 'read', task_id: 'read', labware_id: null, instrument_id: 'left', end_s: 25.4 },
      { name: 'other', labware_id: null, instrument_id: null, start_s: 30.6, is_critical: true },
    ]);
    expect(operations.map(({ slack_s }) => slack_s)).toEqual([
      expect.closeTo(25.2),
      expect.closeTo(25.2),
      0,
    ]);
    expect(bottleneck).toContain('work without an instrument');
  });

  it.each([
    [0.0009, true],
    [0.0011, false],
  ])('takes a slack of %d s for critical: %s', (slack_s, isCritical) => {
    const makespan_s = 50.6 + slack_s;
    const { operations } = planAnalysis(modelOf(), { ...PLAN, makespan_s });
    expect(operations.at(-1)!.is_critical).toBe(isCritical);
  });

  it('takes a slack of exactly a millisecond for more than rounding', () => {
    const moment = { task: 2, instrument: 2, start_s: 0, end_s: 0 };
    const plan = { tasks: [moment], moves: [], makespan_s: 0.001, lower_bound_s: 0 };
    expect(planAnalysis(modelOf(), plan).operations[0]!.is_critical).toBe(false);
  });

  it('has moves for which the workflow has no task', () => {
    const [move] = PLAN.moves;
    const plan = { ...PLAN, tasks: [], moves: [{ ...move!, task: 9 }] };
    const { operations } = planAnalysis(modelOf(), plan);
    expect(operations).toMatchObject([{ name: 'move red for its place', task_id: null }]);
  });
});
