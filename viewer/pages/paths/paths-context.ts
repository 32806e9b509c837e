import type { ReadonlySignal } from '@preact/signals';
import type { ArmCalls } from '../../link/arm-calls.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { ArmView } from '../../link/arm-view.ts';
import type { NewerPanelParts } from '../../toolpath/newer-panel.tsx';
import type { NewerVersion } from '../../toolpath/newer-version.ts';
import type { RemedyActions } from '../../toolpath/remedy-parts.tsx';
import type { ToolpathEditor } from '../../toolpath/toolpath-editor.ts';
import type { ToolpathLibrary } from '../../toolpath/toolpath-library.ts';
import type { ToolpathStore } from '../../toolpath/toolpath-store.ts';

/** What the panels of the page share. */
export interface PathsContext
  extends Pick<NewerPanelParts, 'unsaved' | 'draw'>,
    Pick<RemedyActions, 'apply'> {
  /** Saves; over a version of someone else only if it is the one given. */
  readonly save: (over?: NewerVersion) => Promise<void>;
  readonly store: ToolpathStore;
  readonly arm: ArmStore;
  /** The view of the robot; it stands still while the page is not shown. */
  readonly robot: ReadonlySignal<ArmView>;
  readonly calls: ArmCalls;
  readonly library: ToolpathLibrary;
  readonly editor: ToolpathEditor;
  /** The time cursor, for text (s). */
  readonly cursor_s: ReadonlySignal<number>;
  /** Shows the sign-in dialog. */
  readonly signIn: () => void;
}

export interface PathsPanelProps {
  readonly context: PathsContext;
}
