/** The log below the chart: webhook deliveries with their status, and the events of the run. */
import { useSignal } from '@preact/signals';
import type { Delivery, RunEvent } from '../../../contract/types.generated.ts';
import { Chips } from '../../ui/chips.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Table } from '../../ui/table.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { type Body, bodyText, hookText, timeText } from './delivery-text.ts';
import type { WorkflowState } from './workflow-state.ts';

const ROWS_MAX = 200;

type Tab = 'deliveries' | 'waiting' | 'failed' | 'events';

const TABS: readonly (readonly [Tab, string])[] = [
  ['deliveries', 'All'],
  ['waiting', 'Waiting'],
  ['failed', 'Failed'],
  ['events', 'Events'],
];

/** The deliveries that a tab shows. */
const SHOWS: Readonly<Record<Exclude<Tab, 'events'>, (one: Delivery) => boolean>> = {
  deliveries: () => true,
  waiting: ({ state }) => state === 'pending',
  failed: ({ state }) => state === 'dead' || state === 'disabled',
};

const EMPTY_TEXT: Readonly<Record<Tab, string>> = {
  deliveries: 'No deliveries: no hook of this workflow has fired.',
  waiting: 'No deliveries are waiting.',
  failed: 'No deliveries have failed.',
  events: 'No events.',
};
const NO_RUN = 'Deliveries and events appear after a run has started.';

/** The events, the newest first. */
function EventsTable({ events }: { readonly events: readonly RunEvent[] }) {
  const content = ({ body }: RunEvent) => body as object as Body;
  return (
    <Table
      class="work-table"
      caption="Events"
      of={events.slice(-ROWS_MAX).reverse()}
      id={({ sequence }) => sequence}
      columns={{
        'No.': ({ sequence }) => sequence,
        Time: (event) => timeText(content(event)),
        Event: ({ hook_type }) => <bdi>{hookText(hook_type)}</bdi>,
        Content: (event) => <bdi>{bodyText(content(event))}</bdi>,
      }}
    />
  );
}

/** The lists. */
export function LogPanel({ state }: { readonly state: WorkflowState }) {
  const tab = useSignal<Tab>('deliveries');
  const events = state.events.value;
  const deliveries = state.deliveries.value;
  const selected = state.selected.value;
  const now = tab.value;
  const shownBy = (one: Tab): readonly unknown[] =>
    one === 'events' ? events : deliveries.filter(SHOWS[one]);
  const options = TABS.map(([one, text]) => {
    const { length } = shownBy(one);
    return [one, length > 0 ? `${text} ${length}` : text] as const;
  });
  return (
    <section class="work-log" aria-label="Deliveries and events">
      <header class="section-head">
        <h2>Deliveries</h2>
        <span class="age" />
        <Chips
          label="Show"
          options={options}
          isOn={(one) => one === now}
          press={(one) => {
            tab.value = one;
          }}
        />
      </header>
      <div class="work-log-list">
        {shownBy(now).length === 0 && <Empty>{state.run.value ? EMPTY_TEXT[now] : NO_RUN}</Empty>}
        {now === 'events' && events.length > 0 && <EventsTable events={events} />}
        {now !== 'events' && shownBy(now).length > 0 && (
          <DeliveriesTable
            deliveries={deliveries.filter(SHOWS[now]).slice(0, ROWS_MAX)}
            all={deliveries}
            chosen={selected?.kind === 'delivery' ? selected.id : null}
            select={(id) => state.select({ kind: 'delivery', id })}
          />
        )}
      </div>
    </section>
  );
}
