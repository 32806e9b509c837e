/** What every panel of the Toolpaths page is. */
import type { ToolpathView } from './toolpath-store.ts';

export interface PlanPanel {
  readonly element: HTMLElement;
  /** Brings the panel up to date after the view has changed; `before` is null the first time. */
  update(view: ToolpathView, before: ToolpathView | null): void;
}
