/**
 * Reads JSON bodies completely: parse, safety, schema, rules of toolpaths and workflows, hashes.
 * Pure functions of bytes: small bodies are read on the thread of the control loop, others on the
 * document thread, whose entry point is the default export, with equal results (§7, D15, D16).
 */

import { move, transferableSymbol, valueSymbol } from 'piscina';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { RobotState } from '../../contract/robot-states.ts';
import type { Dialect } from '../../contract/routes.ts';
import type { SchemaId } from '../../contract/schemas.ts';
import type {
  JournalVerifyBody,
  SchemaTypes,
  SeedBody,
  SeedToolpath,
  StateFile,
  Toolpath,
  WorkcellBody,
  WorkflowDefinition,
} from '../../contract/types.ts';
import { validate } from '../../contract/validator.ts';
import { decodePlainData, encodePlainData } from '../recording/recording-format.ts';
import type { StaticAddressRules } from '../webhooks/addresses.ts';
import { type CheckedDefinition, checkDefinition } from '../workflow/definition.ts';
import { withWorkcell } from '../workflow/definition-reader.ts';
import {
  CONVERSIONS,
  canonicalSha256,
  carriesDocument,
  sha256OfText,
  tooManyValues,
} from './document-conversions.ts';
import type { DocumentCall } from './document-reader.ts';

/** A valid toolpath as JSON text, so that no other thread has to parse it. */
export interface ToolpathText {
  /** UTF-8. */
  readonly json: Uint8Array;
  /** Content hash (D15). */
  readonly hash: string;
  readonly metadata: Toolpath['metadata'];
}

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

export type InvalidToolpath = Refusal<'invalid_arguments'>;

/** A toolpath inside a body, or the refusal of its problems. */
type InBody<Body extends { readonly toolpath: unknown }> = Omit<Body, 'toolpath'> & {
  readonly toolpath: ToolpathText | InvalidToolpath;
};

/** A seed with its toolpaths checked. */
export type CheckedSeed = Omit<SeedBody, 'toolpaths'> & {
  readonly toolpaths?: readonly InBody<SeedToolpath>[];
};

/** A state file whose content was checked: the refusal, or what it says and its text. */
export interface OpenedStateFile {
  readonly name: string;
  readonly content:
    | InvalidToolpath
    | {
        readonly driver: string;
        /** The physics that it belongs to; absent in files of early versions. */
        readonly physics?: string;
        readonly tick: number;
        readonly state: RobotState;
        /** The content in the encoding of recordings (UTF-8). */
        readonly data: Uint8Array;
      };
}

/** The bodies of calls that carry a whole document, by route, as their handlers receive them. */
export interface DocumentBodies {
  readonly createToolpath: InBody<SchemaTypes['SaveToolpathBody']>;
  readonly updateToolpath: InBody<SchemaTypes['SaveToolpathBody']>;
  readonly shareToolpath: InBody<SchemaTypes['ShareToolpathBody']>;
  readonly calcToolpath: InBody<SchemaTypes['CalcToolpathBody']>;
  readonly useUnsavedToolpath: InBody<SchemaTypes['UseToolpathBody']>;
  /** The reply as JSON text (UTF-8), or the refusal. */
  readonly migrateToolpath: Uint8Array | InvalidToolpath;
  /** With the SHA-256 of the expected body in place of the body. */
  readonly verifyJournal: Omit<JournalVerifyBody, 'body'> & { readonly body_sha256?: string };
  readonly createWorkflow: CheckedWorkflow;
  readonly updateWorkflow: CheckedWorkflow;
  readonly validateWorkflow: CheckedWorkflow;
  readonly seedTwin: CheckedSeed;
  readonly importState: OpenedStateFile;
  readonly replayRobotRun: Omit<SchemaTypes['ReplayRunBody'], 'toolpath'> & {
    readonly toolpath?: ToolpathText | InvalidToolpath;
  };
}

/** A body to read. */
export interface BodyTask {
  readonly route: string;
  readonly schema: SchemaId;
  readonly dialect: Dialect;
  readonly bytes: Uint8Array;
  /** Whether the SHA-256 of the canonical body is needed. */
  readonly needsHash: boolean;
  /** Whether users may make the call; calls of admins may carry whole twins. */
  readonly isUsers: boolean;
  /** Which addresses hooks of workflows may name; absent: any. */
  readonly addresses?: StaticAddressRules;
}

/** A stored workflow definition to check. */
/** Where the pieces stand at the start of a run, in place of the definition. */
export interface RunStart {
  readonly labware: WorkflowDefinition['workflow']['labware'];
  /** The piece in the gripper; null for none. */
  readonly held: string | null;
}

export interface DefinitionTask {
  /** UTF-8. */
  readonly json: Uint8Array;
  readonly workcell: WorkcellBody | null;
  readonly start?: RunStart;
}

/** A body that fits its schema. */
export interface ReadBody {
  readonly body: unknown;
  /** JSON pointers of fields that were dropped (D3). */
  readonly ignored: readonly string[];
  /** SHA-256 of the canonical JSON; null if it is not needed, or the body is no object. */
  readonly sha256: string | null;
}

const decoder = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();

/** The parts of a definition that say where a run takes place: the rest is in its model. */
function withoutTasks({ name, workcell, workflow }: WorkflowDefinition): WorkflowDefinition {
  return { name, workcell, workflow: { labware: workflow.labware, tasks: {} } };
}

function parsed(bytes: Uint8Array): { readonly value: unknown } | Refusal {
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
    const { route, schema, dialect, bytes, needsHash } = task;
    const text = parsed(bytes);
    if ('refused' in text) return text;
    const result = validate(schema, text.value, { dialect });
    if (!result.ok) return refuse('invalid_arguments', result.error);
    const { value, ignored } = result.value;
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

/** The document thread runs one task per message and transfers texts without copying them. */

/** The memory of the typed arrays in plain data that have one of their own. */
function memoriesIn(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (value === null || typeof value !== 'object') return found;
  if (!ArrayBuffer.isView(value)) {
    for (const part of Object.values(value)) memoriesIn(part, found);
  } else if (value.byteLength === value.buffer.byteLength) {
    found.add(value.buffer as ArrayBuffer);
  }
  return found;
}

/** Runs one task. The memory of the result moves to the caller's thread instead of being copied. */
export default function runTask(call: DocumentCall): unknown {
  const run = documentTasks[call.task] as (argument: unknown) => unknown;
  const value = run(call.argument);
  if (value === null || typeof value !== 'object') return value;
  return move({ [transferableSymbol]: [...memoriesIn(value)], [valueSymbol]: value });
}
