/**
 * What the Workflow page knows: definitions, the one that is open as text, the run that is looked
 * at with its events and deliveries, and the one selection they share. Changes by replacement.
 */
import type {
  Delivery,
  RunDetails,
  RunEvent,
  RunHead,
  WorkflowHead,
  WorkflowPlan,
} from '../../contract/types.ts';

/** What the page's middle shows. */
export type WorkMode = 'library' | 'json' | 'run';

export interface WorkFinding {
  readonly path: string;
  readonly message: string;
  readonly line: number;
}

export interface WorkChecks {
  /** Whether the server has judged this text; false while it is asked. */
  readonly judged: boolean;
  readonly errors: readonly WorkFinding[];
  readonly warnings: readonly string[];
}

export type WorkSelection =
  | { readonly kind: 'delivery'; readonly id: number }
  | { readonly kind: 'bar'; readonly key: string }
  | null;

export interface WorkView {
  readonly mode: WorkMode;
  readonly workflows: readonly WorkflowHead[];
  readonly runs: readonly RunHead[];
  /** The stored definition that is open; null for a new one. */
  readonly workflow_id: number | null;
  readonly name: string;
  /** The definition as it stands in the editor, and as it was last saved. */
  readonly text: string;
  readonly saved: string | null;
  /** The value of the newest text that could be read. */
  readonly definition: unknown;
  readonly checks: WorkChecks;
  readonly run: RunDetails | null;
  /** The plan before there is a run, and the one that the run began with. */
  readonly preview: WorkflowPlan | null;
  readonly first: WorkflowPlan | null;
  readonly events: readonly RunEvent[];
  readonly deliveries: readonly Delivery[];
  readonly selected: WorkSelection;
  /** Why the last act was refused. */
  readonly problem: string | null;
  readonly busy: boolean;
}

const UNCHECKED: WorkChecks = { judged: false, errors: [], warnings: [] };

const EMPTY: WorkView = {
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
  first: null,
  events: [],
  deliveries: [],
  selected: null,
  problem: null,
  busy: false,
};

type Listener = (view: WorkView, before: WorkView) => void;

export class WorkStore {
  private current = EMPTY;
  private readonly listeners: Listener[] = [];

  view(): WorkView {
    return this.current;
  }

  set(patch: Partial<WorkView>): void {
    const before = this.current;
    this.current = { ...before, ...patch };
    for (const listener of this.listeners) listener(this.current, before);
  }

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Forgets everything, as when somebody signs out. */
  clear(): void {
    this.set(EMPTY);
  }

  /** Opens a text as a definition: number and name of a stored one, or of none. */
  open(workflow_id: number | null, name: string, text: string): void {
    const { workflows, runs } = this.current;
    const saved = workflow_id === null ? null : text;
    this.set({ ...EMPTY, workflows, runs, workflow_id, name, text, saved, mode: 'json' });
  }

  /** Looks at a run; the plan it is first seen with stays as what was planned. */
  show(run: RunDetails): void {
    const { run: old, first, preview } = this.current;
    const same = old?.id === run.id;
    const began = same ? first : (planOfStart(run) ?? preview);
    this.set({ run, first: began ?? run.plan });
    if (!same) this.set({ events: [], deliveries: [], selected: null, preview: null });
  }
}

/** The plan of a run that has only just begun. */
function planOfStart({ now_s, plan }: RunDetails): WorkflowPlan | null {
  return now_s < 1 ? plan : null;
}

/** Whether the text differs from what is stored. */
export function isChanged({ text, saved }: WorkView): boolean {
  return text !== saved;
}

/** The plan that the chart shows. */
export function shownPlan({ run, preview }: WorkView): WorkflowPlan | null {
  return run ? run.plan : preview;
}

/** What every panel of the page is. */
export interface WorkPanel {
  readonly element: HTMLElement;
  /** Brings the panel up to date after the view has changed; `before` is null the first time. */
  update(view: WorkView, before: WorkView | null): void;
}
