/**
 * What handlers receive in place of a body that carries a whole document: texts with hashes, and
 * the findings of the checks (D15, D16). One conversion for each call, a pure function of a body
 * that fits its schema.
 */

import type {
  JournalVerifyBody,
  SchemaTypes,
  SeedBody,
  StateFile,
  Toolpath,
} from '../../contract/types.generated.ts';
import type { WorkflowDocument } from '../../scheduler/definition/workflow-document.ts';
import type { BodyTask } from './body-task.ts';
import { type CheckedSeed, checkedSeed } from './checked-seed.ts';
import { type InBody, type InvalidToolpath, withToolpath } from './checked-toolpath.ts';
import { checkedWorkflow } from './checked-workflow.ts';
import { migrated } from './migrated-toolpath.ts';
import { canonicalSha256 } from './sha256.ts';
import { type OpenedStateFile, openedStateFile } from './state-file.ts';
import type { ToolpathText } from './toolpath-text.ts';

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
  readonly createWorkflow: WorkflowDocument;
  readonly updateWorkflow: WorkflowDocument;
  readonly validateWorkflow: WorkflowDocument;
  readonly seedTwin: CheckedSeed;
  readonly importState: OpenedStateFile;
  readonly replayRobotRun: Omit<SchemaTypes['ReplayRunBody'], 'toolpath'> & {
    readonly toolpath?: ToolpathText | InvalidToolpath;
  };
}

function withBodyHash(value: unknown): DocumentBodies['verifyJournal'] {
  const { body, ...wanted } = value as JournalVerifyBody;
  const body_sha256 = canonicalSha256(body);
  return { ...wanted, ...(body_sha256 !== null && { body_sha256 }) };
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

/** Whether the body of a call has a toolpath that its schema describes. */
export function carriesToolpath(route: string): boolean {
  return carriesDocument(route) && CONVERSIONS[route] === withToolpath;
}
