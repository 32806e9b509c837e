/** Snapshots of the twin: save, restore, download and import. */
import { useSignal } from '@preact/signals';
import type { StateFile } from '../../../contract/types.generated.ts';
import { Button } from '../../ui/buttons.tsx';
import { bind, TextField } from '../../ui/fields.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { saveFile } from '../../ui/user-file.ts';
import { type PanelProps, usePolled } from './panel-context.ts';
import { Rows } from './rows.tsx';
import { Section } from './section.tsx';

/** Parses a snapshot file; the server validates the result. */
function parseSnapshotFile(text: string): StateFile {
  try {
    return JSON.parse(text) as StateFile;
  } catch {
    return {} as StateFile;
  }
}

/** The panel of snapshots. */
export function SnapshotsPanel({ context }: PanelProps) {
  const { calls } = context;
  const name = useSignal('before');
  const { reply, run } = usePolled(context, (client) => client.listStates());
  const states = reply?.states ?? [];
  async function download(snapshot: string): Promise<void> {
    const outcome = await calls.run((client) => client.exportState({ name: snapshot }));
    if (!outcome) return;
    saveFile(`${snapshot}.state.json`, JSON.stringify(outcome.reply), 'application/json');
  }
  const save = () => run((client) => client.keepState({ name: name.value.trim() || 'state' }));
  return (
    <Section name="Snapshots">
      <div class="form-line">
        <TextField label="Name" {...bind(name)} />
        <Button class="primary" onClick={save}>
          Save
        </Button>
        <FileButton
          onText={(_, text) => run((client) => client.importState(parseSnapshotFile(text)))}
          onProblem={calls.showProblem}
        >
          Open file
        </FileButton>
        <Button
          disabled={states.length === 0}
          onClick={() => run((client) => client.forgetStates())}
        >
          Delete all
        </Button>
      </div>
      <Rows empty="No snapshots yet.">
        {states.map(({ name: snapshot, tick, state }) => (
          <li key={snapshot}>
            <span class="grow">{snapshot}</span>
            <span class="sub">
              tick {tick}, {state.replaceAll('_', ' ')}
            </span>
            <Button
              aria-label={`Restore ${snapshot}`}
              onClick={() => run((client) => client.restoreState({ name: snapshot }))}
            >
              Restore
            </Button>
            <Button aria-label={`Download ${snapshot}`} onClick={() => download(snapshot)}>
              Download
            </Button>
          </li>
        ))}
      </Rows>
    </Section>
  );
}
