/** What tasks return in a run: whether it is what others ask for, in words. */

import type { DataOutputs } from '../../contract/types.generated.ts';
import { askedOutputs } from '../definition/task-condition.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';

type Branches = Pick<WorkflowModel, 'tasks'>;

/** Whether other tasks depend on what a task returns. */
export function isDecider({ tasks }: Branches, task: number): boolean {
  return tasks.some(({ conditions = [] }) => conditions.some((one) => one.task === task));
}

/** The names of what other tasks ask a task for. */
export function askedOf({ tasks }: Branches, task: number): string[] {
  return [...(askedOutputs(tasks).get(task)?.keys() ?? [])];
}

/** Why a task has not returned what others ask for; null if it has. */
export function missingOutput(
  { tasks }: Branches,
  task: number,
  outputs: DataOutputs,
): string | null {
  for (const [name, asking] of askedOutputs(tasks).get(task) ?? []) {
    const value = outputs[name];
    if (value === undefined || value === null)
      return `it returned no ${name}, which decides on ${asking}`;
  }
  return null;
}

/** Says what the result of a task decides: which tasks it has cancelled, or that others follow. */
export function decisionText(
  { tasks }: Branches,
  task: number,
  { outputs, cancelled }: { readonly outputs: DataOutputs; readonly cancelled: readonly number[] },
): string {
  const { id } = tasks[task]!;
  const values = askedOf({ tasks }, task).map(
    (name) => `${name} ${JSON.stringify(outputs[name] ?? null)}`,
  );
  const names = cancelled.map((one) => tasks[one]!.id);
  const verb = names.length > 1 ? 'are' : 'is';
  const what = names.length > 0 ? `${names.join(', ')} ${verb} cancelled` : 'nothing is cancelled';
  return `${id} returned ${values.join(', ')}: ${what}`;
}
