/** The text of the open definition with undo, checked shortly after the last key. */

import { effect, signal } from '@preact/signals';
import { EditHistory } from '../../ui/edit-history.ts';
import { type DefinitionDraft, isEdited, type WorkflowState } from './workflow-state.ts';

/** The text is checked this long after the last key. */
const CHECK_AFTER_MS = 250;
/** Typing is one step of undo until it pauses for this long. */
const SETTLE_AFTER_MS = 800;

/**
 * Undo and redo of the text. Opening another definition is a step too while the one before has
 * unsaved edits, so that these can be brought back.
 */
export class DraftHistory {
  readonly canUndo = signal(false);
  readonly canRedo = signal(false);
  private readonly state: WorkflowState;
  private readonly check: (text: string) => void;
  private steps: EditHistory<DefinitionDraft>;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private settling: ReturnType<typeof setTimeout> | undefined;

  constructor(state: WorkflowState, check: (text: string) => void) {
    this.state = state;
    this.check = check;
    this.steps = new EditHistory(state.draft.value);
    effect(() => this.follow(state.draft.value));
  }

  /** Edits the text; edits of one gesture without a pause are one step. */
  edit(text: string, gesture?: string): void {
    if (text === this.steps.present.text) return;
    this.steps.push({ ...this.steps.present, text }, gesture);
    this.show(text);
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), SETTLE_AFTER_MS);
    this.checkAfter(CHECK_AFTER_MS);
  }

  settle(): void {
    this.steps.settle();
  }

  step(way: 'undo' | 'redo'): void {
    const draft = this.steps[way]();
    if (!draft) return;
    if (draft.document === this.state.draft.value.document) this.show(draft.text);
    else this.state.restore(draft);
    this.checkAfter(0);
  }

  private show(text: string): void {
    const { checks } = this.state;
    this.state.edit({ text });
    checks.value = { ...checks.value, checked: false };
  }

  private checkAfter(delay_ms: number): void {
    clearTimeout(this.timer);
    // By then another definition may be open.
    this.timer = setTimeout(() => this.check(this.state.draft.value.text), delay_ms);
  }

  private follow(draft: DefinitionDraft): void {
    const { present } = this.steps;
    const { document, workflow_id, saved } = draft;
    if (document !== present.document) {
      if (document > present.document && isEdited(present)) this.steps.push(draft);
      else this.steps = new EditHistory(draft);
    } else if (saved !== present.saved || workflow_id !== present.workflow_id) {
      this.steps.rewrite((one) =>
        one.document === document ? { ...one, workflow_id, saved } : one,
      );
    }
    this.canUndo.value = this.steps.canUndo;
    this.canRedo.value = this.steps.canRedo;
  }
}
