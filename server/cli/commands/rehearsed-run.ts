import type { CellEvent, CellObjectState, SimContact } from '../../../contract/types.generated.ts';

/** What one run did; times from its start. */
export interface RehearsedRun {
  readonly duration_s: number;
  readonly events: readonly CellEvent[];
  readonly contacts: readonly SimContact[];
  readonly objects: readonly CellObjectState[];
  /** What was not as expected, in sentences; empty: the run worked. */
  readonly problems: readonly string[];
}
