import { useComputed, useSignal } from '@preact/signals';
import { MoveIcon } from '../../toolpath/move-icon.tsx';
import { Chips } from '../../ui/chips.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { PathsPanelProps } from './paths-context.ts';

const COLOURINGS = [
  ['type', 'Type'],
  ['speed', 'Speed'],
] as const;

const KINDS = [
  ['joint', 'Joint'],
  ['linear', 'Linear'],
  ['spline', 'Spline'],
] as const;

/** The bar over the scene that selects the colouring of the path, with its legend. */
export function ColouringBar({ context: { store } }: PathsPanelProps) {
  const { opened, path } = store.shown;
  const colouring = store.shown.colouring.value;
  // A small scene shows the legend on request: it would cover the arm.
  const isLegendOpen = useSignal(false);
  const fastest = useComputed(() => {
    const speeds = path.value?.samples.speeds ?? new Float32Array();
    return `${Math.round(speeds.reduce((a, b) => Math.max(a, b), 0) * 1000)} mm/s`;
  });
  return (
    <div
      class="glass colouring"
      data-legend={isLegendOpen.value ? '' : undefined}
      hidden={!opened.value}
    >
      <Chips
        label="Colour by"
        options={COLOURINGS}
        isOn={(name) => name === colouring}
        press={(name) => store.set({ colouring: name })}
      />
      <IconButton
        icon="help"
        label="Legend"
        class="chip legend-switch"
        aria-expanded={isLegendOpen.value}
        onClick={() => {
          isLegendOpen.value = !isLegendOpen.value;
        }}
      />
      {colouring === 'type' &&
        KINDS.map(([kind, label]) => (
          <span key={kind} class="legend">
            <MoveIcon kind={kind} />
            {label}
          </span>
        ))}
      {colouring === 'speed' && (
        <span class="legend">
          0<i class="ramp" />
          <span>{fastest}</span>
        </span>
      )}
      <span class="sub">one dot per 100 ms</span>
    </div>
  );
}
