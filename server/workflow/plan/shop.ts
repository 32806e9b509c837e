/**
 * The shop floor while a plan is being made: who is free when, what stands where. Operations are
 * appended one by one, each as early as what was appended before allows; some order of appending
 * gives an optimal plan. Slots block: one is held from the start of the move into it to the start
 * of the move out of it. Plain numbers in typed arrays: an attempt appends hundreds of operations.
 */
import { type Choice, emptyOption, type Genes, type Option } from './choice.ts';
import { Crowd } from './crowd.ts';
import { InstrumentTimes } from './instrument-times.ts';
import type { Operations } from './operations.ts';
import type { Place, PlannedMove, PlannedTask, Started } from './problem.ts';

const NOBODY = -1;

/** A piece on its way between numbered places. */
interface Carriage {
  readonly task: number;
  readonly piece: number;
  readonly from: number;
  readonly to: number;
  readonly start_s: number;
  readonly end_s: number;
}

export class Shop {
  placed = 0;
  makespan_s = 0;
  /** Of each task; −1 until it is placed. */
  readonly start_s: Float64Array;
  readonly end_s: Float64Array;
  private readonly instrumentOf: Int32Array;
  /** Position in the chain of tasks of each piece. */
  private readonly next: Int32Array;
  /** The task for which each piece was brought where it stands. */
  private readonly arrived: Int32Array;
  /** Number of the place of each piece. */
  private readonly place: Int32Array;
  private readonly ready_s: Float64Array;
  private arm_s: number;
  private readonly instruments: InstrumentTimes;
  /** Who stands in each place, and since when it is free. */
  private readonly occupant: Int32Array;
  private readonly free_s: Float64Array;
  private readonly carried: Carriage[] = [];
  private readonly operations: Operations;
  private readonly release_s: Float64Array;
  private readonly preferred: Int32Array;
  private readonly crowd: Crowd;
  private readonly option = emptyOption();

  constructor(operations: Operations, release_s: Float64Array, genes: Genes) {
    const { problem, places, tasks } = operations;
    const { now_s, instruments, labware, started } = problem;
    this.operations = operations;
    this.release_s = release_s;
    this.preferred = genes.preferred;
    this.arm_s = now_s;
    this.start_s = new Float64Array(tasks).fill(-1);
    this.end_s = new Float64Array(tasks).fill(-1);
    this.instrumentOf = new Int32Array(tasks).fill(-1);
    this.next = new Int32Array(labware.length);
    this.arrived = new Int32Array(labware.length).fill(-1);
    this.place = Int32Array.from(labware, (piece) => places.find(piece.place));
    this.ready_s = new Float64Array(labware.length).fill(now_s);
    this.instruments = new InstrumentTimes(instruments, tasks, now_s);
    this.crowd = new Crowd(labware.length, genes.limit);
    this.occupant = new Int32Array(places.list.length).fill(NOBODY);
    this.free_s = new Float64Array(places.list.length).fill(now_s);
    this.place.forEach((place, piece) => {
      this.occupy(place, piece);
    });
    for (const one of started) this.takeOver(one);
  }

  private occupy(place: number, piece: number): void {
    if (!this.operations.places.slotless[place]) this.occupant[place] = piece;
  }

  private takeOver(one: Started): void {
    const { places } = this.operations;
    if (one.kind === 'task') this.perform(one);
    else {
      const { task, labware, start_s, end_s } = one;
      const [from, to] = [places.find(one.from), places.find(one.to)];
      this.carry({ task, piece: labware, from, to, start_s, end_s });
    }
  }

  isPlaced(task: number): boolean {
    return this.end_s[task]! >= 0;
  }

  /** Where a piece stands. */
  placeOf(piece: number): Place {
    return this.operations.places.list[this.place[piece]!]!;
  }

  /** Who stands in a slot; −1 for nobody. */
  occupantOf(place: Place): number {
    const number = this.operations.places.find(place);
    return number < 0 ? NOBODY : this.occupant[number]!;
  }

  /** The task that a piece is for next; undefined when it has been through all. */
  nextTaskOf(piece: number): number | undefined {
    return this.operations.problem.labware[piece]!.tasks[this.next[piece]!];
  }

