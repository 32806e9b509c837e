/** The external inputs of the twin: digital switches and analog values. */
import { useComputed } from '@preact/signals';
import type { Snapshot } from '../../../contract/types.generated.ts';
import { Button } from '../../ui/buttons.tsx';
import { Choice } from '../../ui/fields.tsx';
import { HeldNumberInput } from '../../ui/held-input.tsx';
import { ioName } from '../../ui/value-text.ts';
import type { PanelProps } from './panel-context.ts';
import { Section } from './section.tsx';

const DIGITAL = ['d0', 'd1', 'd2', 'd3', 'ee_d0', 'ee_d1'] as const;
const ANALOG = ['a0', 'a1', 'ee_a0', 'ee_a1'] as const;
const MODES = [
  ['a0', 'a0_mode'],
  ['a1', 'a1_mode'],
] as const;
const MODE_OPTIONS = ['voltage', 'current'].map((mode) => [mode, mode] as const);

type Inputs = Snapshot['global.inputs'];

/** The unit of an analog input: those of the tool have no mode. */
const unitOf = (inputs: Inputs, key: (typeof ANALOG)[number]): string =>
  (key === 'a0' || key === 'a1') && inputs[`${key}_mode`] === 'current' ? 'mA' : 'V';

/** The panel that drives the arm's inputs from outside. */
export function InputsPanel({ context: { calls, arm } }: PanelProps) {
  const inputs = useComputed(() => arm.value.snapshot?.['global.inputs']).value;
  if (!inputs) return null;
  async function set(values: object): Promise<boolean> {
    return (await calls.run((client) => client.setInputs({ values }))) !== null;
  }
  return (
    <Section name="External inputs">
      <div class="io-grid">
        {DIGITAL.map((key) => (
          <Button
            key={key}
            class="io-cell io-switch"
            role="switch"
            aria-label={`Input ${ioName(key, 'input')}`}
            aria-checked={inputs[key]}
            data-on={inputs[key] ? '' : undefined}
            onClick={() => set({ [key]: !inputs[key] })}
          >
            <span>{ioName(key, 'input')}</span>
            <span class="switch" />
          </Button>
        ))}
        {ANALOG.map((key) => (
          // biome-ignore lint/a11y/noLabelWithoutControl: the input is a child
          <label key={key} class="io-cell wide">
            <span>{ioName(key, 'input')}</span>
            <HeldNumberInput
              label={`Input ${ioName(key, 'input')}`}
              min={0}
              text={`${Number(inputs[key].toFixed(3))}`}
              set={(value) => set({ [key]: value })}
            />
            <span class="unit">{unitOf(inputs, key)}</span>
          </label>
        ))}
        {MODES.map(([key, mode]) => (
          // biome-ignore lint/a11y/noLabelWithoutControl: the choice is a child
          <label key={mode} class="io-cell wide">
            <span>{key} mode</span>
            <Choice
              label={`Mode of input ${key}`}
              options={MODE_OPTIONS}
              value={inputs[mode]}
              set={(value) => set({ [mode]: value })}
            />
          </label>
        ))}
      </div>
    </Section>
  );
}
