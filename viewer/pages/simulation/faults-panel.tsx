/** Fault injection: a form that adds faults of every kind in the contract, and the active ones. */
import { useSignal } from '@preact/signals';
import type { AddFaultBody } from '../../../contract/types.generated.ts';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { bind, ChoiceField } from '../../ui/fields.tsx';
import { FAULT_KINDS, FAULT_UNITS, faultText } from './fault-kinds.ts';
import { type PanelProps, usePolled } from './panel-context.ts';
import { readableName } from './readable-name.ts';
import { Rows } from './rows.tsx';
import { firstValues, SchemaFields, sentValues, type Values } from './schema-fields.tsx';
import { Section } from './section.tsx';

const KINDS = [...FAULT_KINDS.keys()].map((kind) => [kind, readableName(kind)] as const);
const SHOWING = { units: FAULT_UNITS, hidden: ['kind'], none: 'any' };

const firstFault = (kind: string): Values => ({ kind, ...firstValues(FAULT_KINDS.get(kind)!) });

/** The panel of injected faults. */
export function FaultsPanel({ context }: PanelProps) {
  const { reply, run } = usePolled(context, (client) => client.listFaults());
  const faults = reply?.faults ?? [];
  const fault = useSignal(firstFault(KINDS[0]![0]));
  const kind = String(fault.value['kind']);
  const schema = FAULT_KINDS.get(kind)!;
  function choose(wanted: string): void {
    fault.value = firstFault(wanted);
  }
  const add = () =>
    run((client) => client.addFault(sentValues(fault.value) as object as AddFaultBody));
  const clearAll = (
    <Button disabled={faults.length === 0} onClick={() => run((client) => client.clearFaults())}>
      Clear all
    </Button>
  );
  return (
    <Section name="Faults" end={clearAll}>
      <div class="form-line">
        <ChoiceField label="Kind" options={KINDS} value={kind} set={choose} />
        <Button class="primary" onClick={add}>
          Add fault
        </Button>
      </div>
      <p class="sub">{schema.description}</p>
      <div key={kind} class="form-line">
        <SchemaFields schema={schema} showing={SHOWING} {...bind(fault)} />
      </div>
      <Rows empty="No active faults.">
        {faults.map((fault) => (
          <li key={fault.id}>
            <Icon name="fault" />
            <span class="grow">{faultText(fault)}</span>
            <span class="sub">triggered {fault.acted}×</span>
            <Button
              aria-label={`Clear ${faultText(fault)}`}
              onClick={() => run((client) => client.clearFault({ fault_id: fault.id }))}
            >
              Clear
            </Button>
          </li>
        ))}
      </Rows>
    </Section>
  );
}
