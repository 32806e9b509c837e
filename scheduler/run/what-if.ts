/** The choices of an operator for a failed task, each planned from the live state. */

import type { WhatIfChoice } from '../../contract/types.generated.ts';
import type { WallClock } from '../../server/clock/wall-clock.ts';
import type { RunProgress } from './progress.ts';
import type { Run } from './run.ts';
import { failedTaskFor } from './run-conditions.ts';

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
    const copy = changed(run, (one) => {
      one[action](task, run.now_s);
      if (action === 'skip') one.decide();
    });
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
