/**
 * Edits of global values by clients (spec §4.6): which keys may be written, and the two forms of
 * failure. An invalid change (unknown, read-only, wrong type) leaves everything as it was; a value
 * outside the range that the mode gives at that moment fails alone, the others are applied.
 */
import { type ErrorReply, errorReply } from '../../contract/errors.ts';
import { faultOf, type IoMemory, type IoValue, writeIo } from './io.ts';
import { type Refusal, refuse } from './refusal.ts';

export interface GlobalChange {
  readonly key: string;
  readonly value: IoValue | string;
}

function invalidity(io: IoMemory, change: GlobalChange): string | null {
  const [side, key, ...rest] = change.key.split('.');
  if (rest.length > 0 || key === undefined) return 'unknown property';
  if (side === 'inputs' && Object.hasOwn(io.inputs, key)) return 'read-only property';
  if (side !== 'outputs' || !Object.hasOwn(io.outputs, key)) return 'unknown property';
  const fault = faultOf(io.outputs, key, change.value);
  return fault && !fault.outside ? fault.text : null;
}

/** Applies the changes in order; a refusal of form 8 means that nothing was applied. */
export function editGlobals(io: IoMemory, changes: readonly GlobalChange[]): Refusal | null {
  const invalid = changes
    .map((change, index) => ({ index, error: invalidity(io, change) }))
    .filter((entry) => entry.error !== null);
  if (invalid.length > 0) return refuse('invalid_changes', invalid, invalid.length);
  const failed: ErrorReply[] = [];
  for (const change of changes) {
    const key = change.key.slice('outputs.'.length);
    const fault = faultOf(io.outputs, key, change.value);
    if (fault) failed.push(errorReply('invalid_arguments', `${change.key}: ${fault.text}`));
    else writeIo(io, 'outputs', key, change.value as IoValue);
  }
  if (failed.length === 0) return null;
  return refuse('changes_not_applied', { changes: failed }, failed.length);
}
