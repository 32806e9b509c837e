import { Button } from '../../ui/buttons.tsx';
import { saveFile } from '../../ui/user-file.ts';
import { type PanelProps, usePolled } from './panel-context.ts';
import { recordingText } from './recording-text.ts';
import { Section } from './section.tsx';

/** The panel that records the twin for `armtwin replay`. */
export function RecordingPanel({ context }: PanelProps) {
  const { reply, run } = usePolled(context, (client) => client.getRecording());
  async function download(): Promise<void> {
    const outcome = await context.calls.run((client) => client.getTape());
    if (outcome) saveFile('recording.jsonl', outcome.reply.tape, 'application/json');
  }
  return (
    <Section name="Recording">
      <div class="form-line">
        <Button class="primary" onClick={() => run((client) => client.startRecording())}>
          Start recording
        </Button>
        <Button
          disabled={reply?.recording === false}
          onClick={() => run((client) => client.stopRecording())}
        >
          Stop
        </Button>
        <Button disabled={reply?.bytes === 0} onClick={download}>
          Download recording
        </Button>
      </div>
      <p role="status">{reply && recordingText(reply)}</p>
    </Section>
  );
}
