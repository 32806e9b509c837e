/**
 * The state of a schedule under construction: where each piece stands, and when pieces, slots, arm
 * and instruments are free. A slot is held from the start of the move into it to the start of the
 * move out of it. Typed arrays hold the state: an attempt appends hundreds of operations. Also:
 * instruments and the work-in-progress limit; the builder that appends operations.
 */
import {
  type AttemptParameters,
  bufferingOf,
  type CandidateOperation,
  emptyCandidate,
  type OperationSelector,
  type Operations,
  type ScheduledMove,
} from './operations.ts';
import type {
  LabwareUse,
  PlanInstrument,
  PlannedLabwareMove,
  PlannedTask,
  SlotLocation,
  StartedOperation,
} from './problem.ts';

/** Resources of a schedule under construction: instruments and the work-in-progress limit. */

/** Limits how many pieces of labware are in progress at a time. */
class WorkInProgressLimit {
  private readonly limit: number;
  private readonly isInProgress: boolean[];
  /** Pieces between their first operation and their last task. */
  private count = 0;

  constructor(pieces: number, limit: number) {
    this.limit = limit;
    this.isInProgress = new Array<boolean>(pieces).fill(false);
  }

  /** True below the limit, or for a task that starts no new piece. */
  allows(uses: readonly LabwareUse[]): boolean {
    if (this.count < this.limit || uses.length === 0) return true;
    for (const { labware } of uses) if (this.isInProgress[labware]) return true;
    return false;
  }

  /** Counts a piece that is moved or processed. */
  admit(piece: number): void {
    if (this.isInProgress[piece]) return;
    this.isInProgress[piece] = true;
    this.count++;
  }

  /** Counts down after the last task of a piece. */
  release(): void {
    this.count--;
  }
}

/** The times at which instruments become free. */
class InstrumentAvailability {
  /** When each instrument can start its next task (s). */
  readonly idle_s: Float64Array;
  /** End of the last task of each capacity unit (s), the units of all instruments in sequence. */
  private readonly busy_s: Float64Array;
  /** Index of the first unit of each instrument. */
  private readonly first: Int32Array;

  constructor(instruments: readonly PlanInstrument[], tasks: number, now_s: number) {
    this.idle_s = new Float64Array(instruments.length).fill(now_s);
    this.first = new Int32Array(instruments.length + 1);
    instruments.forEach(({ capacity }, i) => {
      this.first[i + 1] = this.first[i]! + Math.max(1, Math.min(capacity, tasks));
    });
    this.busy_s = new Float64Array(this.first[instruments.length]!).fill(now_s);
  }

  /** Returns the candidate that is free first. */
  earliestIdle(candidates: readonly number[]): number {
    let best = candidates[0]!;
    for (const one of candidates) {
      if (this.idle_s[one]! < this.idle_s[best]!) best = one;
    }
    return best;
  }

  /** Reserves a unit of an instrument until a time. */
  reserve(instrument: number, end_s: number): void {
    const { busy_s } = this;
    const first = this.first[instrument]!;
    const next = this.first[instrument + 1]!;
    let least = first;
    for (let i = first + 1; i < next; i++) if (busy_s[i]! < busy_s[least]!) least = i;
    busy_s[least] = Math.max(busy_s[least]!, end_s);
    let idle_s = busy_s[first]!;
    for (let i = first + 1; i < next; i++) idle_s = Math.min(idle_s, busy_s[i]!);
    this.idle_s[instrument] = idle_s;
  }
}

export const NO_PIECE = -1;
/** Use of a candidate that moves a piece to a buffer. */
export const TO_BUFFER = -2;

export class ScheduleState {
  scheduledCount = 0;
  makespan_s = 0;
  /** Start of each task (s); −1 until it is scheduled. */
  readonly start_s: Float64Array;
  readonly end_s: Float64Array;
  protected readonly instrumentOf: Int32Array;
  /** Index of the next task in the chain of each piece. */
  protected readonly next: Int32Array;
  /** The task for which each piece has arrived; −1 for none. */
  protected readonly arrivedFor: Int32Array;
  /** Location index of each piece. */
  protected readonly location: Int32Array;
  protected readonly ready_s: Float64Array;
  protected arm_s: number;
  protected readonly instruments: InstrumentAvailability;
  /** The piece in each location. */
  protected readonly occupant: Int32Array;
  /** When each location became free (s). */
  protected readonly free_s: Float64Array;
  protected readonly scheduledMoves: ScheduledMove[] = [];
  protected readonly operations: Operations;
  protected readonly release_s: Float64Array;
  protected readonly preferred: Int32Array;
  protected readonly workInProgress: WorkInProgressLimit;
  /** Whether each buffering operation is done. */
  protected readonly isBuffered: Uint8Array;
  protected readonly wanted: Uint8Array | null;

