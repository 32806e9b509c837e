/**
 * The Teach page: jog or drag the ghost to a pose, add the pose to a toolpath, edit the toolpath
 * and see it built after every edit. Only explicit buttons move the arm, through the lock and the
 * API.
 */
import { effect } from '@preact/signals';
import type { Page } from '../../shell/page.ts';
import { createPageView } from '../../shell/page-view.ts';
import { LayerBar } from '../../toolpath/layer-bar.tsx';
import { publishShownToolpath } from '../../toolpath/shown-toolpath.ts';
import { createPlayback } from '../../toolpath/timeline/playback.ts';
import { Timeline } from '../../toolpath/timeline/timeline.tsx';
import { emptyToolpath } from '../../toolpath/toolpath-edit.ts';
import { ToolpathEditor } from '../../toolpath/toolpath-editor.ts';
import { type DrawnToolpath, ToolpathLayer } from '../../toolpath/toolpath-layer.ts';
import { followPlace, openPlace, placeOf } from '../../toolpath/toolpath-place.ts';
import { drawn, mount } from '../../ui/mount.ts';
import { onPageKey } from '../../ui/page-key.ts';
import { loadStyles } from '../../ui/style-sheets.ts';
import { onChange } from '../../ui/view-store.ts';
import { EditPanel } from './edit-panel.tsx';
import { Gizmo } from './gizmo.ts';
import { GizmoHandles } from './gizmo-handles.tsx';
import { JogPanel } from './jog-panel.tsx';
import { TargetBar } from './target-bar.tsx';
import {
  createTeachContext,
  type TeachContext,
  type TeachParts,
  type TeachProps,
} from './teach-context.ts';
import { pressTeachKey } from './teach-keys.ts';
import { createTeachLayer, type DrawnTarget } from './teach-layer.ts';
import { ZonesPanel } from './zones-panel.tsx';

const STYLES = [
  new URL('../../styles/toolpaths.css', import.meta.url),
  new URL('../../styles/program.css', import.meta.url),
  new URL('../../styles/timeline.css', import.meta.url),
  new URL('../../styles/teach.css', import.meta.url),
  new URL('../../styles/gizmo.css', import.meta.url),
];
/** State drawn by the page: the ghost and the zones of the open toolpath. */
export interface TeachScene {
  drawn(): DrawnTarget & Pick<DrawnToolpath, 'zones'>;
}

function TeachPage({ context }: TeachProps) {
  return (
    <>
      <EditPanel context={context} />
      <TargetBar context={context} />
      <aside class="teach-inspector" aria-label="Teach" data-of="teach">
        <JogPanel context={context} />
        <ZonesPanel context={context} />
      </aside>
      <Timeline store={context.store} of="teach" />
    </>
  );
}

/** The pose of the ghost, and the toolpath whose tool and zones it has; null at the arm. */
function posedOf({ target, editor, arm }: TeachContext) {
  const { detached, joints } = target.view();
  const toolpath = editor.toolpath ?? arm.view().loaded?.toolpath ?? emptyToolpath();
  return detached ? { joints, toolpath } : null;
}

/** Builds the page into the frame; it stays hidden until `enter`. */
export async function createTeachPage(
  parts: TeachParts,
  editor = new ToolpathEditor(),
): Promise<Page> {
  await loadStyles(STYLES);
  const { frame, scene, stage } = parts;
  const page = createPageView(parts.store);
  const context = createTeachContext({
    ...parts,
    editor,
    page,
    draw: (path) => plan.compare(path),
  });
  const { store, target, settings, actions, moveHere } = context;
  store.set({ layers: { ...store.view().layers, ghost: false } });
  const gizmo = new Gizmo(target, settings);
  const plan = new ToolpathLayer({ store, stage, handles: () => gizmo.box() });
  const redraw = () => stage.requestRender();
  const layer = createTeachLayer({ target, gizmo, arm: stage.arm, redraw });
  effect(() => {
    void settings.frame.value;
    redraw();
  });
  createPlayback(store);
  const handles = drawn(<GizmoHandles gizmo={gizmo} />);
  const layers = drawn(<LayerBar store={store} without={['ghost']} />);
  for (const part of [plan.marks, handles, layers]) part.dataset['of'] = 'teach';
  // Directly above the canvas, so that the scene's buttons stay above marks and handles.
  stage.element.after(plan.marks, handles);
  scene.querySelector('.layers')?.prepend(layers);
  mount(frame, <TeachPage context={context} />);
  let shown = false;
  // Another toolpath has another tool, so that the handles of the gizmo are elsewhere.
  onChange(store.shown.origin, () => shown && stage.reframe());
  onPageKey((event) => {
    if (shown) pressTeachKey({ store, editor, actions, gizmo, moveHere }, event);
  });
  followPlace(store, () => shown && parts.onPlace());
  const publishShown = publishShownToolpath(context);
  function setShown(now: boolean): void {
    shown = now;
    if (now) {
      page.enter();
      editor.enter(store);
    } else {
      page.leave();
      store.set({ playing: false });
    }
    stage.setLayer(now ? plan : null);
    publishShown(now);
    stage.setOverlay(layer, now);
  }
  return {
    drawn: {
      drawn: () => ({ ...layer.drawn(), zones: plan.drawn().zones }),
    } satisfies TeachScene,
    enter: () => setShown(true),
    leave: () => setShown(false),
    place: () => placeOf(store),
    openPlace: (place) => openPlace(place, context.library, store),
    openToolpath: (head) => void context.library.open(head),
    openFile: actions.openText,
    posed: () => posedOf(context),
  };
}
