/**
 * The tasks on documents: they read JSON bodies completely, and open and make stored texts and
 * files. Pure functions of bytes: small documents are read on the thread of the control loop,
 * others on the document thread, with equal results (§7, D15, D16).
 */

import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { StateFile, Toolpath, WorkflowDefinition } from '../../contract/types.generated.ts';
import { validate } from '../../contract/validator.ts';
import {
  type CheckedDefinition,
  checkDefinition,
} from '../../scheduler/definition/checked-definition.ts';
import type { DefinitionTask } from '../../scheduler/definition/definition-task.ts';
import { withWorkcell } from '../../scheduler/definition/definition-workcell.ts';
import { decodePlainData, encodePlainData } from '../recording/plain-data.ts';
import { sizeProblem } from './body-complexity.ts';
import type { BodyTask, ReadBody } from './body-task.ts';
import { type InvalidToolpath, namingWrapper, withPlainNotation } from './checked-toolpath.ts';
import { CONVERSIONS, carriesDocument, carriesToolpath } from './document-bodies.ts';
import { canonicalSha256, sha256OfText } from './sha256.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();

/** The parts of a definition that say where a run takes place: the rest is in its model. */
function withoutTasks({ name, workcell, workflow }: WorkflowDefinition): WorkflowDefinition {
  return { name, workcell, workflow: { labware: workflow.labware, tasks: {} } };
}

function parsed(pieces: readonly Uint8Array[]): { readonly value: unknown } | Refusal {
  const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  if (bytes.length === 0) return refuse('malformed_body', 'The body is empty; send JSON');
  try {
    return { value: JSON.parse(decoder.decode(bytes)) as unknown };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not JSON';
    return refuse('malformed_body', `The body is not valid JSON in UTF-8: ${reason}`);
  }
}

/** Whether a toolpath is whole, and what is needed of it without parsing it again. */
function openedToolpath({ json, hash }: { readonly json: Uint8Array; readonly hash: string }) {
  const toolpath = JSON.parse(decoder.decode(json)) as Toolpath;
  return canonicalSha256(toolpath) === hash ? { metadata: toolpath.metadata } : null;
}

/** The tasks by name. */
export const documentTasks = {
  /** Reads a body; the refusal names what is wrong with it. */
  body(task: BodyTask): ReadBody | Refusal {
    const { route, schema, dialect, pieces, needsHash } = task;
    const text = parsed(pieces);
    if ('refused' in text) return text;
    const result = validate(schema, text.value, { dialect });
    if (!result.ok) return refuse('invalid_arguments', namingWrapper(text.value, result.error));
    const isField = dialect === 'fielded' && carriesToolpath(route);
    const { value, ignored } = isField
      ? withPlainNotation(result.value.value, result.value.ignored)
      : result.value;
    const tooMany = tooManyValues(task, value);
    if (tooMany) return tooMany;
    const body = carriesDocument(route) ? CONVERSIONS[route](value, task) : value;
    return { body, ignored, sha256: needsHash ? canonicalSha256(value) : null };
  },

  /** The file of a snapshot as JSON text (UTF-8). */
  stateFile({ name, snapshot }: { readonly name: string; readonly snapshot: object }): Uint8Array {
    const data = encodePlainData(snapshot);
    const file: StateFile = { format: 1, name, sha256: sha256OfText(data), data };
    return encoder.encode(JSON.stringify(file));
  },

  /** The content of a state file. */
  plainData: (data: Uint8Array): unknown => decodePlainData(decoder.decode(data)),

  /** The metadata of a stored toolpath; null when its text does not have the hash. */
  toolpath: openedToolpath,

  /** Checks a stored workflow definition, with the workcell that it names. */
  workflow({ json, workcell, start }: DefinitionTask): CheckedDefinition {
    const document = JSON.parse(decoder.decode(json)) as WorkflowDefinition;
    const { labware = document.workflow.labware, held } = start ?? {};
    const placed = { ...document, workflow: { ...document.workflow, labware } };
    const whole = workcell ? withWorkcell(placed, workcell) : placed;
    const checked = checkDefinition(whole, held === undefined ? null : { held });
    return { ...checked, definition: checked.definition && withoutTasks(checked.definition) };
  },
};

export type DocumentTasks = typeof documentTasks;

/** A task call to the thread. */
export interface DocumentCall<Name extends keyof DocumentTasks = keyof DocumentTasks> {
  readonly task: Name;
  readonly argument: Parameters<DocumentTasks[Name]>[0];
}

/** The problem of a body of a user that reaches its handler as an object; null if it may. */
export function tooManyValues(
  { route, isUsers }: BodyTask,
  value: unknown,
): InvalidToolpath | null {
  if (!isUsers || carriesDocument(route)) return null;
  const problem = sizeProblem(value);
  return problem === null ? null : refuse('invalid_arguments', [{ path: '', problem }]);
}
