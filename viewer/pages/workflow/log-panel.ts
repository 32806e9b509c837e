/** The log below the chart: webhook deliveries with their status, and the events of the run. */
import type { Delivery, RunEvent } from '../../../contract/types.generated.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { cells, DeliveryRows } from './delivery-rows.ts';
import { table } from './delivery-tables.ts';
import { type Body, bodyText, hookText, timeText } from './delivery-text.ts';
import type { WorkflowPanel } from './workflow-panel.ts';
import type { WorkflowStore } from './workflow-store.ts';
import type { WorkflowView } from './workflow-view.ts';

const ROWS_MAX = 200;

function eventRow({ sequence, hook_type, body }: RunEvent): HTMLElement {
  const content = body as object as Body;
  const texts = [String(sequence), timeText(content), hookText(hook_type), bodyText(content)];
  return element('tr', {}, ...cells(...texts));
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
