/**
 * The model of a run that continues a stopped one: without the tasks that are done, with what is left
 * of those that were interrupted, and with the time that its limits have used.
 */

import type { StartRunBody } from '../../contract/types.generated.ts';
import { RESTARTED } from '../archive/interruption.ts';
import type { RunRecord } from '../archive/run-record.ts';
import { limitsOf } from '../definition/task-limit.ts';
import type { ModelTask, WorkflowModel } from '../definition/workflow-model.ts';
import { RUN_STOPPED } from './run-tasks.ts';

/** The states of tasks that are not done again. */
const ENDED = ['succeeded', 'completed_manually', 'skipped', 'cancelled'] as const;

/** The errors of tasks that the end of their run has interrupted. */
const INTERRUPTED: readonly string[] = [RESTARTED, RUN_STOPPED];

/** What became of an interrupted task. */
type Statement = NonNullable<StartRunBody['interrupted_tasks']>[string];

export interface Continuation {
  readonly record: RunRecord;
  readonly statements: NonNullable<StartRunBody['interrupted_tasks']>;
  /** Time since the start of the stopped run, by the clock of the twin (s). */
  readonly since_s: number;
}

/** The time since the start of the stopped run: a stepped clock begins anew with its process (s). */
function passed_s({ record, since_s }: Continuation): number {
  return Math.max(record.history.now_s, since_s);
}

/**
 * Returns the faults of what is said of interrupted tasks: those that do not exist, and those that must
 * not be repeated before a person has spoken. When a process was killed is not known, and an instrument
 * that went on meanwhile may have done all of its task.
 */
export function statementFaults(
  { tasks }: WorkflowModel,
  given: Continuation,
): { readonly path: string; readonly problem: string }[] {
  const { record, statements } = given;
  const { tasks: rows, now_s } = record.history;
  const unknown = Object.keys(statements).filter((name) => !tasks.some(({ id }) => id === name));
  const unsaid = rows.filter(({ id, state, error, started_at_s }) => {
    const { estimate_s } = tasks.find((task) => task.id === id) ?? {};
    if (state !== 'failed' || error !== RESTARTED || statements[id] !== undefined) return false;
    if (estimate_s === undefined || started_at_s === null) return false;
    const end_s = started_at_s + estimate_s;
    return now_s < end_s && passed_s(given) >= end_s;
  });
  const path = '/interrupted_tasks';
  const advice = 'say kept_running if its instrument went on, stopped if not, or repeat';
  return [
    ...unknown.map((id) => ({ path, problem: `there is no task ${id}` })),
    ...unsaid.map(({ id }) => {
      return { path, problem: `${id} may have ended since the process did: ${advice}` };
    }),
  ];
}

/** What is left of a time that was interrupted (s). */
function rest_s(duration_s: number, elapsed_s: number): number {
  return Math.max(0, duration_s - elapsed_s);
}

/** Returns the model without the work of another run; its tasks that are done count as ended. */
export function continuedModel(model: WorkflowModel, given: Continuation): WorkflowModel {
  const { record, statements } = given;
  const { tasks: before, now_s } = record.history;
  const since_s = passed_s(given);
  const rows = new Map(before.map((row) => [row.id, row]));
  const isDone = (id: string) => {
    const state = rows.get(id)?.state;
    return ENDED.some((one) => one === state);
  };
  const isLeft = (id: string) => {
    const { state, error = '', started_at_s = null } = rows.get(id) ?? {};
    const wasRunning = state === 'failed' && INTERRUPTED.includes(error) && started_at_s !== null;
    return wasRunning && statements[id] !== 'repeat';
  };
  const elapsed_s = (id: string) => {
    const { started_at_s, ended_at_s } = rows.get(id)!;
    const statement: Statement = statements[id] ?? 'stopped';
    return (statement === 'kept_running' ? since_s : (ended_at_s ?? now_s)) - started_at_s!;
  };
  const tasks = model.tasks.map((task): ModelTask => {
    const { id, estimate_s, execution_s } = task;
    if (isDone(id)) {
      const { state, data_outputs: outputs } = rows.get(id)!;
      const ended = state as NonNullable<ModelTask['ended']>;
      const returned = outputs ? { outputs } : {};
      const { outputs: _, ...rest } = task;
      return { ...rest, ...returned, skip: true, ended, candidates: [], uses: [] };
    }
    if (!isLeft(id)) return task;
    const past_s = elapsed_s(id);
    const left = {
      estimate_s: rest_s(estimate_s, past_s),
      execution_s: rest_s(execution_s, past_s),
    };
    return { ...task, ...left };
  });
  const labware = model.labware.map((piece) => ({
    ...piece,
    tasks: piece.tasks.filter((task) => !tasks[task]!.skip),
  }));
  const constraints = limitsOf(model).flatMap(({ constraint, from_end, min_s, max_s }) => {
    const { start_task_id, end_task_id } = constraint;
    if (isDone(end_task_id)) return [];
    const row = rows.get(start_task_id);
    const isSkipped = row?.state === 'skipped' || row?.state === 'cancelled';
    const mark_s = from_end ? row?.ended_at_s : row?.started_at_s;
    const hasBegun = isDone(start_task_id) || (!from_end && isLeft(start_task_id));
    if (!hasBegun) return [constraint];
    if (isSkipped || mark_s === null || mark_s === undefined) return [];
    const used_s = since_s - mark_s;
    return [
      {
        ...constraint,
        min_duration: rest_s(min_s, used_s),
        ...(Number.isFinite(max_s) && { max_duration: rest_s(max_s, used_s) }),
      },
    ];
  });
  return { ...model, tasks, labware, constraints };
}