  /** Offers what can be done next for a task; nothing while it has to wait. */
  optionsFor(task: number, choice: Choice): void {
    if (this.isPlaced(task)) return;
    const { problem, firstMove } = this.operations;
    const { uses } = problem.tasks[task]!;
    if (!this.crowd.mayBegin(uses)) return;
    let missing = false;
    for (let use = 0; use < uses.length; use++) {
      const piece = uses[use]!.labware;
      if (this.arrived[piece] === task) continue;
      missing = true;
      if (this.nextTaskOf(piece) !== task || choice.isBeaten(firstMove[task]! + use)) continue;
      if (this.findMove(task, use, piece)) choice.offer(this.option);
    }
    if (missing || choice.isBeaten(task)) return;
    if (this.findTask(task)) choice.offer(this.option);
  }

  /** Offers the move that brings a piece for a task; nothing where it is not needed or possible. */
  moveFor(task: number, use: number, choice: Choice): void {
    const piece = this.operations.problem.tasks[task]!.uses[use]!.labware;
    if (this.nextTaskOf(piece) !== task || this.arrived[piece] === task) return;
    if (this.findMove(task, use, piece)) choice.offer(this.option);
  }

  /** Fills the option with the best way to bring a piece; false when there is none now. */
  private findMove(task: number, use: number, piece: number): boolean {
    const { option } = this;
    const { problem, firstMove, targets, places } = this.operations;
    const { candidates } = problem.tasks[task]!;
    const operation = firstMove[task]! + use;
    const target = targets[operation]!;
    const chosen = this.instrumentOf[task]!;
    const preferred = this.preferred[task]!;
    const from = this.place[piece]!;
    const ready_s = Math.max(this.ready_s[piece]!, this.release_s[operation]!);
    let best_s = Number.POSITIVE_INFINITY;
    for (let i = 0; i < candidates.length; i++) {
      const instrument = candidates[i]!;
      if (chosen >= 0 ? instrument !== chosen : preferred >= 0 && i !== preferred) continue;
      const to = target[i]!;
      let start_s = ready_s;
      let duration_s = 0;
      if (to !== from) {
        if (this.occupant[to]! >= 0) continue;
        duration_s = places.move_s(from, to);
        if (duration_s < 0) continue;
        start_s = Math.max(ready_s, this.arm_s, this.free_s[to]!);
      }
      const end_s = start_s + duration_s;
      const begins_s = Math.max(end_s, this.instruments.idle_s[instrument]!);
      if (begins_s >= best_s) continue;
      best_s = begins_s;
      option.instrument = instrument;
      option.to = to;
      option.start_s = start_s;
      option.end_s = end_s;
    }
    option.operation = operation;
    option.task = task;
    option.use = use;
    return best_s < Number.POSITIVE_INFINITY;
  }

  /** Fills the option with a task all of whose labware is there; false while it has to wait. */
  private findTask(task: number): boolean {
    const { problem, before, places } = this.operations;
    const { duration_s, uses, after } = problem.tasks[task]!;
    for (const other of before[task]!) if (!this.isPlaced(other)) return false;
    let start_s = Math.max(this.release_s[task]!, problem.now_s, this.constrained_s(task));
    for (const other of after) start_s = Math.max(start_s, this.end_s[other]!);
    for (const { labware } of uses) start_s = Math.max(start_s, this.ready_s[labware]!);
    const instrument = this.instrumentFor(task);
    if (instrument >= 0) start_s = Math.max(start_s, this.instruments.idle_s[instrument]!);
    for (const { labware, slot, slot_after } of uses) {
      if (slot_after === slot) continue;
      const inside = places.find({ instrument, slot: slot_after });
      const holder = this.occupant[inside]!;
      if (holder >= 0 && holder !== labware) return false;
      start_s = Math.max(start_s, this.free_s[inside]!);
    }
    const { option } = this;
    option.operation = task;
    option.task = task;
    option.use = -1;
    option.instrument = instrument;
    option.start_s = start_s;
    option.end_s = start_s + duration_s;
    return true;
  }

