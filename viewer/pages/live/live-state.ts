import type { ReadonlySignal } from '@preact/signals';
import type { ArmCalls } from '../../link/arm-calls.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { Commands } from '../../link/commands.ts';
import type { RunChoice } from '../../shell/run-choice.ts';
import type { Shown } from '../../shell/shown.ts';

export interface LivePageParts {
  readonly store: ArmStore;
  readonly calls: ArmCalls;
  readonly commands: Commands;
  /** The options of the next run, which the motion buttons use. */
  readonly choice: RunChoice;
}

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

/** What a panel receives that acts. */
export interface RunPartsProps extends LivePanelProps {
  readonly parts: LivePageParts;
}
