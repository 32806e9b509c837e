/** The search in the journal of API calls. */

import type { JournalEntry, JournalSearchBody } from '../../../contract/types.generated.ts';
import { heading } from '../../shell/heading.ts';
import { button, element, setText } from '../../ui/element.ts';
import { numberInput, selectInput, textInput } from '../../ui/value-input.ts';
import { decimal } from '../../ui/value-text.ts';
import type { SimulationContext, SimulationPanel } from './simulation-panel.ts';

const METHODS = ['', 'GET', 'POST', 'PUT', 'DELETE'].map(
  (method) => [method, method || 'any'] as const,
);
const CALLS_SHOWN_MAX = 100;

/** A path with line-break opportunities after each slash. */
function breakablePath(path: string): (string | HTMLElement)[] {
  return path.split(/(?<=\/)/).flatMap((part) => [part, element('wbr')]);
}

function journalRow({
  method,
  path,
  status,
  duration_ms,
  tick,
  user_id,
}: JournalEntry): HTMLElement {
  const cell = (text: string) => element('td', {}, text);
  const failed = status >= 400;
  return element(
    'tr',
    { 'data-failed': failed },
    cell(String(tick)),
    cell(method),
    element('td', { class: 'simulation-path' }, element('code', {}, ...breakablePath(path))),
    cell(user_id === null ? '–' : String(user_id)),
    cell(String(status)),
    cell(`${decimal(duration_ms, 1)} ms`),
  );
}

/** The panel that searches the journal of API calls. */
export function createJournalPanel({ calls }: SimulationContext): SimulationPanel {
  const method = selectInput('Method', METHODS);
  const path = textInput('Path, * matches any ending', '/api/v1/controls/*');
  path.element.classList.add('simulation-wide');
  const status = numberInput('Status', { min: 100, max: 599, whole: true });
  const result = element('p', { class: 'sub wrap', role: 'status' });
  const heads = ['Tick', 'Method', 'Path', 'User', 'Status', 'Duration'];
  const body = element('tbody');
  const table = element(
    'table',
    { class: 'simulation-journal' },
    element('thead', {}, element('tr', {}, ...heads.map((head) => element('th', {}, head)))),
    body,
  );
  async function search(): Promise<void> {
    const filters = { method: method.read(), path: path.read(), status: status.read() };
    const given = Object.entries(filters).filter(([, value]) => value !== undefined);
    const query: JournalSearchBody = { ...Object.fromEntries(given), limit: CALLS_SHOWN_MAX };
    const outcome = await calls.run((client) => client.searchJournal(query));
    if (!outcome) return;
    const { entries, lost } = outcome.reply;
    body.replaceChildren(...[...entries].reverse().map(journalRow));
    const count = entries.length === 1 ? '1 call' : `${entries.length} calls`;
    setText(result, lost > 0 ? `${count}; ${lost} older calls were dropped.` : `${count}.`);
  }
  const form = element(
    'form',
    { class: 'simulation-line' },
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
    () => void calls.run((client) => client.clearJournal()).then(search),
    'Clear',
  );
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Journal' },
    heading('Journal', clear).element,
    form,
    result,
    element('div', { class: 'simulation-table', tabindex: '0' }, table),
  );
  return { element: panel, update: () => undefined };
}
