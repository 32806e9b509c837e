/**
 * Input and output of the planner as plain data, with indices instead of names and times in seconds
 * since the start of the run. The planner depends on no clock, arm or file (docs/decisions;
 * webhooks §4, the new-plan hook). Also: the equal units of work in a problem.
 */
import type { Operations } from './operations.ts';

/** A labware location: index of the instrument and slot number on it. */
export interface SlotLocation {
  readonly instrument: number;
  readonly slot: number;
}

export interface PlanInstrument {
  readonly id: string;
  /** Number of concurrent tasks. */
  readonly capacity: number;
  /** True if a slot holds any number of pieces. */
  readonly slotless: boolean;
}

/** The use of a piece of labware by a task. */
export interface LabwareUse {
  readonly labware: number;
  /** Slot of the piece when the task starts. */
  readonly slot: number;
  /** Slot of the piece when the task has ended. */
  readonly slot_after: number;
}

export interface PlanTask {
  readonly id: string;
  readonly duration_s: number;
  /** Instruments that can do the task; empty for a skipped task. */
  readonly candidates: readonly number[];
  /** Names of its instruments, all of them down, where it has no candidate and is not skipped. */
  readonly down?: readonly string[];
  /** Tasks that must end before this one starts. */
  readonly after: readonly number[];
  readonly uses: readonly LabwareUse[];
  /** Earliest start of the task and of the moves for it (s); absent: any. */
  readonly release_s?: number;
}

export interface PlanLabware {
  readonly id: string;
  readonly location: SlotLocation;
  /** The tasks that use the piece, in order. */
  readonly tasks: readonly number[];
}

/** A bound on the time from the start or end of one task to that of another. */
export interface TimeConstraint {
  readonly id: string;
  readonly from: number;
  readonly from_end: boolean;
  readonly to: number;
  readonly to_end: boolean;
  readonly min_s: number;
  /** Infinity for none. */
  readonly max_s: number;
}

/** A scheduled task. */
export interface PlannedTask {
  readonly task: number;
  /** −1 for a task without an instrument. */
  readonly instrument: number;
  readonly start_s: number;
  readonly end_s: number;
}

/** A scheduled move of a piece of labware to the location where a task needs it. */
export interface PlannedLabwareMove {
  /** The task that needs the piece. */
  readonly task: number;
  readonly labware: number;
  readonly from: SlotLocation;
  readonly to: SlotLocation;
  readonly start_s: number;
  readonly end_s: number;
  /** True for a move into a buffer; `task` is then the next task of the piece, or its last. */
  readonly toBuffer?: boolean;
}

/** A started operation; its times are fixed. Lists are in the order of starts. */
export type StartedOperation =
  | ({ readonly kind: 'task' } & PlannedTask)
  | ({ readonly kind: 'move' } & PlannedLabwareMove);

/** A part of the work with an end of its own: a run among others, or a batch. */
export interface PlanJob {
  readonly tasks: readonly number[];
  /** 0 for the lowest priority among the jobs. */
  readonly rank: number;
  /** Weight of its end in the value of a plan. */
  readonly weight: number;
  /** Infinity for none (s). */
  readonly due_s: number;
}

export interface PlanProblem {
  readonly instruments: readonly PlanInstrument[];
  readonly tasks: readonly PlanTask[];
  readonly labware: readonly PlanLabware[];
  readonly constraints: readonly TimeConstraint[];
  /** Slots into which a piece may be put aside; one visit for each task of a piece. */
  readonly buffers: readonly SlotLocation[];
  /** Time of a move (whole seconds), or null if the arm cannot make it. */
  readonly move_s: (from: SlotLocation, to: SlotLocation) => number | null;
  /** Earliest start of operations that have not started (s). */
  readonly now_s: number;
  readonly started: readonly StartedOperation[];
  /** Several jobs: their weighted ends decide, and not the last end; absent for one. */
  readonly jobs?: readonly PlanJob[];
}

/** The best steady cycle of equal units: pieces, or groups of pieces that share tasks. */
export interface UnitCycle {
  /** Number of equal units. */
  readonly units: number;
  readonly pieces_per_unit: number;
  /** Units that take turns in a cycle. */
  readonly units_per_cycle: number;
  /** Time after which everything repeats (s). */
  readonly cycle_s: number;
  /** No cycle has fewer seconds for each unit. */
  readonly lower_bound_s: number;
  /** The instrument that this bound comes from; −1 for the arm. */
  readonly resource: number;
}

