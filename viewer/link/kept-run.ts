/** A run of a toolpath that is kept with its recording. */
import type { RecordingDocument } from '../../contract/export-document.ts';

/** `running` only of a replay of a run that was not over. */
export type RunOutcome =
  | 'finished'
  | 'cancelled'
  | 'error'
  | 'collision'
  | 'disabled'
  | 'lost'
  | 'reset'
  | 'running';

/** A run of a toolpath, read from the twin, or as this browser has heard an arm that keeps none. */
export interface KeptRun {
  /** Its number, by which a link names it; negative: what would have come of a run. */
  readonly id: number;
  readonly name: string;
  /** Date of the arm at which it started, of the browser where none is known (ISO 8601). */
  readonly started_at: string;
  readonly outcome: RunOutcome;
  readonly duration_s: number;
  /** Largest distance of the tool from the plan (m); null where there is no plan. */
  readonly deviation_m: number | null;
  readonly contacts: number;
  /** Changes of inputs and outputs. */
  readonly signals: number;
  /** Who, when, which versions: names with their values. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Contacts, and errors and warnings of the plan. */
  readonly findings: readonly string[];
  /** The toolpath that ran, as JSON text; null if this user may not read it. */
  readonly planned: string | null;
  readonly recording: RecordingDocument;
  /** Whether the recording is the twin's own and not what reached the page. */
  readonly isExact?: boolean;
}
