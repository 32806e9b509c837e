/**
 * What the Workflow page knows: definitions, the open one as text, the open run with its events and
 * deliveries, and what is selected. Values are replaced, never modified.
 */
import { batch, computed, signal } from '@preact/signals';
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
import { deckOf } from './deck-layout.ts';
import { type GanttRow, ganttRows, keptRows } from './gantt-rows.ts';
import { elapsed_s, waitsSince_s } from './run-figures.ts';

/** Content of the page's main area. */
export type WorkflowMode = 'library' | 'json' | 'run';

/** A definition that is being edited. */
export interface DefinitionDraft {
  /** Number of the opened definition; grows with each one. */
  readonly document: number;
  /** Id of the stored definition; null for a new one. */
  readonly workflow_id: number | null;
  readonly name: string;
  /** The text as it is, as it was opened, and as last saved. */
  readonly text: string;
  readonly opened: string;
  readonly saved: string | null;
}

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

const NO_DRAFT: DefinitionDraft = {
  document: 0,
  workflow_id: null,
  name: '',
  text: '',
  opened: '',
  saved: null,
};
const UNCHECKED: WorkflowChecks = { checked: false, errors: [], warnings: [] };

export class WorkflowState {
  readonly mode = signal<WorkflowMode>('library');
  readonly workflows = signal<readonly WorkflowHead[]>([]);
  readonly runs = signal<readonly RunHead[]>([]);
  /** The definition in the editor. */
  readonly draft = signal(NO_DRAFT);
  /** Value of the last text that could be parsed. */
  readonly definition = signal<unknown>(null);
  readonly checks = signal(UNCHECKED);
  /** The plan of the last valid text in the editor, and whether a newer one is being planned. */
  readonly draftPlan = signal<WorkflowPlan | null>(null);
  readonly isPlanning = signal(false);
  /** The plan before a run. */
  readonly preview = signal<WorkflowPlan | null>(null);
  /** Executions of the preview with scattered durations; null until they are asked for. */
  readonly robustness = signal<RobustnessReply['robustness'] | null>(null);
  readonly run = signal<RunDetails | null>(null);
  /** The plan at the start of the run. */
  readonly firstPlan = signal<WorkflowPlan | null>(null);
  readonly events = signal<readonly RunEvent[]>([]);
  readonly deliveries = signal<readonly Delivery[]>([]);
  /** What each choice for a failed task leads to; null until it is asked for. */
  readonly choices = signal<{
    readonly task_id: string;
    readonly list: readonly WhatIfChoice[];
  } | null>(null);
  readonly selected = signal<WorkflowSelection>(null);
  /** Why the last action was refused. */
  readonly problem = signal<string | null>(null);
  readonly busy = signal(false);

  readonly deck = computed(() => deckOf(this.definition.value));
  /** The run that the chart shows: none beside the editor, whose text it shows the plan of. */
  readonly chartRun = computed(() => (this.mode.value === 'json' ? null : this.run.value));
  /** The plan of the text in the editor, or the plan before a run. */
  readonly plan = computed(
    () => (this.mode.value === 'json' ? this.draftPlan : this.preview).value,
  );
  /** The rows of the chart; rows and bars that have not changed stay the same. */
  readonly rows = computed(() => {
    const run = this.chartRun.value;
    this.shownRows = keptRows(
      this.shownRows,
      ganttRows({
        run,
        plan: run ? run.plan : this.plan.value,
        firstPlan: run && this.firstPlan.value,
        instruments: this.deck.value.instruments,
        waitsSince_s: waitsSince_s(run, this.events.value),
      }),
    );
    return this.shownRows;
  });
  /** The time of the run on the chart (s); null without one. */
  readonly now_s = computed(() => this.chartRun.value && elapsed_s(this.chartRun.value));
  private shownRows: readonly GanttRow[] = [];

  /** Clears everything, for example after sign-out. */
  clear(): void {
    batch(() => {
      this.restore(NO_DRAFT);
      this.mode.value = 'library';
      this.workflows.value = [];
      this.runs.value = [];
    });
  }

  /** Opens a text as a definition, with the id and name of a stored one or without. */
  open(workflow_id: number | null, name: string, text: string): void {
    const saved = workflow_id === null ? null : text;
    const document = this.draft.value.document + 1;
    this.restore({ document, workflow_id, name, text, opened: text, saved });
  }

  /** Shows a definition in the editor, without a plan or a run. */
  restore(draft: DefinitionDraft): void {
    batch(() => {
      this.closeRun();
      this.draft.value = draft;
      this.definition.value = null;
      this.checks.value = UNCHECKED;
      this.draftPlan.value = null;
      this.isPlanning.value = false;
      this.preview.value = null;
      this.robustness.value = null;
      this.problem.value = null;
      this.busy.value = false;
      this.mode.value = 'json';
    });
  }

  /** Changes the definition in the editor. */
  edit(change: Partial<DefinitionDraft>): void {
    this.draft.value = { ...this.draft.value, ...change };
  }

  /** Closes the run with all that belongs to it. */
  closeRun(): void {
    batch(() => {
      this.run.value = null;
      this.firstPlan.value = null;
      this.leaveRun();
    });
  }

  /** Shows the editor, the run or the lists; a problem with what was done before is over. */
  showMode(mode: WorkflowMode): void {
    batch(() => {
      this.mode.value = mode;
      this.problem.value = null;
    });
  }

  /** Shows a run. The plan it is first seen with is kept as the planned one. */
  showRun(run: RunDetails): void {
    const old = this.run.value;
    // A twin that was reset numbers its runs from the beginning.
    const same = old?.id === run.id && old.started_at === run.started_at;
    const began = same ? this.firstPlan.value : (planOfStart(run) ?? this.preview.value);
    batch(() => {
      this.run.value = run;
      this.firstPlan.value = began ?? run.plan;
      if (same) return;
      this.leaveRun();
      this.preview.value = null;
    });
  }

  select(selected: WorkflowSelection): void {
    this.selected.value = selected;
  }

  /** Forgets what was known of another run. */
  private leaveRun(): void {
    this.events.value = [];
    this.deliveries.value = [];
    this.choices.value = null;
    this.selected.value = null;
  }
}

/** Whether the text differs from the saved one. */
export function isChanged({ text, saved }: DefinitionDraft): boolean {
  return text !== saved;
}

/** Whether the text was edited since it was opened or saved. */
export function isEdited({ text, saved, opened }: DefinitionDraft): boolean {
  return text !== saved && text !== opened;
}

/** The plan of a run that has only just started. */
function planOfStart({ now_s, plan }: RunDetails): WorkflowPlan | null {
  return now_s < 1 ? plan : null;
}