export interface Plan {
  readonly tasks: readonly PlannedTask[];
  readonly moves: readonly PlannedLabwareMove[];
  /** End of the last operation (s). */
  readonly makespan_s: number;
  /** No plan can end earlier (s). */
  readonly lower_bound_s: number;
  /** Absent if the work is not of equal units. */
  readonly cycle?: UnitCycle;
}

/** Why there is no plan, as messages. */
export interface PlanFault {
  readonly kind: 'deadlock' | 'constraint' | 'unreachable' | 'no_instrument';
  readonly messages: readonly string[];
}

/** True if both are the same slot of the same instrument. */
export function isSameLocation(a: SlotLocation, b: SlotLocation): boolean {
  return a.instrument === b.instrument && a.slot === b.slot;
}

/** True if a piece stands in a location that holds one piece only. */
export function holdsLocation(
  { instruments }: { readonly instruments: readonly PlanInstrument[] },
  { location }: Pick<PlanLabware, 'location'>,
  other: SlotLocation,
): boolean {
  return isSameLocation(location, other) && !instruments[other.instrument]!.slotless;
}

/** The names that a plan refers to by index. */
export interface PlanNames {
  readonly tasks: readonly Pick<PlanTask, 'id' | 'after' | 'uses'>[];
  readonly labware: readonly Pick<PlanLabware, 'id'>[];
}

/** Returns the name of a move in critical paths and explanations. */
export function moveName({ labware, tasks }: PlanNames, move: PlannedLabwareMove): string {
  const { id } = labware[move.labware]!;
  return move.toBuffer
    ? `move ${id} to a buffer`
    : `move ${id} for ${tasks[move.task]?.id ?? 'its place'}`;
}

/**
 * Equal units of work in a problem: pieces of labware, or groups of pieces that share tasks, whose
 * work is the same except for their own slots. And the work of a unit as operations of a cycle: its
 * moves and tasks, what follows what, and its visits of shared slots. Times in seconds.
 */

/** The tasks and pieces of one unit, in the order of their indices. */
export interface Unit {
  readonly tasks: readonly number[];
  readonly pieces: readonly number[];
}

/** Fewer units have no steady state. */
const MIN_UNITS = 3;

/** Groups tasks that share a piece, a dependency or a limit of time. */
function unitsOf({ tasks, labware, constraints }: PlanProblem): Unit[] {
  const parent = tasks.map((_, t) => t);
  const rootOf = (t: number): number => {
    let root = t;
    while (parent[root] !== root) root = parent[root]!;
    parent[t] = root;
    return root;
  };
  const join = (a: number, b: number) => {
    const [one, other] = [rootOf(a), rootOf(b)];
    parent[Math.max(one, other)] = Math.min(one, other);
  };
  tasks.forEach(({ after }, t) => {
    for (const other of after) join(t, other);
  });
  for (const piece of labware) for (const t of piece.tasks) join(t, piece.tasks[0]!);
  for (const { from, to } of constraints) join(from, to);
  const units = new Map<number, { tasks: number[]; pieces: number[] }>();
  tasks.forEach((_, t) => {
    const root = rootOf(t);
    const unit = units.get(root) ?? { tasks: [], pieces: [] };
    unit.tasks.push(t);
    units.set(root, unit);
  });
  labware.forEach((piece, l) => {
    if (piece.tasks.length > 0) units.get(rootOf(piece.tasks[0]!))!.pieces.push(l);
  });
  return [...units.values()];
}

function slotKey({ instrument, slot }: SlotLocation): string {
  return `${instrument}/${slot}`;
}

/** The slots that more than one unit uses. */
function sharedSlots({ tasks, labware, instruments }: PlanProblem, units: readonly Unit[]) {
  const owners = new Map<string, number>();
  const shared = new Set<string>();
  units.forEach((unit, u) => {
    const note = (location: SlotLocation) => {
      if (instruments[location.instrument]!.slotless) return;
      const key = slotKey(location);
      if ((owners.get(key) ?? u) !== u) shared.add(key);
      owners.set(key, u);
    };
    for (const piece of unit.pieces) note(labware[piece]!.location);
    for (const t of unit.tasks) {
      const { candidates, uses } = tasks[t]!;
      for (const instrument of candidates) {
        for (const { slot, slot_after } of uses) {
          note({ instrument, slot });
          note({ instrument, slot: slot_after });
        }
      }
    }
  });
  return shared;
}

