/**
 * The shop floor while a plan is being made: who is free when, what stands where. Operations are
 * appended one by one, each as early as what was appended before allows; some order of appending
 * gives an optimal plan. Slots block: one is held from the start of the move into it to the start
 * of the move out of it.
 */
import type { Operations } from './operations.ts';
import type { Place, PlannedMove, PlannedTask, Started } from './problem.ts';

/** An operation that could be appended next. */
export interface Option {
  readonly operation: number;
  readonly task: number;
  /** Index among the task's uses; −1 for the task itself. */
  readonly use: number;
  readonly instrument: number;
  readonly start_s: number;
  readonly end_s: number;
}

interface SlotState {
  occupant: number;
  free_s: number;
}

const SLOTS = 4096;

function earliest(times_s: readonly number[]): number {
  let least_s = Number.POSITIVE_INFINITY;
  for (const time_s of times_s) if (time_s < least_s) least_s = time_s;
  return least_s;
}

export class Shop {
  readonly tasks: PlannedTask[] = [];
  readonly moves: PlannedMove[] = [];
  placed = 0;
  makespan_s = 0;
  readonly end_s: Float64Array;
  readonly start_s: Float64Array;
  readonly instrumentOf: Int32Array;
  readonly placeOf: Place[];
  /** Position in the chain of tasks of each piece. */
  readonly next: Int32Array;
  readonly arrived: Int32Array;
  private readonly readyOf_s: Float64Array;
  private arm_s: number;
  private readonly busy: number[][];
  /** When each instrument can next begin a task. */
  private readonly idle_s: Float64Array;
  private readonly slots = new Map<number, SlotState>();
  private readonly operations: Operations;
  private readonly release_s: Float64Array;
  private readonly preferred: Int32Array;

  constructor(operations: Operations, release_s: Float64Array, preferred: Int32Array) {
    const { problem } = operations;
    this.operations = operations;
    this.release_s = release_s;
    this.preferred = preferred;
    this.arm_s = problem.now_s;
    this.end_s = new Float64Array(operations.tasks).fill(-1);
    this.start_s = new Float64Array(operations.tasks).fill(-1);
    this.instrumentOf = new Int32Array(operations.tasks).fill(-1);
    this.placeOf = problem.labware.map((piece) => piece.place);
    this.next = new Int32Array(problem.labware.length);
    this.arrived = new Int32Array(problem.labware.length).fill(-1);
    this.readyOf_s = new Float64Array(problem.labware.length).fill(problem.now_s);
    this.busy = problem.instruments.map(({ capacity }) =>
      new Array<number>(Math.max(1, Math.min(capacity, operations.tasks))).fill(problem.now_s),
    );
    this.idle_s = new Float64Array(problem.instruments.length).fill(problem.now_s);
    problem.labware.forEach((piece, l) => {
      this.slot(piece.place).occupant = l;
    });
    for (const one of problem.started) this.takeOver(one);
  }

  /** The state of a slot; a place without slots has a fresh one for everybody. */
  private slot(place: Place): SlotState {
    const { instruments, now_s } = this.operations.problem;
    if (instruments[place.instrument]!.slotless) return { occupant: -1, free_s: now_s };
    const key = place.instrument * SLOTS + place.slot;
    let state = this.slots.get(key);
    if (!state) {
      state = { occupant: -1, free_s: now_s };
      this.slots.set(key, state);
    }
    return state;
  }

  /** Who stands in a slot; −1 for nobody. */
  occupantOf(place: Place): number {
    return this.slot(place).occupant;
  }

  private takeOver(one: Started): void {
    if (one.kind === 'move') this.carry(one);
    else this.perform(one);
  }

  isPlaced(task: number): boolean {
    return this.end_s[task]! >= 0;
  }

  /** True when the piece stands where its next task needs it. */
  private isThere(labware: number, task: number): boolean {
    return this.arrived[labware] === task;
  }

  /** Whether a task is the next one for all of its labware. */
  isTurnOf(task: number): boolean {
    const { tasks, labware } = this.operations.problem;
    return tasks[task]!.uses.every((use) => {
      const piece = labware[use.labware]!;
      return piece.tasks[this.next[use.labware]!] === task;
    });
  }

  /** Appends to `found` what can be done next for a task; nothing while it has to wait. */
  optionsFor(task: number, found: Option[]): void {
    if (this.isPlaced(task)) return;
    const { problem } = this.operations;
    const { uses } = problem.tasks[task]!;
    let missing = false;
    for (let u = 0; u < uses.length; u++) {
      const { labware } = uses[u]!;
      if (this.isThere(labware, task)) continue;
      missing = true;
      const piece = problem.labware[labware]!;
      if (piece.tasks[this.next[labware]!] === task) this.moveOption(task, u, found);
    }
    if (!missing) this.taskOption(task, found);
  }

  private moveOption(task: number, use: number, found: Option[]): void {
    const chosen = this.instrumentOf[task]!;
    const { candidates } = this.operations.problem.tasks[task]!;
    const preferred = this.preferred[task]!;
    let best: Option | null = null;
    let best_s = Number.POSITIVE_INFINITY;
    for (let i = 0; i < candidates.length; i++) {
      const instrument = candidates[i]!;
      if (chosen >= 0 ? instrument !== chosen : preferred >= 0 && i !== preferred) continue;
      const option = this.moveTo(task, use, instrument);
      if (!option) continue;
      const begins_s = Math.max(option.end_s, this.idle_s[instrument]!);
      if (begins_s < best_s) {
        best = option;
        best_s = begins_s;
      }
    }
    if (best) found.push(best);
  }

