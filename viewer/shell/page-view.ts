import { type ReadonlySignal, signal } from '@preact/signals';
import type { ArmStore } from '../link/arm-store.ts';
import type { ArmView } from '../link/arm-view.ts';

/** The view changes at most this often: digits that change faster are unreadable. */
const REFRESH_MS = 50;

/** What a page of components draws. */
export interface PageView {
  /** The view of the robot; it stands still while the page is not shown. */
  readonly arm: ReadonlySignal<ArmView>;
  readonly isShown: ReadonlySignal<boolean>;
  /** The page is shown. */
  enter(): void;
  /** Another page is shown. */
  leave(): void;
}

/** Follows the store for a page. */
export function createPageView(store: ArmStore): PageView {
  const arm = signal(store.view());
  const isShown = signal(false);
  let due = false;
  function refresh(): void {
    due = false;
    if (isShown.value) arm.value = store.view();
  }
  store.whole.subscribe(() => {
    if (due || !isShown.value) return;
    due = true;
    setTimeout(() => requestAnimationFrame(refresh), REFRESH_MS);
  });
  return {
    arm,
    isShown,
    enter() {
      isShown.value = true;
      arm.value = store.view();
    },
    leave() {
      isShown.value = false;
    },
  };
}
