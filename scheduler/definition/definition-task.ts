/** A stored definition that is to be checked, and where its pieces stand at the start of a run. */

import type { WorkcellBody, WorkflowDefinition } from '../../contract/types.generated.ts';
import type { CheckedDefinition } from './checked-definition.ts';

/** Where the pieces stand at the start of a run, in place of the definition. */
export interface RunStart {
  readonly labware: WorkflowDefinition['workflow']['labware'];
  /** The piece in the gripper; null for none. */
  readonly held: string | null;
}

/** A stored workflow definition to check. */
export interface DefinitionTask {
  /** UTF-8. */
  readonly json: Uint8Array;
  /** The workcell that it names in place of its own instruments. */
  readonly workcell: WorkcellBody | null;
  readonly start?: RunStart;
}

/** Checks stored definitions, without delaying ticks. */
export type CheckStored = (task: DefinitionTask, owner_id: number) => Promise<CheckedDefinition>;
