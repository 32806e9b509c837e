/** Fault injection: forms that add, list and clear faults of every kind in the contract. */
import type { AddFaultBody, SimFault } from '../../../contract/types.generated.ts';
import { jointName } from '../../../physics/arm/arm-model.ts';
import { heading } from '../../shell/heading.ts';
import { button, element } from '../../ui/element.ts';
import { icon } from '../../ui/icon.ts';
import { createRowList } from '../../ui/row-list.ts';
import { selectInput } from '../../ui/value-input.ts';
import { ioName } from '../../ui/value-text.ts';
import { readableName, schemaVariants, valueText } from './schema-form.ts';
import type { SimulationContext, SimulationPanel } from './simulation-panel.ts';

/** A fault as text: its kind, then its fields. */
export function faultText({ fault }: SimFault): string {
  const { kind, ...fields } = fault;
  const parts = Object.entries(fields).map(([name, value]) => {
    if (name === 'joint') return jointName(Number(value));
    if (name === 'input') return ioName(String(value), 'input');
    return typeof value === 'number' ? valueText(name, value) : String(value).replaceAll('_', ' ');
  });
  return [readableName(kind), ...parts].join(', ');
}

/** The panel of injected faults. */
export function createFaultsPanel({ calls }: SimulationContext): SimulationPanel {
  const variants = schemaVariants('AddFaultBody');
  let form = variants[0]!.form();
  const description = element('p', { class: 'sub wrap' });
  const fields = element('div', { class: 'simulation-line' });
  const select = (name: string): void => {
    const variant = variants.find((each) => each.name === name) ?? variants[0]!;
    form = variant.form();
    description.textContent = variant.description;
    fields.replaceChildren(...form.elements);
  };
  const options = variants.map(({ name }) => [name, readableName(name)] as const);
  const kind = selectInput('Kind', options, select);
  select(variants[0]!.name);
  const clear = button(
    { class: 'plain' },
    () => refreshAfter(calls.run((client) => client.clearFaults())),
    'Clear all',
  );
  const rows = createRowList('No active faults.', clear);

  const refresh = async (): Promise<void> => {
    const reply = await calls.query((client) => client.listFaults());
    if (reply) rows.set(JSON.stringify(reply.faults), () => reply.faults.map(row));
  };
  const refreshAfter = (call: Promise<unknown>): void => void call.then(refresh);
  const row = (fault: SimFault): HTMLElement =>
    element(
      'li',
      {},
      icon('fault'),
      element('span', { class: 'grow' }, faultText(fault)),
      element('span', { class: 'sub' }, `triggered ${fault.acted}×`),
      button(
        { class: 'plain', 'aria-label': `Clear ${faultText(fault)}` },
        () => refreshAfter(calls.run((client) => client.clearFault({ fault_id: fault.id }))),
        'Clear',
      ),
    );
  const add = button(
    { class: 'primary' },
    () => refreshAfter(calls.run((client) => client.addFault(form.read() as AddFaultBody))),
    'Add fault',
  );
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Faults' },
    heading('Faults', clear).element,
    element('div', { class: 'simulation-line' }, kind.element, add),
    description,
    fields,
    ...rows.elements,
  );
  return { element: panel, update: () => undefined, refresh };
}
