import { type Refusal, refuse } from '../../contract/refusal.ts';

/** Converts errors of a definition to a refusal. */
export function definitionRefusal(
  errors: readonly { path: string; message: string }[],
): Refusal<'invalid_arguments'> {
  const details = errors.map(({ path, message }) => ({ path, problem: message }));
  return refuse('invalid_arguments', details);
}
