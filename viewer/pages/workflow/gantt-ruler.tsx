import { type ChartState, GUTTER_PX } from './chart-state.ts';
import { durationText } from './run-figures.ts';
import { ticksUntil } from './time-ticks.ts';

const TICK_GAP_PX = 110;
/** Half the widths of the time of now and of a mark's label, with a gap. */
const COVERED_PX = 44;

interface RulerProps {
  readonly chart: ChartState;
}

const px = (length: number) => `${length.toFixed(1)}px`;

/** The marks of the time axis, with their lines over the rows. */
export function Ruler({ chart }: RulerProps) {
  const px_per_s = chart.px_per_s.value;
  const now_s = chart.now_s.value;
  const marks = ticksUntil(chart.end_s.value, TICK_GAP_PX / px_per_s);
  const isCovered = (time_s: number) =>
    now_s !== null && Math.abs(time_s - now_s) * px_per_s < COVERED_PX;
  const left = (time_s: number) => px(GUTTER_PX + time_s * px_per_s);
  return (
    <>
      <div class="gantt-grid" aria-hidden="true">
        {marks.map(({ time_s }, i) => (
          <i key={i} style={{ left: left(time_s) }} />
        ))}
      </div>
      <div class="gantt-ruler" aria-hidden="true">
        {marks.map(({ time_s, label }, i) => (
          <span
            key={i}
            data-covered={isCovered(time_s) ? '' : undefined}
            style={{ left: left(time_s) }}
          >
            {label}
          </span>
        ))}
      </div>
    </>
  );
}

/** The line at the time of now. */
export function NowLine({ chart }: RulerProps) {
  const now_s = chart.now_s.value;
  if (now_s === null) return null;
  const shift = px(GUTTER_PX + now_s * chart.px_per_s.value);
  return (
    <div class="gantt-now" aria-hidden="true" style={{ transform: `translateX(${shift})` }}>
      <b>{durationText(now_s)}</b>
    </div>
  );
}
