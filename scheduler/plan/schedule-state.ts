/**
 * The state of a schedule under construction: where each piece stands, and when pieces, slots, arm
 * and instruments are free. A slot is held from the start of the move into it to the start of the
 * move out of it. Typed arrays hold the state: an attempt appends hundreds of operations.
 */
import { InstrumentAvailability } from './instrument-availability.ts';
import type { AttemptParameters, CandidateOperation } from './operation-selector.ts';
import type { Operations, ScheduledMove } from './operations.ts';
import type { PlannedLabwareMove, PlannedTask, StartedOperation } from './problem.ts';
import type { SlotLocation } from './slot-location.ts';
import { WorkInProgressLimit } from './work-in-progress-limit.ts';

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
  private arm_s: number;
  /** Times before `arm_s` in which the arm is free, where jobs make it wait for urgent moves (s). */
  private readonly gaps: { from_s: number; to_s: number }[] = [];
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
    this.free_s = Float64Array.from(locations.list, ({ instrument }) => {
      return Math.max(now_s, instruments[instrument]?.from_s ?? now_s);
    });
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
      const { task, labware, start_s, end_s, toBuffer = false, byHand } = one;
      const from = byHand ? this.location[labware]! : locations.find(one.from);
      const to = locations.find(one.to);
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

  /** The first time from a time on at which the arm is free for a move (s). */
  protected armFrom_s(from_s: number, duration_s: number): number {
    for (const gap of this.gaps) {
      const start_s = Math.max(from_s, gap.from_s);
      if (start_s + duration_s <= gap.to_s) return start_s;
    }
    return Math.max(from_s, this.arm_s);
  }

  private occupyArm(start_s: number, end_s: number): void {
    const { gaps } = this;
    if (this.operations.urgency_s !== null) {
      const at = gaps.findIndex(({ from_s, to_s }) => from_s <= start_s && end_s <= to_s);
      if (at >= 0) {
        const { from_s, to_s } = gaps[at]!;
        gaps.splice(at, 1, { from_s, to_s: start_s }, { from_s: end_s, to_s });
      } else if (start_s > this.arm_s) gaps.push({ from_s: this.arm_s, to_s: start_s });
    }
    this.arm_s = Math.max(this.arm_s, end_s);
  }

  /** From when on the closed instruments of two locations let a piece out and in (s). */
  protected opens_s(from: number, to: number): number {
    const { closed, list } = this.operations.locations;
    const { opens_s } = this.instruments;
    const out_s = closed[from] ? opens_s[list[from]!.instrument]! : 0;
    return closed[to] ? Math.max(out_s, opens_s[list[to]!.instrument]!) : out_s;
  }

  private holdOpen(location: number, end_s: number): void {
    const { closed, list } = this.operations.locations;
    if (closed[location]) this.instruments.holdOpen(list[location]!.instrument, end_s);
  }

  private addMove(move: ScheduledMove): void {
    const { task, piece, from, to, start_s, end_s, toBuffer } = move;
    this.holdOpen(from, end_s);
    this.holdOpen(to, end_s);
    if (this.occupant[from] === piece) {
      this.occupant[from] = NO_PIECE;
      this.free_s[from] = Math.max(this.free_s[from]!, start_s);
    }
    if (!toBuffer) this.workInProgress.admit(piece);
    this.occupy(to, piece);
    this.location[piece] = to;
    this.ready_s[piece] = end_s;
    this.occupyArm(start_s, end_s);
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
