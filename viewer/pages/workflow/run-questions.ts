/** What a run asks of a person, and what a person answers. Pure. */
import type { RunDetails, RunPrompt } from '../../../contract/types.generated.ts';
import type { WorkflowChecks } from './workflow-state.ts';

/** The failed task that a paused run waits for; null for none. */
export function askedTask(run: RunDetails | null): string | null {
  if (run?.state !== 'paused') return null;
  return run.tasks.find(({ state }) => state === 'failed')?.id ?? null;
}

/** What a running task asks a person to do first; null for nothing. */
export function promptOf(run: RunDetails | null): RunPrompt | null {
  return run?.prompts[0] ?? null;
}

/** A typed result: JSON where it is JSON, such as `true` and `4.5`, else the text itself. */
function typedResult(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Results of a task by name; those without a value are left out, and the twin says which it needs. */
export function typedResults(
  fields: readonly (readonly [name: string, text: string | undefined])[],
): Record<string, unknown> | undefined {
  const given = fields.flatMap(([name, text = '']) =>
    text.trim() === '' ? [] : [[name, typedResult(text.trim())] as const],
  );
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** Why the definition cannot be planned or run; empty if it can. */
export function definitionProblem({ errors }: Pick<WorkflowChecks, 'errors'>): string {
  const { length } = errors;
  if (length === 0) return '';
  return `Fix the ${length === 1 ? 'error' : `${length} errors`} of the definition first`;
}
