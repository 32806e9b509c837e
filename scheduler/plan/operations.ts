/**
 * The numbered operations of a problem (tasks first, then the moves that may be needed) and their
 * tails. Computed once and shared by every attempt of the search.
 */

import { type LocationTable, locationTableOf } from './location-table.ts';
import { type PlanProblem, placesFor, type TimeConstraint } from './problem.ts';
import { topological } from './topological-order.ts';

/** A move between location indices. */
export interface ScheduledMove {
  readonly task: number;
  readonly piece: number;
  readonly from: number;
  readonly to: number;
  readonly start_s: number;
  readonly end_s: number;
  readonly toBuffer: boolean;
}

export interface Operations {
  readonly problem: PlanProblem;
  /** Number of tasks; operation t < tasks is task t. */
  readonly tasks: number;
  readonly count: number;
  /** First move operation of each task; its uses follow in order. */
  readonly firstMove: Int32Array;
  /** The task of each operation. */
  readonly taskOf: Int32Array;
  /** Longest chain of work from the start of each operation (s). */
  readonly tail_s: Float64Array;
  /** Preference of the operations of urgent jobs (s); null without jobs. */
  readonly urgency_s: Float64Array | null;
  /** Tasks that need no labware. */
  readonly tasksWithoutLabware: readonly number[];
  /** Tasks that must be scheduled before each task: dependencies, chains, time constraints. */
  readonly before: readonly (readonly number[])[];
  readonly constraintsTo: readonly (readonly TimeConstraint[])[];
  readonly locations: LocationTable;
  /** Location indices of the possible targets of each move, in the order of its task's candidates. */
  readonly targets: readonly Int32Array[];
  /**
   * First operation that moves a piece to a buffer: one for each move, then one for each piece
   * whose tasks have ended. Equals `count` if there are no buffers.
   */
  readonly firstBuffering: number;
  /** The piece of each of these operations. */
  readonly bufferedPiece: Int32Array;
  /** Location indices of the buffers. */
  readonly buffers: readonly number[];
}

/** The operation that moves a piece to a buffer before a task, or after the last (undefined). */
export function bufferingOf(
  { problem, firstMove, firstBuffering, tasks }: Operations,
  piece: number,
  task: number | undefined,
): number {
  const moves = firstBuffering - tasks;
  if (task === undefined) return firstBuffering + moves + piece;
  const use = problem.tasks[task]!.uses.findIndex(({ labware }) => labware === piece);
  return firstBuffering + firstMove[task]! - tasks + use;
}

function chainPredecessors({ tasks, labware }: PlanProblem): number[][] {
  const before = tasks.map((task) => [...task.after]);
  for (const piece of labware) {
    for (let i = 1; i < piece.tasks.length; i++) before[piece.tasks[i]!]!.push(piece.tasks[i - 1]!);
  }
  return before;
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

function targetsOf(problem: PlanProblem, locations: LocationTable): Int32Array[] {
  const { tasks } = problem;
  const targets: Int32Array[] = new Array<Int32Array>(tasks.length).fill(new Int32Array(0));
  for (const { candidates, uses } of tasks) {
    for (const { slot } of uses) {
      const places = placesFor(problem, candidates, slot);
      targets.push(Int32Array.from(places, (place) => locations.find(place)));
    }
  }
  return targets;
}

/** Returns the piece of each buffering operation, and sets their tasks. */
function bufferedPieces(
  { tasks, labware }: PlanProblem,
  numbers: { firstBuffering: number; count: number; taskOf: Int32Array },
): Int32Array {
  const { firstBuffering, count, taskOf } = numbers;
  const pieces = new Int32Array(count - firstBuffering);
  if (pieces.length === 0) return pieces;
  let at = 0;
  tasks.forEach(({ uses }, task) => {
    for (const use of uses) {
      taskOf[firstBuffering + at] = task;
      pieces[at++] = use.labware;
    }
  });
  labware.forEach((piece, l) => {
    taskOf[firstBuffering + at] = piece.tasks.at(-1) ?? 0;
    pieces[at++] = l;
  });
  return pieces;
}

/** Numbers the operations of a problem and computes their order constraints. */
export function operationsOf(problem: PlanProblem): Operations {
  const { tasks, constraints } = problem;
  const firstMove = new Int32Array(tasks.length);
  let count = tasks.length;
  tasks.forEach((task, t) => {
    firstMove[t] = count;
    count += task.uses.length;
  });
  const firstBuffering = count;
  if (problem.buffers.length > 0) count += count - tasks.length + problem.labware.length;
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
  const bufferedPiece = bufferedPieces(problem, { firstBuffering, count, taskOf });
  const constraintsTo: TimeConstraint[][] = tasks.map(() => []);
  for (const one of constraints) constraintsTo[one.to]!.push(one);
  const locations = locationTableOf(problem);
  const targets = targetsOf(problem, locations);
  const buffers = problem.buffers.map((location) => locations.find(location));
  const tasksWithoutLabware = tasks.flatMap((task, t) => (task.uses.length === 0 ? [t] : []));
  return {
    problem,
    tasks: tasks.length,
    count,
    firstMove,
    taskOf,
    tail_s,
    urgency_s: urgencyOf(problem, { taskOf, tail_s }),
    before,
    constraintsTo,
    tasksWithoutLabware,
    locations,
    targets,
    firstBuffering,
    bufferedPiece,
    buffers,
  };
}

/** Share of the longest tail by which each rank of priority is preferred. */
const RANK_SHARE = 0.5;

/** Returns the preference of each operation: by the priority of its job, and by its due time. */
export function urgencyOf(
  { jobs, now_s }: PlanProblem,
  { taskOf, tail_s }: Pick<Operations, 'taskOf' | 'tail_s'>,
): Float64Array | null {
  if (!jobs) return null;
  const longest_s = tail_s.reduce((most, one) => Math.max(most, one), 0);
  const jobOf = new Map(jobs.flatMap((job) => job.tasks.map((task) => [task, job] as const)));
  return Float64Array.from(taskOf, (task) => {
    const job = jobOf.get(task);
    if (!job) return 0;
    const slack_s = Math.max(0, job.due_s - now_s - longest_s);
    const due_s = Number.isFinite(slack_s) ? longest_s / (1 + slack_s / (1 + longest_s)) : 0;
    return RANK_SHARE * (job.rank * longest_s + due_s);
  });
}
