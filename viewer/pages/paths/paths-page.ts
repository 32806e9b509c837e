/**
 * The Paths page: program, scene with the planned path, inspector and timeline, in the frame of
 * the Live page. Loaded as its own chunk. It shows a dropped file without a call to the server.
 */

import type { Toolpath } from '../../../contract/types.generated.ts';
import type { Page, PageParts } from '../../shell/page.ts';
import { createLayerBar } from '../../toolpath/layer-bar.ts';
import { createNewerPanel, type NewerPanelParts } from '../../toolpath/newer-panel.ts';
import type { NewerVersion } from '../../toolpath/newer-version.ts';
import { createLoadedOpener } from '../../toolpath/open-loaded.ts';
import { publishShownToolpath } from '../../toolpath/shown-toolpath.ts';
import type { TimedPath } from '../../toolpath/timed-path.ts';
import { createPlayback } from '../../toolpath/timeline/playback.ts';
import { pressKey } from '../../toolpath/timeline/playback-keys.ts';
import { TimelinePanel } from '../../toolpath/timeline/timeline-panel.ts';
import { ToolpathEditor } from '../../toolpath/toolpath-editor.ts';
import { ToolpathLayer } from '../../toolpath/toolpath-layer.ts';
import { ToolpathLibrary } from '../../toolpath/toolpath-library.ts';
import type { ToolpathPanel } from '../../toolpath/toolpath-panel.ts';
import { followPlace, openPlace, placeOf } from '../../toolpath/toolpath-place.ts';
import { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import { trackDeviation } from '../../toolpath/track-deviation.ts';
import { bindPanels } from '../../ui/bind-panels.ts';
import { element, setAttribute } from '../../ui/element.ts';
import { onPageKey } from '../../ui/page-key.ts';
import type { Place } from '../../ui/place.ts';
import { loadStyles } from '../../ui/style-sheets.ts';
import { onTheme } from '../../ui/theme-change.ts';
import { canDrop } from '../../ui/user-file.ts';
import { createColouringBar } from './colouring-bar.ts';
import { createComparePanel } from './compare-panel.ts';
import { createInspector } from './inspector.ts';
import { createProgramPanel, type ProgramEdits } from './program-panel.ts';
import { createRunsPanel } from './runs-panel.ts';

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
  store.subscribe((view, before) => {
    if (view.link !== before.link) show();
  });
  return show;
}

/** Says when someone else has changed what is open. */
function newerPanel(
  { save, unsaved, ...shared }: Pick<NewerPanelParts, 'store' | 'arm' | 'library'> & ProgramEdits,
  draw: NewerPanelParts['draw'],
): HTMLElement {
  const wayBack = 'Replaces what is open; Undo brings yours back';
  return createNewerPanel({ ...shared, draw, save, unsaved, wayBack });
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
    unsaved: () => store.view().replay === null && editor.unsaved,
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

/** Says over the scene that a toolpath is being built, or that one may be dropped. */
function createStatus(): ToolpathPanel {
  const text = element('p', { class: 'glass plan-busy', role: 'status', hidden: true });
  const open = canDrop() ? 'Drop a toolpath here' : 'Open a toolpath';
  return {
    element: text,
    update({ busy, origin }) {
      text.hidden = !busy && origin !== null;
      setAttribute(text, 'data-busy', busy && 'true');
      text.textContent = busy ? 'Building the toolpath' : open;
    },
  };
}

/** Builds the page into the frame; it stays hidden until `enter`. */
export async function createPathsPage(
  parts: ToolpathsParts,
  { store = new ToolpathStore(), editor = new ToolpathEditor() } = {},
): Promise<Page> {
  await loadStyles(STYLES);
  const { frame, scene, stage } = parts;
  const library = new ToolpathLibrary({ ...parts, store, arm: parts.store });
  const edits = createEdits(editor, library, store);
  const shared = { store, arm: parts.store, library, calls: parts.calls, ...edits };
  const layer = new ToolpathLayer({ store, stage });
  const draw = (path: TimedPath | null) => layer.compare(path);
  const program = createProgramPanel({ ...shared, signIn: () => parts.signIn.show() });
  program.element.firstElementChild!.after(newerPanel(shared, draw));
  const timeline = new TimelinePanel(store);
  const inspector = createInspector(store, { draw, apply: edits.apply });
  const compare = createComparePanel({ ...shared, draw });
  const runs = createRunsPanel({ ...shared, read: (head) => library.read(head) });
  inspector.element.append(compare.element, runs.element);
  const layers = createLayerBar(store);
  const colouring = createColouringBar(store);
  const status = createStatus();
  stage.element.after(layer.marks);
  scene.querySelector('.layers')?.prepend(layers.element);
  scene.append(colouring.element, status.element);
  frame.append(program.element, inspector.element, timeline.element);
  bindPanels(store, [program, timeline, inspector, compare, layers, colouring, status]);
  createPlayback(store);
  trackDeviation(store, parts.store, (tip, at_ms) => layer.addTrailPoint(tip, at_ms));
  const publishShown = publishShownToolpath(shared);
  const loaded = createLoadedOpener(store, parts.store);
  /** An address of the page alone leaves open what the page has just opened itself. */
  const isPageAlone = ({ id, params }: Place) => {
    const isRun = params['run'] !== undefined || params['at'] !== undefined;
    return id === null && !isRun && loaded.isOwn();
  };
  let shown = false;
  store.subscribe((view, before) => {
    if (shown && view.opened && view.opened !== before.opened) stage.frame();
  });
  followPlace(store, () => shown && parts.onPlace());
  const showArm = bindArmVisibility(parts, layer, () => shown);
  onPageKey((event) => {
    // A replay is nothing to edit.
    const isEdited = store.view().replay === null;
    if (!shown || (isEdited && pressEditKey(editor, event))) return;
    pressKey(store, event, () => program.element.querySelector('input')?.focus());
  });
  onTheme(() => timeline.redraw());
  function setShown(now: boolean): void {
    shown = now;
    if (now) editor.enter(store);
    else store.set({ playing: false });
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
        : (runs.openPlace(place) ?? openPlace(place, library, store)),
    openToolpath: (head) => void library.open(head),
    openFile: (name, text) => library.openFile(name, text),
  };
}
