/** The Simulation page's twin log with the current contacts, and the search in the API journal. */
import type { JournalEntry, JournalSearchBody, SimLogEvent } from '../../contract/types.ts';
import type { ArmView } from '../link/arm-store.ts';
import { button, element, heading, setText } from '../panels/element.ts';
import { twinLogItem } from '../panels/events-panel.ts';
import { decimal } from '../panels/value-text.ts';
import type { SimulationContext, SimulationPanel } from './form-inputs.ts';
import { numberInput, selectInput, textInput } from './form-inputs.ts';

const LOG_SHOWN_MAX = 100;

/** The current contacts with their forces. */
export function contactsText({ sim }: ArmView): string {
  const touches = sim?.touches ?? [];
  if (touches.length === 0) return 'No contacts.';
  const contact = ({ link, obstacle, force_n }: (typeof touches)[number]) =>
    `${link === 7 ? 'Tool' : `Link ${link}`} touches ${obstacle}, ${decimal(force_n, 1)} N`;
  return `${touches.map(contact).join('; ')}.`;
}

/** The panel of the twin log and the contacts. */
export function createTwinLogPanel(): SimulationPanel {
  const list = element('ol', { class: 'simulation-log', tabindex: '0' });
  const contacts = element('p', { class: 'wrap', role: 'status' });
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Twin log' },
    heading('Twin log').element,
    contacts,
    list,
  );
  let drawn: readonly SimLogEvent[] | null = null;
  return {
    element: panel,
    update(view) {
      setText(contacts, contactsText(view));
      const log = view.sim?.log ?? [];
      if (log === drawn) return;
      drawn = log;
      list.replaceChildren(...log.slice(0, LOG_SHOWN_MAX).map(twinLogItem));
    },
  };
}

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
  const status = numberInput('Status', { min: 100, max: 599, step: 1 });
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
