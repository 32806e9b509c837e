/** Below the chart: deliveries to hooks with how each went, or everything the run has told. */
import type { Delivery, RunEvent } from '../../contract/types.ts';
import { button, columnHeads, element, setAttribute, setText } from '../panels/element.ts';
import { type IconName, icon } from '../panels/icons.ts';
import { clockText } from '../panels/value-text.ts';
import type { WorkPanel, WorkStore, WorkView } from './workflow-store.ts';

const ROWS_MAX = 200;

const HOOK_WORDS: Record<Delivery['hook_type'], string> = {
  RunStateChangeHook: 'Run state',
  TaskStateChangeHook: 'Task state',
  SafetyStateChangeHook: 'Safety state',
  LabwareMovementHook: 'Labware moved',
  NewPlanHook: 'New plan',
};

interface StateLook {
  readonly words: string;
  readonly icon: IconName;
  readonly tone: 'run' | 'warn' | 'fault';
}

/** What a hook is called. */
export function hookWords(type: Delivery['hook_type']): string {
  return HOOK_WORDS[type];
}

/** How a delivery went, in a word, an icon and a tone. */
export function deliveryLook({ state, attempts }: Delivery): StateLook {
  const status = attempts.at(-1)?.status;
  if (state === 'delivered') return { words: 'Delivered', icon: 'done', tone: 'run' };
  if (state === 'pending') {
    const words = attempts.length === 0 ? 'On its way' : 'Tried again soon';
    return { words, icon: 'retry', tone: 'warn' };
  }
  const why = status ? `, ${status}` : '';
  const words = state === 'disabled' ? `Switched off${why}` : `Given up${why}`;
  return { words, icon: 'close', tone: 'fault' };
}

type Body = Readonly<Record<string, unknown>>;

/** What a body says, in a few words. */
export function bodyWords(body: Body): string {
  const say = (key: string) => (typeof body[key] === 'string' ? (body[key] as string) : '');
  if (typeof body['remaining_worktime'] === 'number') {
    return `${Math.ceil(body['remaining_worktime'] / 60)} min of work left`;
  }
  const what = say('task_id') || say('labware_id');
  return [what, say('state'), say('error') || say('message')].filter(Boolean).join(' ');
}

/** A body that was sent, read again; empty for what is no JSON object. */
export function bodyOf(text: string): Body {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as Body) : {};
  } catch {
    return {};
  }
}

function timeWords(body: Body): string {
  const { timestamp } = body;
  return typeof timestamp === 'string' ? clockText(new Date(timestamp)).slice(0, 8) : '';
}

function cells(...texts: readonly string[]): HTMLElement[] {
  return texts.map((text) => element('td', {}, element('bdi', {}, text)));
}

function eventRow({ sequence, hook_type, body }: RunEvent): HTMLElement {
  const told = body as object as Body;
  const texts = [String(sequence), timeWords(told), HOOK_WORDS[hook_type], bodyWords(told)];
  return element('tr', {}, ...cells(...texts));
}

/** Whether two states of a delivery look the same. */
function isSame(a: Delivery, b: Delivery): boolean {
  return a.state === b.state && a.attempts.length === b.attempts.length;
}

/** The rows of deliveries, kept while they look the same, so that focus stays. */
class DeliveryRows {
  readonly body = element('tbody');
  private readonly kept = new Map<number, { of: Delivery; row: HTMLElement }>();
  private readonly select: (id: number) => void;

  constructor(select: (id: number) => void) {
    this.select = select;
  }

  draw(deliveries: readonly Delivery[], selected: number | null): void {
    const rows = deliveries.map((one) => {
      const old = this.kept.get(one.id);
      const row = old && isSame(old.of, one) ? old.row : this.row(one);
      this.kept.set(one.id, { of: one, row });
      setAttribute(row, 'aria-selected', String(one.id === selected));
      return row;
    });
    const same = rows.length === this.body.childElementCount;
    if (!same || rows.some((row, i) => row !== this.body.children[i])) {
      this.body.replaceChildren(...rows);
    }
  }

