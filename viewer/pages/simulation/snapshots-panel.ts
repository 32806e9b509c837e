/** Snapshots of the twin: save, restore, download and import. */
import type { NamedState, StateFile } from '../../../contract/types.generated.ts';
import { heading } from '../../shell/heading.ts';
import { button, element } from '../../ui/element.ts';
import { createRowList } from '../../ui/row-list.ts';
import { filePicker, saveFile } from '../../ui/user-file.ts';
import { inputLine, textInput } from '../../ui/value-input.ts';
import type { SimulationContext, SimulationPanel } from './simulation-panel.ts';

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
  const removeAll = () => refreshAfter(calls.run((client) => client.forgetStates()));
  const all = button({ class: 'plain' }, removeAll, 'Delete all');
  const rows = createRowList('No snapshots yet.', all);
  const refresh = async (): Promise<void> => {
    const reply = await calls.query((client) => client.listStates());
    if (reply) rows.set(JSON.stringify(reply.states), () => reply.states.map(row));
  };
  const refreshAfter = (call: Promise<unknown>): void => void call.then(refresh);
  async function download(snapshot: string): Promise<void> {
    const outcome = await calls.run((client) => client.exportState({ name: snapshot }));
    if (outcome)
      saveFile(`${snapshot}.state.json`, JSON.stringify(outcome.reply), 'application/json');
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
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Snapshots' },
    heading('Snapshots').element,
    inputLine(
      name.element,
      button({ class: 'primary' }, save, 'Save'),
      button({ class: 'plain' }, () => picker.click(), 'Open file'),
      picker,
      all,
    ),
    ...rows.elements,
  );
  return { element: panel, update: () => undefined, refresh };
}
