/** Why a run does not do what it is asked, in sentences. */
import type { WorkflowModel } from './model.ts';
import type { Progress } from './progress.ts';
import type { SafetyState } from './safety.ts';

/** What each safety state is called in messages. */
export const SAFETY_WORDS: { readonly [State in SafetyState]: string } = {
  ok: '',
  emergency_stop: 'emergency stop',
  protective_stop: 'protective stop',
};

export interface AskedRun {
  readonly state: 'started' | 'paused' | 'stopped';
  readonly safety: SafetyState;
  readonly model: WorkflowModel;
  readonly progress: Progress;
}

/** Why a run cannot be resumed, or null. */
export function resumeFault({ state, safety, progress, model }: AskedRun): string | null {
  if (state !== 'paused') return `The run is ${state}`;
  if (safety !== 'ok') return `The workcell is not safe: ${SAFETY_WORDS[safety]}`;
  const failed = progress.failedTasks.map((task) => model.tasks[task]!.id);
  return failed.length === 0 ? null : `Retry or skip what has failed first: ${failed.join(', ')}`;
}

/** The failed task that somebody chose, or why that cannot be done with it. */
export function chosenTask(
  { state, progress, model }: AskedRun,
  id: string,
  action: 'retry' | 'skip',
): number | string {
  const task = model.tasks.findIndex((one) => one.id === id);
  if (task < 0) return `There is no task ${id}`;
  const isFailed = state !== 'stopped' && progress.tasks[task]!.state === 'failed';
  if (!isFailed) return `Task ${id} has not failed in a paused run`;
  return model.tasks[task]!.failureActions[action] ? task : `Task ${id} does not allow that`;
}
