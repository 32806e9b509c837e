import { useSignal } from '@preact/signals';
import { Button } from '../../ui/buttons.tsx';
import { Hosted } from '../../ui/hosted.tsx';
import { LiveHeading } from './live-panel.tsx';
import type { LivePanelProps } from './live-state.ts';
import type { Plots } from './plots.ts';

/** The plots under the scene; tabs select one where the others do not fit. */
export function PlotsPanel({ live, plots }: LivePanelProps & Pick<Plots, 'plots'>) {
  const front = useSignal(0);
  const choose = (i: number) => {
    front.value = i;
  };
  return (
    <div class="dock">
      <div class="dock-tabs">
        {plots.map(({ title }, i) => (
          <Button
            key={title}
            class="tab"
            aria-pressed={i === front.value}
            onClick={() => choose(i)}
          >
            {title}
          </Button>
        ))}
      </div>
      {plots.map(({ title, unit, plot }, i) => (
        <section
          key={title}
          class="panel plot"
          data-tab="plots"
          data-front={i === front.value ? '' : undefined}
        >
          <LiveHeading
            name={title}
            shown={live.texts.value}
            end={<span class="plot-unit">{unit}</span>}
          />
          <Hosted element={plot.canvas} />
        </section>
      ))}
    </div>
  );
}
