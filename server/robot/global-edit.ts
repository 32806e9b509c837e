/** Edits of global values by clients (§4.6). */

import { type ErrorReply, errorReply } from '../../contract/errors.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { GlobalChange } from '../../contract/types.generated.ts';
import { type IoMemory, type SignalValue, valueProblem, writeIo } from './io.ts';

function changeProblem(io: IoMemory, change: GlobalChange): string | null {
  const [side, key, ...rest] = change.key.split('.');
  if (rest.length > 0 || key === undefined) return 'unknown property';
  if (side === 'inputs' && Object.hasOwn(io.inputs, key)) return 'read-only property';
  if (side !== 'outputs' || !Object.hasOwn(io.outputs, key)) return 'unknown property';
  const fault = valueProblem(io.outputs, key, change.value);
  return fault && !fault.outside ? fault.text : null;
}

type EditResult = Refusal<'invalid_changes' | 'changes_not_applied'> | null;

/**
 * Applies changes of global values in order (§4.6). An invalid change (unknown, read-only, wrong
 * type) refuses all of them (form 8); a value outside its present range fails alone.
 */
export function editGlobals(io: IoMemory, changes: readonly GlobalChange[]): EditResult {
  const invalid = changes.flatMap((change, index) => {
    const error = changeProblem(io, change);
    return error === null ? [] : [{ index, error }];
  });
  if (invalid.length > 0) return refuse('invalid_changes', invalid, invalid.length);
  const failed: ErrorReply[] = [];
  for (const change of changes) {
    const key = change.key.slice('outputs.'.length);
    const fault = valueProblem(io.outputs, key, change.value);
    if (fault) failed.push(errorReply('change_failed', `${change.key}: ${fault.text}`));
    else writeIo(io, 'outputs', key, change.value as SignalValue);
  }
  if (failed.length === 0) return null;
  return refuse('changes_not_applied', { changes: failed }, failed.length);
}
