import type { ReadonlySignal } from '@preact/signals';
import type { Shown } from '../../shell/panel.ts';

/** What the panels of the Live page show. */
export interface LiveState {
  /** Changes four times a second: texts that change faster are unreadable, and cost layouts. */
  readonly texts: ReadonlySignal<Shown>;
  /** Changes whenever the frame is refreshed, for what moves without a layout. */
  readonly moves: ReadonlySignal<Shown>;
}

/** What a panel of the Live page receives. */
export interface LivePanelProps {
  readonly live: LiveState;
}
