/** Stored workflow definitions; each is visible to its owner only (D8). */
import type { WorkflowHead } from '../../contract/types.ts';
import type { Documents, DocumentsSnapshot } from '../store/table.ts';
import { type CheckedDefinition, checkDefinition } from './definition.ts';
import type { WorkflowModel } from './model.ts';

export interface StoredDefinition {
  readonly owner_id: number;
  readonly name: string;
  readonly warnings: readonly string[];
  readonly definition: Record<string, unknown>;
}

export class Workflows {
  private readonly documents: Documents<StoredDefinition>;
  private readonly initial: DocumentsSnapshot<StoredDefinition>;
  private readonly models = new WeakMap<StoredDefinition, WorkflowModel>();

  constructor(documents: Documents<StoredDefinition>) {
    this.documents = documents;
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

  /** Returns the model of a definition, which was valid when it was saved. */
  modelOf(stored: StoredDefinition): CheckedDefinition {
    const known = this.models.get(stored);
    if (known) return { model: known, errors: [], warnings: stored.warnings };
    const checked = checkDefinition(stored.definition);
    if (checked.model) this.models.set(stored, checked.model);
    return checked;
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
    this.models.set(stored, checked.model!);
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
