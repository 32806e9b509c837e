/**
 * What a page exported to one HTML file shows, and how it gets into that file. Shared because the
 * command line and the viewer's own button write the same files.
 */

import type { ToolpathMetadata } from './types.ts';

/** Joints over time: base64 of little-endian 32-bit floats, six a sample. */
export interface RecordedMotion {
  /** When each sample was taken (s from the start); rests have one at either end. */
  readonly times_s: readonly number[];
  readonly position_rad: string;
  readonly velocity_rad_s: string;
}

/** Something that happened in a recording: a signal that changed, a line of the log. */
export interface RecordedRemark {
  readonly at_s: number;
  readonly kind: 'signal' | 'log';
  readonly words: string;
}

export interface RecordingDocument {
  readonly kind: 'recording';
  readonly name: string;
  readonly made_by: string;
  /** Tool and zones of the loaded toolpath; null when none was loaded. */
  readonly metadata: ToolpathMetadata | null;
  readonly motion: RecordedMotion;
  readonly remarks: readonly RecordedRemark[];
}

export interface ToolpathDocument {
  readonly kind: 'toolpath';
  readonly name: string;
  readonly made_by: string;
  /** The toolpath as JSON text. */
  readonly text: string;
}

export type ExportDocument = RecordingDocument | ToolpathDocument;

/** The element of the exported page that holds the document. */
export const DOCUMENT_ID = 'armtwin-document';
const PLACE = /(<script type="application\/json" id="armtwin-document">)null(<\/script>)/;

/**
 * The page with the document in its place. Every `<` in the document is escaped: no name in it can
 * end the element that holds it, and a browser never runs an element of that type.
 */
export function embedDocument(page: string, document: ExportDocument): string {
  if (!PLACE.test(page)) throw new Error('the page to export into has no place for a document');
  const text = JSON.stringify(document).replace(/</g, '\\u003c');
  return page.replace(PLACE, (_, open: string, close: string) => open + text + close);
}
