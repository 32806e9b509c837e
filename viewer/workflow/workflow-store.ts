/**
 * State of the Workflow page: definitions, the open one as text, the open run with events and
 * deliveries, and the shared selection. Views are replaced, never modified.
 */
import type {
  Delivery,
  RobustnessReply,
  RunDetails,
  RunEvent,
  RunHead,
  WhatIfChoice,
  WorkflowHead,
  WorkflowPlan,
} from '../../contract/types.ts';

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
  /** The definition in the editor, and as last saved. */
  readonly text: string;
  readonly saved: string | null;
  /** Value of the last text that could be parsed. */
  readonly definition: unknown;
  readonly checks: WorkflowChecks;
  readonly run: RunDetails | null;
  /** The plan before a run, and the plan at the start of the run. */
  readonly preview: WorkflowPlan | null;
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

const UNCHECKED: WorkflowChecks = { checked: false, errors: [], warnings: [] };

const EMPTY: WorkflowView = {
  mode: 'library',
  workflows: [],
  runs: [],
  workflow_id: null,
  name: '',
  text: '',
  saved: null,
  definition: null,
  checks: UNCHECKED,
  run: null,
  preview: null,
  robustness: null,
  choices: null,
  firstPlan: null,
  events: [],
  deliveries: [],
  selected: null,
  problem: null,
  busy: false,
};

type Listener = (view: WorkflowView, before: WorkflowView) => void;

export class WorkflowStore {
  private current = EMPTY;
  private readonly listeners: Listener[] = [];

  view(): WorkflowView {
    return this.current;
  }

  set(patch: Partial<WorkflowView>): void {
    const before = this.current;
    this.current = { ...before, ...patch };
    for (const listener of this.listeners) listener(this.current, before);
  }

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Clears everything, for example after sign-out. */
  clear(): void {
    this.set(EMPTY);
  }

  /** Opens a text as a definition, with the id and name of a stored one or without. */
  open(workflow_id: number | null, name: string, text: string): void {
    const { workflows, runs } = this.current;
    const saved = workflow_id === null ? null : text;
    this.set({ ...EMPTY, workflows, runs, workflow_id, name, text, saved, mode: 'json' });
  }

  /** Shows a run. The plan it is first seen with is kept as the planned one. */
  showRun(run: RunDetails): void {
    const { run: old, firstPlan, preview } = this.current;
    const same = old?.id === run.id;
    const began = same ? firstPlan : (planOfStart(run) ?? preview);
    this.set({ run, firstPlan: began ?? run.plan });
    if (!same)
      this.set({ events: [], deliveries: [], selected: null, preview: null, choices: null });
  }
}

/** The plan of a run that has only just started. */
function planOfStart({ now_s, plan }: RunDetails): WorkflowPlan | null {
  return now_s < 1 ? plan : null;
}

/** Whether the text differs from the saved one. */
export function isChanged({ text, saved }: WorkflowView): boolean {
  return text !== saved;
}

/** The plan that the chart shows. */
export function shownPlan({ run, preview }: WorkflowView): WorkflowPlan | null {
  return run ? run.plan : preview;
}

/** A panel of the page. */
export interface WorkflowPanel {
  readonly element: HTMLElement;
  /** Updates the panel after a change of the view; `before` is null the first time. */
  update(view: WorkflowView, before: WorkflowView | null): void;
}
