/**
 * State of the Workflow page: definitions, the open one as text with undo, the open run with events
 * and deliveries, and the shared selection. Views are replaced, never modified.
 */

import type { RunDetails, WorkflowPlan } from '../../../contract/types.generated.ts';
import type { WorkflowChecks, WorkflowMode, WorkflowView } from './workflow-view.ts';

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
