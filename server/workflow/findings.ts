/** What a check of a definition collects: errors with places, and warnings. */
import { pointerStep } from '../../contract/body-guard.ts';
import { limits } from '../../contract/limits.ts';
import type { SchemaId } from '../../contract/schemas.ts';
import type { SchemaTypes } from '../../contract/types.ts';
import { validate } from '../../contract/validator.ts';

/** One thing wrong with a definition. */
export interface DefinitionError {
  /** JSON pointer into the definition. */
  readonly path: string;
  readonly message: string;
}

export class Findings {
  readonly errors: DefinitionError[] = [];
  readonly warnings: string[] = [];

  /** Notes an error; beyond the cap only their existence counts. */
  add(path: string, message: string): void {
    if (this.errors.length < limits.reported_problems) this.errors.push({ path, message });
  }

  /** Reads a part by its schema: unknown keys warn, null counts as absent; null when unfit. */
  read<Id extends SchemaId>(id: Id, value: unknown, path: string): SchemaTypes[Id] | null {
    const result = validate(id, value, { dialect: 'fielded' });
    if (!result.ok) {
      for (const { path: inner, problem } of result.error) this.add(path + inner, problem);
      return null;
    }
    for (const key of result.value.ignored) {
      this.warnings.push(`${path}${key} is not a known key and is ignored`);
    }
    return result.value.value;
  }
}

/** A pointer to a member. */
export function below(path: string, key: string | number): string {
  return path + pointerStep(String(key));
}
