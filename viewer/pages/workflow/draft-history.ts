/** The text of the open definition with undo, checked shortly after the last key. */

import type { PositionedJson } from '../../../contract/json-text.ts';
import { EditHistory } from '../../ui/edit-history.ts';
import { type DefinitionDraft, WorkflowStore } from './workflow-store.ts';
import { isEdited, type WorkflowView } from './workflow-view.ts';

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
  private steps = new EditHistory<DefinitionDraft>(draftOf(new WorkflowStore().view()));
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
      else this.steps = new EditHistory(draft);
    } else if (view.saved !== present.saved || view.workflow_id !== present.workflow_id) {
      const { workflow_id, saved } = view;
      this.steps.rewrite((one) =>
        one.document === view.document ? { ...one, workflow_id, saved } : one,
      );
    }
  }
}
