/**
 * The numbered operations of a problem (tasks first, then the moves that may be needed), their
 * tails, and the numbered locations with their move times. Computed once and shared by every
 * attempt of the search. Also: the choice of the next one.
 */
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

/**
 * Selects the operation to append next: candidates are offered one by one and the best is kept. One
 * object serves a whole attempt, which offers tens of thousands of candidates.
 */

/** The parameters of one attempt of the search. */
export interface AttemptParameters {
  /** Operations that are appended first, in this order. */
  readonly sequence: readonly number[];
  /** Rank of each operation, smallest first; null: by earliest start and longest tail. */
  readonly rank: Float64Array | null;
  /** Weight of the tail relative to the start. */
  readonly weight: number;
  /** Whether labware is moved before the other conditions of its task hold. */
  readonly eager: boolean;
  /** Random term added to the preference of each operation (s); null for none. */
  readonly noise_s: Float64Array | null;
  /** Most pieces of labware in progress at a time; a low limit avoids deadlocks. */
  readonly wipLimit: number;
  /** Index of the preferred instrument among each task's candidates; −1 for any. */
  readonly preferred: Int32Array;
  /** Whether each buffering operation is wanted; null: only where the schedule is stuck. */
  readonly buffered: Uint8Array | null;
}

/** An operation that can be appended next. */
export interface CandidateOperation {
  operation: number;
  task: number;
  /** Index among the task's uses; −1 for the task itself, −2 for a move to a buffer. */
  use: number;
  /** The piece of a move to a buffer. */
  piece: number;
  instrument: number;
  /** Location index of the target of a move; −1 for a task. */
  to: number;
  start_s: number;
  end_s: number;
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

/** Returns a candidate to fill in. */
export function emptyCandidate(): CandidateOperation {
  return {
    operation: -1,
    task: -1,
    use: -1,
    piece: -1,
    instrument: -1,
    to: -1,
    start_s: 0,
    end_s: 0,
  };
}

const WAIT_PENALTY_S = 1e6;

export class OperationSelector {
  readonly best = emptyCandidate();
  private best_value = Number.POSITIVE_INFINITY;
  private readonly operations: Operations;
  private readonly parameters: AttemptParameters;
  /** End of each task (s); negative before it is scheduled. */
  private readonly end_s: Float64Array;

  constructor(operations: Operations, parameters: AttemptParameters, end_s: Float64Array) {
    this.operations = operations;
    this.parameters = parameters;
    this.end_s = end_s;
  }

  /** Discards the best candidate. */
  reset(): void {
    this.best_value = Number.POSITIVE_INFINITY;
  }

  get hasBest(): boolean {
    return this.best_value < Number.POSITIVE_INFINITY;
  }

  /** True if an operation cannot become the best, whatever its start. */
  cannotWin(operation: number): boolean {
    const { rank } = this.parameters;
    return rank !== null && this.rankOf(rank, operation) >= this.best_value;
  }

  private rankOf(rank: Float64Array, operation: number): number {
    const { noise_s } = this.parameters;
    return noise_s === null ? rank[operation]! : rank[operation]! + noise_s[operation]!;
  }

  /** True for a move whose task depends on tasks that are not scheduled. */
  private isPremature({ use, task }: CandidateOperation): boolean {
    if (use < 0) return false;
    for (const other of this.operations.before[task]!) if (this.end_s[other]! < 0) return true;
    return false;
  }

  private valueOf(candidate: CandidateOperation): number {
    const { rank, noise_s, eager, weight } = this.parameters;
    const { operation, start_s } = candidate;
    if (rank !== null) return this.rankOf(rank, operation);
    const penalty_s = !eager && this.isPremature(candidate) ? WAIT_PENALTY_S : 0;
    const random_s = noise_s === null ? 0 : noise_s[operation]!;
    const { tail_s, urgency_s } = this.operations;
    const value = start_s - weight * tail_s[operation]! + random_s + penalty_s;
    return urgency_s === null ? value : value - urgency_s[operation]!;
  }

  /** Keeps a candidate if it is better than all before. */
  offer(candidate: CandidateOperation): void {
    const value = this.valueOf(candidate);
    if (value >= this.best_value) return;
    this.best_value = value;
    const { best } = this;
    best.operation = candidate.operation;
    best.task = candidate.task;
    best.use = candidate.use;
    best.piece = candidate.piece;
    best.instrument = candidate.instrument;
    best.to = candidate.to;
    best.start_s = candidate.start_s;
    best.end_s = candidate.end_s;
  }
}
