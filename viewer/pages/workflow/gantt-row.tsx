import { useMemo } from 'preact/hooks';
import type { ChartState } from './chart-state.ts';
import { Bar, lanesHeight_px } from './gantt-bar.tsx';
import type { GanttRow } from './gantt-rows.ts';

interface RowProps {
  readonly row: GanttRow;
  readonly chart: ChartState;
}

/** A row of the chart with its bars. A row that has not changed is the same drawing, and stays. */
export function Row({ row, chart }: RowProps) {
  return useMemo(() => {
    const { name, lanes, bars } = row;
    const nextOf = (i: number) => bars.slice(i + 1).find(({ lane }) => lane === bars[i]!.lane);
    return (
      <div class="gantt-row">
        <bdi class="gantt-name">{name}</bdi>
        <div class="gantt-lane" style={{ minHeight: `${lanesHeight_px(lanes)}px` }}>
          {bars.map((bar, i) => (
            <Bar
              key={bar.key}
              bar={bar}
              where={name}
              next_s={nextOf(i)?.shown.from_s}
              chart={chart}
            />
          ))}
        </div>
      </div>
    );
  }, [row, chart]);
}
