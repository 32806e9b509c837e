/** The log below the chart: webhook deliveries with their status, and the events of the run. */
import type { Delivery, RunEvent, WhatIfChoice } from '../../contract/types.ts';
import {
  button,
  element,
  type IconName,
  icon,
  setAttribute,
  setText,
  tableHead,
} from '../panels/element.ts';
import { timeOfDayText } from '../panels/value-text.ts';
import { durationText, statesItself } from './gantt-bar.ts';
import type { WorkflowPanel, WorkflowStore, WorkflowView } from './workflow-store.ts';

const ROWS_MAX = 200;

const HOOK_TEXT: Record<Delivery['hook_type'], string> = {
  RunStateChangeHook: 'Run state',
  TaskStateChangeHook: 'Task state',
  SafetyStateChangeHook: 'Safety state',
  LabwareMovementHook: 'Labware moved',
  NewPlanHook: 'New plan',
};

interface DeliveryStatus {
  readonly text: string;
  readonly icon: IconName;
  readonly tone: 'run' | 'warn' | 'fault';
}

/** Display name of a hook type. */
export function hookText(type: Delivery['hook_type']): string {
  return HOOK_TEXT[type];
}

const CHOICE_TEXT: Record<WhatIfChoice['choice'], string> = {
  retry: 'Retry',
  complete_manually: 'Completed by hand',
  ignore: 'Skip',
  abort_labware: 'Give up the labware',
  stop: 'Stop the run',
};

/** Ids that are named, and reasons that are given, before the others are counted. */
const NAMED = 3;

/** "fill_1, fill_2, fill_3 and 99 more". */
export function idsText(ids: readonly string[]): string {
  const more = ids.length - NAMED;
  const named = ids.slice(0, NAMED).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}

function reasonsText(reasons: readonly string[]): string {
  const more = reasons.length - NAMED;
  const given = reasons.slice(0, NAMED).join('; ');
  return more > 0 ? `${given}; and ${more} more reasons` : given;
}

/** What each choice for a failed task leads to, side by side. */
export function choicesTable(choices: readonly WhatIfChoice[]): HTMLElement {
  const rows = choices.map((one) => {
    const name = `${CHOICE_TEXT[one.choice]}${one.is_allowed ? '' : ' (not allowed)'}`;
    const end = one.makespan_s === null ? 'no plan' : durationText(one.makespan_s);
    const lost = idsText([...one.broken_limits, ...one.aborted_tasks]);
    const row = element('tr', {}, ...cells(name, end, lost || 'nothing'));
    if (one.makespan_s !== null || one.problems.length === 0) return row;
    // Below the name, over the whole width: in a column the reasons would be a tower of words.
    const given = lost === '' ? '' : ` Given up: ${lost}.`;
    const why = element('bdi', {}, `No plan: ${reasonsText(one.problems)}.${given}`);
    const reasons = element('p', { class: 'sub', title: one.problems.join('\n') }, why);
    row.replaceChildren(element('td', { colspan: '3' }, element('bdi', {}, name), reasons));
    return row;
  });
  return element(
    'table',
    { class: 'work-table', 'aria-label': 'Choices' },
    tableHead(['Choice', 'Run ends at', 'Broken or given up']),
    element('tbody', {}, ...rows),
  );
}

/** The attempts of a delivery as a table. */
export function attemptsTable({ attempts }: Delivery): HTMLElement {
  const rows = attempts.map(({ at, status, error, duration_ms }) => {
    const good = status !== null && status >= 200 && status < 300;
    const answer = element(
      'td',
      good ? {} : { class: 'bad' },
      status === null ? error : `${status}`,
    );
    const took = element('td', {}, `${Math.round(duration_ms)} ms`);
    return element('tr', {}, element('td', {}, timeOfDayText(new Date(at))), answer, took);
  });
  return element(
    'table',
    { class: 'work-table', 'aria-label': 'Attempts' },
    tableHead(['When', 'Answer', 'Took']),
    element('tbody', {}, ...rows),
  );
}

