/**
 * The course of a run as the wire shows it, and what has changed of it: kept beside the events, so
 * that a run can be shown as it was after the process has ended, however it ended.
 */
import type { RunDetails, RunHead, WorkflowPlan } from '../../contract/types.ts';
import type { WorkflowModel } from './model.ts';
import { planReply } from './plan-reply.ts';
import type { Run } from './run.ts';
import { labwareOf, movesOf, tasksOf } from './run-reply.ts';

export type RunCourse = Omit<RunDetails, keyof RunHead | 'waiting'>;

/** Rows of a list that differ, by their places, and how long it is now. */
interface RowChanges<Row> {
  readonly length: number;
  readonly rows: readonly (readonly [number, Row])[];
}

export interface CourseChanges {
  readonly now_s: number;
  readonly tasks: RowChanges<RunCourse['tasks'][number]>;
  readonly labware: RowChanges<RunCourse['labware'][number]>;
  readonly moves: RowChanges<RunCourse['moves'][number]>;
  /** Absent where it is the one before. */
  readonly plan?: WorkflowPlan | null;
}

/** Before anything is known of a run. */
export const NO_COURSE: RunCourse = { now_s: 0, tasks: [], labware: [], moves: [], plan: null };

interface Followed {
  readonly run: Run;
  readonly model: WorkflowModel;
  readonly plan_id: number;
}

/** The course of a run now; a plan that is known under its number is not named anew. */
export function courseOf(
  { run, model, plan_id }: Followed,
  known: WorkflowPlan | null = null,
): RunCourse {
  return {
    now_s: run.now_s,
    tasks: tasksOf(model, run),
    labware: labwareOf(model, run),
    moves: movesOf(model, run),
    plan: known?.id === plan_id ? known : planReply(plan_id, model, run.plan.current),
  };
}

function isSame(a: object | undefined, b: object): boolean {
  if (a === undefined) return false;
  return Object.entries(b).every(([name, value]) => Reflect.get(a, name) === value);
}

function rowChanges<Row extends object>(
  before: readonly Row[],
  after: readonly Row[],
): RowChanges<Row> {
  const rows = after.flatMap((row, i) => (isSame(before[i], row) ? [] : [[i, row] as const]));
  return { length: after.length, rows };
}

function withRows<Row>(before: readonly Row[], { length, rows }: RowChanges<Row>): Row[] {
  const after = before.slice(0, length);
  for (const [i, row] of rows) after[i] = row;
  return after;
}

/** What has changed of a course. */
export function courseChanges(before: RunCourse, after: RunCourse): CourseChanges {
  return {
    now_s: after.now_s,
    tasks: rowChanges(before.tasks, after.tasks),
    labware: rowChanges(before.labware, after.labware),
    moves: rowChanges(before.moves, after.moves),
    ...(before.plan === after.plan ? {} : { plan: after.plan }),
  };
}

/** A course with changes to it. */
export function withChanges(before: RunCourse, changes: CourseChanges): RunCourse {
  const { now_s, tasks, labware, moves, plan = before.plan } = changes;
  return {
    now_s,
    tasks: withRows(before.tasks, tasks),
    labware: withRows(before.labware, labware),
    moves: withRows(before.moves, moves),
    plan,
  };
}

/** The course of a run that nobody follows any more: nothing in it is going on. */
export function cutShort(course: RunCourse, error: string): RunCourse {
  const tasks = course.tasks.map((task) =>
    task.state === 'running' ? { ...task, state: 'failed' as const, error } : task,
  );
  return { ...course, tasks };
}
