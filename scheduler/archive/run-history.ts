/**
 * The history of a run in wire format (tasks, labware, moves, plan) and its changes. The archive
 * stores it beside the events, so a run can be shown after a restart or crash.
 */
import type { RunDetails, RunHead, WorkflowPlan } from '../../contract/types.generated.ts';

export type RunHistory = Omit<
  RunDetails,
  | keyof RunHead
  | 'uses_arm'
  | 'pausing'
  | 'waiting'
  | 'late'
  | 'prompts'
  | 'supplies'
  | 'limits'
  | 'schedule'
>;

/** The changed rows of a list by index, and its new length. */
interface RowChanges<Row> {
  readonly length: number;
  readonly rows: readonly (readonly [number, Row])[];
}

interface RunHistoryChanges {
  readonly now_s: number;
  readonly tasks: RowChanges<RunHistory['tasks'][number]>;
  readonly labware: RowChanges<RunHistory['labware'][number]>;
  readonly moves: RowChanges<RunHistory['moves'][number]>;
  readonly violations: RowChanges<RunHistory['violations'][number]>;
  /** Absent if unchanged. */
  readonly plan?: WorkflowPlan | null;
}

/** The history of a new run. */
export const EMPTY_HISTORY: RunHistory = {
  now_s: 0,
  tasks: [],
  labware: [],
  moves: [],
  violations: [],
  plan: null,
};

function isSameRow(a: object | undefined, b: object): boolean {
  if (a === undefined) return false;
  return Object.entries(b).every(([name, value]) => Reflect.get(a, name) === value);
}

function rowChanges<Row extends object>(
  before: readonly Row[],
  after: readonly Row[],
): RowChanges<Row> {
  const rows = after.flatMap((row, i) => (isSameRow(before[i], row) ? [] : [[i, row] as const]));
  return { length: after.length, rows };
}

/** Returns the changes from one history to another. */
export function historyChanges(before: RunHistory, after: RunHistory): RunHistoryChanges {
  return {
    now_s: after.now_s,
    tasks: rowChanges(before.tasks, after.tasks),
    labware: rowChanges(before.labware, after.labware),
    moves: rowChanges(before.moves, after.moves),
    violations: rowChanges(before.violations, after.violations),
    ...(before.plan === after.plan ? {} : { plan: after.plan }),
  };
}
