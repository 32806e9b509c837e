/** Checks workflow definitions in the bodies of calls. */

import type { WorkflowDefinition } from '../../contract/types.generated.ts';
import { checkDefinition } from '../../scheduler/definition/checked-definition.ts';
import { namedWorkcell } from '../../scheduler/definition/definition-workcell.ts';
import type { WorkflowDocument } from '../../scheduler/definition/workflow-document.ts';
import { deniedHooks } from '../webhooks/denied-hooks.ts';
import { sizeProblem } from './body-complexity.ts';
import type { BodyTask } from './body-task.ts';
import { encoder } from './utf8.ts';

/** Checks the definition of a body; one that names its workcell is checked with it later. */
export function checkedWorkflow(value: unknown, { addresses }: BodyTask): WorkflowDocument {
  const json = encoder.encode(JSON.stringify(value));
  const workcell = namedWorkcell(value);
  const size = sizeProblem((value as WorkflowDefinition).workcell);
  const denied = [
    ...(addresses ? deniedHooks(value, addresses) : []),
    ...(size === null ? [] : [{ path: '/workcell', message: size }]),
  ];
  if (workcell !== null) return { json, name: null, workcell, errors: denied, warnings: [] };
  const { model, errors, warnings } = checkDefinition(value);
  const name = denied.length > 0 ? null : (model?.name ?? null);
  return { json, name, workcell, errors: [...errors, ...denied], warnings };
}
