import { useComputed } from '@preact/signals';
import type { ChartState } from './chart-state.ts';
import { type GanttBar, LATE_THRESHOLD_S, lateness_s } from './gantt-rows.ts';
import { barSentence } from './gantt-text.ts';

const BAR_PX = 26;
/** Space above the first lane for the planned line. */
const TOP_PX = 12;
/** Height of a lane; a name below its bar needs a row with one lane. */
const LANE_PX = 32;
const NAME_PX = 15;
const CHARACTER_PX = 6.4;
/** Least widths of a bar; the colour of a failed one shows beside that of its labware. */
const LEAST_PX = 3;
const FAILED_LEAST_PX = 11;

/** Top of a lane in its row. */
const laneTop_px = (lane: number): number => TOP_PX + lane * LANE_PX;

/** The middle of the bars of a lane in its row. */
export const barMiddle_px = (lane: number): number => laneTop_px(lane) + BAR_PX / 2;

/** Height of a row with that many lanes. */
export function lanesHeight_px(lanes: number): number {
  return lanes > 1 ? laneTop_px(lanes) : TOP_PX + BAR_PX + NAME_PX;
}

interface BarProps {
  readonly bar: GanttBar;
  /** Name of its row. */
  readonly where: string;
  /** When the next bar of its lane begins; undefined for the last one. */
  readonly next_s: number | undefined;
  readonly chart: ChartState;
}

const px = (length: number) => `${length.toFixed(1)}px`;

/**
 * The name of a bar: inside where it fits, otherwise below where there is space before the next bar.
 * A failure is said in a word, because its colour alone is not enough.
 */
function placedName({ label, state }: GanttBar, width_px: number, room_px: number) {
  const long = state === 'failed' ? `${label} failed` : label;
  const text = long.length * CHARACTER_PX > Math.max(room_px, width_px - 12) ? label : long;
  const wanted_px = text.length * CHARACTER_PX;
  const isInside = wanted_px + 12 < width_px;
  return isInside || wanted_px <= room_px ? { text, wanted_px, isInside } : null;
}

/** One bar: box, progress, lateness, planned line and name. */
export function Bar({ bar, where, next_s, chart }: BarProps) {
  const { key, shown, planned, state, labware } = bar;
  const isChosen = useComputed(() => chart.chosen.value === key);
  const isStop = useComputed(() => chart.tabStop.value === key);
  const x = (time_s: number) => time_s * chart.px_per_s.value;
  const left = x(shown.from_s);
  const length_px = x(shown.to_s) - left;
  const width_px = Math.max(length_px, state === 'failed' ? FAILED_LEAST_PX : LEAST_PX);
  const top = laneTop_px(bar.lane);
  const isRunning = state === 'running';
  const passed_px = isRunning ? Math.min(x(chart.now_s.value ?? 0) - left, width_px) : 0;
  const isOff = (a: number, b: number) => Math.abs(a - b) > LATE_THRESHOLD_S / 2;
  const differs =
    planned !== null && (isOff(planned.from_s, shown.from_s) || isOff(planned.to_s, shown.to_s));
  const isLate = planned !== null && lateness_s(bar) > LATE_THRESHOLD_S;
  const hue = chart.hues_deg.value.get(labware);
  const room_px = (next_s === undefined ? chart.end_px.value : x(next_s)) - left - 4;
  const name = placedName(bar, length_px, room_px);
  const sentence = barSentence(bar, where);
  return (
    <>
      {planned && (differs || state !== 'planned') && (
        <span
          class="gantt-plan"
          style={{
            left: px(x(planned.from_s)),
            width: px(Math.max(x(planned.to_s) - x(planned.from_s), 2)),
            top: px(top - 5),
          }}
        />
      )}
      <button
        type="button"
        class="gantt-bar"
        data-state={state}
        data-key={key}
        data-labware={labware || undefined}
        aria-label={sentence}
        title={sentence}
        aria-pressed={isChosen.value}
        tabindex={isStop.value ? 0 : -1}
        style={{ left: px(left), width: px(width_px), top: px(top) }}
        onClick={() => chart.select(key)}
      >
        {isRunning && <span class="gantt-done" style={{ width: px(Math.max(passed_px, 0)) }} />}
        {isLate && (
          <span
            class="gantt-late"
            style={{ width: px(x(shown.to_s) - x(Math.max(planned.to_s, shown.from_s))) }}
          />
        )}
        {hue !== undefined && <span class="gantt-piece" style={{ '--hue': `${hue}` }} />}
      </button>
      {name && (
        <span
          class="gantt-label"
          data-state={state}
          data-inside={name.isInside ? '' : undefined}
          data-over={name.isInside && passed_px > name.wanted_px + 8 ? '' : undefined}
          style={{
            left: px(name.isInside ? left + 8 : left),
            top: px(name.isInside ? top : top + BAR_PX),
          }}
        >
          {name.text}
        </span>
      )}
    </>
  );
}
