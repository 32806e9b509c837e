/** Binds panels to the store whose view they show. */
import { oncePerFrame } from './animation-frame.ts';

/** A store of a page's view. */
interface ViewStore<View> {
  view(): View;
  subscribe(listener: () => void): void;
}

/** A panel that shows a view; `before` is the view it showed last, null the first time. */
interface ViewPanel<View> {
  update(view: View, before: View | null): void;
}

/** Updates the panels now, and after changes of the store at most once a frame. */
export function bindPanels<View>(store: ViewStore<View>, panels: readonly ViewPanel<View>[]): void {
  let shown: View | null = null;
  function refresh(): void {
    const view = store.view();
    for (const panel of panels) panel.update(view, shown);
    shown = view;
  }
  store.subscribe(oncePerFrame(refresh));
  refresh();
}
