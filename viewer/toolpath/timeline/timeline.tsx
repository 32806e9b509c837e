/**
 * The timeline: plays, steps and scrubs the cursor that tree, plots and scene share, and sets the
 * loop range. Steps and plots share one axis.
 */
import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { TimeAxis } from '../../ui/time-axis.ts';
import type { ToolpathStore } from '../toolpath-store.ts';
import { LoopHandles } from './loop-handles.tsx';
import { GUTTER_PX, RIGHT_PX } from './timeline-axis.ts';
import { TimelineBar } from './timeline-bar.tsx';
import type { PlotName } from './timeline-plots.ts';
import { TimelineSheet } from './timeline-sheet.tsx';

/** What an empty timeline is for. */
const NONE = 'The steps and speeds of an open toolpath are drawn here over time.';

const WHOLE: TimeAxis = { from_s: 0, to_s: 1, width_px: 0, left_px: GUTTER_PX, right_px: RIGHT_PX };

interface TimelineProps {
  readonly store: ToolpathStore;
  /** The page that has it, if it is not Paths. */
  readonly of?: string;
}

/** The timeline of the open toolpath. */
export function Timeline({ store, of }: TimelineProps) {
  const { path, opened, origin } = store.shown;
  const plots = useSignal<readonly PlotName[]>(['speed', 'velocity']);
  const axis = useSignal(WHOLE);
  const isEmpty = useComputed(() => !opened.value && origin.value === null).value;
  useSignalEffect(() => {
    axis.value = { ...axis.peek(), from_s: 0, to_s: path.value?.duration_s || 1 };
  });
  return (
    <section
      class="timeline"
      aria-label="Timeline"
      data-of={of}
      data-empty={isEmpty ? '' : undefined}
    >
      <TimelineBar store={store} plots={plots} />
      <div class="timeline-body">
        <TimelineSheet store={store} axis={axis} plots={plots} />
        <LoopHandles store={store} axis={axis} />
      </div>
      <p class="empty timeline-none">{NONE}</p>
    </section>
  );
}