/** The work of a unit as text, with its own indices and without its own slots. */
function signatureOf(problem: PlanProblem, unit: Unit, shared: ReadonlySet<string>): string {
  const { tasks, labware, constraints } = problem;
  const taskAt = new Map(unit.tasks.map((t, i) => [t, i] as const));
  const pieceAt = new Map(unit.pieces.map((l, i) => [l, i] as const));
  const own = new Map<string, string>();
  const place = (location: SlotLocation) => {
    const { instrument, slot } = location;
    if (problem.instruments[instrument]!.slotless) return `${instrument}`;
    const key = slotKey(location);
    if (shared.has(key)) return `${instrument}/${slot}`;
    if (!own.has(key)) own.set(key, `${instrument}/own ${own.size}`);
    return own.get(key)!;
  };
  const work = unit.tasks.map((t) => {
    const { duration_s, candidates, after, uses, release_s } = tasks[t]!;
    const places = uses.map(({ labware: piece, slot, slot_after }) => [
      pieceAt.get(piece),
      candidates.map((instrument) => place({ instrument, slot })),
      candidates.map((instrument) => place({ instrument, slot: slot_after })),
    ]);
    return [duration_s, candidates, after.map((one) => taskAt.get(one)).sort(), places, release_s];
  });
  const chains = unit.pieces.map((l) => {
    const { location, tasks: chain } = labware[l]!;
    return [place(location), chain.map((t) => taskAt.get(t))];
  });
  const limits = constraints.flatMap(({ id: _, from, to, max_s, ...rest }) =>
    taskAt.has(from) ? [[taskAt.get(from), taskAt.get(to), `${max_s}`, Object.values(rest)]] : [],
  );
  return JSON.stringify([work, chains, limits.map((one) => JSON.stringify(one)).sort()]);
}

/** The equal units of a problem and the slots that they share. */
export interface EqualUnits {
  readonly units: readonly Unit[];
  readonly shared: ReadonlySet<string>;
}

/** The equal units of a problem, in the order of their jobs; null unless all work is theirs. */
export function equalUnits(problem: PlanProblem): EqualUnits | null {
  const units = unitsOf(problem);
  const [first] = units;
  if (!first || units.length < MIN_UNITS || first.pieces.length === 0) return null;
  const isAlike = ({ tasks, pieces }: Unit) =>
    tasks.length === first.tasks.length && pieces.length === first.pieces.length;
  if (!units.every(isAlike)) return null;
  const shared = sharedSlots(problem, units);
  const signature = signatureOf(problem, first, shared);
  if (!units.every((unit) => signatureOf(problem, unit, shared) === signature)) return null;
  const { jobs = [] } = problem;
  const rank = new Map(jobs.flatMap((job) => job.tasks.map((t) => [t, job.rank] as const)));
  const rankOf = ({ tasks }: Unit) => rank.get(tasks[0]!) ?? 0;
  return { units: units.toSorted((a, b) => rankOf(b) - rankOf(a)), shared };
}

/** A move or a task of a unit. */
export interface UnitOperation {
  /** A task of the first unit of the problem. */
  readonly task: number;
  /** Index among the task's uses; −1 for the task itself. */
  readonly use: number;
  readonly duration_s: number;
  /** Instrument of a task; −1 for a move. */
  readonly instrument: number;
}

/** From the start of the operation that fills a slot to that of the one that empties it. */
export interface UnitVisit {
  readonly key: string;
  readonly from: number;
  /** −1: never. */
  to: number;
  /** How long after the start of `to` the slot is free (s). */
  plus_s: number;
}

/** The start of `to` is at least `least_s` after that of `from`. */
export interface UnitOrder {
  readonly from: number;
  readonly to: number;
  readonly least_s: number;
}

export interface UnitWork {
  readonly operations: UnitOperation[];
  readonly visits: UnitVisit[];
  readonly orders: UnitOrder[];
}

/** Describes the work of one unit, the n-th of a cycle; null if the arm cannot do it. */
export class UnitBuilder {
  private readonly work: UnitWork = { operations: [], visits: [], orders: [] };
  private readonly at = new Map<number, { location: SlotLocation; last: number; visit: number }>();
  private readonly taskAt = new Map<number, number>();
  private readonly operations: Operations;
  private readonly found: EqualUnits;
  private readonly number: number;

  constructor(operations: Operations, found: EqualUnits, number: number) {
    [this.operations, this.found, this.number] = [operations, found, number];
  }