/** The delivery that is sent before this one: one at a time goes from a run to an address. */
function sentBefore(one: Delivery, all: readonly Delivery[]): Delivery | undefined {
  if (one.state !== 'pending' || one.attempts.length > 0) return undefined;
  const pending = all.filter(
    ({ state, url, run_id }) => state === 'pending' && url === one.url && run_id === one.run_id,
  );
  const first = pending.reduce((least, next) => (next.id < least.id ? next : least), one);
  return first === one ? undefined : first;
}

/** Status of a delivery among `all` as text, icon and tone. */
export function deliveryStatus(one: Delivery, all: readonly Delivery[] = []): DeliveryStatus {
  const { state, attempts } = one;
  const before = sentBefore(one, all);
  if (before) return { text: `Waits for delivery ${before.id}`, icon: 'pause', tone: 'warn' };
  const status = attempts.at(-1)?.status;
  if (state === 'delivered') return { text: 'Delivered', icon: 'done', tone: 'run' };
  if (state === 'pending') {
    const text = attempts.length === 0 ? 'Sending' : 'Retrying';
    return { text, icon: 'retry', tone: 'warn' };
  }
  const why = status ? `, ${status}` : '';
  const text = state === 'disabled' ? `Disabled${why}` : `Dead${why}`;
  return { text, icon: 'close', tone: 'fault' };
}

type Body = Readonly<Record<string, unknown>>;

/** Summary of a delivery's body. */
export function bodyText(body: Body): string {
  const say = (key: string) => (typeof body[key] === 'string' ? (body[key] as string) : '');
  if (typeof body['remaining_worktime'] === 'number') {
    return `${Math.ceil(body['remaining_worktime'] / 60)} min of work left`;
  }
  const what = say('task_id') || say('labware_id');
  const [state, why] = [say('state'), say('error') || say('message')];
  const isSaid = statesItself(why, state);
  const known = [what, isSaid ? '' : state].filter(Boolean).join(' ');
  return [known, why].filter(Boolean).join(known !== '' && isSaid ? ' ' : ': ');
}

/** Parses a delivered body; empty if it is not a JSON object. */
export function bodyOf(text: string): Body {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as Body) : {};
  } catch {
    return {};
  }
}

function timeText(body: Body): string {
  const { timestamp } = body;
  return typeof timestamp === 'string' ? timeOfDayText(new Date(timestamp)).slice(0, 8) : '';
}

function cells(...texts: readonly string[]): HTMLElement[] {
  return texts.map((text) => element('td', {}, element('bdi', {}, text)));
}

function eventRow({ sequence, hook_type, body }: RunEvent): HTMLElement {
  const content = body as object as Body;
  const texts = [String(sequence), timeText(content), HOOK_TEXT[hook_type], bodyText(content)];
  return element('tr', {}, ...cells(...texts));
}

/** The rows of deliveries; unchanged rows are reused, so that the focus stays. */
class DeliveryRows {
  readonly body = element('tbody');
  private readonly kept = new Map<number, { look: string; row: HTMLElement }>();
  private readonly select: (id: number) => void;

  constructor(select: (id: number) => void) {
    this.select = select;
  }

  draw(deliveries: readonly Delivery[], { selected, deliveries: all }: WorkflowView): void {
    const chosen = selected?.kind === 'delivery' ? selected.id : null;
    const rows = deliveries.map((one) => {
      const status = deliveryStatus(one, all);
      const look = `${status.text} ${one.attempts.length}`;
      const old = this.kept.get(one.id);
      const row = old?.look === look ? old.row : this.row(one, status);
      this.kept.set(one.id, { look, row });
      setAttribute(row, 'aria-selected', String(one.id === chosen));
      return row;
    });
    const same = rows.length === this.body.childElementCount;
    if (!same || rows.some((row, i) => row !== this.body.children[i])) {
      this.body.replaceChildren(...rows);
    }
  }

