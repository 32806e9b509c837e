/** Tells the frame which toolpath a page shows, and why it cannot be loaded. */

import { computed, effect, signal, untracked } from '@preact/signals';
import { hashToolpath } from '../../physics/toolpath/hash.ts';
import type { ShownToolpath } from '../link/arm-view.ts';
import { isUnbegun } from './toolpath-edit.ts';
import type { ToolpathLibrary, ToolpathLibraryParts } from './toolpath-library.ts';
import type { ToolpathStore } from './toolpath-store.ts';

/** Why the toolpath of a view cannot be loaded into the robot; empty if it can. */
function loadProblem({ opened, busy, problems, replay }: ToolpathStore['shown']): string {
  if (replay.value !== null) return 'A replay shows a run: open its toolpath first';
  if (busy.value) return 'The toolpath is being checked';
  if (opened.value && isUnbegun(opened.value.toolpath)) return 'Add a waypoint first';
  const isFaulty = opened.value?.findings.some(({ kind }) => kind === 'error') ?? true;
  return isFaulty || problems.value.length > 0 ? 'Fix the errors of the toolpath first' : '';
}

/** Whether two are the same for who runs them. */
function isSame(a: ShownToolpath | null, b: ShownToolpath | null): boolean {
  if (!a || !b) return a === b;
  return (['name', 'hash', 'unsaved', 'problem'] as const).every((key) => a[key] === b[key]);
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
  const { shown } = store;
  const isPageShown = signal(false);
  const toolpath = computed(() => shown.opened.value?.toolpath);
  const hash = computed(() => toolpath.value && hashToolpath(toolpath.value));
  const published = computed((): ShownToolpath | null => {
    const { value: origin } = shown.origin;
    if (!isPageShown.value || !origin || !toolpath.value) return null;
    return {
      name: origin.name,
      hash: hash.value!,
      toolpath: toolpath.value,
      unsaved: unsaved(),
      problem: loadProblem(shown),
      isReplay: shown.replay.value !== null,
      isChecking: shown.busy.value,
      load: () => library.loadIntoRobot(),
    };
  });
  let last: ShownToolpath | null = null;
  effect(() => {
    const { value: next } = published;
    if (isSame(next, last)) return;
    last = next;
    untracked(() => arm.set({ shown: next }));
  });
  const running = computed(() => {
    const { snapshot, sim } = arm.whole.value;
    const isOpen = isPageShown.value && hash.value === snapshot?.control.toolpath_hash;
    return (isOpen && sim?.status?.activity?.step?.at) || null;
  });
  running.subscribe((now) => store.set({ running: now }));
  return (isShown) => {
    isPageShown.value = isShown;
  };
}