  constructor(operations: Operations, release_s: Float64Array, parameters: AttemptParameters) {
    const { problem, locations, tasks } = operations;
    const { now_s, instruments, labware, started } = problem;
    this.operations = operations;
    this.release_s = release_s;
    this.preferred = parameters.preferred;
    this.wanted = parameters.buffered;
    this.isBuffered = new Uint8Array(operations.bufferedPiece.length);
    this.arm_s = now_s;
    this.start_s = new Float64Array(tasks).fill(-1);
    this.end_s = new Float64Array(tasks).fill(-1);
    this.instrumentOf = new Int32Array(tasks).fill(-1);
    this.next = new Int32Array(labware.length);
    this.arrivedFor = new Int32Array(labware.length).fill(-1);
    this.location = Int32Array.from(labware, (piece) => locations.find(piece.location));
    this.ready_s = new Float64Array(labware.length).fill(now_s);
    this.instruments = new InstrumentAvailability(instruments, tasks, now_s);
    this.workInProgress = new WorkInProgressLimit(labware.length, parameters.wipLimit);
    this.occupant = new Int32Array(locations.list.length).fill(NO_PIECE);
    this.free_s = new Float64Array(locations.list.length).fill(now_s);
    this.location.forEach((location, piece) => {
      this.occupy(location, piece);
    });
    for (const one of started) this.addStarted(one);
    if (problem.jobs) this.occupyAgain();
  }

  /** A piece of a later run may stand where one of an earlier run has been. */
  private occupyAgain(): void {
    this.occupant.fill(NO_PIECE);
    this.location.forEach((location, piece) => {
      this.occupy(location, piece);
    });
  }

  private occupy(location: number, piece: number): void {
    if (!this.operations.locations.slotless[location]) this.occupant[location] = piece;
  }

  private addStarted(one: StartedOperation): void {
    const { locations } = this.operations;
    if (one.kind === 'task') this.addTask(one);
    else {
      const { task, labware, start_s, end_s, toBuffer = false } = one;
      const [from, to] = [locations.find(one.from), locations.find(one.to)];
      this.addMove({ task, piece: labware, from, to, start_s, end_s, toBuffer });
    }
  }

  isScheduled(task: number): boolean {
    return this.end_s[task]! >= 0;
  }

  /** Returns the location of a piece. */
  locationOf(piece: number): SlotLocation {
    return this.operations.locations.list[this.location[piece]!]!;
  }

  /** Returns the piece in a location; −1 for none. */
  occupantOf(location: SlotLocation): number {
    const number = this.operations.locations.find(location);
    return number < 0 ? NO_PIECE : this.occupant[number]!;
  }

  /** Returns the next task of a piece; undefined after the last. */
  nextTaskOf(piece: number): number | undefined {
    return this.operations.problem.labware[piece]!.tasks[this.next[piece]!];
  }

  /** Appends a candidate to the schedule. */
  append(candidate: CandidateOperation): void {
    const { task, use, instrument, to, start_s, end_s, operation } = candidate;
    if (use === TO_BUFFER) {
      const { piece } = candidate;
      this.isBuffered[operation - this.operations.firstBuffering] = 1;
      const from = this.location[piece]!;
      this.addMove({ task, piece, from, to, start_s, end_s, toBuffer: true });
      return;
    }
    if (use < 0) {
      this.addTask({ task, instrument, start_s, end_s });
      return;
    }
    const piece = this.operations.problem.tasks[task]!.uses[use]!.labware;
    const from = this.location[piece]!;
    if (from === to) {
      this.instrumentOf[task] = instrument;
      this.arrivedFor[piece] = task;
    } else this.addMove({ task, piece, from, to, start_s, end_s, toBuffer: false });
  }

  private addMove(move: ScheduledMove): void {
    const { task, piece, from, to, start_s, end_s, toBuffer } = move;
    if (this.occupant[from] === piece) {
      this.occupant[from] = NO_PIECE;
      this.free_s[from] = Math.max(this.free_s[from]!, start_s);
    }
    if (!toBuffer) this.workInProgress.admit(piece);
    this.occupy(to, piece);
    this.location[piece] = to;
    this.ready_s[piece] = end_s;
    this.arm_s = Math.max(this.arm_s, end_s);
    this.scheduledMoves.push(move);
    this.makespan_s = Math.max(this.makespan_s, end_s);
    if (toBuffer) return;
    this.instrumentOf[task] = this.operations.locations.list[to]!.instrument;
    this.arrivedFor[piece] = task;
  }

