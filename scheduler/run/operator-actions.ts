/**
 * What an operator decides in a run: replanning, the handling of a failed task, and the end of the
 * work on one piece of labware. Each action returns a message if it is not possible.
 */
import type { DataOutputs } from '../../contract/types.generated.ts';
import type { Run } from './run.ts';
import { type FailureChoice, failedTaskFor } from './run-conditions.ts';

/** Replans the remaining work. */
export async function replanRun(run: Run): Promise<string | null> {
  if (run.state === 'stopped') return 'The run is stopped';
  await run.replanning.replanNow(run, { alwaysPublish: false });
  if (run.plan.faults.length > 0) return run.plan.faults.join('; ');
  run.dispatch();
  return null;
}

/** Takes what a waiting task lacks for refilled; returns whether it lacked anything. */
function refilled(run: Run, task: number): boolean {
  if (task < 0 || run.state === 'stopped' || run.progress.tasks[task]!.state !== 'waiting')
    return false;
  const isRefilled = run.supplies.refillFor(task);
  if (isRefilled) run.dispatch();
  return isRefilled;
}

/**
 * Retries a failed task once the run is resumed, completes it by hand, or skips it; says that a person has
 * done what a running task asks for. `outputs` is what it returned, where it was done by hand.
 */
export async function chooseForTask(
  run: Run,
  id: string,
  action: FailureChoice,
  outputs: DataOutputs = {},
): Promise<string | null> {
  const asked = run.model.tasks.findIndex((one) => one.id === id);
  if (action === 'complete' && refilled(run, asked)) return null;
  const isAsked = action === 'complete' && run.tasks.isAsking(asked);
  const task = isAsked ? asked : failedTaskFor(run.conditions, id, action);
  if (typeof task === 'string') return task;
  const fault = action === 'complete' ? run.tasks.answerFault(task, outputs) : null;
  if (fault !== null) return `Say what ${id} returned, in data_outputs: ${fault}`;
  if (isAsked) {
    run.tasks.answer(task, outputs);
    return null;
  }
  if (action === 'complete') run.tasks.complete(task, outputs);
  else run.progress[action](task);
  if (action !== 'retry') run.decide(task);
  // The policy has put the labware of the task on hold until this choice.
  if (run.model.tasks[task]!.onFailure.action === 'pause_plate') {
    for (const { labware } of run.progress.usesOf(task)) run.progress.held.delete(labware);
  }
  run.limits.check();
  await run.moves.prepareNext(run.progress);
  await run.replanning.replanNow(run, { alwaysPublish: false });
  if (run.state === 'started') run.dispatch();
  return null;
}

/** Gives up the open tasks of a piece and what depends on them. */
export async function abortLabware(run: Run, id: string): Promise<string | null> {
  const { state, progress, model } = run.conditions;
  if (state === 'stopped') return 'The run is stopped';
  const labware = model.labware.findIndex((one) => one.id === id);
  if (labware < 0) return `There is no labware ${id}`;
  if (!progress.abortLabware(labware)) return `${id} has no open tasks`;
  await run.replanning.replanNow(run, { alwaysPublish: false });
  run.dispatch();
  return null;
}

/** Holds a piece: nothing begins with it, or with what depends on it, until it is released. */
export async function holdLabware(
  run: Run,
  id: string,
  { isHeld }: { readonly isHeld: boolean },
): Promise<string | null> {
  const { state, progress, model } = run.conditions;
  if (state === 'stopped') return 'The run is stopped';
  const labware = model.labware.findIndex((one) => one.id === id);
  if (labware < 0) return `There is no labware ${id}`;
  if (progress.held.has(labware) === isHeld) return `${id} is ${isHeld ? '' : 'not '}on hold`;
  if (isHeld) progress.held.add(labware);
  else progress.held.delete(labware);
  await run.replanning.replanNow(run, { alwaysPublish: false });
  run.dispatch();
  return null;
}
