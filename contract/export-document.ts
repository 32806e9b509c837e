/**
 * The data of a page that is exported to one HTML file, and its embedding in the page. The command
 * line and the viewer write the same format.
 */
import { withArm } from '../arms/arm-element.ts';
import type { ArmProfile, Cell, CellState, ToolpathMetadata } from './types.generated.ts';

/** Joints over time: base64 of little-endian 32-bit floats, six a sample. */
export interface RecordedMotion {
  /** Time of each sample (s from the start); a rest has one sample at either end. */
  readonly times_s: readonly number[];
  readonly position_rad: string;
  readonly velocity_rad_s: string;
  /** Spans in which nothing was heard of the arm (s); absent where the motion is complete. */
  readonly unheard_s?: readonly (readonly [from: number, to: number])[];
}

/** A timestamped remark of a recording: a signal change or a log line. */
export interface RecordedRemark {
  readonly at_s: number;
  readonly kind: 'signal' | 'log';
  readonly words: string;
}

/** A change of the cell of a recording: another cell, or the parts that changed, each whole. */
export interface RecordedCellChange {
  readonly at_s: number;
  /** The cell from now on; null for none. Absent where only the state changes. */
  readonly cell?: Cell | null;
  /** An object that a gripper holds is where the gripper has it (`holds_at`). */
  readonly state?: CellState;
}

export interface RecordingDocument {
  readonly kind: 'recording';
  readonly name: string;
  readonly made_by: string;
  /** Tool and zones of the loaded toolpath; null when none was loaded. */
  readonly metadata: ToolpathMetadata | null;
  readonly motion: RecordedMotion;
  readonly remarks: readonly RecordedRemark[];
  /** Empty without a cell. */
  readonly cell: readonly RecordedCellChange[];
  /** What a report says beside the recording; absent from a plain recording. */
  readonly report?: RecordingReport;
  /** Where the time cursor stands first; absent: at the start. */
  readonly opens_at_s?: number;
}

/** The report of a run of a toolpath. */
export interface RecordingReport {
  /** How the run ended, in a sentence. */
  readonly verdict: string;
  /** Who, when, which versions: names with their values. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Contacts, and errors and warnings of the plan. */
  readonly findings: readonly string[];
  /** The toolpath that ran, as JSON text; null if this user may not read it. */
  readonly planned: string | null;
}

export interface ToolpathDocument {
  readonly kind: 'toolpath';
  readonly name: string;
  readonly made_by: string;
  /** The toolpath as JSON text. */
  readonly text: string;
  /** The profile of the arm that times it; absent: the model does. */
  readonly profile?: ArmProfile;
  /** The cell around the arm; absent: none that is known. */
  readonly cell?: Cell;
}

export type ExportDocument = RecordingDocument | ToolpathDocument;

/** The element of the exported page that holds the document. */
export const DOCUMENT_ID = 'armtwin-document';
const PLACEHOLDER = /(<script type="application\/json" id="armtwin-document">)null(<\/script>)/;

/**
 * The page with the document and the arm of this process embedded. Escapes every `<`, so that no text in the document can end
 * the script element; browsers do not execute elements of its type.
 */
export function embedDocument(page: string, document: ExportDocument): string {
  if (!PLACEHOLDER.test(page)) {
    throw new Error(
      `the export page has no empty element #${DOCUMENT_ID}; run npm run build again`,
    );
  }
  const text = JSON.stringify(document).replace(/</g, '\\u003c');
  const filled = page.replace(PLACEHOLDER, (_, open: string, close: string) => open + text + close);
  return withArm(filled);
}
