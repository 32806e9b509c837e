/**
 * The chain of operations that decides when a plan ends: from the last end backwards, always to an
 * operation that ends where the one found begins.
 */
import { moveName, type PlannedMove, type PlannedTask, type PlanProblem } from './problem.ts';

interface Step {
  readonly name: string;
  readonly task: number;
  readonly start_s: number;
  readonly end_s: number;
  /** Whatever both need: the arm, the instrument, a slot or a piece of labware. */
  readonly resources: readonly string[];
}

function taskStep(problem: PlanProblem, one: PlannedTask): Step {
  const { id, uses } = problem.tasks[one.task]!;
  const pieces = uses.map(({ labware }) => `l${labware}`);
  return { ...one, name: id, resources: [`i${one.instrument}`, ...pieces] };
}

function moveStep(problem: PlanProblem, one: PlannedMove): Step {
  const places = [`i${one.from.instrument}`, `i${one.to.instrument}`];
  return { ...one, name: moveName(problem, one), resources: ['arm', `l${one.labware}`, ...places] };
}

/** Names of the operations on the critical path, first to last. */
export function criticalPath(
  problem: PlanProblem,
  plan: { readonly tasks: readonly PlannedTask[]; readonly moves: readonly PlannedMove[] },
): string[] {
  const steps = [
    ...plan.tasks.map((one) => taskStep(problem, one)),
    ...plan.moves.map((one) => moveStep(problem, one)),
  ].filter(({ start_s, end_s }) => end_s > start_s);
  let at = steps.reduce<Step | null>(
    (last, one) => (last && last.end_s >= one.end_s ? last : one),
    null,
  );
  const path: string[] = [];
  while (at) {
    path.unshift(at.name);
    const { start_s, resources, task } = at;
    const ends = steps.filter(({ end_s }) => Math.abs(end_s - start_s) < 1e-9);
    const after = problem.tasks[task]!.after;
    at =
      ends.find((one) => one.resources.some((name) => resources.includes(name))) ??
      ends.find((one) => after.includes(one.task)) ??
      null;
  }
  return path;
}
