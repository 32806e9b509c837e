import type { Toolpath } from '../../contract/types.generated.ts';
import { canonicalSha256 } from './sha256.ts';
import { encoder } from './utf8.ts';

/** A valid toolpath as JSON text, so that no other thread has to parse it. */
export interface ToolpathText {
  /** UTF-8. */
  readonly json: Uint8Array;
  /** Content hash (D15). */
  readonly hash: string;
  readonly metadata: Toolpath['metadata'];
}

/** The JSON text of a valid toolpath with its hash. */
export function toolpathText(toolpath: Toolpath): ToolpathText {
  const json = encoder.encode(JSON.stringify(toolpath));
  return { json, hash: canonicalSha256(toolpath)!, metadata: toolpath.metadata };
}
