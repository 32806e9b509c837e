import type { CellEvent, CellObjectState, SimContact } from '../../../contract/types.generated.ts';

/** Where in the toolpath something happened. */
interface AtStep {
  /** JSON pointer of the step that ran then; null before the first step and after the run. */
  readonly step: string | null;
}

export type RehearsedEvent = CellEvent & AtStep;
export type RehearsedContact = SimContact & AtStep;

/** What one run did; times from its start. */
export interface RehearsedRun {
  readonly duration_s: number;
  readonly events: readonly RehearsedEvent[];
  readonly contacts: readonly RehearsedContact[];
  readonly objects: readonly CellObjectState[];
  /** What was not as expected, in sentences; empty: the run worked. */
  readonly problems: readonly string[];
  /** When the first of the problems arose; null without one. */
  readonly failed_s: number | null;
}
