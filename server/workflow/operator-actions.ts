/**
 * What an operator decides in a run: replanning, the handling of a failed task, and the end of the
 * work on one piece of labware. Each action returns a message if it is not possible.
 */
import type { WhatIfChoice } from '../../contract/types.ts';
import type { WallClock } from '../clock/clock.ts';
import type { RunProgress } from './progress.ts';
import type { Run } from './run.ts';
import { type FailureChoice, failedTaskFor } from './run-plan.ts';

/** Replans the remaining work. */
export async function replanRun(run: Run): Promise<string | null> {
  if (run.state === 'stopped') return 'The run is stopped';
  await run.replanning.replanNow(run, { alwaysPublish: false });
  if (run.plan.faults.length > 0) return run.plan.faults.join('; ');
  run.dispatch();
  return null;
}

/** Retries a failed task once the run is resumed, completes it by hand, or skips it. */
export async function chooseForTask(
  run: Run,
  id: string,
  action: FailureChoice,
): Promise<string | null> {
  const task = failedTaskFor(run.conditions, id, action);
  if (typeof task === 'string') return task;
  if (action === 'complete') run.tasks.complete(task);
  else run.progress[action](task);
  run.limits.check();
  await run.moves.prepareNext(run.progress);
  await run.replanning.replanNow(run, { alwaysPublish: false });
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

/** The name of each choice on the wire. */
const CHOICES = { retry: 'retry', complete: 'complete_manually', skip: 'ignore' } as const;

function changed(run: Run, change: (copy: RunProgress) => void): RunProgress {
  const copy = run.progress.copy();
  change(copy);
  return copy;
}

async function planned(
  run: Run,
  progress: RunProgress,
  wall: WallClock,
): Promise<Omit<WhatIfChoice, 'choice' | 'is_allowed'>> {
  const { tasks } = run.conditions.model;
  const { joint } = run.shared;
  await run.moves.prepareNext(progress);
  const found = await joint.planFor({ run, progress }, run.tick, wall);
  const lost = progress.abortedTasks.map((task) => tasks[task]!.id);
  const broken = run.limits.violations.map(({ constraint_id }) => constraint_id);
  if (!found.ok) {
    const problems = [...found.error.messages];
    return { makespan_s: null, broken_limits: broken, aborted_tasks: lost, problems };
  }
  const states = run.limits.copyFor(progress).states(found.value);
  const late = states.filter(({ slack_s, state }) => state !== 'void' && (slack_s ?? 0) < 0);
  const broken_limits = [...new Set([...broken, ...late.map((one) => one.constraint_id)])];
  const { makespan_s } = found.value;
  return { makespan_s, broken_limits, aborted_tasks: lost, problems: [] };
}

/** Plans each choice for a failed task, from the live state, and changes nothing. */
export async function whatIf(
  run: Run,
  id: string,
  wall: WallClock,
): Promise<WhatIfChoice[] | string> {
  const { model, progress, state } = run.conditions;
  const task = model.tasks.findIndex((one) => one.id === id);
  if (task < 0) return `There is no task ${id}`;
  if (state === 'stopped' || progress.tasks[task]!.state !== 'failed')
    return `Task ${id} has not failed in a paused run`;
  const choices: WhatIfChoice[] = [];
  for (const action of ['retry', 'complete', 'skip'] as const) {
    const is_allowed = typeof failedTaskFor(run.conditions, id, action) === 'number';
    const copy = changed(run, (one) => one[action](task, run.now_s));
    choices.push({ choice: CHOICES[action], is_allowed, ...(await planned(run, copy, wall)) });
  }
  const given = changed(run, (one) => {
    for (const { labware } of model.tasks[task]!.uses) one.abortLabware(labware);
  });
  const result = await planned(run, given, wall);
  choices.push({ choice: 'abort_labware', is_allowed: true, ...result });
  const open = changed(run, (one) => one.skip(task)).tasks.flatMap(({ state: of }, i) =>
    of === 'waiting' || of === 'running' || i === task ? [model.tasks[i]!.id] : [],
  );
  const broken_limits = run.limits.violations.map(({ constraint_id }) => constraint_id);
  const end = { makespan_s: run.now_s, broken_limits, aborted_tasks: open, problems: [] };
  return [...choices, { choice: 'stop', is_allowed: true, ...end }];
}
