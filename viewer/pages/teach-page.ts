/**
 * The Teach page: jog and drag to a pose, add it to a toolpath, edit the toolpath and see it built
 * behind every edit. The ghost is moved freely; the arm only by what says so, through lock and API.
 */
import type { Joints, Vector } from '../../contract/types.ts';
import type { ArmView } from '../link/arm-store.ts';
import { element } from '../panels/element.ts';
import { createPlanLayer } from '../scene/plan-layer.ts';
import { createArmMover, type Load, toolPoseOf } from '../teach/arm-mover.ts';
import { followCursor } from '../teach/cursor-target.ts';
import { createEditActs } from '../teach/edit-acts.ts';
import { createEditPanel } from '../teach/edit-panel.ts';
import { Editor } from '../teach/editor.ts';
import { createGizmo } from '../teach/gizmo.ts';
import { createJogPanel } from '../teach/jog-panel.ts';
import { createStepPanel } from '../teach/step-panel.ts';
import { Target } from '../teach/target.ts';
import { createTargetBar } from '../teach/target-bar.ts';
import { pressTeachKey } from '../teach/teach-keys.ts';
import { createTeachLayer } from '../teach/teach-layer.ts';
import { createTeachSettings } from '../teach/teach-settings.ts';
import { emptyToolpath } from '../teach/toolpath-edit.ts';
import { createZonesPanel } from '../teach/zones-panel.ts';
import type { TeachScene } from '../test-window.ts';
import { createLibrary } from '../toolpath/library.ts';
import { createLayerBar } from '../toolpath/plan-bars.ts';
import { createPlayback } from '../toolpath/playback.ts';
import { createTimeline } from '../toolpath/timeline-panel.ts';
import { ToolpathStore } from '../toolpath/toolpath-store.ts';
import { follow, loadStyles, onceAFrame, onTheme, type Page, type PageParts } from './page.ts';

const STYLES = [
  new URL('../styles/toolpaths.css', import.meta.url),
  new URL('../styles/program.css', import.meta.url),
  new URL('../styles/timeline.css', import.meta.url),
  new URL('../styles/teach.css', import.meta.url),
  new URL('../styles/gizmo.css', import.meta.url),
];
const UPRIGHT: Joints = [0, 0, 0, 0, 0, 0];

/** Where the arm stands; null while that is not known. */
function standing({ snapshot }: ArmView): Joints | null {
  return snapshot?.['servos.telemetry.position'] ?? null;
}

/** Why the arm cannot be moved now; empty when it can. */
function obstacle({ link, lock, snapshot }: ArmView): string {
  if (link !== 'live' || !snapshot) return 'The arm is not connected';
  if (lock?.status === 'locked' && lock.owner !== 'you') return 'Somebody else holds the lock';
  const { state } = snapshot.control;
  return state === 'ready' ? '' : `The arm is ${state.replace('_', ' ')}`;
}

/** Where the tip of a tool pose is (m). */
function tipOf(pose: Float64Array): Vector {
  return { x: pose[9]!, y: pose[10]!, z: pose[11]! };
}

/** What is taught and with what: the pose, the toolpath and the way to the arm. */
function createDesk(parts: PageParts) {
  const { store: arm, calls, commands } = parts;
  const store = new ToolpathStore();
  const editor = new Editor(store);
  const library = createLibrary({ ...parts, store, arm });
  const target = new Target(standing(arm.view()) ?? UPRIGHT);
  const settings = createTeachSettings();
  const load = (): Load => {
    const metadata = (store.view().opened ?? arm.view().loaded)?.toolpath.metadata;
    const { tcp_config, avoidance_zones } = metadata ?? {};
    return { ...(tcp_config && { tcp_config }), ...(avoidance_zones && { avoidance_zones }) };
  };
  const mover = createArmMover({ arm, calls, commands, settings, load });
  const taught = () => target.view().joints;
  const acts = createEditActs({ store, editor, library, arm, calls, taught });
  const surround = () => target.surround(load());
  store.subscribe((view, before) => {
    const toolpath = view.opened?.toolpath;
    if (toolpath?.metadata !== before.opened?.toolpath.metadata) surround();
  });
  arm.subscribe((view, before) => {
    if (view.loaded !== before.loaded) surround();
    const joints = standing(view);
    if (joints && view.snapshot !== before.snapshot) target.follow(joints);
  });
  surround();
  followCursor(store, target);
  const rejoin = () => target.rejoin(standing(arm.view()) ?? taught());
  async function moveHere(): Promise<void> {
    const { apart, sound, joints } = target.view();
    if (apart && sound && !obstacle(arm.view()) && (await mover.goTo(joints))) rejoin();
  }
  return {
    store,
    editor,
    library,
    target,
    settings,
    mover,
    acts,
    taught,
    rejoin,
    moveHere,
    arm,
    load,
  };
}

