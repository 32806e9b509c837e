import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { PlanFault } from '../plan/problem.ts';

/** Converts a plan fault to a refusal. */
export function planRefusal(
  { kind, messages }: PlanFault,
  more: readonly string[] = [],
): Refusal<'invalid_arguments'> {
  const details = [...messages, ...more].map((problem) => ({ path: '', problem }));
  return refuse('invalid_arguments', [{ path: '', problem: `no plan (${kind})` }, ...details]);
}
