/** The stored workflow definitions. A definition is visible to its owner only (D8). */

import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse, refuseLimitReached } from '../../contract/refusal.ts';
import type { WorkflowHead } from '../../contract/types.generated.ts';
import type { Creation } from '../../server/store/creation.ts';
import type { Database } from '../../server/store/database.ts';
import {
  type DocumentGuard,
  Documents,
  type DocumentsSnapshot,
} from '../../server/store/documents.ts';
import type { Draft } from '../../server/store/draft.ts';
import { ALWAYS, type Guard, type LateError } from '../../server/store/guard.ts';
import { StorageError } from '../../server/store/storage-error.ts';
import type { Workcells } from '../workcell/workcells.ts';
import type { CheckedDefinition } from './checked-definition.ts';
import type { CheckStored, RunStart } from './definition-task.ts';
import { unknownWorkcell } from './definition-workcell.ts';
import { errorAsSent } from './templates.ts';
import type { WorkflowDocument } from './workflow-document.ts';

export interface StoredDefinition {
  readonly owner_id: number;
  readonly name: string;
  readonly warnings: readonly string[];
  /** The workcell that it names in place of its own instruments. */
  readonly workcell: string | null;
}

interface WorkflowsParts {
  readonly database: Database;
  readonly checkStored: CheckStored;
  readonly workcells: Workcells;
}

export class Workflows {
  private readonly parts: WorkflowsParts;
  private readonly stored: Documents<StoredDefinition>;
  private readonly initial: DocumentsSnapshot<StoredDefinition>;
  private readonly shared = new WeakMap<StoredDefinition, WeakRef<Uint8Array>>();

  constructor(parts: WorkflowsParts) {
    this.parts = parts;
    this.stored = new Documents(parts.database.store, 'workflows');
    this.initial = this.stored.snapshot();
  }

  private get bytes() {
    return this.parts.database.store.bytes;
  }

  /** Restores the definitions of process start. */
  reset(): Promise<void> {
    return this.stored.restore(this.initial);
  }

  list(owner_id: number): WorkflowHead[] {
    return [...this.stored.all]
      .filter(([, stored]) => stored.owner_id === owner_id)
      .map(([id, stored]) => headOf(id, stored))
      .sort((a, b) => a.id - b.id);
  }

  /** Returns a definition of this owner, or null; those of other users are not visible. */
  find(owner_id: number, id: number): StoredDefinition | null {
    const stored = this.stored.get(id);
    return stored?.owner_id === owner_id ? stored : null;
  }

  /** The definition as JSON text (UTF-8). */
  async textOf(id: number): Promise<Uint8Array> {
    const json = await this.stored.readBody(id);
    if (json) return json;
    throw new StorageError(`The content of workflow ${id} is missing or damaged`);
  }

  /**
   * The text for replies. Calls at the same time share its bytes: buffers of a megabyte for each of
   * them make collections of garbage that delay ticks. The bytes may not be moved to a thread.
   */
  async sharedTextOf(id: number, stored: StoredDefinition): Promise<Uint8Array> {
    const known = this.shared.get(stored)?.deref();
    if (known) return known;
    const text = await this.textOf(id);
    this.shared.set(stored, new WeakRef(text));
    return text;
  }

  /** Checks a definition, which was valid when it was saved. */
  async modelOf(id: number, stored: StoredDefinition): Promise<CheckedDefinition> {
    return (await this.checks(id, stored))();
  }

  /** The function that checks a definition as it is now, for the start of a run if given. */
  async checks(id: number, stored: StoredDefinition) {
    const { owner_id, workcell } = stored;
    const json = await this.textOf(id);
    return (start?: RunStart) => this.check(owner_id, { json, start }, workcell);
  }

  /** Checks a document that names its workcell; any other was checked when it was read. */
  async checked(owner_id: number, document: WorkflowDocument): Promise<WorkflowDocument> {
    const { json, workcell } = document;
    if (workcell === null) return document;
    const { model, ...found } = await this.check(owner_id, { json }, workcell);
    const name = document.errors.length > 0 ? null : (model?.name ?? null);
    const { origins } = document;
    const errors = found.errors.map((error) => (origins ? errorAsSent(error, origins) : error));
    const warnings = [...document.warnings, ...found.warnings];
    return { ...document, name, errors: [...errors, ...document.errors], warnings };
  }

