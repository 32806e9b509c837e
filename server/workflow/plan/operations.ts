/**
 * The numbered operations of a problem (tasks first, then the moves that may be needed), their
 * tails, and the numbered locations with their move times. Computed once and shared by every
 * attempt of the search.
 */
import { urgencyOf } from './operation-selector.ts';
import type { PlanProblem, SlotLocation, TimeConstraint } from './problem.ts';

const SLOTS = 4096;
const IMPOSSIBLE = -1;

/** The parts of a problem that determine its locations. */
type LocationInputs = Pick<PlanProblem, 'instruments' | 'move_s'>;

/** The locations of a problem by index, with cached move times. */
export class LocationTable {
  readonly list: SlotLocation[] = [];
  /** Whether a location holds any number of pieces. */
  readonly slotless: boolean[] = [];
  private readonly indexByKey = new Map<number, number>();
  private readonly moveTimeRows_s: (Float64Array | undefined)[] = [];
  private readonly inputs: LocationInputs;

  constructor(inputs: LocationInputs) {
    this.inputs = inputs;
  }

  /** Returns the index of a location; −1 if unknown. */
  find({ instrument, slot }: SlotLocation): number {
    return this.indexByKey.get(instrument * SLOTS + slot) ?? -1;
  }

  /** Adds a location if it is new; returns its index. */
  add(location: SlotLocation): number {
    const known = this.find(location);
    if (known >= 0) return known;
    const index = this.list.length;
    this.indexByKey.set(location.instrument * SLOTS + location.slot, index);
    this.list.push(location);
    this.slotless.push(this.inputs.instruments[location.instrument]!.slotless);
    return index;
  }

  /** Returns the time of a move (s); −1 if the arm cannot make it. */
  move_s(from: number, to: number): number {
    this.moveTimeRows_s[from] ??= new Float64Array(this.list.length).fill(Number.NaN);
    const row = this.moveTimeRows_s[from]!;
    const known_s = row[to]!;
    if (known_s >= IMPOSSIBLE) return known_s;
    const time_s = this.inputs.move_s(this.list[from]!, this.list[to]!) ?? IMPOSSIBLE;
    row[to] = time_s;
    return time_s;
  }
}

/** Collects every location that a plan for the problem can use. */
export function locationTableOf({
  instruments,
  move_s,
  labware,
  tasks,
  started,
  buffers,
}: PlanProblem): LocationTable {
  const locations = new LocationTable({ instruments, move_s });
  for (const { location } of labware) locations.add(location);
  for (const { candidates, uses } of tasks) {
    for (const instrument of candidates) {
      for (const { slot, slot_after } of uses) {
        locations.add({ instrument, slot });
        locations.add({ instrument, slot: slot_after });
      }
    }
  }
  for (const location of buffers) locations.add(location);
  for (const one of started) {
    if (one.kind === 'move') {
      locations.add(one.from);
      locations.add(one.to);
    } else {
      for (const { slot_after } of tasks[one.task]!.uses) {
        locations.add({ instrument: one.instrument, slot: slot_after });
      }
    }
  }
  return locations;
}

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
  /** Location indices of the possible targets of each move, one per candidate of its task. */
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

/** Returns the tasks in topological order; tasks on a cycle are missing. */
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

function targetsOf({ tasks }: PlanProblem, locations: LocationTable): Int32Array[] {
  const targets: Int32Array[] = new Array<Int32Array>(tasks.length).fill(new Int32Array(0));
  for (const { candidates, uses } of tasks) {
    for (const { slot } of uses) {
      targets.push(
        Int32Array.from(candidates, (instrument) => locations.find({ instrument, slot })),
      );
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