  private row(one: Delivery): HTMLElement {
    const { attempts, hook_type, body } = one;
    const last = attempts.at(-1);
    const answer = last ? String(last.status ?? last.error) : '';
    const look = deliveryLook(one);
    const told = bodyOf(body);
    const state = element('td', { class: 'delivery-state', 'data-tone': look.tone });
    state.append(icon(look.icon), look.words);
    const open = button(
      { class: 'link' },
      () => this.select(one.id),
      timeWords(told) || `${one.id}`,
    );
    setAttribute(open, 'aria-label', `Delivery ${one.id}`);
    const row = element(
      'tr',
      { 'data-delivery': String(one.id) },
      element('th', { scope: 'row' }, open),
    );
    const took = last ? `${Math.round(last.duration_ms)} ms` : '';
    row.append(
      ...cells(HOOK_WORDS[hook_type], bodyWords(told), answer, `${attempts.length}`, took),
    );
    row.append(state);
    row.addEventListener('click', () => this.select(one.id));
    return row;
  }
}

type Tab = 'deliveries' | 'waiting' | 'failed' | 'events';

const TABS: readonly (readonly [Tab, string])[] = [
  ['deliveries', 'All'],
  ['waiting', 'Waiting'],
  ['failed', 'Failed'],
  ['events', 'Events'],
];

function among(tab: Tab, { deliveries }: WorkView): readonly Delivery[] {
  if (tab === 'waiting') return deliveries.filter(({ state }) => state === 'pending');
  if (tab === 'failed') {
    return deliveries.filter(({ state }) => state === 'dead' || state === 'disabled');
  }
  return deliveries;
}

function table(columns: readonly string[], rows: HTMLElement, label: string): HTMLElement {
  return element('table', { class: 'work-table', 'aria-label': label }, columnHeads(columns), rows);
}

function emptyWords(tab: Tab, { run, deliveries }: WorkView): string {
  if (!run) return 'Deliveries and events show once a run has begun.';
  if (tab === 'waiting') return 'Nothing waits.';
  if (tab === 'failed') return 'Nothing has failed.';
  const none = deliveries.length === 0 && tab === 'deliveries';
  return none ? 'Nothing was sent: no hook of this workflow has fired.' : 'Nothing has happened.';
}

function logHead(chips: readonly HTMLElement[]): HTMLElement {
  return element(
    'header',
    { class: 'section-head' },
    element('h2', {}, 'Deliveries'),
    element('span', { class: 'age' }),
    element('div', { class: 'choice', role: 'group', 'aria-label': 'Show' }, ...chips),
  );
}

/** The lists. */
export function createLogPanel(store: WorkStore): WorkPanel {
  let tab: Tab = 'deliveries';
  const rows = new DeliveryRows((id) => store.set({ selected: { kind: 'delivery', id } }));
  const events = element('tbody');
  const sent = table(
    ['Time', 'Event', 'Content', 'Answer', 'Tries', 'Took', 'State'],
    rows.body,
    'Deliveries',
  );
  const told = table(['No.', 'Time', 'Event', 'Content'], events, 'Events');
  const empty = element('p', { class: 'empty' });
  const chips = TABS.map(([name, words]) => ({
    name,
    words,
    chip: button({ class: 'chip' }, () => choose(name), words),
  }));
  let drawn: readonly RunEvent[] | null = null;
  function choose(name: Tab): void {
    tab = name;
    update(store.view());
  }
  function update(view: WorkView): void {
    for (const { name, words, chip } of chips) {
      const count = name === 'events' ? view.events.length : among(name, view).length;
      setText(chip, count > 0 ? `${words} ${count}` : words);
      setAttribute(chip, 'aria-pressed', String(name === tab));
    }
    const shown = tab === 'events' ? [] : among(tab, view).slice(0, ROWS_MAX);
    const { selected } = view;
    rows.draw(shown, selected?.kind === 'delivery' ? selected.id : null);
    if (tab === 'events' && view.events !== drawn) {
      drawn = view.events;
      events.replaceChildren(...[...drawn].reverse().slice(0, ROWS_MAX).map(eventRow));
    }
    const count = tab === 'events' ? view.events.length : shown.length;
    sent.hidden = tab === 'events' || count === 0;
    told.hidden = tab !== 'events' || count === 0;
    empty.hidden = count > 0;
    setText(empty, emptyWords(tab, view));
  }
  const head = logHead(chips.map(({ chip }) => chip));
  const list = element('div', { class: 'work-log-list' }, empty, sent, told);
  return {
    element: element(
      'section',
      { class: 'work-log', 'aria-label': 'Deliveries and events' },
      head,
      list,
    ),
    update,
  };
}
