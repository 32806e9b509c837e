import { drawn } from '../../ui/mount.ts';
import type { ToolpathPanel } from '../toolpath-panel.ts';
import type { ToolpathStore } from '../toolpath-store.ts';
import { Timeline } from './timeline.tsx';

/** The timeline of the open toolpath for a page that is not made of components. */
export class TimelinePanel implements ToolpathPanel {
  readonly element: HTMLElement;

  constructor(store: ToolpathStore) {
    this.element = drawn(<Timeline store={store} />);
  }

  update(): void {}
  redraw(): void {}
}
