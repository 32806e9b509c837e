import { type ReadonlySignal, signal } from '@preact/signals';
import type { ArmStore } from '../link/arm-store.ts';
import type { ArmView } from '../link/arm-view.ts';

/** The view of a store as a signal, which changes at most once in a time. */
export function followStore(store: ArmStore, period_ms: number): ReadonlySignal<ArmView> {
  const view = signal(store.view());
  let due = false;
  store.subscribe(() => {
    if (due) return;
    due = true;
    setTimeout(() => {
      due = false;
      view.value = store.view();
    }, period_ms);
  });
  return view;
}
