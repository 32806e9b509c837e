import type { Delivery } from '../../../contract/types.generated.ts';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { Table } from '../../ui/table.tsx';
import { bodyOf, bodyText, deliveryStatus, hookText, timeText } from './delivery-text.ts';

interface DeliveriesTableProps {
  /** The shown deliveries. */
  readonly deliveries: readonly Delivery[];
  /** All of the run, which may wait for each other. */
  readonly all: readonly Delivery[];
  /** Id of the selected one; null for none. */
  readonly chosen: number | null;
  readonly select: (id: number) => void;
}

/** The status of a delivery as icon and word. */
function State({ of, all }: { readonly of: Delivery; readonly all: readonly Delivery[] }) {
  const { text, icon, tone } = deliveryStatus(of, all);
  return (
    <span class="delivery-state" data-tone={tone}>
      <Icon name={icon} />
      {text}
    </span>
  );
}

/** The webhook deliveries of a run. */
export function DeliveriesTable({ deliveries, all, chosen, select }: DeliveriesTableProps) {
  return (
    <Table
      class="work-table"
      caption="Deliveries"
      of={deliveries}
      id={({ id }) => id}
      row={({ id }) => ({
        'data-delivery': id,
        'aria-selected': id === chosen,
        onClick: () => select(id),
      })}
      columns={{
        Time: ({ id, body }) => (
          <Button class="link" aria-label={`Delivery ${id}`} title={`Delivery ${id}`}>
            {timeText(bodyOf(body)) || id}
          </Button>
        ),
        Event: ({ hook_type }) => <bdi>{hookText(hook_type)}</bdi>,
        Content: ({ body }) => <bdi>{bodyText(bodyOf(body))}</bdi>,
        Answer: ({ attempts }) => {
          const last = attempts.at(-1);
          return <bdi>{last && String(last.status ?? last.error)}</bdi>;
        },
        Tries: ({ attempts }) => attempts.length,
        Took: ({ attempts }) => {
          const last = attempts.at(-1);
          return last && `${Math.round(last.duration_ms)} ms`;
        },
        State: (one) => <State of={one} all={all} />,
      }}
    />
  );
}
