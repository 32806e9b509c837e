/**
 * The Simulation page's manual controls: emergency stop, the buttons on the arm's head, an external
 * push, power, and the external inputs (digital switches, analog values).
 */
import type { Snapshot } from '../../contract/types.ts';
import { outsideStopText } from '../link/arm-store.ts';
import { button, element, heading, icon, setAttribute, setText } from '../panels/element.ts';
import { numberElement, typedNumber } from '../panels/number-input.ts';
import { ioName } from '../panels/value-text.ts';
import type { SimulationContext, SimulationPanel } from './form-inputs.ts';
import { numberInput } from './form-inputs.ts';

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

function pushControls({ calls }: SimulationContext): HTMLElement {
  const axes = ['x', 'y', 'z'].map((axis) => numberInput(`${axis}, N`, { value: 0 }));
  const duration = numberInput('Duration, s', { value: 0.5, min: 0 });
  const push = (force_n: readonly number[], duration_s: number | undefined) => {
    const [x = 0, y = 0, z = 0] = force_n;
    const body = { force: { x, y, z }, ...(duration_s !== undefined && { duration_s }) };
    void calls.run((client) => client.pushArm(body));
  };
  return element(
    'div',
    { class: 'simulation-line', role: 'group', 'aria-label': 'Push' },
    ...axes.map((axis) => axis.element),
    duration.element,
    button(
      { class: 'plain' },
      () =>
        push(
          axes.map((axis) => axis.read() ?? 0),
          duration.read(),
        ),
      'Push',
    ),
    button({ class: 'plain' }, () => push([0, 0, 0], undefined), 'Release'),
  );
}

/** The panel of manual controls. */
export function createManualControlPanel(context: SimulationContext): SimulationPanel {
  const { calls, view } = context;
  const stopLabel = element('span');
  const stop = button({ class: 'simulation-stop' }, toggleStop, icon('fault'), stopLabel);
  function toggleStop(): void {
    const engaged = view().sim?.status?.emergency_stop !== 'simulated';
    void calls.run((client) => client.setEmergencyStop({ engaged }));
  }
  const backdrive = button(
    { class: 'plain', 'aria-pressed': 'false' },
    toggleBackdriving,
    'Hold backdriving',
  );
  function toggleBackdriving(): void {
    const backdriving = view().snapshot?.control.state !== 'backdriving';
    void calls.run((client) => client.setButtons({ backdriving }));
  }
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Manual control' },
    heading('Manual control').element,
    element(
      'div',
      { class: 'simulation-line' },
      stop,
      backdrive,
      button(
        { class: 'plain' },
        () => void calls.run((client) => client.pressWaypoint()),
        'Press waypoint',
      ),
      button(
        { class: 'plain' },
        () => void calls.run((client) => client.cyclePower()),
        'Cycle power',
      ),
    ),
    pushControls(context),
  );
  return {
    element: panel,
    update(view) {
      const { snapshot, sim } = view;
      const engaged = sim?.status?.emergency_stop === 'simulated';
      const outside = outsideStopText(view);
      setAttribute(stop, 'disabled', outside !== '');
      setAttribute(stop, 'title', outside || undefined);
      setText(stopLabel, engaged ? 'Release emergency stop' : 'Emergency stop');
      setAttribute(stop, 'aria-pressed', String(engaged));
      const backdriving = snapshot?.control.state === 'backdriving';
      setText(backdrive, backdriving ? 'Release backdriving' : 'Hold backdriving');
      setAttribute(backdrive, 'aria-pressed', String(backdriving));
    },
  };
}
