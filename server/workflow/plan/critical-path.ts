/**
 * The chain of operations that decides when a plan ends: from the last end backwards, always to an
 * operation that ends where the one found begins.
 */
import {
  moveName,
  type Plan,
  type PlanNames,
  type PlannedMove,
  type PlannedTask,
} from './problem.ts';

interface Step {
  readonly name: string;
  readonly task: number;
  readonly start_s: number;
  readonly end_s: number;
  /** Whatever both need: the arm, the instrument, a slot or a piece of labware. */
  readonly resources: readonly string[];
}

function taskStep({ tasks }: PlanNames, one: PlannedTask): Step {
  const { id, uses } = tasks[one.task]!;
  const pieces = uses.map(({ labware }) => `l${labware}`);
  return { ...one, name: id, resources: [`i${one.instrument}`, ...pieces] };
}

function moveStep(names: PlanNames, one: PlannedMove): Step {
  const places = [`i${one.from.instrument}`, `i${one.to.instrument}`];
  return { ...one, name: moveName(names, one), resources: ['arm', `l${one.labware}`, ...places] };
}

/** Times that are equal but for rounding have one key. */
function keyOf(time_s: number): number {
  return Math.round(time_s * 1e6);
}

/** Names of the operations on the critical path, first to last. */
export function criticalPath(names: PlanNames, plan: Pick<Plan, 'tasks' | 'moves'>): string[] {
  const steps = [
    ...plan.tasks.map((one) => taskStep(names, one)),
    ...plan.moves.map((one) => moveStep(names, one)),
  ].filter(({ start_s, end_s }) => end_s > start_s);
  const byEnd = new Map<number, Step[]>();
  let at: Step | undefined;
  for (const step of steps) {
    const key = keyOf(step.end_s);
    byEnd.set(key, [...(byEnd.get(key) ?? []), step]);
    if (!at || step.end_s > at.end_s) at = step;
  }
  const path: string[] = [];
  while (at) {
    path.push(at.name);
    const { start_s, resources, task }: Step = at;
    const ends: Step[] = byEnd.get(keyOf(start_s)) ?? [];
    const { after } = names.tasks[task]!;
    at =
      ends.find((one) => one.resources.some((name) => resources.includes(name))) ??
      ends.find((one) => after.includes(one.task));
  }
  return path.reverse();
}
