/** A run that has not stopped. */

import type { WorkflowModel } from '../definition/workflow-model.ts';
import type { Run } from './run.ts';

export interface LiveRun {
  readonly run: Run;
  readonly owner_id: number;
  readonly model: WorkflowModel;
  /** Id of its current plan. */
  plan_id: number;
  readonly usesArm: boolean;
  /** Null for a run with simulated drivers. */
  readonly workcell_id: number | null;
}
