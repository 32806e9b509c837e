/** What is made to go wrong: every kind the contract knows, added, listed and cleared. */
import type { AddFaultBody, SimFault } from '../../contract/types.ts';
import { button, element } from '../panels/element.ts';
import { icon } from '../panels/icons.ts';
import { heading } from '../panels/panel.ts';
import type { BenchPanel, BenchParts } from './bench-panel.ts';
import { choiceEntry, createRows } from './entries.ts';
import { kindsOf, plainWords, valueWords } from './schema-form.ts';

/** A fault in words: its kind, then its fields. */
export function faultWords({ fault }: SimFault): string {
  const { kind, ...fields } = fault;
  const said = Object.entries(fields).map(([name, value]) => {
    if (name === 'joint') return `J${Number(value) + 1}`;
    return typeof value === 'number' ? valueWords(name, value) : String(value).replaceAll('_', ' ');
  });
  return [plainWords(kind), ...said].join(', ');
}

/** The panel of faults. */
export function createFaultsPanel({ calls }: BenchParts): BenchPanel {
  const kinds = kindsOf('AddFaultBody');
  let form = kinds[0]!.form();
  const about = element('p', { class: 'sub wrap' });
  const fields = element('div', { class: 'bench-line' });
  const choose = (name: string): void => {
    const kind = kinds.find((each) => each.name === name) ?? kinds[0]!;
    form = kind.form();
    about.textContent = kind.description;
    fields.replaceChildren(...form.elements);
  };
  const options = kinds.map(({ name }) => [name, plainWords(name)] as const);
  const kind = choiceEntry('Kind', options, choose);
  choose(kinds[0]!.name);
  const rows = createRows('Nothing is made to go wrong.');

  const refresh = async (): Promise<void> => {
    const got = await calls.read((client) => client.listFaults());
    if (got) rows.set(JSON.stringify(got.faults), () => got.faults.map(row));
  };
  const then = (done: Promise<unknown>): void => void done.then(refresh);
  const row = (fault: SimFault): HTMLElement =>
    element(
      'li',
      {},
      icon('fault'),
      element('span', { class: 'grow' }, faultWords(fault)),
      element('span', { class: 'sub' }, `acted ${fault.acted}×`),
      button(
        { class: 'plain', 'aria-label': `Clear ${faultWords(fault)}` },
        () => then(calls.act((client) => client.clearFault({ fault_id: fault.id }))),
        'Clear',
      ),
    );
  const add = button(
    { class: 'primary' },
    () => then(calls.act((client) => client.addFault(form.read() as AddFaultBody))),
    'Add fault',
  );
  const clear = button(
    { class: 'plain' },
    () => then(calls.act((client) => client.clearFaults())),
    'Clear all',
  );
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Faults' },
    heading('Faults', clear).element,
    element('div', { class: 'bench-line' }, kind.element, add),
    about,
    fields,
    ...rows.elements,
  );
  return { element: panel, update: () => undefined, refresh };
}
