import { useComputed } from '@preact/signals';
import { BarDetails } from './bar-details.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { RunOverview } from './run-overview.tsx';
import type { WorkflowProps } from './workflow-props.ts';
import type { WorkflowState } from './workflow-state.ts';

/** The selected delivery; undefined for none. */
function chosenDelivery({ selected, deliveries }: WorkflowState) {
  const chosen = selected.value;
  if (chosen?.kind !== 'delivery') return undefined;
  return deliveries.value.find(({ id }) => id === chosen.id);
}

/** The row of the selected bar; undefined for none. */
function chosenRow({ selected, rows }: WorkflowState) {
  const chosen = selected.value;
  if (chosen?.kind !== 'bar') return undefined;
  const row = rows.value.find(({ bars }) => bars.some(({ key }) => key === chosen.key));
  return row && { bar: row.bars.find(({ key }) => key === chosen.key)!, where: row.name };
}

/** The inspector: the selected delivery, task or move, or an overview. */
export function WorkflowInspector(props: WorkflowProps) {
  const delivery = useComputed(() => chosenDelivery(props.state)).value;
  const bar = useComputed(() => chosenRow(props.state)).value;
  return (
    <aside class="work-inspector" aria-label="Details">
      {delivery ? (
        <DeliveryDetails {...props} delivery={delivery} />
      ) : bar ? (
        <BarDetails {...props} {...bar} />
      ) : (
        <RunOverview {...props} />
      )}
    </aside>
  );
}
