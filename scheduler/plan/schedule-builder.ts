/**
 * Builds a schedule: offers the operations that can be appended, each as early as the previous ones
 * allow; some order gives an optimal plan.
 */

import { emptyCandidate, type OperationSelector } from './operation-selector.ts';
import { bufferingOf } from './operations.ts';
import { NO_PIECE, ScheduleState, TO_BUFFER } from './schedule-state.ts';
import { shiftStart_s } from './shifts.ts';

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
      const free_s = Math.max(this.free_s[to]!, this.opens_s(from, to));
      const start_s = this.armFrom_s(Math.max(this.ready_s[piece]!, free_s), duration_s);
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
    const chosen = this.instrumentOf[task]!;
    const preferred = this.preferred[task]!;
    const wanted = chosen >= 0 ? chosen : preferred >= 0 ? candidates[preferred]! : -1;
    const from = this.location[piece]!;
    const ready_s = Math.max(this.ready_s[piece]!, this.release_s[operation]!);
    let best_s = Number.POSITIVE_INFINITY;
    for (const to of targets[operation]!) {
      const { instrument } = locations.list[to]!;
      if (wanted >= 0 && instrument !== wanted) continue;
      let start_s = ready_s;
      let duration_s = 0;
      if (to !== from) {
        if (this.occupant[to]! >= 0) continue;
        duration_s = locations.move_s(from, to);
        if (duration_s < 0) continue;
        const free_s = Math.max(this.free_s[to]!, this.opens_s(from, to));
        start_s = this.armFrom_s(Math.max(ready_s, free_s), duration_s);
      }
      const end_s = start_s + duration_s;
      const begins_s = Math.max(end_s, this.instruments.idle_s[instrument]!);
      // Of the slots of an instrument the one that is reached first.
      const isSooner = begins_s === best_s && instrument === candidate.instrument;
      if (isSooner ? end_s >= candidate.end_s : begins_s >= best_s) continue;
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
    if (instrument >= 0) {
      start_s = Math.max(
        start_s,
        this.instruments.idle_s[instrument]!,
        this.balanced_s(instrument),
      );
    }
    for (const { labware, slot, slot_after } of uses) {
      if (slot_after === slot) continue;
      const inside = locations.find({ instrument, slot: slot_after });
      const holder = this.occupant[inside]!;
      if (holder >= 0 && holder !== labware) return false;
      start_s = Math.max(start_s, this.free_s[inside]!);
    }
    const { shifts } = problem.instruments[instrument] ?? {};
    if (shifts) start_s = shiftStart_s(shifts, start_s, duration_s);
    if (start_s === Number.POSITIVE_INFINITY) return false;
    const { candidate } = this;
    candidate.operation = task;
    candidate.task = task;
    candidate.use = -1;
    candidate.instrument = instrument;
    candidate.start_s = start_s;
    candidate.end_s = start_s + duration_s;
    return true;
  }

  /** From when on the pairs of slots of an instrument are balanced (s); Infinity while a half is filled. */
  private balanced_s(instrument: number): number {
    const { problem, locations } = this.operations;
    const { balance } = problem.instruments[instrument]!;
    let start_s = 0;
    for (const pair of balance ?? []) {
      const [one, other] = pair.map((slot) => locations.find({ instrument, slot }));
      const isFilled = (at: number) => at >= 0 && this.occupant[at]! >= 0;
      if (isFilled(one!) !== isFilled(other!)) return Number.POSITIVE_INFINITY;
      for (const at of [one!, other!]) {
        if (at >= 0 && !isFilled(at)) start_s = Math.max(start_s, this.free_s[at]!);
      }
    }
    return start_s;
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
