/** A run as the joint plan sees it, and what the runs on a workcell share. */
import type { WorkflowModel } from '../definition/workflow-model.ts';
import type { SlotLocation } from '../plan/slot-location.ts';
import type { PreparedMoves } from '../run/prepared-moves.ts';
import type { RunProgress } from '../run/progress.ts';
import type { RunPlan } from '../run/run-plan.ts';
import type { TimeLimits } from '../run/time-limits.ts';

/** What decides which run comes first, in seconds since its start. */
export interface SchedulingTerms {
  /** Larger first. */
  readonly priority: number;
  readonly start_after_s: number;
  /** Infinity for none. */
  readonly due_s: number;
}

/** A run as the joint plan sees it. */
export interface PlannedRun {
  readonly model: WorkflowModel;
  readonly moves: PreparedMoves;
  readonly progress: RunProgress;
  readonly schedule: SchedulingTerms;
  readonly start_tick: number;
  /** False while the run is paused: only what has begun counts. */
  readonly isActive: boolean;
  readonly limits: Pick<TimeLimits, 'isBroken' | 'violations'>;
  /** Null before its first plan. */
  readonly plan: RunPlan | null;
}

/** What the runs on a workcell share. */
export interface JointWorld {
  readonly runs: readonly PlannedRun[];
  /** Pieces that belong to none of them, with their places. */
  readonly statics: ReadonlyMap<string, SlotLocation>;
  /** Changes with the statics. */
  readonly version: number;
  /** The tick at which the first of the runs began: since then the instruments warm up. */
  readonly begun_tick: number;
  /** The time of day at a tick (s since midnight, UTC). */
  readonly clockAt_s: (tick: number) => number;
  /** The tick since which an instrument is down; null for one that is up. */
  readonly downSince: (id: string) => number | null;
}
