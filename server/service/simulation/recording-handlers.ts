/** Handlers of recordings in memory under /sim/v1. */

import { refuse } from '../../../contract/refusal.ts';
import type { RecordingReply } from '../../../contract/types.generated.ts';
import { Recording } from '../../recording/recording.ts';
import type { Handlers } from '../http/handler.ts';
import { answer, EMPTY } from '../http/reply.ts';
import type { Simulation } from './simulation.ts';

function recordingReply(recording: Recording | null): RecordingReply {
  if (!recording) return { recording: false, bytes: 0, truncated: false };
  return { recording: !recording.stopped, bytes: recording.bytes, truncated: recording.truncated };
}

/** Handlers of in-memory recordings; the last recording stays until the next starts. */
export function recordingHandlers(simulation: Simulation): Handlers {
  return {
    getRecording: () => answer(recordingReply(simulation.recording)),
    startRecording() {
      const { worldRefusal, recordingParts } = simulation;
      if (worldRefusal || !recordingParts) return worldRefusal ?? refuse('not_supported');
      simulation.recording?.stop();
      simulation.recording = new Recording(recordingParts);
      return answer(recordingReply(simulation.recording));
    },
    stopRecording() {
      simulation.recording?.stop();
      return answer(recordingReply(simulation.recording));
    },
    getTape() {
      const { recording } = simulation;
      if (!recording) return refuse('not_found', 'There is no recording; start one first');
      return { ...EMPTY, text: recording.jsonPieces() };
    },
  };
}
