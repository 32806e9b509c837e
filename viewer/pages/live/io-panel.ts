/** Inputs and outputs of base and tool; digital outputs are switches. */

import type { Snapshot } from '../../../contract/types.generated.ts';
import { GRIPPER_SERVO } from '../../../physics/arm/arm-model.ts';
import type { Commands } from '../../link/commands.ts';
import { heading } from '../../shell/heading.ts';
import { busyText } from '../../shell/motion-reasons.ts';
import type { Panel, Shown } from '../../shell/panel.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { decimal } from '../../ui/value-text.ts';

type Refresh = (shown: Shown, snapshot: Snapshot) => void;
interface IoCell {
  readonly element: HTMLElement;
  readonly refresh: Refresh;
}

type DigitalInput = 'd0' | 'd1' | 'd2' | 'd3' | 'ee_d0' | 'ee_d1';
type AnalogKey = 'a0' | 'a1' | 'ee_a0' | 'ee_a1';

function lamp(key: DigitalInput, label: string): IoCell {
  const state = element('span', { class: 'sr-only' });
  const cell = element(
    'div',
    { class: 'io-cell' },
    element('span', {}, label),
    element('span', { class: 'lamp' }),
    state,
  );
  return {
    element: cell,
    refresh: (_shown, snapshot) => {
      const on = snapshot['global.inputs'][key];
      setAttribute(cell, 'data-on', on);
      setText(state, on ? 'on' : 'off');
    },
  };
}

function toggle(key: DigitalInput, label: string, commands: Commands): IoCell {
  let on = false;
  const cell = button(
    { class: 'io-cell io-switch', role: 'switch', 'aria-label': `Output ${label}` },
    () => void commands.setOutput(key, !on),
    element('span', {}, label),
    element('span', { class: 'switch' }),
  );
  return {
    element: cell,
    refresh: ({ view }, snapshot) => {
      on = snapshot['global.outputs'][key];
      setAttribute(cell, 'data-on', on);
      setAttribute(cell, 'aria-checked', on ? 'true' : 'false');
      const busy = busyText(view);
      setAttribute(cell, 'disabled', busy !== '');
      setAttribute(cell, 'title', busy || undefined);
    },
  };
}

function analog(side: 'global.inputs' | 'global.outputs', key: AnalogKey, label: string): IoCell {
  const number = element('span', { class: 'number' });
  const unit = element('span', { class: 'unit' });
  const value = element('span', { class: 'value' }, number, unit);
  const cell = element('div', { class: 'io-cell wide' }, element('span', {}, label), value);
  return {
    element: cell,
    refresh: (_shown, snapshot) => {
      const values: Readonly<Record<string, unknown>> = { ...snapshot[side] };
      const current = values[`${key}_mode`] === 'current';
      setText(number, decimal(Number(values[key]), current ? 1 : 2));
      setText(unit, current ? 'mA' : 'V');
    },
  };
}

function group(title: string, cells: readonly IoCell[]): HTMLElement {
  const grid = element('div', { class: 'io-grid' }, ...cells.map((cell) => cell.element));
  return element('div', { class: 'io-group' }, element('h3', {}, title), grid);
}

/** A signal that the gripper of the arm has, with what it means. */
const named = (label: string, meaning: string | false) =>
  meaning === false ? label : `${label} ${meaning}`;

/** The panel; its switches send commands. */
export function createIoPanel(commands: Commands): Panel {
  const { output, part_present_input } = GRIPPER_SERVO ?? {};
  const base = ['d0', 'd1', 'd2', 'd3'] as const;
  const tool = ['ee_d0', 'ee_d1'] as const;
  const inputs = [
    ...base.map((key) => lamp(key, named(key, key === part_present_input && 'part'))),
    analog('global.inputs', 'a0', 'a0'),
    analog('global.inputs', 'a1', 'a1'),
  ];
  const outputs = [
    ...base.map((key) => toggle(key, named(key, key === output && 'grip'), commands)),
    analog('global.outputs', 'a0', 'a0'),
    analog('global.outputs', 'a1', 'a1'),
  ];
  const toolCells = [
    ...tool.map((key, i) => lamp(key, named(`i${i}`, key === part_present_input && 'part'))),
    ...tool.map((key, i) => toggle(key, named(`o${i}`, key === output && 'grip'), commands)),
    analog('global.inputs', 'ee_a0', 'a0'),
    analog('global.inputs', 'ee_a1', 'a1'),
  ];
  const head = heading('Inputs and outputs');
  const panel = element(
    'section',
    { class: 'panel io', 'data-tab': 'io', 'aria-label': 'Inputs and outputs' },
    head.element,
    group('Base inputs', inputs),
    group('Base outputs', outputs),
    group('Tool', toolCells),
  );
  const cells = [...inputs, ...outputs, ...toolCells];
  return {
    element: panel,
    update(shown) {
      head.update(shown);
      const { snapshot } = shown.view;
      if (snapshot) for (const cell of cells) cell.refresh(shown, snapshot);
    },
  };
}
