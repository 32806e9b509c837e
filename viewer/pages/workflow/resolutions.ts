import { object } from './lenient-object.ts';

/** What an operator can do about a failed task. */
export type Resolution = 'retry' | 'complete' | 'skip';

/** What a definition allows after a failure of a task; everything where the task is not known. */
export function resolutionsOf(definition: unknown, task_id: string): readonly Resolution[] {
  const task = object(object(object(definition)['workflow'])['tasks'])[task_id];
  if (task === undefined) return ['retry', 'complete', 'skip'];
  const given = object(object(task)['available_failure_actions']);
  const { retry = true, complete_manually: complete = true, ignore: skip = false } = given;
  const allowed = { retry, complete, skip };
  return (['retry', 'complete', 'skip'] as const).filter((one) => allowed[one] === true);
}
