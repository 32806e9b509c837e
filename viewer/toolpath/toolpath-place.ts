/**
 * The place of the open toolpath in an address: its id, and the step or the run and the time that
 * are shown.
 */

import { computed } from '@preact/signals';
import type { Place } from '../ui/place.ts';
import { onChange, whenKnown } from '../ui/view-store.ts';
import type { ToolpathLibrary } from './toolpath-library.ts';
import type { ToolpathStore } from './toolpath-store.ts';

/** What is open; a file has no address. */
export function placeOf(store: ToolpathStore): Place {
  const { origin, selected, cursor_s, replay } = store.view();
  const id = origin?.id ?? null;
  // A replay that is not in the list has no address.
  if (replay !== null && replay < 0) return { id, params: {} };
  if (replay !== null) return { id, params: { run: `${replay}`, t: cursor_s.toFixed(2) } };
  if (id === null) return { id, params: {} };
  const step = selected === null ? {} : { step: selected };
  return { id, params: { ...step, t: cursor_s.toFixed(2) } };
}

/** Resolves once the toolpath is built, or to false when another one is open. */
function whenBuilt({ whole }: ToolpathStore, id: number): Promise<boolean> {
  return whenKnown(() => {
    const { origin, busy, path } = whole.value;
    return busy && origin?.id === id ? undefined : origin?.id === id && path !== null;
  });
}

/** Opens what an address names; step and time count once the path is built. */
export async function openPlace(
  { id, params }: Place,
  library: ToolpathLibrary,
  store: ToolpathStore,
): Promise<void> {
  // A quick step back must not open later what was on its way: that would be a new address.
  library.forgetOpening();
  if (id === null) {
    // Edits and dropped files stay open: they have no address to come back to.
    const { origin, edited } = store.view();
    if (origin && origin.id !== null && !edited) store.close();
    return;
  }
  if (store.view().origin?.id !== id) await library.openById(id);
  if (!(await whenBuilt(store, id))) return;
  const time_s = Number(params['t']);
  if (Number.isFinite(time_s) && params['t'] !== undefined) store.seek(time_s);
  const { step } = params;
  if (step !== undefined && store.view().selected !== step) store.select(step);
}

/** Calls back when the place has changed, but not while the preview plays. */
export function followPlace(store: ToolpathStore, changed: () => void): void {
  const { cursor_s, selected, origin } = store.shown;
  const place = computed(() => [cursor_s.value, selected.value, origin.value]);
  onChange(place, () => store.view().playing || changed());
}
