/**
 * The Gantt chart of a plan and its run: bars on one time axis, planned against actual, with a line
 * at the current time. Bars are buttons; arrow keys move between them.
 */
import { useComputed, useSignalEffect } from '@preact/signals';
import type { TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Button } from '../../ui/buttons.tsx';
import { ChartState, GUTTER_PX } from './chart-state.ts';
import { GanttLegend } from './gantt-legend.tsx';
import { Row } from './gantt-row.tsx';
import { barBeside } from './gantt-rows.ts';
import { NowLine, Ruler } from './gantt-ruler.tsx';
import { draftText, emptyText } from './gantt-text.ts';
import { LinkLines } from './link-lines.tsx';
import type { WorkflowState } from './workflow-state.ts';

const ZOOMS = [
  ['−', 'Show more time', 0.5],
  ['Fit', 'Show all', 0],
  ['+', 'Show less time', 2],
] as const;

interface ChartProps {
  readonly state: WorkflowState;
  readonly chart: ChartState;
}

/** Bars, axis and lines. */
function Sheet({ state, chart }: ChartProps) {
  const rows = state.rows.value;
  const group = useRef<HTMLDivElement>(null);
  function step(event: TargetedKeyboardEvent<HTMLElement>): void {
    const { key } = (event.target as HTMLElement).dataset;
    const next = barBeside(rows, key, event.key);
    if (!next) return;
    event.preventDefault();
    chart.select(next.key);
    const bars = [...group.current!.querySelectorAll<HTMLElement>('.gantt-bar')];
    bars.find(({ dataset }) => dataset['key'] === next.key)?.focus();
  }
  return (
    <div class="gantt-sheet" style={{ width: `${(GUTTER_PX + chart.end_px.value).toFixed(0)}px` }}>
      {rows.length > 0 && <Ruler chart={chart} />}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has borders and a legend */}
      <div
        ref={group}
        class="gantt-rows"
        role="group"
        aria-label="Tasks and moves"
        onKeyDown={step}
      >
        {rows.map((row) => (
          <Row key={row.id} row={row} chart={chart} />
        ))}
      </div>
      <LinkLines state={state} chart={chart} rows={rows} />
      {rows.length > 0 && <NowLine chart={chart} />}
    </div>
  );
}

/** The chart of the run or plan. */
export function GanttChart({ state }: Pick<ChartProps, 'state'>) {
  const chart = useMemo(() => new ChartState(state), [state]);
  const scroll = useRef<HTMLDivElement>(null);
  const zoom = chart.zoom.value;
  const isBeside = state.mode.value === 'json';
  const isEmpty = state.rows.value.length === 0;
  const shown = useComputed(() => `${state.run.value?.id} ${state.draft.value.workflow_id}`);
  useSignalEffect(() => {
    if (shown.value) chart.zoomBy(0);
  });
  useLayoutEffect(() => {
    const box = scroll.current!;
    const observer = new ResizeObserver(() => {
      // A chart that is hidden has no width.
      chart.width_px.value = box.clientWidth || chart.width_px.value;
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [chart]);
  /** The share of the chart that was in the middle stays there. */
  const middle = useRef(0);
  function zoomBy(factor: number): void {
    const { scrollLeft, clientWidth, scrollWidth } = scroll.current!;
    middle.current = (scrollLeft + clientWidth / 2) / scrollWidth;
    chart.zoomBy(factor);
  }
  useLayoutEffect(() => {
    const box = scroll.current!;
    box.scrollLeft = middle.current * box.scrollWidth - box.clientWidth / 2;
  }, [zoom]);
  return (
    <section class="gantt" aria-labelledby="gantt-title" role={isBeside ? undefined : 'main'}>
      <header class="section-head">
        <h2 id="gantt-title">{isBeside ? 'Plan' : 'Plan and run'}</h2>
        <span class="sub gantt-about" role="status">
          {isBeside && draftText(state)}
        </span>
        <GanttLegend state={state} />
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has borders and a legend */}
        <div class="choice" role="group" aria-label="Zoom">
          {ZOOMS.map(([sign, label, factor]) => (
            <Button
              key={sign}
              class="chip"
              aria-label={label}
              title={label}
              onClick={() => zoomBy(factor)}
            >
              {sign}
            </Button>
          ))}
        </div>
      </header>
      {isEmpty && <p class="empty gantt-empty">{emptyText(state)}</p>}
      <div class="gantt-scroll" ref={scroll}>
        {chart.width_px.value > 0 && <Sheet state={state} chart={chart} />}
      </div>
    </section>
  );
}
