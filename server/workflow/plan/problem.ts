/**
 * What the planner is asked and what it answers, as plain data with indices instead of names. The
 * planner knows no clock, no arm and no file, so it stands in a folder of its own (facts: planner;
 * spec/webhooks.md §4, the new-plan hook).
 */

/** Where a piece of labware stands: instrument by index, slot by its number on the instrument. */
export interface Place {
  readonly instrument: number;
  readonly slot: number;
}

export interface PlanInstrument {
  readonly id: string;
  /** Tasks at a time. */
  readonly capacity: number;
  /** True where any number of pieces may stand in one slot. */
  readonly slotless: boolean;
}

/** A task's need of a piece of labware. */
export interface LabwareUse {
  readonly labware: number;
  /** Slot it must stand in when the task begins. */
  readonly slot: number;
  /** Slot it stands in when the task has ended. */
  readonly slot_after: number;
}

export interface PlanTask {
  readonly id: string;
  readonly duration_s: number;
  /** Instruments that can do it; empty for a task that is skipped and needs none. */
  readonly candidates: readonly number[];
  /** Tasks that must have ended before it begins. */
  readonly after: readonly number[];
  readonly uses: readonly LabwareUse[];
}

export interface PlanLabware {
  readonly id: string;
  readonly place: Place;
  /** The tasks that use it, in order. */
  readonly tasks: readonly number[];
}

/** A bound on the time from one task's start or end to another's. */
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

/** A task on its instrument. */
export interface PlannedTask {
  readonly task: number;
  /** −1 for a task without an instrument. */
  readonly instrument: number;
  readonly start_s: number;
  readonly end_s: number;
}

/** A piece of labware carried to where a task needs it. */
export interface PlannedMove {
  /** The task that needs it there. */
  readonly task: number;
  readonly labware: number;
  readonly from: Place;
  readonly to: Place;
  readonly start_s: number;
  readonly end_s: number;
}

/** What has begun already: its times stand. In the order of their starts. */
export type Started =
  | ({ readonly kind: 'task' } & PlannedTask)
  | ({ readonly kind: 'move' } & PlannedMove);

export interface PlanProblem {
  readonly instruments: readonly PlanInstrument[];
  readonly tasks: readonly PlanTask[];
  readonly labware: readonly PlanLabware[];
  readonly constraints: readonly TimeConstraint[];
  /** Time of a move (whole seconds), or null where the arm cannot make it. */
  readonly move_s: (from: Place, to: Place) => number | null;
  /** Nothing new begins before (s). */
  readonly now_s: number;
  readonly started: readonly Started[];
}

export interface Plan {
  readonly tasks: readonly PlannedTask[];
  readonly moves: readonly PlannedMove[];
  /** When the last operation ends (s). */
  readonly makespan_s: number;
  /** No plan can end earlier (s). */
  readonly lower_bound_s: number;
}

/** Why there is no plan, in sentences. */
export interface PlanFault {
  readonly kind: 'deadlock' | 'constraint' | 'unreachable' | 'no_instrument';
  readonly sentences: readonly string[];
}

/** True when both are the same slot of the same instrument. */
export function samePlace(a: Place, b: Place): boolean {
  return a.instrument === b.instrument && a.slot === b.slot;
}

/** What names the operations of a plan. */
export interface PlanNames {
  readonly tasks: readonly Pick<PlanTask, 'id' | 'after' | 'uses'>[];
  readonly labware: readonly Pick<PlanLabware, 'id'>[];
}

/** The name of a move in critical paths and explanations. */
export function moveName({ labware, tasks }: PlanNames, move: PlannedMove): string {
  return `move ${labware[move.labware]!.id} for ${tasks[move.task]!.id}`;
}
