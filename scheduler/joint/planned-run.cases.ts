/** Runs for tests of joint plans, made by hand: plates of a hotel are washed and then read. */

import { TICKS_PER_S } from '../../server/clock/twin-time.ts';
import { modelOf as smallModel } from '../definition/small-model.cases.ts';
import {
  failureActionsOf,
  failurePolicyOf,
  type ModelInstrument,
  type ModelTask,
  type WorkflowModel,
} from '../definition/workflow-model.ts';
import type { Plan, PlannedLabwareMove, PlannedTask } from '../plan/problem.ts';
import type { SlotLocation } from '../plan/slot-location.ts';
import type { PreparedMoves } from '../run/prepared-moves.ts';
import { RunProgress } from '../run/progress.ts';
import { RunPlan } from '../run/run-plan.ts';
import type { PlannedRun, SchedulingTerms } from './planned-run.ts';

export const [HOTEL, WASHER, READER, RACK] = [0, 1, 2, 3];
export const WASH_S = 20;
export const READ_S = 10;
export const MOVE_S = 5;

function modelInstrument(id: string, capacity: number): ModelInstrument {
  return { id, type: id, bench: 'a', mappings: [], capacity, slots: capacity, slotless: false };
}

function modelTask(id: string, estimate_s: number, rest: Partial<ModelTask>): ModelTask {
  return {
    id,
    action: 'run',
    estimate_s,
    execution_s: estimate_s,
    time_out_s: Number.POSITIVE_INFINITY,
    succeeds: true,
    skip: false,
    failureActions: failureActionsOf(),
    onFailure: failurePolicyOf(failureActionsOf()),
    candidates: [],
    after: [],
    uses: [],
    ...rest,
  };
}

/**
 * Returns a model in which task 2 i washes plate i for 20 s and task 2 i + 1 reads it for 10 s, in
 * the hotel slots and reader slots from `firstSlot`; moves take 5 s.
 */
export function washModel(
  plates: readonly string[],
  firstSlot = 1,
  rest: Partial<WorkflowModel> = {},
): WorkflowModel {
  const tasks = plates.flatMap((plate, i) => [
    modelTask(`wash_${plate}`, WASH_S, {
      candidates: [WASHER],
      uses: [{ labware: i, slot: 1, slot_after: 1 }],
    }),
    modelTask(`read_${plate}`, READ_S, {
      candidates: [READER],
      after: [2 * i],
      uses: [{ labware: i, slot: firstSlot + i, slot_after: firstSlot + i }],
    }),
  ]);
  return smallModel({
    name: 'wash',
    instruments: [
      modelInstrument('hotel', 10),
      modelInstrument('washer', 1),
      modelInstrument('reader', 10),
      modelInstrument('rack', 10),
    ],
    tasks,
    labware: plates.map((id, i) => ({
      id,
      location: { instrument: HOTEL, slot: firstSlot + i },
      tasks: [2 * i, 2 * i + 1],
    })),
    default_move_s: MOVE_S,
    ...rest,
  });
}

/** A run that tests change; the joint plan reads it only. */
export type TestRun = { -readonly [Key in keyof PlannedRun]: PlannedRun[Key] } & {
  limits: { violations: PlannedRun['limits']['violations']; isBroken: (id: string) => boolean };
};

interface RunParts {
  readonly start_s?: number;
  readonly schedule?: Partial<SchedulingTerms>;
  readonly isActive?: boolean;
  readonly move_s?: (from: SlotLocation, to: SlotLocation) => number | null;
}

/** A run of a model without a plan, from which nothing has begun. */
export function plannedRun(model: WorkflowModel, parts: RunParts = {}): TestRun {
  const { start_s = 0, schedule, isActive = true, move_s = () => MOVE_S } = parts;
  return {
    model,
    moves: { time_s: move_s } as PreparedMoves,
    progress: new RunProgress(model),
    schedule: { priority: 1, start_after_s: 0, due_s: Number.POSITIVE_INFINITY, ...schedule },
    start_tick: start_s * TICKS_PER_S,
    isActive,
    limits: { violations: [], isBroken: () => false },
    plan: null,
  };
}

/** The move of a plate for a task, or to where `rest` says. */
export function plateMove(
  [task, labware]: readonly [task: number, labware: number],
  start_s: number,
  rest: Partial<PlannedLabwareMove> = {},
): PlannedLabwareMove {
  const [from, to] = [
    { instrument: HOTEL, slot: 1 },
    { instrument: WASHER, slot: 1 },
  ];
  return { task, labware, from, to, start_s, end_s: start_s + MOVE_S, ...rest };
}

export function plannedTask(task: number, start_s: number): PlannedTask {
  const isWash = task % 2 === 0;
  const end_s = start_s + (isWash ? WASH_S : READ_S);
  return { task, instrument: isWash ? WASHER : READER, start_s, end_s };
}

/** A plan from its parts, which ends with the last of them. */
export function planOf(parts: Partial<Plan>): Plan {
  const { tasks = [], moves = [] } = parts;
  const makespan_s = Math.max(0, ...[...tasks, ...moves].map(({ end_s }) => end_s));
  return { tasks, moves, makespan_s, lower_bound_s: 0, ...parts };
}

/** Gives a run a plan that it follows. */
export function follow(run: TestRun, plan: Partial<Plan>): void {
  run.plan = new RunPlan(run.progress, planOf(plan));
}
