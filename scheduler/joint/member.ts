import type { PlannedLabwareMove, PlannedTask } from '../plan/problem.ts';
import type { PlanPublisher } from '../run/plan-publisher.ts';
import type { RunPlan } from '../run/run-plan.ts';
import type { PlannedRun } from './planned-run.ts';

/** A run on a shared workcell. */
export interface Member extends PlannedRun {
  readonly plan: RunPlan;
  readonly publisher: PlanPublisher;
  /** False while it is paused, pausing or resuming, or waits for its first joint plan. */
  readonly canStart: boolean;
  /** True from the start until the first joint plan that the other runs know. */
  isProvisional: boolean;
  /** The move that it could begin now; null for none. */
  readonly readyMove: PlannedLabwareMove | null;
  /** The tasks that it could start now. */
  readonly readyTasks: readonly PlannedTask[];
  /** Starts what is ready; returns whether there was anything. */
  proceed(): boolean;
  /** Called once no run of the workcell has anything left that is ready. */
  onDispatched(): void;
}
