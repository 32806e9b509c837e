/**
 * What no plan can beat: the longest chain, and the work of the arm and of each instrument, one
 * thing at a time. What has begun stands as it is.
 */
import { type Job, oneByOneEnd_s } from './one-by-one.ts';
import { type Operations, topological } from './operations.ts';
import type { Place, PlanProblem } from './problem.ts';

/** A move that has not begun and cannot be avoided. */
interface NeededMove {
  readonly task: number;
  /** The task that had the piece before; −1 for none. */
  readonly previous: number;
  readonly time_s: number;
}

/** What has begun of a problem. */
interface Beginnings {
  /** End of each task; NaN where it has not begun. */
  readonly end_s: Float64Array;
  /** Ends of the moves that brought a piece for a task, by `keyOf`. */
  readonly brought_s: ReadonlyMap<number, number>;
  /** When the arm can next move. */
  readonly arm_s: number;
}

function keyOf(task: number, labware: number): number {
  return task * 4096 + labware;
}

function beginningsOf({ tasks, started, now_s }: PlanProblem): Beginnings {
  const end_s = new Float64Array(tasks.length).fill(Number.NaN);
  const brought_s = new Map<number, number>();
  let arm_s = now_s;
  for (const one of started) {
    if (one.kind === 'task') end_s[one.task] = one.end_s;
    else {
      brought_s.set(keyOf(one.task, one.labware), one.end_s);
      arm_s = Math.max(arm_s, one.end_s);
    }
  }
  return { end_s, brought_s, arm_s };
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

/** The moves before each task that are still to be made. */
function neededMoves(problem: PlanProblem, { end_s, brought_s }: Beginnings): NeededMove[][] {
  const moves: NeededMove[][] = problem.tasks.map(() => []);
  problem.labware.forEach((piece, l) => {
    piece.tasks.forEach((task, i) => {
      if (!Number.isNaN(end_s[task]!) || brought_s.has(keyOf(task, l))) return;
      const time_s = shortestMove_s(problem, l, i);
      moves[task]!.push({ task, previous: piece.tasks[i - 1] ?? -1, time_s });
    });
  });
  return moves;
}

interface Ground {
  readonly operations: Operations;
  readonly begun: Beginnings;
  readonly moves: readonly (readonly NeededMove[])[];
}

/** The earliest end of each task (s). */
function earliestEnds({ operations, begun, moves }: Ground): Float64Array {
  const { problem, before } = operations;
  const { now_s, tasks } = problem;
  const end_s = Float64Array.from(begun.end_s);
  for (const task of topological(before)) {
    if (!Number.isNaN(end_s[task]!)) continue;
    let start_s = now_s;
    for (const other of tasks[task]!.after) start_s = Math.max(start_s, end_s[other]!);
    for (const { labware } of tasks[task]!.uses) {
      start_s = Math.max(start_s, begun.brought_s.get(keyOf(task, labware)) ?? now_s);
    }
    const fetching = moves[task]!.map(({ previous, time_s }) => {
      const head_s = previous < 0 ? now_s : Math.max(now_s, end_s[previous]!);
      return { head_s: Math.max(head_s, begun.arm_s), work_s: time_s, tail_s: 0 };
    });
    end_s[task] = Math.max(start_s, oneByOneEnd_s(fetching)) + tasks[task]!.duration_s;
  }
  return end_s;
}

/** What must follow the start of each task until all is done (s), itself included. */
function followingTimes({ operations, moves }: Ground): Float64Array {
  const { problem, before } = operations;
  const after_s = new Float64Array(operations.tasks);
  const order = topological(before);
  for (let i = order.length - 1; i >= 0; i--) {
    const task = order[i]!;
    const own_s = after_s[task]! + problem.tasks[task]!.duration_s;
    after_s[task] = own_s;
    for (const other of problem.tasks[task]!.after) {
      after_s[other] = Math.max(after_s[other]!, own_s);
    }
    for (const { previous, time_s } of moves[task]!) {
      if (previous >= 0) after_s[previous] = Math.max(after_s[previous]!, time_s + own_s);
    }
  }
  return after_s;
}

/** The work of the arm, one move after the other (s). */
function armBound_s(ground: Ground, end_s: Float64Array, after_s: Float64Array): number {
  const { operations, begun, moves } = ground;
  const jobs = moves.flat().flatMap(({ task, previous, time_s }): Job[] => {
    const ready_s = previous < 0 ? operations.problem.now_s : end_s[previous]!;
    const head_s = Math.max(begun.arm_s, ready_s);
    return time_s > 0 ? [{ head_s, work_s: time_s, tail_s: after_s[task]! }] : [];
  });
  return oneByOneEnd_s(jobs);
}

/** The work of each set of tasks that only one and the same group of instruments can do (s). */
function loadBound_s(ground: Ground, end_s: Float64Array, after_s: Float64Array): number {
  const { problem } = ground.operations;
  const groups = new Map<string, Job[]>();
  const places = new Map<string, number>();
  problem.tasks.forEach(({ candidates, duration_s }, t) => {
    if (candidates.length === 0 || !Number.isNaN(ground.begun.end_s[t]!)) return;
    const key = [...candidates].sort((a, b) => a - b).join();
    const head_s = end_s[t]! - duration_s;
    const job = { head_s, work_s: duration_s, tail_s: after_s[t]! - duration_s };
    groups.set(key, [...(groups.get(key) ?? []), job]);
    const room = candidates.reduce((sum, one) => sum + problem.instruments[one]!.capacity, 0);
    places.set(key, room);
  });
  let bound_s = 0;
  for (const [key, jobs] of groups) {
    // As if one instrument did it all, so many times faster.
    const room = places.get(key)!;
    const shared = jobs.map((job) => ({ ...job, work_s: job.work_s / room }));
    bound_s = Math.max(bound_s, oneByOneEnd_s(shared));
  }
  return bound_s;
}

/** A time before which no plan ends (s). */
export function lowerBound_s(operations: Operations): number {
  const { problem } = operations;
  const begun = beginningsOf(problem);
  const ground = { operations, begun, moves: neededMoves(problem, begun) };
  const end_s = earliestEnds(ground);
  const after_s = followingTimes(ground);
  let bound_s = problem.now_s;
  for (let t = 0; t < operations.tasks; t++) {
    bound_s = Math.max(bound_s, end_s[t]! + after_s[t]! - problem.tasks[t]!.duration_s);
  }
  const work_s = Math.max(armBound_s(ground, end_s, after_s), loadBound_s(ground, end_s, after_s));
  return Math.ceil(Math.max(bound_s, work_s) - 1e-9);
}
