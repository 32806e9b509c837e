/**
 * Digital lines as the editor of arms in the field writes them (D18): conditions with
 * `operator: "equal"`, and 0 and 1 for false and true.
 */
import type { IoAddress, Toolpath, WaitCondition } from '../../contract/types.generated.ts';
import { walkActions } from './action-walk.ts';

/** A toolpath in the notation of the specification. */
export interface PlainNotation {
  readonly toolpath: Toolpath;
  /** JSON pointers of what was written in the notation of the field; empty: nothing was. */
  readonly changed: readonly string[];
}

/** What is said of a changed place. */
export const FIELD_NOTATION =
  "is written as the arm's editor does, and read as true or false without an operator";

interface DigitalValue {
  readonly io: IoAddress;
  operator?: unknown;
  value?: unknown;
}

/**
 * Rewrites digital lines in the notation of the field. Expects a toolpath that fits the schema;
 * does not modify it. Other values of a digital line stay, for the check to name.
 */
export function inPlainNotation(given: Toolpath): PlainNotation {
  const changed: string[] = [];
  const toolpath = structuredClone(given);

  function rewrite(line: DigitalValue, path: string): void {
    if (line.io.type !== 'digital') return;
    if (line.operator === 'equal') {
      delete line.operator;
      changed.push(`${path}/operator`);
    }
    if (line.value === 0 || line.value === 1) {
      line.value = line.value === 1;
      changed.push(`${path}/value`);
    }
  }

  function condition(one: WaitCondition, path: string): void {
    if (one.type !== 'time') rewrite(one, path);
  }

  const { output_on_error } = toolpath.metadata;
  if (output_on_error) rewrite(output_on_error, '/metadata/output_on_error');
  walkActions(toolpath, (action, { path }) => {
    if (action.type === 'output-set') rewrite(action, path);
    if (action.type === 'wait') condition(action.condition, `${path}/condition`);
    if (action.type !== 'if') return;
    action.branches.forEach((branch, i) => {
      condition(branch.condition, `${path}/branches/${i}/condition`);
    });
  });
  return { toolpath: changed.length > 0 ? toolpath : given, changed };
}
