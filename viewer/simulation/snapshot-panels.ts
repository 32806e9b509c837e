/** Snapshots of the twin (save, restore, download, import), its recording, and reset by scope. */
import { resolved, schemaOf } from '../../contract/schemas.ts';
import type { NamedState, RecordingReply, ResetScope, StateFile } from '../../contract/types.ts';
import { button, element, heading, setAttribute, setText } from '../panels/element.ts';
import { filePicker, saveFile } from '../panels/form.ts';
import { decimal } from '../panels/value-text.ts';
import type { SimulationContext, SimulationPanel } from './form-inputs.ts';
import { createRowList, readableName, textInput } from './form-inputs.ts';

const BYTES_PER_KB = 1000;
const JSON_TYPE = { type: 'application/json' };

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
    if (outcome) saveFile('recording.jsonl', new Blob([outcome.reply.tape], JSON_TYPE));
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

/** Parses a snapshot file; the server validates the result. */
function parseSnapshotFile(text: string): StateFile {
  try {
    return JSON.parse(text) as StateFile;
  } catch {
    return {} as StateFile;
  }
}

/** The panel of snapshots. */
export function createSnapshotsPanel({ calls }: SimulationContext): SimulationPanel {
  const name = textInput('Name', 'before');
  const rows = createRowList('No snapshots yet.');
  const refresh = async (): Promise<void> => {
    const reply = await calls.query((client) => client.listStates());
    if (reply) rows.set(JSON.stringify(reply.states), () => reply.states.map(row));
  };
  const refreshAfter = (call: Promise<unknown>): void => void call.then(refresh);
  async function download(snapshot: string): Promise<void> {
    const outcome = await calls.run((client) => client.exportState({ name: snapshot }));
    if (outcome)
      saveFile(`${snapshot}.state.json`, new Blob([JSON.stringify(outcome.reply)], JSON_TYPE));
  }
  const rowButton = (text: string, snapshot: string, onClick: () => void) =>
    button({ class: 'plain', 'aria-label': `${text} ${snapshot}` }, onClick, text);
  const row = ({ name: snapshot, tick, state }: NamedState): HTMLElement =>
    element(
      'li',
      {},
      element('span', { class: 'grow' }, snapshot),
      element('span', { class: 'sub' }, `tick ${tick}, ${state.replaceAll('_', ' ')}`),
      rowButton('Restore', snapshot, () => {
        refreshAfter(calls.run((client) => client.restoreState({ name: snapshot })));
      }),
      rowButton('Download', snapshot, () => void download(snapshot)),
    );
  const picker = filePicker({
    onText: (_name, text) =>
      refreshAfter(calls.run((client) => client.importState(parseSnapshotFile(text)))),
    onProblem: calls.showProblem,
  });
  const save = () =>
    refreshAfter(calls.run((client) => client.keepState({ name: name.read() ?? 'state' })));
  const removeAll = () => refreshAfter(calls.run((client) => client.forgetStates()));
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Snapshots' },
    heading('Snapshots').element,
    element(
      'div',
      { class: 'simulation-line' },
      name.element,
      button({ class: 'primary' }, save, 'Save'),
      button({ class: 'plain' }, () => picker.click(), 'Open file'),
      picker,
      button({ class: 'plain' }, removeAll, 'Delete all'),
    ),
    ...rows.elements,
  );
  return { element: panel, update: () => undefined, refresh };
}

/** The panel that resets parts of the twin to their initial state. */
export function createResetPanel({ calls }: SimulationContext): SimulationPanel {
  const scopes = resolved(schemaOf('ResetScope')).enum as readonly ResetScope[];
  const boxes = scopes.map((scope) => {
    const box = element('input', { type: 'checkbox', checked: scope === 'state' });
    return {
      scope,
      box,
      element: element('label', { class: 'simulation-check' }, box, readableName(scope)),
    };
  });
  function reset(): void {
    const selected = boxes.filter(({ box }) => box.checked).map(({ scope }) => scope);
    if (selected.length > 0) void calls.run((client) => client.resetTwin({ scopes: selected }));
  }
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Reset' },
    heading('Reset').element,
    element('div', { class: 'simulation-checks' }, ...boxes.map((box) => box.element)),
    button({ class: 'plain' }, reset, 'Reset selected'),
  );
  return { element: panel, update: () => undefined };
}
