/** The errors and warnings of a definition, each with the JSON pointer of its place. */

import { pointerSegment } from '../../contract/json-pointer.ts';
import { limits } from '../../contract/limits.ts';
import type { SchemaId } from '../../contract/schemas.ts';
import type { SchemaTypes } from '../../contract/types.generated.ts';
import { validate } from '../../contract/validator.ts';

/** One error of a definition. */
export interface DefinitionError {
  /** JSON pointer into the definition. */
  readonly path: string;
  readonly message: string;
}

/** The errors and warnings of a definition check. */
export class DefinitionFindings {
  readonly errors: DefinitionError[] = [];
  readonly warnings: string[] = [];

  /** Adds an error, up to the limit of reported problems. */
  add(path: string, message: string): void {
    if (this.errors.length < limits.reported_problems) this.errors.push({ path, message });
  }

  /** Validates a part: unknown keys warn, null counts as absent; returns null if invalid. */
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

/** Returns the JSON pointer of a member. */
export function childPointer(path: string, key: string | number): string {
  return path + pointerSegment(String(key));
}
