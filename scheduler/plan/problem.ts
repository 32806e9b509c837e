/**
 * Input and output of the planner as plain data, with indices instead of names and times in
 * seconds since the start of the run. The planner depends on no clock, arm or file
 * (docs/decisions; webhooks §4, the new-plan hook).
 */
import type { Shift } from './shifts.ts';
import { ANY_SLOT, isSameLocation, type SlotLocation } from './slot-location.ts';

export interface PlanInstrument {
  readonly id: string;
  /** Number of concurrent tasks. */
  readonly capacity: number;
  /** Whether nothing goes in or out while a task runs; absent: it may. */
  readonly closed?: boolean;
  /** Pairs of slots of which both are filled while a task starts, or neither; absent: any may be. */
  readonly balance?: readonly (readonly number[])[];
  /** Time after a task before the next one, and before a closed instrument opens (s); absent: 0. */
  readonly cool_s?: number;
  /** Earliest start of a task: the instrument is warm (s); absent: any. */
  readonly warm_s?: number;
  /** The shifts in which its tasks begin and end (s); absent: always. */
  readonly shifts?: readonly Shift[];
  /** The slots of a use for which any will do; absent: the first one. */
  readonly choice?: readonly number[];
  /** True if a slot holds any number of pieces. */
  readonly slotless: boolean;
  /** Earliest start of a task, and of a move into it (s); absent: any. */
  readonly from_s?: number;
}

/** The use of a piece of labware by a task. */
export interface LabwareUse {
  readonly labware: number;
  /** Slot of the piece when the task starts; `ANY_SLOT` where the planner chooses. */
  readonly slot: number;
  /** Slot of the piece when the task has ended; `ANY_SLOT`: the one that was chosen. */
  readonly slot_after: number;
}

export interface PlanTask {
  readonly id: string;
  readonly duration_s: number;
  /** Instruments that can do the task, of those that are up if any is; empty for a skipped task. */
  readonly candidates: readonly number[];
  /** Names of its instruments where all are down and one has to be up. */
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
  /** True where a person has moved the piece, from wherever it was: no arm did, and it took no time. */
  readonly byHand?: boolean;
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

/** True if a piece stands in a location that holds one piece only. */
export function holdsLocation(
  { instruments }: { readonly instruments: readonly PlanInstrument[] },
  { location }: Pick<PlanLabware, 'location'>,
  other: SlotLocation,
): boolean {
  return isSameLocation(location, other) && !instruments[other.instrument]!.slotless;
}

const FIRST_SLOT: readonly number[] = [1];

/** The places on some instruments that a slot means. */
export function placesFor(
  { instruments }: { readonly instruments: readonly PlanInstrument[] },
  candidates: readonly number[],
  slot: number,
): SlotLocation[] {
  return candidates.flatMap((instrument) => {
    const { choice = FIRST_SLOT } = instruments[instrument]!;
    const slots = slot === ANY_SLOT ? choice : [slot];
    return slots.map((one) => ({ instrument, slot: one }));
  });
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
