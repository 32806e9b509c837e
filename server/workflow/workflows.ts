/** Saved workflow definitions: each belongs to one user and is unknown to all others (D8). */
import type { WorkflowHead } from '../../contract/types.ts';
import type { Documents, DocumentsImage } from '../store/documents.ts';
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
  private readonly origin: DocumentsImage<StoredDefinition>;
  private readonly models = new WeakMap<StoredDefinition, WorkflowModel>();

  constructor(documents: Documents<StoredDefinition>) {
    this.documents = documents;
    this.origin = documents.take();
  }

  /** Goes back to the definitions that were there at the start. */
  reset(): Promise<void> {
    return this.documents.restore(this.origin);
  }

  list(owner_id: number): WorkflowHead[] {
    return [...this.documents.all]
      .filter(([, stored]) => stored.owner_id === owner_id)
      .map(([id, stored]) => headOf(id, stored))
      .sort((a, b) => a.id - b.id);
  }

  /** The definition of this owner, or null: somebody else's does not exist for him. */
  find(owner_id: number, id: number): StoredDefinition | null {
    const stored = this.documents.all.get(id);
    return stored?.owner_id === owner_id ? stored : null;
  }

  /** The model of a definition, which was sound when it was saved. */
  modelOf(stored: StoredDefinition): CheckedDefinition {
    const known = this.models.get(stored);
    if (known) return { model: known, errors: [], warnings: stored.warnings };
    const checked = checkDefinition(stored.definition);
    if (checked.model) this.models.set(stored, checked.model);
    return checked;
  }

  /** Saves a definition whose check found no errors, anew or in the place of another. */
  async save(
    owner_id: number,
    found: { readonly definition: Record<string, unknown>; readonly checked: CheckedDefinition },
    id?: number,
  ): Promise<WorkflowHead> {
    const { definition, checked } = found;
    const name = checked.model!.name;
    const stored = { owner_id, name, warnings: checked.warnings, definition };
    const place = id ?? (await this.documents.create(stored));
    if (id !== undefined) await this.documents.save(id, stored);
    this.models.set(stored, checked.model!);
    return headOf(place, stored);
  }

  async remove(id: number): Promise<void> {
    await this.documents.remove(id);
  }

  /** Removes everything of an owner. */
  async forget(owner_id: number): Promise<void> {
    for (const { id } of this.list(owner_id)) await this.remove(id);
  }
}

/** What lists show of a definition. */
export function headOf(id: number, { name, warnings }: StoredDefinition): WorkflowHead {
  return { id, name, warnings: [...warnings] };
}
