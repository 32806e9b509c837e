/**
 * State of the Workflow page: definitions, the open one as text with undo, the open run with events
 * and deliveries, and the shared selection. Views are replaced, never modified.
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
import { createEditHistory } from '../teach/editor.ts';
import type { PositionedJson } from './json-text.ts';

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

/** A definition that is being edited. */
export type DefinitionDraft = Pick<
  WorkflowView,
  'document' | 'workflow_id' | 'name' | 'text' | 'opened' | 'saved'
>;

const UNCHECKED: WorkflowChecks = { checked: false, errors: [], warnings: [] };

const EMPTY: WorkflowView = {
  mode: 'library',
  workflows: [],
  runs: [],
  workflow_id: null,
  name: '',
  document: 0,
  text: '',
  opened: '',
  saved: null,
  definition: null,
  checks: UNCHECKED,
  run: null,
  preview: null,
  draft: null,
  isPlanning: false,
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
    const saved = workflow_id === null ? null : text;
    const document = this.current.document + 1;
    this.restore({ document, workflow_id, name, text, opened: text, saved });
  }

  /** Shows a definition in the editor, without a plan or a run. */
  restore(draft: DefinitionDraft): void {
    const { workflows, runs } = this.current;
    this.set({ ...EMPTY, workflows, runs, ...draft, mode: 'json' });
  }

  /** Closes the run with all that belongs to it. */
  closeRun(): void {
    const { run, firstPlan, events, deliveries, selected, choices } = EMPTY;
    this.set({ run, firstPlan, events, deliveries, selected, choices });
  }

  /** Shows the editor, the run or the lists; a problem with what was done before is over. */
  showMode(mode: WorkflowMode): void {
    this.set({ mode, problem: null });
  }

  /** Shows a run. The plan it is first seen with is kept as the planned one. */
  showRun(run: RunDetails): void {
    const { run: old, firstPlan, preview } = this.current;
    // A twin that was reset numbers its runs from the beginning.
    const same = old?.id === run.id && old.started_at === run.started_at;
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

/** A valid text that is to be planned, with the number of its check. */
export interface DraftToPlan {
  readonly number: number;
  readonly json: PositionedJson;
}

/** The text is checked this long after the last key. */
const CHECK_AFTER_MS = 250;
/** Typing is one step of undo until it pauses for this long. */
const SETTLE_AFTER_MS = 800;

/** The definition in the editor. */
export function draftOf(view: WorkflowView): DefinitionDraft {
  const { document, workflow_id, name, text, opened, saved } = view;
  return { document, workflow_id, name, text, opened, saved };
}

/**
 * Undo and redo of the text. Opening another definition is a step too while the one before has
 * unsaved edits, so that these can be brought back.
 */
export class DraftHistory {
  private readonly store: WorkflowStore;
  private readonly check: (text: string) => void;
  private steps = createEditHistory<DefinitionDraft>(draftOf(new WorkflowStore().view()));
  private timer: ReturnType<typeof setTimeout> | undefined;
  private settling: ReturnType<typeof setTimeout> | undefined;

  constructor(store: WorkflowStore, check: (text: string) => void) {
    this.store = store;
    this.check = check;
    store.subscribe((view) => this.follow(view));
  }

  get canUndo(): boolean {
    return this.steps.canUndo;
  }

  get canRedo(): boolean {
    return this.steps.canRedo;
  }

  /** Edits the text; edits of one gesture without a pause are one step. */
  edit(text: string, gesture?: string): void {
    if (text === this.steps.present.text) return;
    this.steps.push({ ...this.steps.present, text }, gesture);
    this.show(text);
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), SETTLE_AFTER_MS);
    // By then another definition may be open.
    this.timer = setTimeout(() => this.check(this.store.view().text), CHECK_AFTER_MS);
  }

  settle(): void {
    this.steps.settle();
  }

  step(way: 'undo' | 'redo'): void {
    const { document } = this.store.view();
    const draft = this.steps[way]();
    if (!draft) return;
    if (draft.document === document) this.show(draft.text);
    else this.store.restore(draft);
    this.timer = setTimeout(() => this.check(this.store.view().text));
  }

  private show(text: string): void {
    clearTimeout(this.timer);
    this.store.set({ text, checks: { ...this.store.view().checks, checked: false } });
  }

  private follow(view: WorkflowView): void {
    const { present } = this.steps;
    const draft = draftOf(view);
    if (view.document !== present.document) {
      if (view.document > present.document && isEdited(present)) this.steps.push(draft);
      else this.steps = createEditHistory(draft);
    } else if (view.saved !== present.saved || view.workflow_id !== present.workflow_id) {
      const { workflow_id, saved } = view;
      this.steps.rewrite((one) =>
        one.document === view.document ? { ...one, workflow_id, saved } : one,
      );
    }
  }
}

/** A panel of the page. */
export interface WorkflowPanel {
  readonly element: HTMLElement;
  /** Updates the panel after a change of the view; `before` is null the first time. */
  update(view: WorkflowView, before: WorkflowView | null): void;
}
