import type { CheckedDefinition } from './checked-definition.ts';
import type { TemplateOrigins } from './templates.ts';

/** A workflow definition as JSON text, with the findings of its check. */
export interface WorkflowDocument {
  /** UTF-8. */
  readonly json: Uint8Array;
  /** Null if there are errors, or no check was made. */
  readonly name: string | null;
  /** The workcell that it names in place of its own instruments; it is not checked without it. */
  readonly workcell: string | null;
  readonly errors: CheckedDefinition['errors'];
  readonly warnings: CheckedDefinition['warnings'];
  /** What templates have made, for errors that are found with the workcell; absent for none. */
  readonly origins?: TemplateOrigins;
}
