/**
 * What the arm meets and says on the Simulation page: obstacles, the twin log with the current
 * contacts, and the search in the API journal.
 */
import type {
  AddObstacleBody,
  JournalEntry,
  JournalSearchBody,
  SimContact,
  SimLogEvent,
  SimObstacle,
  Vector,
} from '../../contract/types.ts';
import type { ArmView } from '../link/arm-store.ts';
import { reuseIfEqual } from '../link/sim-link.ts';
import { button, element, heading, setAttribute, setText } from '../panels/element.ts';
import { twinLogItems } from '../panels/events-panel.ts';
import { decimal } from '../panels/value-text.ts';
import type { SimulationContext, SimulationPanel } from './form-inputs.ts';
import {
  createRowList,
  numberInput,
  selectInput,
  textInput,
  type ValueInput,
} from './form-inputs.ts';

/**
 * Obstacles in the simulated world that the arm's software does not know. The user types their
 * values or places them on the ground with a click into the scene. Lengths are in mm here and in m
 * in the API.
 */

export interface ObstaclesPanel extends SimulationPanel {
  /** Whether the next click into the scene places an obstacle. */
  placing(): boolean;
  /** Places an obstacle of the typed size on the ground at a point (m). */
  placeAt(x_m: number, y_m: number): void;
}

const MM_PER_M = 1000;
const AXES = ['x', 'y', 'z'] as const;

function lengthFields(label: string, values: readonly number[], min?: number): ValueInput<Vector> {
  const fields = AXES.map((axis, i) =>
    numberInput(`${label} ${axis}, mm`, {
      value: values[i]!,
      ...(min !== undefined && { min }),
    }),
  );
  const metres = (i: number) => (fields[i]!.read() ?? 0) / MM_PER_M;
  return {
    element: element('div', { class: 'simulation-line' }, ...fields.map((field) => field.element)),
    read: () => ({ x: metres(0), y: metres(1), z: metres(2) }),
  };
}

function obstacleText({ name, position: p, half: h }: SimObstacle): string {
  const mm = (value: number) => decimal(value * MM_PER_M, 0);
  const size = [h.x, h.y, h.z].map((half) => mm(2 * half)).join(' × ');
  return `${name}, ${size} mm at ${[p.x, p.y, p.z].map(mm).join(', ')}`;
}

/** The fields of a new obstacle. */
function createForm() {
  const name = textInput('Name', 'crate');
  const stiffness = numberInput('Stiffness, N/m', { value: 25_000, min: 100, max: 1_000_000 });
  const at = lengthFields('At', [400, 0, 50]);
  const size = lengthFields('Size', [100, 100, 100], 1);
  return {
    elements: [
      element('div', { class: 'simulation-line' }, name.element, stiffness.element),
      at.element,
      size.element,
    ],
    read(): AddObstacleBody {
      const size_m = size.read()!;
      const stiffness_n_per_m = stiffness.read();
      return {
        name: name.read() ?? 'obstacle',
        position: at.read()!,
        half: { x: size_m.x / 2, y: size_m.y / 2, z: size_m.z / 2 },
        ...(stiffness_n_per_m !== undefined && { stiffness_n_per_m }),
      };
    },
  };
}

function obstacleRow(obstacle: SimObstacle, remove: (obstacle: SimObstacle) => void): HTMLElement {
  return element(
    'li',
    {},
    element('span', { class: 'grow' }, obstacleText(obstacle)),
    button(
      { class: 'plain', 'aria-label': `Remove ${obstacle.name}` },
      () => remove(obstacle),
      'Remove',
    ),
  );
}

/** The panel of obstacles. */
export function createObstaclesPanel({ calls, view }: SimulationContext): ObstaclesPanel {
  const form = createForm();
  const rows = createRowList('No obstacles.');
  let placing = false;
  const placeButton = button(
    { class: 'plain', 'aria-pressed': 'false' },
    togglePlacing,
    'Place by click',
  );
  function togglePlacing(): void {
    placing = !placing;
    setAttribute(placeButton, 'aria-pressed', String(placing));
  }
  const refresh = async (): Promise<void> => {
    const reply = await calls.query((client) => client.listObstacles());
    const before = view().sim?.obstacles ?? null;
    const obstacles = reply && reuseIfEqual(before, reply.obstacles);
    if (obstacles && obstacles !== before) calls.patchView({ obstacles });
  };
  const refreshAfter = (call: Promise<unknown>): void => void call.then(refresh);
  const add = (body: AddObstacleBody): void =>
    refreshAfter(calls.run((client) => client.addObstacle(body)));
  const remove = (obstacle: SimObstacle): void =>
    refreshAfter(calls.run((client) => client.removeObstacle({ obstacle_id: obstacle.id })));
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Obstacles' },
    heading('Obstacles').element,
    ...form.elements,
    element(
      'div',
      { class: 'simulation-line' },
      button({ class: 'primary' }, () => add(form.read()), 'Add obstacle'),
      placeButton,
    ),
    ...rows.elements,
  );
  return {
    element: panel,
    update({ sim }) {
      setAttribute(panel, 'hidden', sim?.obstacles === null);
      const obstacles = sim?.obstacles ?? [];
      rows.set(JSON.stringify(obstacles), () => obstacles.map((one) => obstacleRow(one, remove)));
    },
    refresh,
    placing: () => placing,
    placeAt(x_m, y_m) {
      const body = form.read();
      add({ ...body, position: { x: x_m, y: y_m, z: body.half.z } });
      togglePlacing();
    },
  };
}

const LOG_SHOWN_MAX = 100;

/** The contacts that last, from the list of the twin: the page may have opened later than they. */
function lastingText(contacts: readonly SimContact[]): string {
  const lasting = contacts.filter(({ ended_s }) => ended_s === null);
  const texts = lasting.map(
    ({ body, obstacle, residual_force_n: force_n }) =>
      `${body} touches ${obstacle}, ${decimal(force_n, 1)} N`,
  );
  const text = texts.join('; ');
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The contacts that have ended, as a number and the latest one. */
function endedText(contacts: readonly SimContact[]): string {
  const last = contacts.at(-1);
  if (!last) return 'No contacts.';
  const { body, obstacle, at_s, peak_force_n } = last;
  const all = contacts.length === 1 ? '1 contact' : `${contacts.length} contacts`;
  const where = `${body} on ${obstacle}, ${decimal(peak_force_n, 1)} N at most`;
  return `Nothing touches now. ${all} before, the last at ${decimal(at_s, 1)} s: ${where}.`;
}

/** The current contacts with their forces; without one, those before. */
export function contactsText({ sim }: ArmView): string {
  const touches = sim?.touches ?? [];
  const known = sim?.contacts?.contacts ?? [];
  if (touches.length === 0) return lastingText(known) || endedText(known);
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
      list.replaceChildren(...twinLogItems(log, LOG_SHOWN_MAX));
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
