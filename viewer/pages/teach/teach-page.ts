/**
 * The Teach page: jog or drag the ghost to a pose, add the pose to a toolpath, edit the toolpath
 * and see it built after every edit. Only explicit buttons move the arm, through the lock and the
 * API.
 */
import type { Joints, Vector } from '../../../contract/types.generated.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { workflowHoldText } from '../../shell/motion-reasons.ts';
import type { Page, PageParts } from '../../shell/page.ts';
import { createLayerBar } from '../../toolpath/layer-bar.tsx';
import { createNewerPanel, type NewerPanelParts } from '../../toolpath/newer-panel.tsx';
import { publishShownToolpath } from '../../toolpath/shown-toolpath.ts';
import { createPlayback } from '../../toolpath/timeline/playback.ts';
import { TimelinePanel } from '../../toolpath/timeline/timeline-panel.tsx';
import { emptyToolpath } from '../../toolpath/toolpath-edit.ts';
import { ToolpathEditor } from '../../toolpath/toolpath-editor.ts';
import { type DrawnToolpath, ToolpathLayer } from '../../toolpath/toolpath-layer.ts';
import { ToolpathLibrary } from '../../toolpath/toolpath-library.ts';
import { followPlace, openPlace, placeOf } from '../../toolpath/toolpath-place.ts';
import { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import { oncePerFrame } from '../../ui/animation-frame.ts';
import { bindPanels } from '../../ui/bind-panels.ts';
import { element } from '../../ui/element.ts';
import { onPageKey } from '../../ui/page-key.ts';
import { loadStyles } from '../../ui/style-sheets.ts';
import { onTheme } from '../../ui/theme-change.ts';
import { syncTargetWithCursor } from './cursor-target.ts';
import { createEditActions } from './edit-actions.ts';
import { createEditPanel } from './edit-panel.ts';
import { Gizmo } from './gizmo.ts';
import { createJogPanel } from './jog-panel.ts';
import { createStepPanel } from './step-panel.ts';
import { createTargetBar } from './target-bar.ts';
import { TargetPose } from './target-pose.ts';
import { pressTeachKey } from './teach-keys.ts';
import { createTeachLayer, type DrawnTarget } from './teach-layer.ts';
import { type MotionOptions, TeachMotion, toolPoseOf } from './teach-motion.ts';
import { createTeachSettings } from './teach-settings.ts';
import { createZonesPanel } from './zones-panel.ts';

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

/** Where the ghost stands until the pose of the arm is known. */
const ZERO_POSE: Joints = [0, 0, 0, 0, 0, 0];

/** Joint angles (rad) of the arm; null while unknown. */
function currentJoints({ snapshot }: ArmView): Joints | null {
  return snapshot?.['servos.telemetry.position'] ?? null;
}

/** Why the arm cannot be moved now; empty if it can. */
function motionBlockedReason({ link, lock, snapshot, workflow }: ArmView): string {
  if (link !== 'live' || !snapshot) return 'The arm is not connected';
  if (lock?.status === 'locked' && lock.owner !== 'you') return 'Another user holds the lock';
  if (workflow) return workflowHoldText(workflow);
  const { state } = snapshot.control;
  return state === 'ready' ? '' : `The arm is ${state.replace('_', ' ')}`;
}

/** Position of the tool tip (m). */
function tipPosition(pose: Float64Array): Vector {
  return { x: pose[9]!, y: pose[10]!, z: pose[11]! };
}

/** The part of PageParts that the page needs; the demo has no more. */
export type TeachParts = Pick<
  PageParts,
  'store' | 'calls' | 'commands' | 'stage' | 'frame' | 'scene' | 'onPlace'
>;

/** Creates the state of the page: target pose, toolpath editor, settings, and motion of the arm. */
function createTeachContext(parts: TeachParts, editor: ToolpathEditor) {
  const { store: arm, calls, commands } = parts;
  const store = new ToolpathStore();
  const library = new ToolpathLibrary({ ...parts, store, arm });
  const target = new TargetPose(currentJoints(arm.view()) ?? ZERO_POSE);
  const settings = createTeachSettings();
  const motionOptions = (): MotionOptions => {
    const metadata = (store.view().opened ?? arm.view().loaded)?.toolpath.metadata;
    const { tcp_config, avoidance_zones } = metadata ?? {};
    return { ...(tcp_config && { tcp_config }), ...(avoidance_zones && { avoidance_zones }) };
  };
  const motion = new TeachMotion({
    ...{ arm, calls, commands, settings, motionOptions },
    range: () => target.range,
  });
  const targetJoints = () => target.view().joints;
  const actions = createEditActions({ store, editor, library, arm, targetJoints });
  const updateEnvironment = () =>
    target.setEnvironment({ ...motionOptions(), range: arm.view().sim?.jointRange });
  store.subscribe((view, before) => {
    const toolpath = view.opened?.toolpath;
    if (toolpath?.metadata !== before.opened?.toolpath.metadata) updateEnvironment();
  });
  arm.subscribe((view, before) => {
    const isSameRange = view.sim?.jointRange === before.sim?.jointRange;
    if (view.loaded !== before.loaded || !isSameRange) updateEnvironment();
    const joints = currentJoints(view);
    if (joints && view.snapshot !== before.snapshot) target.follow(joints);
  });
  updateEnvironment();
  syncTargetWithCursor(store, target);
  const publishShown = publishShownToolpath({
    ...{ store, arm, library },
    unsaved: () => editor.unsaved,
  });
  const attach = () => target.attach(currentJoints(arm.view()) ?? targetJoints());
  async function moveHere(): Promise<void> {
    const { detached, valid, joints } = target.view();
    if (detached && valid && !motionBlockedReason(arm.view()) && (await motion.goTo(joints)))
      attach();
  }
  return {
    store,
    editor,
    library,
    target,
    settings,
    motion,
    actions,
    targetJoints,
    attach,
    moveHere,
    arm,
    motionOptions,
    publishShown,
  };
}

type TeachContext = ReturnType<typeof createTeachContext>;

/** Creates the panels that show the arm. */
function createArmPanels({
  target,
  settings,
  motion,
  arm,
  motionOptions,
  moveHere,
  attach,
}: TeachContext) {
  const armJoints = () => currentJoints(arm.view());
  const toolPose = () => {
    const joints = armJoints();
    return joints && toolPoseOf(joints, motionOptions().tcp_config);
  };
  const jog = createJogPanel({ target, settings, motion, armJoints, toolPose });
  const bar = createTargetBar({
    target,
    settings,
    moveHere: () => void moveHere(),
    attach,
  });
  function refresh(): void {
    const view = arm.view();
    // A jog step in progress must not disable the button that the user holds down.
    const reason = motionBlockedReason(view);
    jog.update(motion.settling() && view.link === 'live' ? '' : reason);
    bar.setBlockedReason(reason);
  }
  arm.subscribe(oncePerFrame(refresh));
  refresh();
  return { jog, bar };
}

function createInspectorOf(...panels: readonly HTMLElement[]): HTMLElement {
  return element('aside', { class: 'teach-inspector', 'aria-label': 'Teach' }, ...panels);
}

/** The pose of the ghost, and the toolpath whose tool and zones it has; null at the arm. */
function posedOf({ target, editor, arm }: TeachContext) {
  const { detached, joints } = target.view();
  const toolpath = editor.toolpath ?? arm.view().loaded?.toolpath ?? emptyToolpath();
  return detached ? { joints, toolpath } : null;
}

/** Says when someone else has changed what is open. */
function newerPanel(context: TeachContext, draw: NewerPanelParts['draw']): HTMLElement {
  const wayBack = 'Replaces what is open; Undo brings yours back';
  const { actions, editor } = context;
  const unsaved = () => editor.unsaved;
  return createNewerPanel({ ...context, draw, unsaved, wayBack, save: actions.save });
}

/** Marks parts that are shown on this page alone. */
function ownedByTeach(parts: readonly HTMLElement[]): void {
  for (const part of parts) part.dataset['of'] = 'teach';
}

/** Builds the page into the frame; it stays hidden until `enter`. */
export async function createTeachPage(
  parts: TeachParts,
  editor = new ToolpathEditor(),
): Promise<Page> {
  await loadStyles(STYLES);
  const { frame, scene, stage } = parts;
  const context = createTeachContext(parts, editor);
  const { store, target, settings, actions, targetJoints, moveHere } = context;
  store.set({ layers: { ...store.view().layers, ghost: false } });
  const redraw = () => stage.requestRender();
  const gizmo = new Gizmo(target, settings);
  const plan = new ToolpathLayer({ store, stage, handles: () => gizmo.box() });
  const draw: NewerPanelParts['draw'] = (path) => plan.compare(path);
  const zones = createZonesPanel({ editor, targetTip: () => tipPosition(target.pose()) });
  const openZone = (index: number) => zones.openZone(index);
  const step = createStepPanel({ store, editor, targetJoints, openZone, draw });
  const layer = createTeachLayer({ target, gizmo, arm: stage.arm, redraw });
  settings.subscribe(redraw);
  const program = createEditPanel({ ...context, forms: step.element });
  program.element.firstElementChild!.after(newerPanel(context, draw));
  const timeline = new TimelinePanel(store);
  const layers = createLayerBar(store, ['ghost']);
  const { jog, bar } = createArmPanels(context);
  const inspector = createInspectorOf(jog.element, zones.element);
  bindPanels(store, [program, step, timeline, layers, zones]);
  createPlayback(store);
  // Directly above the canvas, so that the scene's buttons stay above marks and handles.
  stage.element.after(plan.marks, gizmo.element);
  scene.querySelector('.layers')?.prepend(layers.element);
  const framed = [program.element, bar.element, inspector, timeline.element];
  frame.append(...framed);
  ownedByTeach([plan.marks, gizmo.element, layers.element, ...framed]);
  let shown = false;
  store.subscribe((view, before) => {
    // Another toolpath has another tool, so that the handles of the gizmo are elsewhere.
    if (shown && view.origin !== before.origin) stage.reframe();
  });
  const keys = { store, editor, actions, gizmo, moveHere: () => void moveHere() };
  onPageKey((event) => {
    if (shown) pressTeachKey(keys, event);
  });
  followPlace(store, () => shown && parts.onPlace());
  onTheme(() => timeline.redraw());
  function setShown(now: boolean): void {
    shown = now;
    if (now) editor.enter(store);
    else store.set({ playing: false });
    stage.setLayer(now ? plan : null);
    context.publishShown(now);
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
