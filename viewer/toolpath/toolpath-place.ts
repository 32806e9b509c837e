/** The place on the Toolpaths and Teach pages, for addresses: open toolpath, step and time. */
import type { Place } from '../pages/address.ts';
import type { RemoteToolpathLibrary } from './toolpath-library.ts';
import type { ToolpathStore } from './toolpath-store.ts';

/** What is open; a file has no address. */
export function placeOf(store: ToolpathStore): Place {
  const { origin, selected, cursor_s } = store.view();
  const id = origin?.id ?? null;
  if (id === null) return { id, params: {} };
  const step = selected === null ? {} : { step: selected };
  return { id, params: { ...step, t: cursor_s.toFixed(2) } };
}

/** Resolves once the toolpath is built, or to false when another one is open. */
function whenBuilt(store: ToolpathStore, id: number): Promise<boolean> {
  return new Promise((resolve) => {
    let done = false;
    const check = (): void => {
      const { origin, busy, path } = store.view();
      if (done || (busy && origin?.id === id)) return;
      done = true;
      resolve(origin?.id === id && path !== null);
    };
    store.subscribe(check);
    check();
  });
}

/** Opens what an address names; step and time count once the path is built. */
export async function openPlace(
  { id, params }: Place,
  library: RemoteToolpathLibrary,
  store: ToolpathStore,
): Promise<void> {
  if (id === null) return;
  if (store.view().origin?.id !== id) await library.openById(id);
  if (!(await whenBuilt(store, id))) return;
  const time_s = Number(params['t']);
  if (Number.isFinite(time_s) && params['t'] !== undefined) store.seek(time_s);
  const { step } = params;
  if (step !== undefined && store.view().selected !== step) store.select(step);
}
