import type { RecordingReply } from '../../../contract/types.generated.ts';
import { decimal } from '../../ui/value-text.ts';

const BYTES_PER_KB = 1000;

/** The state of the recording in words. */
export function recordingText({ recording, bytes, truncated }: RecordingReply): string {
  if (!recording && bytes === 0) return 'Nothing is recorded.';
  const size = `${decimal(bytes / BYTES_PER_KB, 1)} kB`;
  if (truncated) return `The size limit was reached at ${size}; the recording ends there.`;
  return recording ? `Recording, ${size}.` : `Stopped, ${size}.`;
}
