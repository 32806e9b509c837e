/** A limit of time between two tasks of a workflow. */
import type { WorkflowTimeConstraint } from '../../contract/types.generated.ts';
import type { WorkflowModel } from './workflow-model.ts';

/** A constraint with its tasks by index. */
export interface TaskLimit {
  readonly constraint: WorkflowTimeConstraint;
  readonly from: number;
  readonly from_end: boolean;
  readonly to: number;
  readonly to_end: boolean;
  readonly min_s: number;
  /** Infinity for none. */
  readonly max_s: number;
}

/** Resolves the constraints of a model. */
export function limitsOf({ constraints, tasks }: WorkflowModel): TaskLimit[] {
  const index = new Map(tasks.map(({ id }, i) => [id, i]));
  return constraints.map((constraint) => ({
    constraint,
    from: index.get(constraint.start_task_id)!,
    from_end: constraint.type.startsWith('end'),
    to: index.get(constraint.end_task_id)!,
    to_end: constraint.type.endsWith('end'),
    min_s: constraint.min_duration ?? 0,
    max_s: constraint.max_duration ?? Number.POSITIVE_INFINITY,
  }));
}
