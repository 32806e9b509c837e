/** Checks workflow definitions in the bodies of calls. */

import type { WorkflowDefinition } from '../../contract/types.ts';
import {
  type CheckedDefinition,
  checkDefinition,
} from '../../scheduler/definition/checked-definition.ts';
import { namedWorkcell } from '../../scheduler/definition/definition-workcell.ts';
import { deniedHooks } from '../webhooks/denied-hooks.ts';
import { sizeProblem } from './body-size.ts';
import type { BodyTask } from './body-task.ts';
import { encoder } from './utf8.ts';

/** A workflow definition as JSON text, with the findings of its check. */
export interface CheckedWorkflow {
  /** UTF-8. */
  readonly json: Uint8Array;
  /** Null if there are errors, or no check was made. */
  readonly name: string | null;
  /** The workcell that it names in place of its own instruments; it is not checked without it. */
  readonly workcell: string | null;
  readonly errors: CheckedDefinition['errors'];
  readonly warnings: CheckedDefinition['warnings'];
}

export function checkedWorkflow(value: unknown, { addresses }: BodyTask): CheckedWorkflow {
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
