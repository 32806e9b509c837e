/** The recording of the twin. */
import type { RecordingReply } from '../../../contract/types.generated.ts';
import { heading } from '../../shell/heading.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { saveFile } from '../../ui/user-file.ts';
import { decimal } from '../../ui/value-text.ts';
import type { SimulationContext, SimulationPanel } from './simulation-panel.ts';

const BYTES_PER_KB = 1000;

/** The state of the recording in words. */
export function recordingText({ recording, bytes, truncated }: RecordingReply): string {
  if (!recording && bytes === 0) return 'Nothing is recorded.';
  const size = `${decimal(bytes / BYTES_PER_KB, 1)} kB`;
  if (truncated) return `The size limit was reached at ${size}; the recording ends there.`;
  return recording ? `Recording, ${size}.` : `Stopped, ${size}.`;
}

/** The panel that records the twin for `armtwin replay`. */
export function createRecordingPanel({ calls }: SimulationContext): SimulationPanel {
  const status = element('p', { role: 'status' });
  const start = button({ class: 'primary' }, () => void run('startRecording'), 'Start recording');
  const stop = button({ class: 'plain' }, () => void run('stopRecording'), 'Stop');
  const save = button({ class: 'plain' }, () => void download(), 'Download recording');
  function show(state: RecordingReply): void {
    setText(status, recordingText(state));
    setAttribute(stop, 'disabled', !state.recording);
    setAttribute(save, 'disabled', state.bytes === 0);
  }
  async function run(call: 'startRecording' | 'stopRecording'): Promise<void> {
    const outcome = await calls.run((client) => client[call]());
    if (outcome) show(outcome.reply);
  }
  async function download(): Promise<void> {
    const outcome = await calls.run((client) => client.getTape());
    if (outcome) saveFile('recording.jsonl', outcome.reply.tape, 'application/json');
  }
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Recording' },
    heading('Recording').element,
    element('div', { class: 'simulation-line' }, start, stop, save),
    status,
  );
  return {
    element: panel,
    update: () => undefined,
    async refresh() {
      const state = await calls.query((client) => client.getRecording());
      if (state) show(state);
    },
  };
}
