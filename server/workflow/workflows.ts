/** Stored workflow definitions; each is visible to its owner only (D8). */
import type { WorkflowHead } from '../../contract/types.ts';
import type { Documents, DocumentsSnapshot } from '../store/table.ts';
import { type CheckedDefinition, checkDefinition } from './definition.ts';
import { type Workcells, withWorkcell } from './workcells.ts';

export interface StoredDefinition {
  readonly owner_id: number;
  readonly name: string;
  readonly warnings: readonly string[];
  readonly definition: Record<string, unknown>;
}

export class Workflows {
  private readonly documents: Documents<StoredDefinition>;
  private readonly initial: DocumentsSnapshot<StoredDefinition>;
  private readonly workcells: Workcells;

  constructor(documents: Documents<StoredDefinition>, workcells: Workcells) {
    this.documents = documents;
    this.workcells = workcells;
    this.initial = documents.snapshot();
  }

  /** Restores the definitions of process start. */
  reset(): Promise<void> {
    return this.documents.restore(this.initial);
  }

  list(owner_id: number): WorkflowHead[] {
    return [...this.documents.all]
      .filter(([, stored]) => stored.owner_id === owner_id)
      .map(([id, stored]) => headOf(id, stored))
      .sort((a, b) => a.id - b.id);
  }

  /** Returns a definition of this owner, or null; those of other users are not visible. */
  find(owner_id: number, id: number): StoredDefinition | null {
    const stored = this.documents.get(id);
    return stored?.owner_id === owner_id ? stored : null;
  }

  /** Checks a definition, which was valid when it was saved. */
  modelOf(stored: StoredDefinition): CheckedDefinition {
    return this.check(stored.owner_id, stored.definition);
  }

  /** Checks a document; one that only names its workcell gets the instruments of that workcell. */
  check(owner_id: number, document: unknown): CheckedDefinition {
    const found = withWorkcell(document, (name) => this.workcells.named(owner_id, name));
    if (found.errors.length === 0) return checkDefinition(found.document);
    return { errors: found.errors, warnings: [], model: null, definition: null };
  }

  /** Saves a definition without errors as a new one, or replaces the one with `id`. */
  async save(
    owner_id: number,
    found: { readonly definition: Record<string, unknown>; readonly checked: CheckedDefinition },
    id?: number,
  ): Promise<WorkflowHead> {
    const { definition, checked } = found;
    const name = checked.model!.name;
    const stored = { owner_id, name, warnings: checked.warnings, definition };
    const stored_id = id ?? (await this.documents.create(stored));
    if (id !== undefined) await this.documents.save(id, stored);
    return headOf(stored_id, stored);
  }

  async remove(id: number): Promise<void> {
    await this.documents.remove(id);
  }

  /** Removes all definitions of an owner. */
  async removeAllOf(owner_id: number): Promise<void> {
    for (const { id } of this.list(owner_id)) await this.remove(id);
  }
}

/** Returns the list entry of a definition. */
export function headOf(id: number, { name, warnings }: StoredDefinition): WorkflowHead {
  return { id, name, warnings: [...warnings] };
}
