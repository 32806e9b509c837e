/**
 * Reads JSON bodies completely: parse, safety, schema, rules of toolpaths and workflows, hashes.
 * Pure functions of bytes: small bodies are read on the thread of the control loop, others by
 * document-worker.ts, with equal results (§7, D15, D16).
 */
import { createHash } from 'node:crypto';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { Problem } from '../../contract/result.ts';
import type { Dialect } from '../../contract/routes.ts';
import type { SchemaId } from '../../contract/schemas.ts';
import type {
  JournalVerifyBody,
  MigrateToolpathBody,
  SchemaTypes,
  Toolpath,
  WorkcellBody,
  WorkflowDefinition,
} from '../../contract/types.ts';
import { validate } from '../../contract/validator.ts';
import { checkToolpath } from '../../physics/toolpath/check.ts';
import { canonicalJson } from '../../physics/toolpath/hash.ts';
import { migrateToolpath, pathBeforeMigration } from '../../physics/toolpath/migrate.ts';
import { deniedHooks, type StaticAddressRules } from '../webhooks/addresses.ts';
import { type CheckedDefinition, checkDefinition } from '../workflow/definition.ts';
import { namedWorkcell, withWorkcell } from '../workflow/definition-reader.ts';

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

type InvalidToolpath = Refusal<'invalid_arguments'>;

/** A toolpath inside a body, or the refusal of its problems. */
type InBody<Body extends { readonly toolpath: unknown }> = Omit<Body, 'toolpath'> & {
  readonly toolpath: ToolpathText | InvalidToolpath;
};

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

function sha256(value: unknown): string | null {
  if (value === null || typeof value !== 'object') return null;
  return createHash('sha256').update(canonicalJson(value)!).digest('hex');
}

/** The JSON text of a valid toolpath with its hash. */
export function toolpathText(toolpath: Toolpath): ToolpathText {
  const json = encoder.encode(JSON.stringify(toolpath));
  return { json, hash: sha256(toolpath)!, metadata: toolpath.metadata };
}

function invalid(problems: readonly Problem[]): InvalidToolpath {
  const pointers = problems.map(({ path, problem }) => ({ path: `/toolpath${path}`, problem }));
  return refuse('invalid_arguments', pointers);
}

function checkedToolpath(toolpath: Toolpath): ToolpathText | InvalidToolpath {
  const problems = checkToolpath(toolpath);
  return problems.length > 0 ? invalid(problems) : toolpathText(toolpath);
}

function withToolpath(value: unknown): unknown {
  const body = value as { readonly toolpath: Toolpath };
  return { ...body, toolpath: checkedToolpath(body.toolpath) };
}

/** Migrates a toolpath to the latest format; the result must be valid (D16). */
function migrated(value: unknown, { dialect }: BodyTask): Uint8Array | InvalidToolpath {
  const { toolpath: old } = value as MigrateToolpathBody;
  const migration = migrateToolpath(old);
  if (!migration.ok) return invalid(migration.error);
  const { toolpath: made, breaking_changes } = migration.value;
  const shape = validate('Toolpath', made, { dialect });
  const problems = shape.ok ? checkToolpath(shape.value.value) : shape.error;
  if (problems.length > 0 || !shape.ok) {
    const isNew = made === old;
    return invalid(
      problems.map(({ path, problem }) => {
        return { path: isNew ? path : pathBeforeMigration(old, path), problem };
      }),
    );
  }
  const toolpath = shape.value.value;
  const reply = { toolpath: { hash: sha256(toolpath)!, toolpath }, breaking_changes };
  return encoder.encode(JSON.stringify(reply));
}

function checkedWorkflow(value: unknown, { addresses }: BodyTask): CheckedWorkflow {
  const json = encoder.encode(JSON.stringify(value));
  const workcell = namedWorkcell(value);
  const isLarge = hasMoreValues((value as WorkflowDefinition).workcell, limits.body_values);
  const denied = [
    ...(addresses ? deniedHooks(value, addresses) : []),
    ...(isLarge ? [{ path: '/workcell', message: TOO_MANY_VALUES }] : []),
  ];
  if (workcell !== null) return { json, name: null, workcell, errors: denied, warnings: [] };
  const { model, errors, warnings } = checkDefinition(value);
  const name = denied.length > 0 ? null : (model?.name ?? null);
  return { json, name, workcell, errors: [...errors, ...denied], warnings };
}

/** The parts of a definition that say where a run takes place: the rest is in its model. */
function withoutTasks({ name, workcell, workflow }: WorkflowDefinition): WorkflowDefinition {
  return { name, workcell, workflow: { labware: workflow.labware, tasks: {} } };
}

/** Whether a value consists of more than `most` values; stops counting there. */
function hasMoreValues(value: unknown, most: number): boolean {
  const open: unknown[] = [value];
  for (let count = 0; open.length > 0; count++) {
    const next = open.pop();
    if (count + open.length >= most) return true;
    if (next !== null && typeof next === 'object') open.push(...Object.values(next));
  }
  return false;
}

const TOO_MANY_VALUES = `has more than ${limits.body_values} values`;

/** The problem of a body of a user that reaches its handler as an object; null if it may. */
function tooManyValues({ route, isUsers }: BodyTask, value: unknown): InvalidToolpath | null {
  if (!isUsers || carriesDocument(route) || !hasMoreValues(value, limits.body_values)) return null;
  return refuse('invalid_arguments', [{ path: '', problem: TOO_MANY_VALUES }]);
}

function withBodyHash(value: unknown): DocumentBodies['verifyJournal'] {
  const { body, ...wanted } = value as JournalVerifyBody;
  const body_sha256 = sha256(body);
  return { ...wanted, ...(body_sha256 !== null && { body_sha256 }) };
}

type Conversion = (value: unknown, task: BodyTask) => unknown;

/** What handlers receive in place of a valid body that carries a document. */
const CONVERSIONS: { readonly [Route in keyof DocumentBodies]: Conversion } = {
  createToolpath: withToolpath,
  updateToolpath: withToolpath,
  shareToolpath: withToolpath,
  calcToolpath: withToolpath,
  useUnsavedToolpath: withToolpath,
  migrateToolpath: migrated,
  verifyJournal: withBodyHash,
  createWorkflow: checkedWorkflow,
  updateWorkflow: checkedWorkflow,
  validateWorkflow: checkedWorkflow,
};

/** Whether the body of a call is converted to a document. */
export function carriesDocument(route: string): route is keyof DocumentBodies {
  return Object.hasOwn(CONVERSIONS, route);
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
  return sha256(toolpath) === hash ? { metadata: toolpath.metadata } : null;
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
    return { body, ignored, sha256: needsHash ? sha256(value) : null };
  },

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
