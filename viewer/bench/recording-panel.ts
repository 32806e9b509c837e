/** The tape: everything that happens from start to stop, for `armtwin replay`. */
import type { RecordingReply } from '../../contract/types.ts';
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { heading } from '../panels/panel.ts';
import { decimal } from '../panels/value-text.ts';
import type { BenchPanel, BenchParts } from './bench-panel.ts';
import { saveFile } from './saved-file.ts';

const BYTES_PER_KB = 1000;

/** Whether the twin is recorded, in words. */
export function recordingWords({ recording, bytes, truncated }: RecordingReply): string {
  if (!recording && bytes === 0) return 'Nothing is recorded.';
  const size = `${decimal(bytes / BYTES_PER_KB, 1)} kB`;
  if (truncated) return `The room was used up at ${size}; the tape ends there.`;
  return recording ? `Recording, ${size}.` : `Stopped, ${size}.`;
}

/** The panel of the recording. */
export function createRecordingPanel({ calls }: BenchParts): BenchPanel {
  const words = element('p', { role: 'status' });
  const start = button({ class: 'primary' }, () => void act('startRecording'), 'Start recording');
  const stop = button({ class: 'plain' }, () => void act('stopRecording'), 'Stop');
  const save = button({ class: 'plain' }, () => void download(), 'Download tape');
  function show(state: RecordingReply): void {
    setText(words, recordingWords(state));
    setAttribute(stop, 'disabled', !state.recording);
    setAttribute(save, 'disabled', state.bytes === 0);
  }
  async function act(call: 'startRecording' | 'stopRecording'): Promise<void> {
    const done = await calls.act((client) => client[call]());
    if (done) show(done.reply);
  }
  async function download(): Promise<void> {
    const done = await calls.act((client) => client.getTape());
    if (done) saveFile('recording.jsonl', done.reply.tape);
  }
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Recording' },
    heading('Recording').element,
    element('div', { class: 'bench-line' }, start, stop, save),
    words,
  );
  return {
    element: panel,
    update: () => undefined,
    async refresh() {
      const state = await calls.read((client) => client.getRecording());
      if (state) show(state);
    },
  };
}