  build(order: readonly number[]): UnitWork | null {
    const { problem } = this.operations;
    const [unit] = this.found.units;
    for (const l of unit!.pieces) {
      const { location } = problem.labware[l]!;
      // Where a piece begins, no other comes.
      if (this.found.shared.has(slotKey(location))) return null;
      this.at.set(l, { location, last: -1, visit: -1 });
    }
    for (const t of order) if (!this.addTask(t)) return null;
    if (this.work.visits.some(({ to }) => to < 0)) return null;
    this.addLimits();
    return this.work;
  }

  private push(operation: UnitOperation): number {
    return this.work.operations.push(operation) - 1;
  }

  private addTask(t: number): boolean {
    const { orders } = this.work;
    const { candidates, uses, after, duration_s } = this.operations.problem.tasks[t]!;
    // The units take turns.
    const instrument = candidates[this.number % candidates.length] ?? -1;
    const brought = uses.map((_, use) => this.bring(t, use, instrument));
    if (brought.includes(false)) return false;
    const task = this.push({ task: t, use: -1, duration_s, instrument });
    this.taskAt.set(t, task);
    for (const other of after) {
      const from = this.taskAt.get(other)!;
      orders.push({ from, to: task, least_s: this.work.operations[from]!.duration_s });
    }
    for (const { labware, slot, slot_after } of uses) {
      const state = this.at.get(labware)!;
      this.follow(state.last, task);
      state.last = task;
      if (slot === slot_after) continue;
      this.leave(state.visit, task, duration_s);
      state.location = { instrument, slot: slot_after };
      state.visit = this.enter(state.location, task);
    }
    return true;
  }

  private follow(from: number, to: number): void {
    if (from < 0) return;
    this.work.orders.push({ from, to, least_s: this.work.operations[from]!.duration_s });
  }

  private enter(location: SlotLocation, from: number): number {
    const key = slotKey(location);
    if (!this.found.shared.has(key)) return -1;
    return this.work.visits.push({ key, from, to: -1, plus_s: 0 }) - 1;
  }

  private leave(visit: number, to: number, plus_s: number): void {
    const left = this.work.visits[visit];
    if (!left) return;
    left.to = to;
    left.plus_s = plus_s;
  }

  /** The longest time of the move for a use in any unit (s); null if one cannot be made. */
  private moveTime_s(t: number, use: number, instrument: number): number | null {
    const { problem } = this.operations;
    const [first] = this.found.units;
    const index = first!.tasks.indexOf(t);
    let longest_s = 0;
    for (const unit of this.found.units) {
      const { labware, slot } = problem.tasks[unit.tasks[index]!]!.uses[use]!;
      const { tasks: chain, location } = problem.labware[labware]!;
      const previous = chain[chain.indexOf(unit.tasks[index]!) - 1];
      const before = previous === undefined ? null : problem.tasks[previous]!;
      const left = before?.uses.find((one) => one.labware === labware);
      const { labware: own } = problem.tasks[t]!.uses[use]!;
      const from = left
        ? { instrument: this.at.get(own)!.location.instrument, slot: left.slot_after }
        : location;
      const time_s = problem.move_s(from, { instrument, slot });
      if (time_s === null) return null;
      longest_s = Math.max(longest_s, time_s);
    }
    return longest_s;
  }

  /** Adds the move of a piece for a task, if it is needed; false if it cannot be made. */
  private bring(t: number, use: number, instrument: number): boolean {
    const { labware, slot } = this.operations.problem.tasks[t]!.uses[use]!;
    const state = this.at.get(labware)!;
    const to = { instrument, slot };
    if (isSameLocation(state.location, to)) return true;
    const duration_s = this.moveTime_s(t, use, instrument);
    if (duration_s === null) return false;
    const move = this.push({ task: t, use, duration_s, instrument: -1 });
    this.follow(state.last, move);
    this.leave(state.visit, move, 0);
    state.location = to;
    state.visit = this.enter(to, move);
    state.last = move;
    return true;
  }

  private addLimits(): void {
    const { problem } = this.operations;
    for (const { from, to, from_end, to_end, min_s, max_s } of problem.constraints) {
      const [first, second] = [this.taskAt.get(from), this.taskAt.get(to)];
      if (first === undefined || second === undefined) continue;
      const offset_s =
        (from_end ? problem.tasks[from]!.duration_s : 0) -
        (to_end ? problem.tasks[to]!.duration_s : 0);
      const { orders } = this.work;
      orders.push({ from: first, to: second, least_s: min_s + offset_s });
      if (Number.isFinite(max_s)) {
        orders.push({ from: second, to: first, least_s: -max_s - offset_s });
      }
    }
  }
}
