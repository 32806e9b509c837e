/** Inputs and outputs of base and tool; digital outputs are switches. */
import type { ComponentChildren } from 'preact';
import type { Snapshot } from '../../../contract/types.generated.ts';
import { GRIPPER_SERVO } from '../../../physics/arm/arm-model.ts';
import type { Commands } from '../../link/commands.ts';
import { busyText } from '../../shell/motion-reasons.ts';
import { Button } from '../../ui/buttons.tsx';
import { decimal } from '../../ui/value-text.ts';
import { LivePanel } from './live-panel.tsx';
import type { LivePanelProps } from './live-state.ts';
import { Value } from './value.tsx';

interface SignalProps<Key> {
  readonly signal: Key;
  readonly label: string;
  readonly snapshot: Snapshot | null;
}

type Digital = 'd0' | 'd1' | 'd2' | 'd3' | 'ee_d0' | 'ee_d1';
type Analog = 'a0' | 'a1' | 'ee_a0' | 'ee_a1';
type Side = 'global.inputs' | 'global.outputs';

const BASE = ['d0', 'd1', 'd2', 'd3'] as const;
const TOOL = ['ee_d0', 'ee_d1'] as const;

/** The label of a signal that the gripper of the arm has says what it means. */
const named = (label: string, meaning: string | false) =>
  meaning === false ? label : `${label} ${meaning}`;
const inputLabel = (key: Digital, label: string) =>
  named(label, key === GRIPPER_SERVO?.part_present_input && 'part');
const outputLabel = (key: Digital, label: string) =>
  named(label, key === GRIPPER_SERVO?.output && 'grip');

function Lamp({ signal, label, snapshot }: SignalProps<Digital>) {
  const isOn = snapshot?.['global.inputs'][signal];
  return (
    <div class="io-cell" data-on={isOn ? '' : undefined}>
      <span>{inputLabel(signal, label)}</span>
      <span class="lamp" />
      <span class="sr-only">{isOn === undefined ? '' : isOn ? 'on' : 'off'}</span>
    </div>
  );
}

interface SwitchProps extends SignalProps<Digital> {
  readonly commands: Commands;
  /** Why it cannot be set; empty if it can. */
  readonly busy: string;
}

function OutputSwitch({ signal, label, snapshot, commands, busy }: SwitchProps) {
  const isOn = snapshot?.['global.outputs'][signal] ?? false;
  const name = outputLabel(signal, label);
  return (
    <Button
      class="io-cell io-switch"
      role="switch"
      aria-label={`Output ${name}`}
      aria-checked={isOn}
      data-on={isOn ? '' : undefined}
      disabled={busy !== ''}
      title={busy || undefined}
      onClick={() => void commands.setOutput(signal, !isOn)}
    >
      <span>{name}</span>
      <span class="switch" />
    </Button>
  );
}

function AnalogValue({ signal, label, snapshot, of }: SignalProps<Analog> & { readonly of: Side }) {
  const values: Readonly<Record<string, unknown>> | null = snapshot && { ...snapshot[of] };
  const isCurrent = values?.[`${signal}_mode`] === 'current';
  return (
    <div class="io-cell wide">
      <span>{label}</span>
      <Value unit={isCurrent ? 'mA' : 'V'}>
        {values ? decimal(Number(values[signal]), isCurrent ? 1 : 2) : ''}
      </Value>
    </div>
  );
}

function Group({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="io-group">
      <h3>{name}</h3>
      <div class="io-grid">{children}</div>
    </div>
  );
}

/** The panel; its switches send commands. */
export function IoPanel({ live, commands }: LivePanelProps & { readonly commands: Commands }) {
  const shown = live.texts.value;
  const { snapshot } = shown.view;
  const switched = { snapshot, commands, busy: busyText(shown.view) };
  return (
    <LivePanel class="io" name="Inputs and outputs" tab="io" shown={shown}>
      <Group name="Base inputs">
        {BASE.map((key) => (
          <Lamp key={key} signal={key} label={key} snapshot={snapshot} />
        ))}
        <AnalogValue signal="a0" label="a0" of="global.inputs" snapshot={snapshot} />
        <AnalogValue signal="a1" label="a1" of="global.inputs" snapshot={snapshot} />
      </Group>
      <Group name="Base outputs">
        {BASE.map((key) => (
          <OutputSwitch key={key} signal={key} label={key} {...switched} />
        ))}
        <AnalogValue signal="a0" label="a0" of="global.outputs" snapshot={snapshot} />
        <AnalogValue signal="a1" label="a1" of="global.outputs" snapshot={snapshot} />
      </Group>
      <Group name="Tool">
        {TOOL.map((key, i) => (
          <Lamp key={key} signal={key} label={`i${i}`} snapshot={snapshot} />
        ))}
        {TOOL.map((key, i) => (
          <OutputSwitch key={key} signal={key} label={`o${i}`} {...switched} />
        ))}
        <AnalogValue signal="ee_a0" label="a0" of="global.inputs" snapshot={snapshot} />
        <AnalogValue signal="ee_a1" label="a1" of="global.inputs" snapshot={snapshot} />
      </Group>
    </LivePanel>
  );
}