  private moveTo(task: number, use: number, instrument: number): Option | null {
    const { problem, firstMove } = this.operations;
    const { labware, slot } = problem.tasks[task]!.uses[use]!;
    const from = this.placeOf[labware]!;
    const to = { instrument, slot };
    const operation = firstMove[task]! + use;
    const ready_s = Math.max(this.readyOf_s[labware]!, this.release_s[operation]!);
    if (from.instrument === instrument && from.slot === slot) {
      return { operation, task, use, instrument, start_s: ready_s, end_s: ready_s };
    }
    const target = this.slot(to);
    const duration_s = problem.move_s(from, to);
    if (target.occupant >= 0 || duration_s === null) return null;
    const start_s = Math.max(ready_s, this.arm_s, target.free_s);
    return { operation, task, use, instrument, start_s, end_s: start_s + duration_s };
  }

  private taskOption(task: number, found: Option[]): void {
    const { problem, before, constraintsTo } = this.operations;
    const { candidates, duration_s, uses } = problem.tasks[task]!;
    let start_s = Math.max(this.release_s[task]!, problem.now_s);
    for (const other of before[task]!) {
      if (!this.isPlaced(other)) return;
    }
    for (const other of problem.tasks[task]!.after) start_s = Math.max(start_s, this.end_s[other]!);
    for (const { labware } of uses) start_s = Math.max(start_s, this.readyOf_s[labware]!);
    for (const { from, from_end, to_end, min_s } of constraintsTo[task]!) {
      if (!this.isPlaced(from)) continue;
      const mark_s = from_end ? this.end_s[from]! : this.start_s[from]!;
      start_s = Math.max(start_s, mark_s + min_s - (to_end ? duration_s : 0));
    }
    const instrument = this.instrumentFor(task, candidates);
    if (instrument >= 0) start_s = Math.max(start_s, this.idle_s[instrument]!);
    for (const { labware, slot, slot_after } of uses) {
      if (slot_after === slot) continue;
      const target = this.slot({ instrument, slot: slot_after });
      if (target.occupant >= 0 && target.occupant !== labware) return;
      start_s = Math.max(start_s, target.free_s);
    }
    const end_s = start_s + duration_s;
    found.push({ operation: task, task, use: -1, instrument, start_s, end_s });
  }

  private instrumentFor(task: number, candidates: readonly number[]): number {
    if (this.instrumentOf[task]! >= 0 || candidates.length === 0) return this.instrumentOf[task]!;
    const preferred = this.preferred[task]!;
    if (preferred >= 0) return candidates[preferred]!;
    let best = candidates[0]!;
    for (const one of candidates) {
      if (this.idle_s[one]! < this.idle_s[best]!) best = one;
    }
    return best;
  }

  /** Appends an option. */
  append(option: Option): void {
    const { task, use, instrument, start_s, end_s } = option;
    if (use < 0) {
      this.perform({ task, instrument, start_s, end_s });
      return;
    }
    const { labware, slot } = this.operations.problem.tasks[task]!.uses[use]!;
    const from = this.placeOf[labware]!;
    const to = { instrument, slot };
    if (start_s === end_s && from.instrument === to.instrument && from.slot === to.slot) {
      this.instrumentOf[task] = instrument;
      this.arrived[labware] = task;
    } else this.carry({ task, labware, from, to, start_s, end_s });
  }

  private carry(move: PlannedMove): void {
    const { labware, task, from, to, start_s, end_s } = move;
    const source = this.slot(from);
    if (source.occupant === labware) {
      source.occupant = -1;
      source.free_s = Math.max(source.free_s, start_s);
    }
    this.slot(to).occupant = labware;
    this.placeOf[labware] = to;
    this.readyOf_s[labware] = end_s;
    this.arm_s = Math.max(this.arm_s, end_s);
    this.instrumentOf[task] = to.instrument;
    this.arrived[labware] = task;
    this.moves.push({ task, labware, from, to, start_s, end_s });
    this.makespan_s = Math.max(this.makespan_s, end_s);
  }

  private perform(done: PlannedTask): void {
    const { task, instrument, start_s, end_s } = done;
    this.instrumentOf[task] = instrument;
    this.start_s[task] = start_s;
    this.end_s[task] = end_s;
    this.placed++;
    this.makespan_s = Math.max(this.makespan_s, end_s);
    this.tasks.push({ task, instrument, start_s, end_s });
    if (instrument >= 0) {
      const places = this.busy[instrument]!;
      let least = 0;
      for (let i = 1; i < places.length; i++) if (places[i]! < places[least]!) least = i;
      places[least] = Math.max(places[least]!, end_s);
      this.idle_s[instrument] = earliest(places);
    }
    for (const use of this.operations.problem.tasks[task]!.uses) {
      this.next[use.labware]! += 1;
      this.arrived[use.labware] = -1;
      this.readyOf_s[use.labware] = end_s;
      if (use.slot_after !== use.slot) this.shiftInside(use.labware, use.slot_after, done);
    }
  }

  /** An instrument puts a piece into another of its own slots. */
  private shiftInside(labware: number, slot: number, { instrument, end_s }: PlannedTask): void {
    const source = this.slot(this.placeOf[labware]!);
    source.occupant = -1;
    source.free_s = Math.max(source.free_s, end_s);
    const to = { instrument, slot };
    this.slot(to).occupant = labware;
    this.placeOf[labware] = to;
  }
}
