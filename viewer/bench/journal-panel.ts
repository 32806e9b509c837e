/** The calls that the arm has answered, searched by method, path and status. */
import type { JournalEntry, JournalSearchBody } from '../../contract/types.ts';
import { button, element, setText } from '../panels/element.ts';
import { heading } from '../panels/panel.ts';
import { decimal } from '../panels/value-text.ts';
import type { BenchPanel, BenchParts } from './bench-panel.ts';
import { choiceEntry, numberEntry, wordEntry } from './entries.ts';

const METHODS = ['', 'GET', 'POST', 'PUT', 'DELETE'].map(
  (method) => [method, method || 'any'] as const,
);
const SHOWN_MAX = 100;

/** A path that breaks between its names, not within them. */
function pathParts(path: string): (string | HTMLElement)[] {
  return path.split(/(?<=\/)/).flatMap((name) => [name, element('wbr')]);
}

function row({ method, path, status, duration_ms, tick, user_id }: JournalEntry): HTMLElement {
  const cell = (text: string) => element('td', {}, text);
  const failed = status >= 400;
  return element(
    'tr',
    { 'data-failed': failed },
    cell(String(tick)),
    cell(method),
    element('td', { class: 'bench-path' }, element('code', {}, ...pathParts(path))),
    cell(user_id === null ? '–' : String(user_id)),
    cell(String(status)),
    cell(`${decimal(duration_ms, 1)} ms`),
  );
}

/** The panel of the journal. */
export function createJournalPanel({ calls }: BenchParts): BenchPanel {
  const method = choiceEntry('Method', METHODS);
  const path = wordEntry('Path, * for any end', '/api/v1/controls/*');
  path.element.classList.add('bench-wide');
  const status = numberEntry('Status', { low: 100, high: 599, step: 1 });
  const said = element('p', { class: 'sub wrap', role: 'status' });
  const heads = ['Tick', 'Method', 'Path', 'User', 'Status', 'Took'];
  const body = element('tbody');
  const table = element(
    'table',
    { class: 'bench-journal' },
    element('thead', {}, element('tr', {}, ...heads.map((head) => element('th', {}, head)))),
    body,
  );
  async function search(): Promise<void> {
    const wanted = { method: method.read(), path: path.read(), status: status.read() };
    const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
    const asked: JournalSearchBody = { ...Object.fromEntries(given), limit: SHOWN_MAX };
    const done = await calls.act((client) => client.searchJournal(asked));
    if (!done) return;
    const { entries, lost } = done.reply;
    body.replaceChildren(...[...entries].reverse().map(row));
    const calls_ = entries.length === 1 ? '1 call' : `${entries.length} calls`;
    setText(said, lost > 0 ? `${calls_}; ${lost} older ones made room.` : `${calls_}.`);
  }
  const form = element(
    'form',
    { class: 'bench-line' },
    method.element,
    path.element,
    status.element,
    element('button', { type: 'submit', class: 'plain' }, 'Search'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void search();
  });
  const clear = button(
    { class: 'plain' },
    () => void calls.act((client) => client.clearJournal()).then(search),
    'Clear',
  );
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Journal' },
    heading('Journal', clear).element,
    form,
    said,
    element('div', { class: 'bench-table', tabindex: '0' }, table),
  );
  return { element: panel, update: () => undefined };
}