  private addTask({ task, instrument, start_s, end_s }: PlannedTask): void {
    this.instrumentOf[task] = instrument;
    this.start_s[task] = start_s;
    this.end_s[task] = end_s;
    this.scheduledCount++;
    this.makespan_s = Math.max(this.makespan_s, end_s);
    if (instrument >= 0) this.instruments.reserve(instrument, end_s);
    for (const { labware, slot, slot_after } of this.operations.problem.tasks[task]!.uses) {
      this.workInProgress.admit(labware);
      this.next[labware]! += 1;
      if (this.nextTaskOf(labware) === undefined) this.workInProgress.release();
      this.arrivedFor[labware] = -1;
      this.ready_s[labware] = end_s;
      if (slot_after !== slot) this.shiftSlot(labware, { instrument, slot: slot_after }, end_s);
    }
  }

  /** Moves a piece to another slot of the same instrument. */
  private shiftSlot(piece: number, location: SlotLocation, end_s: number): void {
    const { locations } = this.operations;
    const source = this.location[piece]!;
    if (!locations.slotless[source]) {
      this.occupant[source] = NO_PIECE;
      this.free_s[source] = Math.max(this.free_s[source]!, end_s);
    }
    this.location[piece] = locations.find(location);
    this.occupy(this.location[piece]!, piece);
  }

  /** The scheduled tasks. */
  get tasks(): PlannedTask[] {
    const found: PlannedTask[] = [];
    for (let task = 0; task < this.end_s.length; task++) {
      if (!this.isScheduled(task)) continue;
      const [start_s, end_s] = [this.start_s[task]!, this.end_s[task]!];
      found.push({ task, instrument: this.instrumentOf[task]!, start_s, end_s });
    }
    return found;
  }

  /** The scheduled moves, in the order of appending. */
  get moves(): PlannedLabwareMove[] {
    const { list } = this.operations.locations;
    return this.scheduledMoves.map(({ task, piece, from, to, start_s, end_s, toBuffer }) => {
      const move = { task, labware: piece, from: list[from]!, to: list[to]!, start_s, end_s };
      return toBuffer ? { ...move, toBuffer } : move;
    });
  }
}

/**
 * Builds a schedule: offers the operations that can be appended, each as early as the previous ones
 * allow; some order gives an optimal plan.
 */

export class ScheduleBuilder extends ScheduleState {
  private readonly candidate = emptyCandidate();

  /** Offers the next possible operations of a task; none while it must wait. */
  offerOperations(task: number, selector: OperationSelector): void {
    if (this.isScheduled(task)) return;
    const { problem, firstMove } = this.operations;
    const { uses } = problem.tasks[task]!;
    if (!this.workInProgress.allows(uses)) return;
    let missing = false;
    for (let use = 0; use < uses.length; use++) {
      const piece = uses[use]!.labware;
      if (this.arrivedFor[piece] === task) continue;
      missing = true;
      if (this.nextTaskOf(piece) !== task) continue;
      if (this.offerWantedBuffer(piece, selector)) continue;
      if (selector.cannotWin(firstMove[task]! + use)) continue;
      if (this.fillMove(task, use, piece)) selector.offer(this.candidate);
    }
    if (missing || selector.cannotWin(task)) return;
    if (this.fillTask(task)) selector.offer(this.candidate);
  }

  /** Offers a wanted move of a piece to a buffer after its last task. */
  offerPutAside(piece: number, selector: OperationSelector): void {
    // Pieces without tasks belong to no run: they stay where they are.
    if (this.operations.problem.labware[piece]!.tasks.length === 0) return;
    this.offerWantedBuffer(piece, selector);
  }

  /** Offers a wanted move to a buffer; false if none is wanted now. */
  private offerWantedBuffer(piece: number, selector: OperationSelector): boolean {
    if (this.wanted === null) return false;
    const { firstBuffering } = this.operations;
    const operation = bufferingOf(this.operations, piece, this.nextTaskOf(piece));
    if (this.wanted[operation - firstBuffering] === 0) return false;
    return !selector.cannotWin(operation) && this.offerBuffer(operation, selector);
  }

  /** Offers the move of a piece to a buffer; false if it is not possible now. */
  offerBuffer(operation: number, selector: OperationSelector): boolean {
    const piece = this.operations.bufferedPiece[operation - this.operations.firstBuffering]!;
    const task = this.nextTaskOf(piece);
    const isItsTurn = bufferingOf(this.operations, piece, task) === operation;
    if (!isItsTurn || (task !== undefined && this.arrivedFor[piece] === task)) return false;
    if (!this.fillBuffering(operation, piece)) return false;
    selector.offer(this.candidate);
    return true;
  }

  /** Offers moves to buffers of the pieces that stand where others are needed. */
  offerUnblocking(selector: OperationSelector): void {
    const { problem, firstMove, targets, buffers } = this.operations;
    if (buffers.length === 0) return;
    for (let piece = 0; piece < problem.labware.length; piece++) {
      const task = this.nextTaskOf(piece);
      if (task === undefined || this.arrivedFor[piece] === task) continue;
      const use = problem.tasks[task]!.uses.findIndex(({ labware }) => labware === piece);
      for (const target of targets[firstMove[task]! + use]!) {
        const other = this.occupant[target]!;
        if (other < 0 || other === piece || problem.labware[other]!.tasks.length === 0) continue;
        this.offerBuffer(bufferingOf(this.operations, other, this.nextTaskOf(other)), selector);
      }
    }
  }

