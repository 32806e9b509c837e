/** What follows a failed task where no operator is asked: tries again, and then what the task says. */

import type { FailurePolicy } from '../definition/workflow-model.ts';
import type { Run } from './run.ts';

/** A task that has failed and is not tried again by itself. */
interface Failure {
  readonly task: number;
  /** "task wash failed: clogged". */
  readonly message: string;
}

/** What a run does after the last failure of a task. */
export const LAST_FAILURE: {
  readonly [Action in FailurePolicy['action']]: (run: Run, failure: Failure) => void;
} = {
  pause_run: (run, { message }) => run.becomePaused(message),
  stop: (run, { message }) => run.fail(message),
  pause_plate(run, { task, message }) {
    for (const { labware } of run.model.tasks[task]!.uses) run.progress.held.add(labware);
    run.shared.changed(message);
  },
  continue_without(run, { task, message }) {
    run.progress.giveUp(task);
    run.decide(task);
    run.shared.changed(message);
  },
};
