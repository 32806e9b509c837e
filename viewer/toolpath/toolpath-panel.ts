/** The interface of the panels of the Paths and Teach pages. */
import type { ToolpathView } from './toolpath-view.ts';

export interface ToolpathPanel {
  readonly element: HTMLElement;
  /** Updates the panel after a change of the view; `before` is null the first time. */
  update(view: ToolpathView, before: ToolpathView | null): void;
}
