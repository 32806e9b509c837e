/**
 * The operations of a problem under one numbering, with their tails: tasks first, then the moves
 * that may be needed. Worked out once and shared by every attempt of the search.
 */
import { type Places, placesOf } from './places.ts';
import type { PlanProblem, TimeConstraint } from './problem.ts';

export interface Operations {
  readonly problem: PlanProblem;
  /** Number of tasks; operation t < tasks is task t. */
  readonly tasks: number;
  readonly count: number;
  /** First move operation of each task; its uses follow in order. */
  readonly firstMove: Int32Array;
  /** The task that each operation is for. */
  readonly taskOf: Int32Array;
  /** Longest work from an operation's start to the end of everything after it (s). */
  readonly tail_s: Float64Array;
  /** Tasks that need no labware. */
  readonly loose: readonly number[];
  /** Tasks that must be placed before a task is: dependencies, chains, time constraints. */
  readonly before: readonly (readonly number[])[];
  readonly constraintsTo: readonly (readonly TimeConstraint[])[];
  readonly places: Places;
  /** Numbers of the places that a move may lead to, one for each candidate of its task. */
  readonly targets: readonly Int32Array[];
}

function chainPredecessors({ tasks, labware }: PlanProblem): number[][] {
  const before = tasks.map((task) => [...task.after]);
  for (const piece of labware) {
    for (let i = 1; i < piece.tasks.length; i++) before[piece.tasks[i]!]!.push(piece.tasks[i - 1]!);
  }
  return before;
}

/** Tasks, each after those it waits for; short where there is a cycle. */
export function topological(before: readonly (readonly number[])[]): number[] {
  const waiting = before.map((list) => new Set(list).size);
  const followers: number[][] = before.map(() => []);
  before.forEach((list, task) => {
    for (const other of new Set(list)) followers[other]!.push(task);
  });
  const order: number[] = [];
  waiting.forEach((count, task) => {
    if (count === 0) order.push(task);
  });
  for (let i = 0; i < order.length; i++) {
    for (const next of followers[order[i]!]!) if (--waiting[next]! === 0) order.push(next);
  }
  return order;
}

function reaches(before: readonly (readonly number[])[], from: number, to: number): boolean {
  const open = [to];
  const seen = new Set(open);
  for (let task = open.pop(); task !== undefined; task = open.pop()) {
    if (task === from) return true;
    for (const other of before[task]!) {
      if (!seen.has(other)) {
        seen.add(other);
        open.push(other);
      }
    }
  }
  return false;
}

function withConstraints(before: number[][], constraints: readonly TimeConstraint[]): number[][] {
  for (const { from, to } of constraints) {
    if (!reaches(before, to, from)) before[to]!.push(from);
  }
  return before;
}

function tailsOf(problem: PlanProblem, before: readonly (readonly number[])[]): Float64Array {
  const tail = Float64Array.from(problem.tasks, (task) => task.duration_s);
  const order = topological(before);
  for (let i = order.length - 1; i >= 0; i--) {
    const task = order[i]!;
    for (const other of before[task]!) {
      const through = problem.tasks[other]!.duration_s + tail[task]!;
      if (through > tail[other]!) tail[other] = through;
    }
  }
  return tail;
}

function targetsOf({ tasks }: PlanProblem, places: Places): Int32Array[] {
  const targets: Int32Array[] = new Array<Int32Array>(tasks.length).fill(new Int32Array(0));
  for (const { candidates, uses } of tasks) {
    for (const { slot } of uses) {
      targets.push(Int32Array.from(candidates, (instrument) => places.find({ instrument, slot })));
    }
  }
  return targets;
}

/** Numbers the operations and works out who waits for whom. */
export function operationsOf(problem: PlanProblem): Operations {
  const { tasks, constraints } = problem;
  const firstMove = new Int32Array(tasks.length);
  let count = tasks.length;
  tasks.forEach((task, t) => {
    firstMove[t] = count;
    count += task.uses.length;
  });
  const before = withConstraints(chainPredecessors(problem), constraints);
  const taskTail = tailsOf(problem, before);
  const tail_s = new Float64Array(count);
  const taskOf = Int32Array.from({ length: count }, (_, operation) => operation);
  tasks.forEach((task, t) => {
    tail_s[t] = taskTail[t]!;
    const [first, last] = [firstMove[t]!, firstMove[t]! + task.uses.length];
    tail_s.fill(taskTail[t]! + 1, first, last);
    taskOf.fill(t, first, last);
  });
  const constraintsTo: TimeConstraint[][] = tasks.map(() => []);
  for (const one of constraints) constraintsTo[one.to]!.push(one);
  const places = placesOf(problem);
  const targets = targetsOf(problem, places);
  const loose = tasks.flatMap((task, t) => (task.uses.length === 0 ? [t] : []));
  return {
    ...{ problem, tasks: tasks.length, count, firstMove, taskOf, tail_s, before, constraintsTo },
    ...{ loose, places, targets },
  };
}
