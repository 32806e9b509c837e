/**
 * What an operator decides in a run: replanning, the handling of a failed task, and the end of the
 * work on one piece of labware. Each action returns a message if it is not possible.
 */
import { failedTaskFor } from './readiness.ts';
import type { Run } from './run.ts';

/** Replans the remaining work. */
export async function replanRun(run: Run): Promise<string | null> {
  if (run.state === 'stopped') return 'The run is stopped';
  await run.replanning.replanNow({ alwaysPublish: false });
  if (run.plan.faults.length > 0) return run.plan.faults.join('; ');
  run.dispatch();
  return null;
}

/** Retries a failed task once the run is resumed, or skips it. */
export async function chooseForTask(
  run: Run,
  id: string,
  action: 'retry' | 'skip',
): Promise<string | null> {
  const task = failedTaskFor(run.conditions, id, action);
  if (typeof task === 'string') return task;
  run.progress[action](task);
  await run.replanning.replanNow({ alwaysPublish: false });
  return null;
}

/** Gives up the open tasks of a piece and what depends on them. */
export async function abortLabware(run: Run, id: string): Promise<string | null> {
  const { state, progress, model } = run.conditions;
  if (state === 'stopped') return 'The run is stopped';
  const labware = model.labware.findIndex((one) => one.id === id);
  if (labware < 0 || labware >= model.own_labware) return `There is no labware ${id}`;
  if (!progress.abortLabware(labware)) return `${id} has no open tasks`;
  await run.replanning.replanNow({ alwaysPublish: false });
  run.dispatch();
  return null;
}
