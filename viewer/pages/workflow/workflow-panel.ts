import type { WorkflowView } from './workflow-view.ts';

/** A panel of the page. */
export interface WorkflowPanel {
  readonly element: HTMLElement;
  /** Updates the panel after a change of the view; `before` is null the first time. */
  update(view: WorkflowView, before: WorkflowView | null): void;
}
