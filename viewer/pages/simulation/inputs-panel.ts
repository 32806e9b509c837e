/** The external inputs of the twin: digital switches and analog values. */
import type { Snapshot } from '../../../contract/types.generated.ts';
import { heading } from '../../shell/heading.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { numberElement, typedNumber } from '../../ui/number-input.ts';
import { ioName } from '../../ui/value-text.ts';
import type { SimulationContext, SimulationPanel } from './simulation-panel.ts';

const DIGITAL = ['d0', 'd1', 'd2', 'd3', 'ee_d0', 'ee_d1'] as const;
const ANALOG = ['a0', 'a1', 'ee_a0', 'ee_a1'] as const;
const ANALOG_WITH_MODE = ['a0', 'a1'] as const;

interface InputCell {
  readonly element: HTMLElement;
  update(inputs: Snapshot['global.inputs']): void;
}

function digitalCell({ calls, view }: SimulationContext, key: (typeof DIGITAL)[number]): InputCell {
  const name = ioName(key, 'input');
  const cell = button(
    { class: 'io-cell io-switch', role: 'switch', 'aria-label': `Input ${name}` },
    () => {
      const on = view().snapshot?.['global.inputs'][key] ?? false;
      void calls.run((client) => client.setInputs({ values: { [key]: !on } }));
    },
    element('span', {}, name),
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

function analogCell({ calls }: SimulationContext, key: (typeof ANALOG)[number]): InputCell {
  const name = ioName(key, 'input');
  const unit = element('span', { class: 'unit' });
  const field = numberElement({ class: 'field', 'aria-label': `Input ${name}` }, { min: 0 });
  field.addEventListener('change', () => {
    const value = typedNumber(field.value);
    if (value === null) return;
    void calls.run((client) => client.setInputs({ values: { [key]: value } }));
  });
  const cell = element('label', { class: 'io-cell wide' }, element('span', {}, name), field, unit);
  return {
    element: cell,
    update(inputs) {
      const mode = key === 'a0' || key === 'a1' ? inputs[`${key}_mode`] : 'voltage';
      setText(unit, mode === 'current' ? 'mA' : 'V');
      if (document.activeElement !== field) field.value = String(Number(inputs[key].toFixed(3)));
    },
  };
}

function modeCell({ calls }: SimulationContext, key: (typeof ANALOG_WITH_MODE)[number]): InputCell {
  const name = `${key}_mode` as const;
  const field = element(
    'select',
    { class: 'field', 'aria-label': `Mode of input ${key}` },
    element('option', { value: 'voltage' }, 'voltage'),
    element('option', { value: 'current' }, 'current'),
  );
  field.addEventListener('change', () => {
    const value = field.value === 'current' ? 'current' : 'voltage';
    void calls.run((client) => client.setInputs({ values: { [name]: value } }));
  });
  return {
    element: element('label', { class: 'io-cell wide' }, element('span', {}, `${key} mode`), field),
    update(inputs) {
      if (document.activeElement !== field) field.value = inputs[name];
    },
  };
}

/** The panel that drives the arm's inputs from outside. */
export function createInputsPanel(context: SimulationContext): SimulationPanel {
  const cells = [
    ...DIGITAL.map((key) => digitalCell(context, key)),
    ...ANALOG.map((key) => analogCell(context, key)),
    ...ANALOG_WITH_MODE.map((key) => modeCell(context, key)),
  ];
  const grid = element('div', { class: 'io-grid' }, ...cells.map((cell) => cell.element));
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'External inputs' },
    heading('External inputs').element,
    grid,
  );
  return {
    element: panel,
    update({ snapshot }) {
      if (snapshot) for (const cell of cells) cell.update(snapshot['global.inputs']);
    },
  };
}
