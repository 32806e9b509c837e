/**
 * What handlers receive in place of a body that carries a document: texts with hashes, and the
 * findings of the checks (D15, D16). Pure functions of a body that fits its schema.
 */
import { createHash } from 'node:crypto';
import { limits } from '../../contract/limits.ts';
import { type Problem, refuse } from '../../contract/refusal.ts';
import type {
  JournalVerifyBody,
  MigrateToolpathBody,
  SeedBody,
  StateFile,
  Toolpath,
  WorkflowDefinition,
} from '../../contract/types.ts';
import { validate } from '../../contract/validator.ts';
import { checkToolpath } from '../../physics/toolpath/check.ts';
import { canonicalJson } from '../../physics/toolpath/hash.ts';
import { migrateToolpath, pathBeforeMigration } from '../../physics/toolpath/migrate.ts';
import { decodePlainData } from '../recording/recording-format.ts';
import { deniedHooks } from '../webhooks/addresses.ts';
import { checkDefinition } from '../workflow/definition.ts';
import { namedWorkcell } from '../workflow/definition-reader.ts';
import type {
  BodyTask,
  CheckedSeed,
  CheckedWorkflow,
  DocumentBodies,
  InvalidToolpath,
  OpenedStateFile,
  ToolpathText,
} from './document-tasks.ts';

const encoder = new TextEncoder();

/** The SHA-256 of a value as canonical JSON; null for a value that is no object. */
export function canonicalSha256(value: unknown): string | null {
  if (value === null || typeof value !== 'object') return null;
  return createHash('sha256').update(canonicalJson(value)!).digest('hex');
}

/** The JSON text of a valid toolpath with its hash. */
export function toolpathText(toolpath: Toolpath): ToolpathText {
  const json = encoder.encode(JSON.stringify(toolpath));
  return { json, hash: canonicalSha256(toolpath)!, metadata: toolpath.metadata };
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
  const reply = { toolpath: { hash: canonicalSha256(toolpath)!, toolpath }, breaking_changes };
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
export function tooManyValues(
  { route, isUsers }: BodyTask,
  value: unknown,
): InvalidToolpath | null {
  if (!isUsers || carriesDocument(route) || !hasMoreValues(value, limits.body_values)) return null;
  return refuse('invalid_arguments', [{ path: '', problem: TOO_MANY_VALUES }]);
}

function withBodyHash(value: unknown): DocumentBodies['verifyJournal'] {
  const { body, ...wanted } = value as JournalVerifyBody;
  const body_sha256 = canonicalSha256(body);
  return { ...wanted, ...(body_sha256 !== null && { body_sha256 }) };
}

/** Checks the toolpaths of a seed. */
export function checkedSeed({ toolpaths, ...rest }: SeedBody): CheckedSeed {
  if (!toolpaths) return rest;
  const checked = toolpaths.map((one) => ({ ...one, toolpath: checkedToolpath(one.toolpath) }));
  return { ...rest, toolpaths: checked };
}

/** The SHA-256 of a text. */
export function sha256OfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const NO_SNAPSHOT = 'is not the content of a state file';

function openedStateFile({ name, sha256: stated, data }: StateFile): OpenedStateFile {
  const damaged = (problem: string): OpenedStateFile => {
    return { name, content: refuse('invalid_arguments', [{ path: '/data', problem }]) };
  };
  if (sha256OfText(data) !== stated) {
    return damaged('is damaged: its SHA-256 differs from the one in the file');
  }
  try {
    const snapshot = decodePlainData(data);
    if (snapshot !== null && typeof snapshot === 'object') return { name, content: { snapshot } };
    return damaged(NO_SNAPSHOT);
  } catch {
    return damaged(NO_SNAPSHOT);
  }
}

type Conversion = (value: unknown, task: BodyTask) => unknown;

/** What handlers receive in place of a valid body that carries a document. */
export const CONVERSIONS: { readonly [Route in keyof DocumentBodies]: Conversion } = {
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
  seedTwin: (value) => checkedSeed(value as SeedBody),
  importState: (value) => openedStateFile(value as StateFile),
  replayRobotRun: (value) =>
    (value as { readonly toolpath?: Toolpath }).toolpath ? withToolpath(value) : value,
};

/** Whether the body of a call is converted to a document. */
export function carriesDocument(route: string): route is keyof DocumentBodies {
  return Object.hasOwn(CONVERSIONS, route);
}
