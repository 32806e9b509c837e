/** Recordings in memory under /sim/v1: begun, ended, handed out. */
import type { RecordingReply } from '../../contract/types.ts';
import { answer, type Handlers } from '../http/handler.ts';
import { Recording } from '../recording/recording.ts';
import { refuse } from '../robot/refusal.ts';
import type { Simulation } from './simulation.ts';

function shown(recording: Recording | null): RecordingReply {
  if (!recording) return { recording: false, bytes: 0, truncated: false };
  return { recording: !recording.ended, bytes: recording.bytes, truncated: recording.truncated };
}

/** The handlers of recordings; the tape of the last one is kept until the next begins. */
export function recordingHandlers(simulation: Simulation): Handlers {
  return {
    getRecording: () => answer(shown(simulation.recording)),
    startRecording() {
      const { worldRefusal, tapeParts } = simulation;
      if (worldRefusal || !tapeParts) return worldRefusal ?? refuse('not_supported');
      simulation.recording?.end();
      simulation.recording = new Recording(tapeParts);
      return answer(shown(simulation.recording));
    },
    stopRecording() {
      simulation.recording?.end();
      return answer(shown(simulation.recording));
    },
    getTape() {
      const { recording } = simulation;
      if (!recording) return refuse('not_found', 'Nothing was recorded');
      return answer({ tape: recording.text });
    },
  };
}
