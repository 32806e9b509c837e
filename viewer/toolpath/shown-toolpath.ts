/** Tells the frame which toolpath a page shows, and why it cannot be loaded. */

import type { Toolpath } from '../../contract/types.generated.ts';
import { hashToolpath } from '../../physics/toolpath/hash.ts';
import { isUnbegun } from './toolpath-edit.ts';
import type { ToolpathLibrary, ToolpathLibraryParts } from './toolpath-library.ts';
import type { ToolpathView } from './toolpath-view.ts';

/** Why the toolpath of a view cannot be loaded into the robot; empty if it can. */
function loadProblem({ opened, busy, problems, replay }: ToolpathView): string {
  if (replay !== null) return 'A replay shows a run: open its toolpath first';
  if (busy) return 'The toolpath is being checked';
  if (opened && isUnbegun(opened.toolpath)) return 'Add a waypoint first';
  const faulty = opened?.findings.some(({ kind }) => kind === 'error') ?? true;
  return faulty || problems.length > 0 ? 'Fix the errors of the toolpath first' : '';
}

/**
 * Publishes the open toolpath of a page as the shown one, so that the motion buttons run what is on
 * the screen. Call the result with whether the page is shown.
 */
export function publishShownToolpath({
  store,
  arm,
  library,
  unsaved,
}: Pick<ToolpathLibraryParts, 'store' | 'arm'> & {
  readonly library: ToolpathLibrary;
  readonly unsaved: () => boolean;
}): (isShown: boolean) => void {
  let shown = false;
  let hashed: { readonly toolpath: Toolpath; readonly hash: string } | null = null;
  function publish(): void {
    const view = store.view();
    if (!shown || !view.origin || !view.opened) {
      if (arm.view().shown) arm.set({ shown: null });
      return;
    }
    const { toolpath } = view.opened;
    if (hashed?.toolpath !== toolpath) hashed = { toolpath, hash: hashToolpath(toolpath) };
    const next = {
      name: view.origin.name,
      hash: hashed.hash,
      toolpath,
      unsaved: unsaved(),
      problem: loadProblem(view),
      isReplay: view.replay !== null,
      load: () => library.loadIntoRobot(),
    };
    const last = arm.view().shown;
    const same = (key: 'name' | 'hash' | 'unsaved' | 'problem') => last?.[key] === next[key];
    if (!(same('name') && same('hash') && same('unsaved') && same('problem'))) {
      arm.set({ shown: next });
    }
  }
  arm.subscribe(() => {
    const { snapshot, sim } = arm.view();
    const runs = shown && hashed !== null && hashed.hash === snapshot?.control.toolpath_hash;
    const running = (runs && sim?.status?.activity?.step?.at) || null;
    if (running !== store.view().running) store.set({ running });
  });
  store.subscribe((view, before) => {
    const changed = view.opened !== before.opened || view.origin !== before.origin;
    if (changed || view.busy !== before.busy || view.problems !== before.problems) publish();
  });
  return (isShown) => {
    shown = isShown;
    publish();
  };
}