  private row(one: Delivery, look: DeliveryStatus): HTMLElement {
    const { attempts, hook_type, body } = one;
    const last = attempts.at(-1);
    const answer = last ? String(last.status ?? last.error) : '';
    const content = bodyOf(body);
    const state = element('td', { class: 'delivery-state', 'data-tone': look.tone });
    state.append(icon(look.icon), look.text);
    const open = button(
      { class: 'link' },
      () => this.select(one.id),
      timeText(content) || `${one.id}`,
    );
    setAttribute(open, 'aria-label', `Delivery ${one.id}`);
    setAttribute(open, 'title', `Delivery ${one.id}`);
    const row = element(
      'tr',
      { 'data-delivery': String(one.id) },
      element('th', { scope: 'row' }, open),
    );
    const took = last ? `${Math.round(last.duration_ms)} ms` : '';
    row.append(
      ...cells(HOOK_TEXT[hook_type], bodyText(content), answer, `${attempts.length}`, took),
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

function deliveriesIn(tab: Tab, { deliveries }: WorkflowView): readonly Delivery[] {
  if (tab === 'waiting') return deliveries.filter(({ state }) => state === 'pending');
  if (tab === 'failed') {
    return deliveries.filter(({ state }) => state === 'dead' || state === 'disabled');
  }
  return deliveries;
}

function table(columns: readonly string[], rows: HTMLElement, label: string): HTMLElement {
  return element('table', { class: 'work-table', 'aria-label': label }, tableHead(columns), rows);
}

function emptyText(tab: Tab, { run, deliveries }: WorkflowView): string {
  if (!run) return 'Deliveries and events appear after a run has started.';
  if (tab === 'waiting') return 'No deliveries are waiting.';
  if (tab === 'failed') return 'No deliveries have failed.';
  const none = deliveries.length === 0 && tab === 'deliveries';
  return none ? 'No deliveries: no hook of this workflow has fired.' : 'No events.';
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

/** Creates the lists. */
export function createWorkflowLogPanel(store: WorkflowStore): WorkflowPanel {
  let tab: Tab = 'deliveries';
  const rows = new DeliveryRows((id) => store.set({ selected: { kind: 'delivery', id } }));
  const events = element('tbody');
  const sent = table(
    ['Time', 'Event', 'Content', 'Answer', 'Tries', 'Took', 'State'],
    rows.body,
    'Deliveries',
  );
  const eventTable = table(['No.', 'Time', 'Event', 'Content'], events, 'Events');
  const empty = element('p', { class: 'empty' });
  const chips = TABS.map(([name, text]) => ({
    name,
    text,
    chip: button({ class: 'chip' }, () => choose(name), text),
  }));
  let drawn: readonly RunEvent[] | null = null;
  function choose(name: Tab): void {
    tab = name;
    update(store.view());
  }
  function update(view: WorkflowView): void {
    for (const { name, text, chip } of chips) {
      const count = name === 'events' ? view.events.length : deliveriesIn(name, view).length;
      setText(chip, count > 0 ? `${text} ${count}` : text);
      setAttribute(chip, 'aria-pressed', String(name === tab));
    }
    const shown = tab === 'events' ? [] : deliveriesIn(tab, view).slice(0, ROWS_MAX);
    rows.draw(shown, view);
    if (tab === 'events' && view.events !== drawn) {
      drawn = view.events;
      events.replaceChildren(...[...drawn].reverse().slice(0, ROWS_MAX).map(eventRow));
    }
    const count = tab === 'events' ? view.events.length : shown.length;
    sent.hidden = tab === 'events' || count === 0;
    eventTable.hidden = tab !== 'events' || count === 0;
    empty.hidden = count > 0;
    setText(empty, emptyText(tab, view));
  }
  const head = logHead(chips.map(({ chip }) => chip));
  const list = element('div', { class: 'work-log-list' }, empty, sent, eventTable);
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
