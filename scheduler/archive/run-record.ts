import { limits } from '../../contract/limits.ts';
import type { Hook, RunEvent, RunHead } from '../../contract/types.generated.ts';
import type { RunHistory } from './run-history.ts';

/** A run as it is stored. */
export interface RunRecord {
  head: RunHead;
  readonly owner_id: number;
  readonly hooks: readonly Hook[];
  readonly events: RunEvent[];
  history: RunHistory;
  /** Whether a pause was requested and has not begun. */
  pausing: boolean;
}

/** Adds events to a record and removes the oldest above the limit. */
export function addEvents(
  { events: known }: { readonly events: RunEvent[] },
  events: readonly RunEvent[],
): void {
  known.push(...events);
  const excess = known.length - limits.run_events;
  if (excess > 0) known.splice(0, excess);
}
