/** Kept states of the whole twin: keep, restore, download, take in; and reset by scope. */
import { resolved, schemaOf } from '../../contract/schemas.ts';
import type { NamedState, ResetScope, StateFile } from '../../contract/types.ts';
import { button, element } from '../panels/element.ts';
import { heading } from '../panels/panel.ts';
import { filePicker } from '../panels/user-file.ts';
import type { BenchPanel, BenchParts } from './bench-panel.ts';
import { createRows, wordEntry } from './entries.ts';
import { saveFile } from './saved-file.ts';
import { plainWords } from './schema-form.ts';

/** A state file's text as an object; the server judges it. */
function parsed(text: string): StateFile {
  try {
    return JSON.parse(text) as StateFile;
  } catch {
    return {} as StateFile;
  }
}

/** The panel of kept states. */
export function createStatesPanel({ calls }: BenchParts): BenchPanel {
  const name = wordEntry('Name', 'before');
  const rows = createRows('No state is kept.');
  const refresh = async (): Promise<void> => {
    const got = await calls.read((client) => client.listStates());
    if (got) rows.set(JSON.stringify(got.states), () => got.states.map(row));
  };
  const then = (done: Promise<unknown>): void => void done.then(refresh);
  async function download(state: string): Promise<void> {
    const done = await calls.act((client) => client.exportState({ name: state }));
    if (done) saveFile(`${state}.state.json`, JSON.stringify(done.reply));
  }
  const act = (label: string, press: () => void, words: string) =>
    button({ class: 'plain', 'aria-label': label }, press, words);
  const row = ({ name: kept, tick, state }: NamedState): HTMLElement =>
    element(
      'li',
      {},
      element('span', { class: 'grow' }, kept),
      element('span', { class: 'sub' }, `tick ${tick}, ${state.replaceAll('_', ' ')}`),
      act(
        `Restore ${kept}`,
        () => then(calls.act((client) => client.restoreState({ name: kept }))),
        'Restore',
      ),
      act(`Download ${kept}`, () => void download(kept), 'Download'),
    );
  const picker = filePicker({
    take: (_name, text) => then(calls.act((client) => client.importState(parsed(text)))),
    refuse: calls.refuse,
  });
  const keep = () =>
    then(calls.act((client) => client.keepState({ name: name.read() ?? 'state' })));
  const forget = () => then(calls.act((client) => client.forgetStates()));
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Snapshots' },
    heading('Snapshots').element,
    element(
      'div',
      { class: 'bench-line' },
      name.element,
      button({ class: 'primary' }, keep, 'Keep'),
      button({ class: 'plain' }, () => picker.click(), 'Open file'),
      picker,
      button({ class: 'plain' }, forget, 'Forget all'),
    ),
    ...rows.elements,
  );
  return { element: panel, update: () => undefined, refresh };
}

/** The panel that puts parts of the twin back to how it came up. */
export function createResetPanel({ calls }: BenchParts): BenchPanel {
  const scopes = resolved(schemaOf('ResetScope')).enum as readonly ResetScope[];
  const boxes = scopes.map((scope) => {
    const box = element('input', { type: 'checkbox', checked: scope === 'state' });
    return {
      scope,
      box,
      element: element('label', { class: 'bench-check' }, box, plainWords(scope)),
    };
  });
  function reset(): void {
    const chosen = boxes.filter(({ box }) => box.checked).map(({ scope }) => scope);
    if (chosen.length > 0) void calls.act((client) => client.resetTwin({ scopes: chosen }));
  }
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Reset' },
    heading('Reset').element,
    element('div', { class: 'bench-checks' }, ...boxes.map((box) => box.element)),
    button({ class: 'plain' }, reset, 'Reset what is ticked'),
  );
  return { element: panel, update: () => undefined };
}
