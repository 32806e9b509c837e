import { useComputed } from '@preact/signals';
import type { WorkflowState } from './workflow-state.ts';

const SAMPLES = ['planned', 'done', 'now', 'late'] as const;

/** The meaning of the bars' looks; before a run all bars are planned and need no legend. */
export function GanttLegend({ state }: { readonly state: WorkflowState }) {
  const hasFailed = useComputed(() =>
    state.rows.value.some(({ bars }) => bars.some(({ state }) => state === 'failed')),
  ).value;
  if (state.chartRun.value === null) return null;
  return (
    <div class="gantt-legend" aria-hidden="true">
      {[...SAMPLES, ...(hasFailed ? ['failed'] : [])].map((word) => (
        <span key={word} class={`gantt-sample gantt-sample-${word}`}>
          <i />
          {word}
        </span>
      ))}
    </div>
  );
}