  /** Earliest start that the least times between tasks allow (s). */
  private constrained_s(task: number): number {
    const { constraintsTo, problem } = this.operations;
    let start_s = 0;
    for (const { from, from_end, to_end, min_s } of constraintsTo[task]!) {
      if (!this.isPlaced(from)) continue;
      const mark_s = from_end ? this.end_s[from]! : this.start_s[from]!;
      const own_s = to_end ? problem.tasks[task]!.duration_s : 0;
      start_s = Math.max(start_s, mark_s + min_s - own_s);
    }
    return start_s;
  }

  private instrumentFor(task: number): number {
    const { candidates } = this.operations.problem.tasks[task]!;
    if (this.instrumentOf[task]! >= 0 || candidates.length === 0) return this.instrumentOf[task]!;
    const preferred = this.preferred[task]!;
    return preferred >= 0 ? candidates[preferred]! : this.instruments.firstIdle(candidates);
  }

  /** Appends an option. */
  append({ task, use, instrument, to, start_s, end_s }: Option): void {
    if (use < 0) {
      this.perform({ task, instrument, start_s, end_s });
      return;
    }
    const piece = this.operations.problem.tasks[task]!.uses[use]!.labware;
    const from = this.place[piece]!;
    if (from === to) {
      this.instrumentOf[task] = instrument;
      this.arrived[piece] = task;
    } else this.carry({ task, piece, from, to, start_s, end_s });
  }

  private carry(carriage: Carriage): void {
    const { task, piece, from, to, start_s, end_s } = carriage;
    if (this.occupant[from] === piece) {
      this.occupant[from] = NOBODY;
      this.free_s[from] = Math.max(this.free_s[from]!, start_s);
    }
    this.crowd.begin(piece);
    this.occupy(to, piece);
    this.place[piece] = to;
    this.ready_s[piece] = end_s;
    this.arm_s = Math.max(this.arm_s, end_s);
    this.instrumentOf[task] = this.operations.places.list[to]!.instrument;
    this.arrived[piece] = task;
    this.carried.push(carriage);
    this.makespan_s = Math.max(this.makespan_s, end_s);
  }

  private perform({ task, instrument, start_s, end_s }: PlannedTask): void {
    this.instrumentOf[task] = instrument;
    this.start_s[task] = start_s;
    this.end_s[task] = end_s;
    this.placed++;
    this.makespan_s = Math.max(this.makespan_s, end_s);
    if (instrument >= 0) this.instruments.engage(instrument, end_s);
    for (const { labware, slot, slot_after } of this.operations.problem.tasks[task]!.uses) {
      this.crowd.begin(labware);
      this.next[labware]! += 1;
      if (this.nextTaskOf(labware) === undefined) this.crowd.leave();
      this.arrived[labware] = -1;
      this.ready_s[labware] = end_s;
      if (slot_after !== slot) this.shiftInside(labware, { instrument, slot: slot_after }, end_s);
    }
  }

  /** An instrument puts a piece into another of its own slots. */
  private shiftInside(piece: number, place: Place, end_s: number): void {
    const { places } = this.operations;
    const source = this.place[piece]!;
    if (!places.slotless[source]) {
      this.occupant[source] = NOBODY;
      this.free_s[source] = Math.max(this.free_s[source]!, end_s);
    }
    this.place[piece] = places.find(place);
    this.occupy(this.place[piece]!, piece);
  }

  /** The tasks as a plan has them. */
  get tasks(): PlannedTask[] {
    const found: PlannedTask[] = [];
    for (let task = 0; task < this.end_s.length; task++) {
      if (!this.isPlaced(task)) continue;
      const [start_s, end_s] = [this.start_s[task]!, this.end_s[task]!];
      found.push({ task, instrument: this.instrumentOf[task]!, start_s, end_s });
    }
    return found;
  }

  /** The moves as a plan has them, in the order of their making. */
  get moves(): PlannedMove[] {
    const { list } = this.operations.places;
    return this.carried.map(({ task, piece, from, to, start_s, end_s }) => {
      return { task, labware: piece, from: list[from]!, to: list[to]!, start_s, end_s };
    });
  }
}