  /** The model of a document that was checked when it was read; null if it has errors. */
  async modelOfDocument(owner_id: number, document: WorkflowDocument) {
    return (await this.check(owner_id, document, document.workcell)).model;
  }

  /** Checks a definition with the instruments of the workcell that it names. */
  private async check(
    owner_id: number,
    { json, start }: { readonly json: Uint8Array; readonly start?: RunStart | undefined },
    name: string | null,
  ): Promise<CheckedDefinition> {
    const { workcells, checkStored } = this.parts;
    const task = { json, ...(start && { start }) };
    if (name === null) return checkStored({ ...task, workcell: null }, owner_id);
    const found = workcells.named(owner_id, name);
    if (!found) {
      return { errors: [unknownWorkcell(name)], warnings: [], model: null, definition: null };
    }
    const { instruments, transport_matrix } = found;
    const workcell = { name, instruments, ...(transport_matrix && { transport_matrix }) };
    return checkStored({ ...task, workcell }, owner_id);
  }

  /** Saves a definition without errors as a new one, unless the guard refuses. */
  async create(
    owner_id: number,
    { json, ...head }: WorkflowDocument,
    { guard = ALWAYS, onCreated }: Creation<WorkflowHead> = {},
  ): Promise<WorkflowHead | Refusal<LateError | 'invalid_arguments' | 'storage_used_up'>> {
    const row = rowOf(owner_id, head);
    const allow: DocumentGuard<LateError | 'invalid_arguments'> = (draft) => {
      const refusal = guard() ?? this.ownerRefusal(draft, owner_id);
      if (refusal) return refusal;
      const count = this.stored.countIn(draft, (stored) => stored.owner_id === owner_id);
      const most = limits.workflows_per_user;
      return count < most ? null : refuseLimitReached('workflows of yours', most);
    };
    const made = await this.bytes.admit({ owner: owner_id }, json.length, () =>
      this.stored.create({ row, body: json }, allow, (draft, id) =>
        onCreated?.(draft, headOf(id, row)),
      ),
    );
    return typeof made === 'number' ? headOf(made, row) : made;
  }

  /** Replaces a definition by one without errors, unless the guard refuses. */
  async replace(
    { owner_id, id }: { readonly owner_id: number; readonly id: number },
    { json, ...head }: WorkflowDocument,
    guard: Guard,
  ): Promise<WorkflowHead | Refusal<LateError | 'not_found' | 'storage_used_up'>> {
    const row = rowOf(owner_id, head);
    const refusal = await this.bytes.admit({ owner: owner_id }, json.length, () =>
      this.stored.save(id, { row, body: json }, (draft) => {
        const late = guard() ?? this.ownerRefusal(draft, owner_id);
        const isPresent = this.stored.rowIn(draft, id)?.owner_id === owner_id;
        return late ?? (isPresent ? null : refuse('not_found', `You have no workflow ${id}`));
      }),
    );
    return refusal ?? headOf(id, row);
  }

  /** The owner may have been deleted since the call began. */
  private ownerRefusal(draft: Draft, owner_id: number): Refusal<'not_authenticated'> | null {
    const isPresent = draft.get(this.parts.database.users, owner_id) !== undefined;
    return isPresent ? null : refuse('not_authenticated');
  }

  /** Removes a definition, unless the guard refuses. */
  remove(id: number, guard: Guard = ALWAYS): Promise<Refusal<LateError> | null> {
    return this.stored.remove(id, guard);
  }

  /** Removes all definitions of an owner. */
  async removeAllOf(owner_id: number): Promise<void> {
    for (const { id } of this.list(owner_id)) await this.remove(id);
  }
}

function rowOf(
  owner_id: number,
  { name, warnings, workcell }: Omit<WorkflowDocument, 'json'>,
): StoredDefinition {
  return { owner_id, name: name!, warnings, workcell };
}

/** Returns the list entry of a definition. */
export function headOf(id: number, { name, warnings }: StoredDefinition): WorkflowHead {
  return { id, name, warnings: [...warnings] };
}

/** Returns the caller's workflow, or a refusal. */
export function storedOf(
  workflows: Workflows,
  user_id: number,
  id: number,
): StoredDefinition | Refusal<'not_found'> {
  const stored = workflows.find(user_id, id);
  return stored ?? refuse('not_found', `You have no workflow ${id}`);
}
