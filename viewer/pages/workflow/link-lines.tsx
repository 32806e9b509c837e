import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { reuseIfEqual } from '../../link/reuse-if-equal.ts';
import { type ChartState, GUTTER_PX } from './chart-state.ts';
import { barMiddle_px } from './gantt-bar.tsx';
import { type GanttLink, ganttLinks } from './gantt-links.ts';
import type { GanttRow } from './gantt-rows.ts';
import type { WorkflowState } from './workflow-state.ts';

/** With more lines than this, those of the selected bar are shown only. */
const LINES_MOST = 60;
/** Least bend of a line (px). */
const BEND_PX = 8;

interface LinkLinesProps {
  readonly state: WorkflowState;
  readonly chart: ChartState;
  readonly rows: readonly GanttRow[];
}

/** Lines from bar to bar: dependencies, and limits of time with their slack. */
export function LinkLines({ state, chart, rows }: LinkLinesProps) {
  const drawing = useRef<SVGSVGElement>(null);
  const tops_px = useSignal<readonly number[]>([]);
  const links = useComputed(() => ganttLinks(state.definition.value, state.chartRun.value)).value;
  // The rows share the height of the chart: only the layout knows where they are.
  useLayoutEffect(() => {
    const { top } = drawing.current!.getBoundingClientRect();
    const lanes = drawing.current!.parentElement!.querySelectorAll('.gantt-lane');
    const now = [...lanes].map((lane) => lane.getBoundingClientRect().top - top);
    tops_px.value = reuseIfEqual(tops_px.value, now);
  });
  const bars = new Map(
    rows.flatMap((row, i) =>
      row.bars.map((bar) => [bar.key, { bar, top_px: tops_px.value[i] ?? 0 }]),
    ),
  );
  const known = links.filter(({ from, to }) => bars.has(from) && bars.has(to));
  const isOwn = ({ from, to }: GanttLink) =>
    from === chart.chosen.value || to === chart.chosen.value;
  const isFew = known.length <= LINES_MOST;
  const end = (key: string, isEnd: boolean) => {
    const { bar, top_px } = bars.get(key)!;
    const { from_s, to_s } = bar.shown;
    const x = GUTTER_PX + (isEnd ? to_s : from_s) * chart.px_per_s.value;
    return [x, top_px + barMiddle_px(bar.lane)] as const;
  };
  return (
    <svg ref={drawing} class="gantt-links" aria-hidden="true">
      {known.map((link, i) => {
        if (!isFew && link.kind !== 'limit' && !isOwn(link)) return null;
        const [x1, y1] = end(link.from, link.fromEnd);
        const [x2, y2] = end(link.to, link.toEnd);
        const bend = Math.max(BEND_PX, Math.abs(x2 - x1) / 3);
        return (
          <path
            key={i}
            d={`M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
            data-kind={link.kind}
            data-state={link.state || undefined}
            data-own={isOwn(link) ? '' : undefined}
          >
            <title>{link.text}</title>
          </path>
        );
      })}
    </svg>
  );
}
