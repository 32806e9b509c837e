/**
 * The critical path of a plan: from the last end backwards, each time to an operation that ends
 * when the current one starts and shares a resource or dependency with it.
 */
import {
  moveName,
  type Plan,
  type PlanNames,
  type PlannedLabwareMove,
  type PlannedTask,
} from './problem.ts';

interface PathStep {
  readonly name: string;
  readonly task: number;
  readonly start_s: number;
  readonly end_s: number;
  /** The arm, instruments and pieces of labware that it uses. */
  readonly resources: readonly string[];
}

function taskStep({ tasks }: PlanNames, one: PlannedTask): PathStep {
  const { id, uses } = tasks[one.task]!;
  const pieces = uses.map(({ labware }) => `l${labware}`);
  return { ...one, name: id, resources: [`i${one.instrument}`, ...pieces] };
}

function moveStep(names: PlanNames, one: PlannedLabwareMove): PathStep {
  const locations = [`i${one.from.instrument}`, `i${one.to.instrument}`];
  return {
    ...one,
    name: moveName(names, one),
    resources: ['arm', `l${one.labware}`, ...locations],
  };
}

/** Returns one key for times that differ by rounding only. */
function timeKey(time_s: number): number {
  return Math.round(time_s * 1e6);
}

/** Returns the names of the operations on the critical path, first to last. */
export function criticalPath(names: PlanNames, plan: Pick<Plan, 'tasks' | 'moves'>): string[] {
  const steps = [
    ...plan.tasks.map((one) => taskStep(names, one)),
    ...plan.moves.map((one) => moveStep(names, one)),
  ].filter(({ start_s, end_s }) => end_s > start_s);
  const byEnd = new Map<number, PathStep[]>();
  let at: PathStep | undefined;
  for (const step of steps) {
    const key = timeKey(step.end_s);
    byEnd.set(key, [...(byEnd.get(key) ?? []), step]);
    if (!at || step.end_s > at.end_s) at = step;
  }
  const path: string[] = [];
  while (at) {
    path.push(at.name);
    const { start_s, resources, task }: PathStep = at;
    const ends: PathStep[] = byEnd.get(timeKey(start_s)) ?? [];
    const { after } = names.tasks[task]!;
    at =
      ends.find((one) => one.resources.some((name) => resources.includes(name))) ??
      ends.find((one) => after.includes(one.task));
  }
  return path.reverse();
}
