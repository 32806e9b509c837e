/** What drives the arm's inputs from outside: switches for the digital ones, values for analog. */
import type { Snapshot } from '../../contract/types.ts';
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { heading } from '../panels/panel.ts';
import type { BenchPanel, BenchParts } from './bench-panel.ts';

const DIGITAL = ['d0', 'd1', 'd2', 'd3', 'ee_d0', 'ee_d1'] as const;
const ANALOG = ['a0', 'a1', 'ee_a0', 'ee_a1'] as const;
const MODED = ['a0', 'a1'] as const;

interface Cell {
  readonly element: HTMLElement;
  update(inputs: Snapshot['global.inputs']): void;
}

function digital({ calls, view }: BenchParts, key: (typeof DIGITAL)[number]): Cell {
  const cell = button(
    { class: 'io-cell io-switch', role: 'switch', 'aria-label': `Input ${key}` },
    () => {
      const on = view().snapshot?.['global.inputs'][key] ?? false;
      void calls.act((client) => client.setInputs({ values: { [key]: !on } }));
    },
    element('span', {}, key),
    element('span', { class: 'switch' }),
  );
  return {
    element: cell,
    update(inputs) {
      setAttribute(cell, 'data-on', inputs[key]);
      setAttribute(cell, 'aria-checked', String(inputs[key]));
    },
  };
}

function analog({ calls }: BenchParts, key: (typeof ANALOG)[number]): Cell {
  const unit = element('span', { class: 'unit' });
  const field = element('input', { type: 'number', class: 'field', step: 'any' });
  field.setAttribute('aria-label', `Input ${key}`);
  field.addEventListener('change', () => {
    if (Number.isNaN(field.valueAsNumber)) return;
    void calls.act((client) => client.setInputs({ values: { [key]: field.valueAsNumber } }));
  });
  const cell = element('label', { class: 'io-cell wide' }, element('span', {}, key), field, unit);
  return {
    element: cell,
    update(inputs) {
      const mode = key === 'a0' || key === 'a1' ? inputs[`${key}_mode`] : 'voltage';
      setText(unit, mode === 'current' ? 'mA' : 'V');
      if (document.activeElement !== field) field.value = String(Number(inputs[key].toFixed(3)));
    },
  };
}

function mode({ calls }: BenchParts, key: (typeof MODED)[number]): Cell {
  const name = `${key}_mode` as const;
  const field = element(
    'select',
    { class: 'field', 'aria-label': `Mode of input ${key}` },
    element('option', { value: 'voltage' }, 'voltage'),
    element('option', { value: 'current' }, 'current'),
  );
  field.addEventListener('change', () => {
    const value = field.value === 'current' ? 'current' : 'voltage';
    void calls.act((client) => client.setInputs({ values: { [name]: value } }));
  });
  return {
    element: element('label', { class: 'io-cell wide' }, element('span', {}, `${key} mode`), field),
    update(inputs) {
      if (document.activeElement !== field) field.value = inputs[name];
    },
  };
}

/** The panel of the inputs. */
export function createInputsPanel(parts: BenchParts): BenchPanel {
  const cells = [
    ...DIGITAL.map((key) => digital(parts, key)),
    ...ANALOG.map((key) => analog(parts, key)),
    ...MODED.map((key) => mode(parts, key)),
  ];
  const grid = element('div', { class: 'io-grid' }, ...cells.map((cell) => cell.element));
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Inputs from outside' },
    heading('Inputs from outside').element,
    grid,
  );
  return {
    element: panel,
    update({ snapshot }) {
      if (snapshot) for (const cell of cells) cell.update(snapshot['global.inputs']);
    },
  };
}
