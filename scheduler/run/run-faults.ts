import type { RunFault } from '../../contract/types.generated.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';

/** Returns the requested faults that name unknown tasks. */
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

/** Failures of simulated instruments: injected with the start of a run, or by `mock_behaviour`. */
export class RunFaults {
  private readonly remaining = new Map<number, { error: string; times: number }>();
  private readonly model: WorkflowModel;

  constructor(model: WorkflowModel, faults: readonly RunFault[]) {
    this.model = model;
    for (const { task_id, error = 'injected fault', times = 1 } of faults) {
      const task = model.tasks.findIndex(({ id }) => id === task_id);
      if (task >= 0) this.remaining.set(task, { error, times });
    }
  }

  /** Returns the error with which a task ends now, or null if it succeeds. */
  nextFault(task: number): string | null {
    const fault = this.remaining.get(task);
    if (fault && fault.times > 0) {
      fault.times -= 1;
      return fault.error;
    }
    return this.model.tasks[task]!.succeeds ? null : 'the simulated instrument failed';
  }
}
