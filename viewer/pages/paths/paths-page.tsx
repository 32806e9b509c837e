/**
 * The Paths page: program, scene with the planned path, inspector and timeline, in the frame of
 * the Live page. Loaded as its own chunk. It shows a dropped file without a call to the server.
 */

import { createRef } from 'preact';
import type { Toolpath } from '../../../contract/types.generated.ts';
import type { Page, PageParts } from '../../shell/page.ts';
import { createPageView } from '../../shell/page-view.ts';
import { LayerBar } from '../../toolpath/layer-bar.tsx';
import type { NewerVersion } from '../../toolpath/newer-version.ts';
import { createLoadedOpener } from '../../toolpath/open-loaded.ts';
import { publishShownToolpath } from '../../toolpath/shown-toolpath.ts';
import { createPlayback } from '../../toolpath/timeline/playback.ts';
import { pressKey } from '../../toolpath/timeline/playback-keys.ts';
import { Timeline } from '../../toolpath/timeline/timeline.tsx';
import { ToolpathEditor } from '../../toolpath/toolpath-editor.ts';
import { ToolpathLayer } from '../../toolpath/toolpath-layer.ts';
import { ToolpathLibrary } from '../../toolpath/toolpath-library.ts';
import { followPlace, openPlace, placeOf } from '../../toolpath/toolpath-place.ts';
import { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import { trackDeviation } from '../../toolpath/track-deviation.ts';
import { drawn, mount } from '../../ui/mount.ts';
import { onPageKey } from '../../ui/page-key.ts';
import type { Place } from '../../ui/place.ts';
import { steady } from '../../ui/steady.ts';
import { loadStyles } from '../../ui/style-sheets.ts';
import { onChange } from '../../ui/view-store.ts';
import { ColouringBar } from './colouring-bar.tsx';
import { ComparePanel } from './compare-panel.tsx';
import { Inspector } from './inspector.tsx';
import { PathStatus } from './path-status.tsx';
import type { PathsContext } from './paths-context.ts';
import { ProgramPanel } from './program-panel.tsx';
import { RunReplays } from './run-replays.ts';
import { RunsPanel } from './runs-panel.tsx';

const STYLES = [
  new URL('../../styles/toolpaths.css', import.meta.url),
  new URL('../../styles/program.css', import.meta.url),
  new URL('../../styles/timeline.css', import.meta.url),
];

/** Hides the arm while its pose is unknown; the ghost is then shown alone. */
function bindArmVisibility(
  { store, stage }: ToolpathsParts,
  layer: ToolpathLayer,
  isShown: () => boolean,
): () => void {
  const show = (): void => {
    const known = store.view().link === 'live';
    stage.setArmShown(known || !isShown());
    layer.setStandalone(!known);
  };
  onChange(store.shown.link, show);
  return show;
}

/** What the page does with the editor that the pages share. */
function createEdits(editor: ToolpathEditor, library: ToolpathLibrary, store: ToolpathStore) {
  return {
    editor,
    async save(over?: NewerVersion): Promise<void> {
      const { document } = editor;
      const saved = await library.save(over);
      if (saved && document !== null) editor.markSaved(document, saved);
    },
    /** Whether the arm does not have what is open; a replay is not to be saved. */
    unsaved: () => store.shown.replay.value === null && editor.unsaved,
    apply(toolpath: Toolpath): void {
      editor.settle();
      editor.change((_, selected) => ({ toolpath, selected }));
    },
  };
}

/** Undo and redo by keys; true if the event was one of them. */
function pressEditKey(editor: ToolpathEditor, event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event;
  const isTyping = target instanceof Element && target.matches('input, select, textarea');
  if (isTyping || altKey || !(ctrlKey || metaKey)) return false;
  const name = key.toLowerCase();
  if (name !== 'z' && name !== 'y') return false;
  if (name === 'y' || shiftKey) editor.redo();
  else editor.undo();
  event.preventDefault();
  return true;
}

/** The subset of PageParts that the page needs; an exported file provides no more. */
export type ToolpathsParts = Pick<
  PageParts,
  'store' | 'calls' | 'commands' | 'stage' | 'frame' | 'scene' | 'onPlace'
> & { readonly signIn: Pick<PageParts['signIn'], 'show'> };

/** Builds the page into the frame; it stays hidden until `enter`. */
export async function createPathsPage(
  parts: ToolpathsParts,
  { store = new ToolpathStore(), editor = new ToolpathEditor() } = {},
): Promise<Page> {
  await loadStyles(STYLES);
  const { frame, scene, stage } = parts;
  const library = new ToolpathLibrary({ ...parts, store, arm: parts.store });
  const edits = createEdits(editor, library, store);
  const layer = new ToolpathLayer({ store, stage });
  const view = createPageView(parts.store);
  const context: PathsContext = {
    ...{ store, arm: parts.store, robot: view.arm, library, calls: parts.calls, ...edits },
    cursor_s: steady(store.shown.cursor_s),
    draw: (path) => layer.compare(path),
    signIn: () => parts.signIn.show(),
  };
  const loaded = createLoadedOpener(store, parts.store);
  const replays = new RunReplays({ ...context, chosen: () => loaded.forgo() });
  const search = createRef<HTMLInputElement>();
  stage.element.after(layer.marks);
  scene.querySelector('.layers')?.prepend(drawn(<LayerBar store={store} />));
  mount(
    scene,
    <>
      <ColouringBar context={context} />
      <PathStatus context={context} />
    </>,
  );
  mount(
    frame,
    <>
      <ProgramPanel context={context} search={search} />
      <Inspector context={context}>
        <ComparePanel context={context} />
        <RunsPanel context={context} replays={replays} />
      </Inspector>
      <Timeline store={store} />
    </>,
  );
  createPlayback(store);
  trackDeviation(store, parts.store, (tip, at_ms) => layer.addTrailPoint(tip, at_ms));
  const publishShown = publishShownToolpath(context);
  /** An address of the page alone leaves open what the page has just opened itself. */
  const isPageAlone = ({ id, params }: Place) => {
    const isRun = params['run'] !== undefined || params['at'] !== undefined;
    return id === null && !isRun && loaded.isOwn();
  };
  let shown = false;
  onChange(store.shown.opened, (opened) => shown && opened && stage.frame());
  followPlace(store, () => shown && parts.onPlace());
  const showArm = bindArmVisibility(parts, layer, () => shown);
  onPageKey((event) => {
    // A replay is nothing to edit.
    const isEdited = store.view().replay === null;
    if (!shown || (isEdited && pressEditKey(editor, event))) return;
    pressKey(store, event, () => search.current?.focus());
  });
  function setShown(now: boolean): void {
    shown = now;
    if (now) {
      view.enter();
      editor.enter(store);
    } else {
      view.leave();
      store.set({ playing: false });
    }
    stage.setLayer(now ? layer : null);
    publishShown(now);
    showArm();
    loaded.setShown(now);
  }
  return {
    drawn: layer,
    posed: () => layer.ghostPose(),
    enter: () => setShown(true),
    leave: () => setShown(false),
    place: () => placeOf(store),
    openPlace: (place) =>
      isPageAlone(place)
        ? Promise.resolve()
        : (replays.openPlace(place) ?? openPlace(place, library, store)),
    openToolpath: (head) => void library.open(head),
    openFile: (name, text) => library.openFile(name, text),
  };
}
