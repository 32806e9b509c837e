/** Says in sentences why there is no plan: what cannot be kept, and who waits for whom. */
import type { Attempt } from './attempt.ts';
import { type Operations, topological } from './operations.ts';
import type { PlanFault, PlanProblem, TimeConstraint } from './problem.ts';

function markOf(problem: PlanProblem, task: number, end: boolean): string {
  return `the ${end ? 'end' : 'start'} of ${problem.tasks[task]!.id}`;
}

function constraintText(problem: PlanProblem, one: TimeConstraint): string {
  const from = markOf(problem, one.from, one.from_end);
  return `time constraint ${one.id} (from ${from} to ${markOf(problem, one.to, one.to_end)})`;
}

/** What can be said before any attempt: tasks without an instrument, circles, opposed bounds. */
export function plainFault(operations: Operations): PlanFault | null {
  const { problem, before } = operations;
  const missing = problem.constraints.filter(({ min_s, max_s }) => min_s > max_s);
  if (missing.length > 0) {
    const sentences = missing.map((one) => {
      const bounds = `at least ${one.min_s} s and at most ${one.max_s} s`;
      return `${constraintText(problem, one)} asks for ${bounds}`;
    });
    return { kind: 'constraint', sentences };
  }
  const order = topological(before);
  if (order.length === operations.tasks) return null;
  const names = problem.tasks.filter((_, t) => !order.includes(t)).map(({ id }) => id);
  return { kind: 'constraint', sentences: [`tasks wait for each other: ${names.join(', ')}`] };
}

function brokenConstraints(problem: PlanProblem, { violations }: Attempt): PlanFault {
  const sentences = violations.map(({ constraint, excess_s }) => {
    const by_s = Math.ceil(Math.abs(excess_s));
    const bound = excess_s > 0 ? `at most ${constraint.max_s} s` : `at least ${constraint.min_s} s`;
    const text = constraintText(problem, constraint);
    return `${text} allows ${bound}; the best plan found misses it by ${by_s} s`;
  });
  return { kind: 'constraint', sentences };
}

/** Why the next task of one piece of labware cannot begin. */
function obstacleOf(operations: Operations, { shop }: Attempt, task: number): string | null {
  const { problem, before } = operations;
  const { id, uses, candidates } = problem.tasks[task]!;
  for (const { labware, slot, slot_after } of uses) {
    const from = shop.placeOf(labware);
    const name = problem.labware[labware]!.id;
    for (const instrument of candidates) {
      if (from.instrument === instrument && from.slot === slot) continue;
      const where = `${problem.instruments[instrument]!.id} slot ${slot}`;
      const occupant = shop.occupantOf({ instrument, slot });
      if (occupant >= 0 && occupant !== labware) {
        return `${id} waits for ${where} for ${name}, held by ${problem.labware[occupant]!.id}`;
      }
      if (problem.move_s(from, { instrument, slot }) === null) {
        return `${id} needs ${name} in ${where}, where the arm cannot bring it from ${
          problem.instruments[from.instrument]!.id
        } slot ${from.slot}`;
      }
    }
    const inside = { instrument: from.instrument, slot: slot_after };
    const holder = shop.occupantOf(inside);
    if (slot_after !== slot && holder >= 0 && holder !== labware) {
      const where = `${problem.instruments[from.instrument]!.id} slot ${slot_after}`;
      return `${id} puts ${name} into ${where}, held by ${problem.labware[holder]!.id}`;
    }
  }
  const open = before[task]!.filter((other) => !shop.isPlaced(other));
  const names = open.map((other) => problem.tasks[other]!.id);
  return open.length > 0 ? `${id} waits for ${names.join(', ')}` : null;
}

function deadlock(operations: Operations, attempt: Attempt): PlanFault {
  const { problem } = operations;
  const sentences: string[] = [];
  for (let t = 0; t < operations.tasks; t++) {
    if (attempt.shop.isPlaced(t)) continue;
    const sentence = obstacleOf(operations, attempt, t);
    if (sentence) sentences.push(sentence);
  }
  const unreachable = sentences.some((text) => text.includes('cannot bring'));
  const kind = unreachable ? 'unreachable' : 'deadlock';
  if (sentences.length > 0) return { kind, sentences };
  return { kind, sentences: [`${problem.tasks.length - attempt.shop.placed} tasks never begin`] };
}

/** Why the best attempt is no plan; null when it is one. */
export function faultOf(operations: Operations, attempt: Attempt): PlanFault | null {
  if (attempt.stuck) return deadlock(operations, attempt);
  return attempt.violations.length > 0 ? brokenConstraints(operations.problem, attempt) : null;
}