type Desk = ReturnType<typeof createDesk>;

/** The panels that follow the arm rather than the toolpath. */
function createArmPanels({ target, settings, mover, arm, load, moveHere, rejoin }: Desk) {
  const now = () => standing(arm.view());
  const toolPose = () => {
    const joints = now();
    return joints && toolPoseOf(joints, load().tcp_config);
  };
  const jog = createJogPanel({ target, settings, mover, standing: now, toolPose });
  const bar = createTargetBar({ target, settings, moveHere: () => void moveHere(), rejoin });
  function refresh(): void {
    const view = arm.view();
    // A step under way must not take the button from under the finger that holds it.
    const why = obstacle(view);
    jog.update(mover.settling() && view.link === 'live' ? '' : why);
    bar.allow(why);
  }
  arm.subscribe(onceAFrame(refresh));
  refresh();
  return { jog, bar };
}

/** Builds the page into the frame; nothing shows before `enter`. */
export async function createTeachPage(parts: PageParts): Promise<Page> {
  await loadStyles(STYLES);
  const { frame, scene, stage } = parts;
  const desk = createDesk(parts);
  const { store, editor, target, settings, acts, taught, moveHere } = desk;
  store.set({ layers: { ...store.view().layers, ghost: false } });
  const redraw = () => stage.wake();
  const plan = createPlanLayer({ store, arm: stage.arm, redraw });
  const gizmo = createGizmo(target, settings);
  const layer = createTeachLayer({ target, gizmo, arm: stage.arm, redraw });
  settings.subscribe(redraw);
  const step = createStepPanel({ store, editor, taught });
  const program = createEditPanel({ ...desk, forms: step.element });
  const timeline = createTimeline(store);
  const layers = createLayerBar(store, ['ghost']);
  const { jog, bar } = createArmPanels(desk);
  const zones = createZonesPanel({ editor, tip: () => tipOf(target.pose()) });
  const label = { class: 'teach-inspector', 'aria-label': 'Teach' };
  const inspector = element('aside', label, jog.element, zones.element);
  follow(store, [program, step, timeline, layers, zones]);
  createPlayback(store);
  const own = [plan.marks, gizmo.element, layers.element, bar.element];
  // The gizmo lies right over the canvas: buttons of the scene stay above its handles.
  stage.element.after(gizmo.element);
  scene.append(plan.marks, layers.element);
  frame.append(program.element, bar.element, inspector, timeline.element);
  for (const one of [...own, program.element, inspector, timeline.element]) {
    one.dataset['of'] = 'teach';
  }
  let here = false;
  const keys = { store, editor, acts, gizmo, moveHere: () => void moveHere() };
  addEventListener('keydown', (event) => {
    if (here) pressTeachKey(keys, event);
  });
  addEventListener('beforeunload', (event) => {
    if (editor.unsaved && editor.canUndo) event.preventDefault();
  });
  onTheme(() => timeline.redraw());
  function setHere(now: boolean): void {
    here = now;
    if (!now) store.set({ playing: false });
    stage.setLayer(now ? plan : null);
    stage.setOverlay(layer, now);
  }
  return {
    drawn: {
      drawn: () => ({ ...layer.drawn(), zones: plan.drawn().zones }),
    } satisfies TeachScene,
    enter: () => setHere(true),
    leave: () => setHere(false),
    openToolpath: (head) => void desk.library.open(head),
    openFile: acts.openText,
    posed() {
      const { apart, joints } = target.view();
      const { loaded } = parts.store.view();
      const toolpath = editor.toolpath ?? loaded?.toolpath ?? emptyToolpath();
      return apart ? { joints, toolpath } : null;
    },
  };
}