  /** Fills the candidate with the earliest move of a piece to a free buffer. */
  private fillBuffering(operation: number, piece: number): boolean {
    const { buffers, locations, taskOf, firstBuffering } = this.operations;
    const from = this.location[piece]!;
    if (this.isBuffered[operation - firstBuffering] === 1 || buffers.includes(from)) return false;
    const { candidate } = this;
    candidate.start_s = Number.POSITIVE_INFINITY;
    for (const to of buffers) {
      const duration_s = this.occupant[to]! >= 0 ? -1 : locations.move_s(from, to);
      if (duration_s < 0) continue;
      const start_s = Math.max(this.ready_s[piece]!, this.arm_s, this.free_s[to]!);
      if (start_s + duration_s >= candidate.end_s && candidate.start_s < Number.POSITIVE_INFINITY)
        continue;
      candidate.to = to;
      candidate.start_s = start_s;
      candidate.end_s = start_s + duration_s;
    }
    candidate.operation = operation;
    candidate.task = taskOf[operation]!;
    candidate.use = TO_BUFFER;
    candidate.piece = piece;
    candidate.instrument = NO_PIECE;
    return candidate.start_s < Number.POSITIVE_INFINITY;
  }

  /** Offers the move of a piece for a task, if it is needed and possible. */
  offerMove(task: number, use: number, selector: OperationSelector): void {
    const piece = this.operations.problem.tasks[task]!.uses[use]!.labware;
    if (this.nextTaskOf(piece) !== task || this.arrivedFor[piece] === task) return;
    if (this.fillMove(task, use, piece)) selector.offer(this.candidate);
  }

  /** Fills the candidate with the best move of a piece; false if none is possible now. */
  private fillMove(task: number, use: number, piece: number): boolean {
    const { candidate } = this;
    const { problem, firstMove, targets, locations } = this.operations;
    const { candidates } = problem.tasks[task]!;
    const operation = firstMove[task]! + use;
    const target = targets[operation]!;
    const chosen = this.instrumentOf[task]!;
    const preferred = this.preferred[task]!;
    const from = this.location[piece]!;
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
        duration_s = locations.move_s(from, to);
        if (duration_s < 0) continue;
        start_s = Math.max(ready_s, this.arm_s, this.free_s[to]!);
      }
      const end_s = start_s + duration_s;
      const begins_s = Math.max(end_s, this.instruments.idle_s[instrument]!);
      if (begins_s >= best_s) continue;
      best_s = begins_s;
      candidate.instrument = instrument;
      candidate.to = to;
      candidate.start_s = start_s;
      candidate.end_s = end_s;
    }
    candidate.operation = operation;
    candidate.task = task;
    candidate.use = use;
    return best_s < Number.POSITIVE_INFINITY;
  }

  /** Fills the candidate with a task whose labware is in place; false while it must wait. */
  private fillTask(task: number): boolean {
    const { problem, before, locations } = this.operations;
    const { duration_s, uses, after } = problem.tasks[task]!;
    for (const other of before[task]!) if (!this.isScheduled(other)) return false;
    let start_s = Math.max(this.release_s[task]!, problem.now_s, this.constrained_s(task));
    for (const other of after) start_s = Math.max(start_s, this.end_s[other]!);
    for (const { labware } of uses) start_s = Math.max(start_s, this.ready_s[labware]!);
    const instrument = this.instrumentFor(task);
    if (instrument >= 0) start_s = Math.max(start_s, this.instruments.idle_s[instrument]!);
    for (const { labware, slot, slot_after } of uses) {
      if (slot_after === slot) continue;
      const inside = locations.find({ instrument, slot: slot_after });
      const holder = this.occupant[inside]!;
      if (holder >= 0 && holder !== labware) return false;
      start_s = Math.max(start_s, this.free_s[inside]!);
    }
    const { candidate } = this;
    candidate.operation = task;
    candidate.task = task;
    candidate.use = -1;
    candidate.instrument = instrument;
    candidate.start_s = start_s;
    candidate.end_s = start_s + duration_s;
    return true;
  }

  /** Earliest start that the minimum times between tasks allow (s). */
  private constrained_s(task: number): number {
    const { constraintsTo, problem } = this.operations;
    let start_s = 0;
    for (const { from, from_end, to_end, min_s } of constraintsTo[task]!) {
      if (!this.isScheduled(from)) continue;
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
    return preferred >= 0 ? candidates[preferred]! : this.instruments.earliestIdle(candidates);
  }
}
