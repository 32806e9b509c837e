import type { Refusal } from '../../contract/refusal.ts';

/** True for a refusal. */
export function isRefusal<Value extends object>(value: Value): value is Extract<Value, Refusal> {
  return 'refused' in value;
}
