/**
 * What decides whether a run can be resumed and a failed task be retried, completed or skipped.
 */
import type { SafetyState } from '../../contract/safety-state.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import type { RunProgress } from './progress.ts';
import { safetyFault } from './safety-fault.ts';

export interface RunConditions {
  readonly state: 'started' | 'paused' | 'stopped';
  readonly safety: SafetyState;
  readonly model: WorkflowModel;
  readonly progress: RunProgress;
}

/** Returns why a run cannot be resumed, or null. */
export function resumeFault({ state, safety, progress, model }: RunConditions): string | null {
  if (state !== 'paused') return `The run is ${state}`;
  const unsafe = safetyFault(safety);
  if (unsafe) return unsafe;
  const isHeld = (task: number) =>
    model.tasks[task]!.uses.some(({ labware }) => progress.held.has(labware));
  const failed = progress.failedTasks
    .filter((task) => !isHeld(task))
    .map((task) => model.tasks[task]!.id);
  return failed.length === 0
    ? null
    : `Retry, complete or skip the failed tasks first: ${failed.join(', ')}`;
}

/** Says that the rest of a run has no plan, and what to do. */
export function noPlanText(faults: readonly string[]): string {
  const advice =
    'Remove the cause and resume, or stop the run, correct the deck and start one with its ' +
    'continue_run_id';
  return `The rest of the run has no plan: ${faults.join('; ')}. ${advice}`;
}

/** What an operator may choose for a failed task. */
export type FailureChoice = 'retry' | 'complete' | 'skip';

/** Returns the index of a failed task, or why the action is not possible for it. */
export function failedTaskFor(
  { state, progress, model }: RunConditions,
  id: string,
  action: FailureChoice,
): number | string {
  const task = model.tasks.findIndex((one) => one.id === id);
  if (task < 0) return `There is no task ${id}`;
  const isFailed = state !== 'stopped' && progress.tasks[task]!.state === 'failed';
  if (!isFailed) return `Task ${id} has not failed in a paused run, and asks for no person`;
  const { failureActions } = model.tasks[task]!;
  const { retries } = progress.tasks[task]!;
  if (!failureActions[action]) {
    return `Task ${id} does not allow ${action}; see its available_failure_actions`;
  }
  const isLimit = action === 'retry' && retries >= failureActions.max_retries;
  return isLimit ? `Task ${id} was retried ${retries} times, its max_retries` : task;
}
