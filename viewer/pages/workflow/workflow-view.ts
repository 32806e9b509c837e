/** What the Workflow page shows, as one immutable value. */
import type {
  Delivery,
  RobustnessReply,
  RunDetails,
  RunEvent,
  RunHead,
  WhatIfChoice,
  WorkflowHead,
  WorkflowPlan,
} from '../../../contract/types.generated.ts';

/** Content of the page's main area. */
export type WorkflowMode = 'library' | 'json' | 'run';

export interface WorkflowFinding {
  readonly path: string;
  readonly message: string;
  readonly line: number;
}

export interface WorkflowChecks {
  /** Whether the server has checked this text; false while the check is pending. */
  readonly checked: boolean;
  readonly errors: readonly WorkflowFinding[];
  readonly warnings: readonly string[];
}

export type WorkflowSelection =
  | { readonly kind: 'delivery'; readonly id: number }
  | { readonly kind: 'bar'; readonly key: string }
  | null;

export interface WorkflowView {
  readonly mode: WorkflowMode;
  readonly workflows: readonly WorkflowHead[];
  readonly runs: readonly RunHead[];
  /** Id of the stored definition that is open; null for a new one. */
  readonly workflow_id: number | null;
  readonly name: string;
  /** Number of the opened definition; grows with each one. */
  readonly document: number;
  /** The definition in the editor, as it was opened, and as last saved. */
  readonly text: string;
  readonly opened: string;
  readonly saved: string | null;
  /** Value of the last text that could be parsed. */
  readonly definition: unknown;
  readonly checks: WorkflowChecks;
  readonly run: RunDetails | null;
  /** The plan before a run, and the plan at the start of the run. */
  readonly preview: WorkflowPlan | null;
  /** The plan of the last valid text in the editor, and whether a newer one is being planned. */
  readonly draft: WorkflowPlan | null;
  readonly isPlanning: boolean;
  /** Executions of the preview with scattered durations; null until they are asked for. */
  readonly robustness: RobustnessReply['robustness'] | null;
  readonly firstPlan: WorkflowPlan | null;
  /** What each choice for a failed task leads to; null until it is asked for. */
  readonly choices: { readonly task_id: string; readonly list: readonly WhatIfChoice[] } | null;
  readonly events: readonly RunEvent[];
  readonly deliveries: readonly Delivery[];
  readonly selected: WorkflowSelection;
  /** Why the last action was refused. */
  readonly problem: string | null;
  readonly busy: boolean;
}

/** Whether the text differs from the saved one. */
export function isChanged({ text, saved }: WorkflowView): boolean {
  return text !== saved;
}

/** Whether the text was edited since it was opened or saved. */
export function isEdited(draft: Pick<WorkflowView, 'text' | 'opened' | 'saved'>): boolean {
  return draft.text !== draft.saved && draft.text !== draft.opened;
}

/** The plan that the chart shows. */
export function shownPlan({ run, preview }: WorkflowView): WorkflowPlan | null {
  return run ? run.plan : preview;
}

/** What the chart shows: beside the editor, the plan of its text and no run. */
export function chartView(view: WorkflowView): WorkflowView {
  if (view.mode !== 'json') return view;
  return { ...view, run: null, firstPlan: null, preview: view.draft };
}
