/** The request to start a run, and its refusals. */

import type { Refusal } from '../../contract/refusal.ts';
import type { RunHead, StartRunBody, WorkflowDefinition } from '../../contract/types.generated.ts';
import type { Caller } from '../../server/robot/caller.ts';
import type { OnCreated } from '../../server/store/creation.ts';
import type { Guard, LateError } from '../../server/store/guard.ts';
import type { PlanningError } from '../arm-port.ts';
import type { CheckedDefinition } from '../definition/checked-definition.ts';
import type { RunStart } from '../definition/definition-task.ts';

export interface StartRequest {
  readonly caller: Caller;
  readonly workflow_id: number;
  /** Without its tasks, which are in the model. */
  readonly definition: WorkflowDefinition;
  /** Checks the whole definition with the pieces where the run starts. */
  readonly check: (start: RunStart) => Promise<CheckedDefinition>;
  readonly options: StartRunBody;
  /** Asked once the plan is made, before the run starts. */
  readonly recheck: Guard;
  /** Joins the transaction that stores the run. */
  readonly onCreated?: OnCreated<RunHead>;
}

/** The errors of a start besides those of objects, lock and driver. */
export type StartError = 'wrong_state' | 'invalid_arguments' | 'storage_used_up';

/** The refusal of a run's start. */
export type StartRefusal = Refusal<
  StartError | PlanningError | LateError | 'not_found' | 'not_supported' | 'lock_held_by_other'
>;
