/** The work of one unit of a steady cycle. */

import { type EqualUnits, slotKey } from './equal-units.ts';
import type { Operations } from './operations.ts';
import { isSameLocation, type SlotLocation } from './slot-location.ts';

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
