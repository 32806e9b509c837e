/** Opens the toolpath that the robot has loaded on a page that has nothing open. */
import type { ToolpathHead } from '../../contract/types.generated.ts';
import type { ArmStore } from '../link/arm-store.ts';
import type { ArmView } from '../link/arm-view.ts';
import { baseOf } from './newer-version.ts';
import type { ToolpathStore } from './toolpath-store.ts';
import type { ToolpathOrigin } from './toolpath-view.ts';

/** Where the loaded toolpath is on the arm: the one of its name, else of its content, else nowhere. */
function loadedOrigin({ toolpaths, snapshot }: ArmView): ToolpathOrigin {
  const { toolpath_name: name, toolpath_hash: hash } = snapshot!.control;
  const equal = toolpaths.filter((head) => head.hash === hash);
  const head: ToolpathHead | undefined = equal.find((one) => one.name === name) ?? equal[0];
  return head ? { name: head.name, id: head.id, base: baseOf(head) } : { name, id: null };
}

/**
 * Call the result when the page is entered (true) and left (false): where nothing is open, it opens
 * what the robot has loaded, as soon as that is known, unless `forgo` is called before: the user has
 * chosen what to open. `isOwn` says whether what is open came so.
 */
export function createLoadedOpener(store: ToolpathStore, arm: ArmStore) {
  let opened: ToolpathOrigin | null = null;
  /** Whether the page waits to learn what is loaded. */
  let waits = false;
  function open(): void {
    const { loaded, snapshot, isListed } = arm.view();
    if (!waits || !snapshot) return;
    if (snapshot.control.toolpath_hash === '' || store.view().origin) waits = false;
    else if (loaded?.hash === snapshot.control.toolpath_hash && isListed) {
      waits = false;
      opened = loadedOrigin(arm.view());
      store.open(opened, JSON.stringify(loaded.toolpath));
    }
  }
  arm.whole.subscribe(open);
  return {
    setShown(isShown: boolean): void {
      waits = isShown;
      open();
    },
    forgo(): void {
      waits = false;
    },
    isOwn: () => opened !== null && store.view().origin === opened,
  };
}
