/** Checks workflow definitions in the bodies of calls. */

import type { WorkflowDefinition } from '../../contract/types.generated.ts';
import { checkDefinition } from '../../scheduler/definition/checked-definition.ts';
import { namedWorkcell } from '../../scheduler/definition/definition-workcell.ts';
import { errorAsSent, expandTemplates } from '../../scheduler/definition/templates.ts';
import type { WorkflowDocument } from '../../scheduler/definition/workflow-document.ts';
import { deniedHooks } from '../webhooks/denied-hooks.ts';
import { sizeProblem } from './body-complexity.ts';
import type { BodyTask } from './body-task.ts';
import { encoder } from './utf8.ts';

/**
 * Checks the definition of a body, with the tasks that its templates make; one that names its
 * workcell is checked with it later.
 */
export function checkedWorkflow(sent: unknown, { addresses }: BodyTask): WorkflowDocument {
  const expanded = expandTemplates(sent);
  const { document: value, origins } = expanded;
  const json = encoder.encode(JSON.stringify(value));
  const workcell = namedWorkcell(value);
  const size = sizeProblem((value as WorkflowDefinition).workcell);
  const denied = [
    ...(addresses ? deniedHooks(value, addresses) : []),
    ...(size === null ? [] : [{ path: '/workcell', message: size }]),
  ];
  const { warnings } = expanded;
  if (expanded.errors.length > 0) {
    return { json, name: null, workcell: null, errors: [...expanded.errors, ...denied], warnings };
  }
  if (workcell !== null) return { json, name: null, workcell, errors: denied, warnings, origins };
  const checked = checkDefinition(value);
  const name = denied.length > 0 ? null : (checked.model?.name ?? null);
  const errors = [...checked.errors.map((error) => errorAsSent(error, origins)), ...denied];
  return { json, name, workcell, errors, warnings: [...warnings, ...checked.warnings] };
}
