/** What no plan can beat: the longest chain, and the load of the arm and of each instrument. */
import { type Operations, topological } from './operations.ts';
import type { Place, PlanProblem } from './problem.ts';

interface Needs {
  /** Shortest time of the moves before each task that cannot be avoided, one by one (s). */
  readonly moves_s: readonly (readonly number[])[];
}

/** Where a piece can stand before the i-th task of its chain. */
function sourcesOf(problem: PlanProblem, labware: number, i: number): Place[] {
  const piece = problem.labware[labware]!;
  if (i === 0) return [piece.place];
  const task = problem.tasks[piece.tasks[i - 1]!]!;
  const use = task.uses.find((one) => one.labware === labware)!;
  return task.candidates.map((instrument) => ({ instrument, slot: use.slot_after }));
}

function shortestMove_s(problem: PlanProblem, labware: number, i: number): number {
  const task = problem.tasks[problem.labware[labware]!.tasks[i]!]!;
  const { slot } = task.uses.find((one) => one.labware === labware)!;
  let least = Number.POSITIVE_INFINITY;
  for (const from of sourcesOf(problem, labware, i)) {
    for (const instrument of task.candidates) {
      const stays = from.instrument === instrument && from.slot === slot;
      const time_s = stays ? 0 : problem.move_s(from, { instrument, slot });
      if (time_s !== null) least = Math.min(least, time_s);
    }
  }
  return Number.isFinite(least) ? least : 0;
}

function needsOf(problem: PlanProblem): Needs {
  const moves_s: number[][] = problem.tasks.map(() => []);
  problem.labware.forEach((piece, l) => {
    piece.tasks.forEach((task, i) => {
      moves_s[task]!.push(shortestMove_s(problem, l, i));
    });
  });
  return { moves_s };
}

function headsOf(operations: Operations, { moves_s }: Needs): Float64Array {
  const { problem, before } = operations;
  const head_s = new Float64Array(operations.tasks).fill(problem.now_s);
  for (const task of topological(before)) {
    let ready_s = problem.now_s;
    for (const other of problem.tasks[task]!.after) {
      ready_s = Math.max(ready_s, head_s[other]! + problem.tasks[other]!.duration_s);
    }
    let brought_s = problem.now_s;
    problem.tasks[task]!.uses.forEach((use, u) => {
      const chain = problem.labware[use.labware]!.tasks;
      const previous = chain[chain.indexOf(task) - 1];
      const from_s =
        previous === undefined
          ? problem.now_s
          : head_s[previous]! + problem.tasks[previous]!.duration_s;
      brought_s = Math.max(brought_s, from_s + (moves_s[task]![u] ?? 0));
    });
    const sum_s = moves_s[task]!.reduce((sum, time_s) => sum + time_s, 0);
    head_s[task] = Math.max(ready_s, brought_s, problem.now_s + sum_s);
  }
  return head_s;
}

/** Load of each set of tasks that can only be done by one and the same group of instruments. */
function loadBound_s(operations: Operations, head_s: Float64Array): number {
  const { problem, tail_s } = operations;
  const groups = new Map<string, number[]>();
  problem.tasks.forEach((task, t) => {
    if (task.candidates.length === 0) return;
    const key = [...task.candidates].sort((a, b) => a - b).join(',');
    groups.set(key, [...(groups.get(key) ?? []), t]);
  });
  let bound_s = 0;
  for (const [key, members] of groups) {
    const places = key
      .split(',')
      .reduce((sum, index) => sum + problem.instruments[Number(index)]!.capacity, 0);
    const work_s = members.reduce((sum, t) => sum + problem.tasks[t]!.duration_s, 0);
    const head = Math.min(...members.map((t) => head_s[t]!));
    const rest = Math.min(...members.map((t) => tail_s[t]! - problem.tasks[t]!.duration_s));
    bound_s = Math.max(bound_s, head + work_s / places + rest);
  }
  return bound_s;
}

/** A time before which no plan ends (s). Only for problems in which nothing has begun. */
export function lowerBound_s(operations: Operations): number {
  const { problem, tail_s } = operations;
  const needs = needsOf(problem);
  const head_s = headsOf(operations, needs);
  let bound_s = problem.now_s;
  for (let t = 0; t < operations.tasks; t++) {
    bound_s = Math.max(bound_s, head_s[t]! + problem.tasks[t]!.duration_s);
  }
  const carried = problem.tasks.flatMap((_, t) =>
    needs.moves_s[t]!.some((s) => s > 0) ? [t] : [],
  );
  const arm_s = needs.moves_s.flat().reduce((sum, time_s) => sum + time_s, 0);
  const after_s = carried.length > 0 ? Math.min(...carried.map((t) => tail_s[t]!)) : 0;
  const first_s = problem.now_s + firstReady_s(operations, needs);
  return Math.ceil(
    Math.max(bound_s, first_s + arm_s + after_s, loadBound_s(operations, head_s)) - 1e-9,
  );
}

/** Earliest time after the beginning at which any piece can be picked up (s). */
function firstReady_s({ problem }: Operations, { moves_s }: Needs): number {
  let least = Number.POSITIVE_INFINITY;
  problem.labware.forEach((piece) => {
    let ready_s = 0;
    for (const task of piece.tasks) {
      if (moves_s[task]!.some((time_s) => time_s > 0)) break;
      ready_s += problem.tasks[task]!.duration_s;
    }
    least = Math.min(least, ready_s);
  });
  return Number.isFinite(least) ? least : 0;
}
