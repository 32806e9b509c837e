/** Failures of simulated instruments: of the definition's mocks, and those a start asks for. */
import type { RunFault } from '../../contract/types.ts';
import type { WorkflowModel } from './model.ts';

/** What is wrong with the failures that a start asks for: tasks that are not there. */
export function unknownFaults(
  { tasks }: WorkflowModel,
  faults: readonly RunFault[],
): { readonly path: string; readonly problem: string }[] {
  return faults.flatMap(({ task_id }, i) =>
    tasks.some(({ id }) => id === task_id)
      ? []
      : [{ path: `/faults/${i}/task_id`, problem: `there is no task ${task_id}` }],
  );
}

export class RunFaults {
  private readonly left = new Map<number, { error: string; times: number }>();
  private readonly model: WorkflowModel;

  constructor(model: WorkflowModel, faults: readonly RunFault[]) {
    this.model = model;
    for (const { task_id, error = 'injected fault', times = 1 } of faults) {
      const task = model.tasks.findIndex(({ id }) => id === task_id);
      if (task >= 0) this.left.set(task, { error, times });
    }
  }

  /** The failure with which a task ends now, or null when it succeeds. */
  take(task: number): string | null {
    const fault = this.left.get(task);
    if (fault && fault.times > 0) {
      fault.times -= 1;
      return fault.error;
    }
    return this.model.tasks[task]!.succeeds ? null : 'the simulated instrument failed';
  }
}
